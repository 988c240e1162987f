"""Wines as a DataFrame: text and missing cells, warnings, and how many clusters to ask for."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd

from shiftcut import ShiftcutWarning, ShiftedMinCut, metrics

wines = pd.read_csv(Path(__file__).parent.parent / "wine.csv")
cultivar = wines.pop("label")

# Real tables have words and holes. The magnesium becomes three words, and every 20th ash is lost.
words = ["little", "some", "much"]
wines["magnesium"] = pd.cut(wines["magnesium"], 3, labels=words).astype(object)
wines.loc[::20, "ash"] = None

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always", ShiftcutWarning)
    model = ShiftedMinCut(n_clusters=3, random_state=0).fit(wines)
for warning in told:
    print(f"told: {warning.message}")
print(f"neighbors: {model.result_['sizes']}, AMI {metrics.ami(cultivar, model.labels_):.2f}")

# The paper's similarity is a sum over all pairs. It may leave clusters empty, and says so.
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always", ShiftcutWarning)
    linear = ShiftedMinCut(n_clusters=6, similarity="linear", random_state=0).fit(wines)
print(f"linear, at most 6: {linear.result_['sizes']}")
print(f"told: {told[-1].message}")

# A wine not seen before: words and holes are read as they were in the fit.
unknown = wines.iloc[[0]].assign(ash=None, magnesium="much")
print(f"a new wine belongs to cluster {model.predict(unknown)[0]}")
