"""Wines as a DataFrame: text, missing cells, warnings, and the number of clusters."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd

from shiftcut import ShiftcutWarning, ShiftedMinCut, metrics

wines = pd.read_csv(Path(__file__).parent.parent / "wine.csv")
cultivar = wines.pop("label")

# Real tables have text and missing cells: bin the magnesium into three words, and drop every 20th
# ash value.
words = ["little", "some", "much"]
wines["magnesium"] = pd.cut(wines["magnesium"], 3, labels=words).astype(object)
wines.loc[::20, "ash"] = None

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", ShiftcutWarning)
    model = ShiftedMinCut(n_clusters=3, random_state=0).fit(wines)
for warning in caught:
    print(f"warning: {warning.message}")
print(f"neighbors: {model.result_['sizes']}, AMI {metrics.ami(cultivar, model.labels_):.2f}")

# The paper's similarity may leave clusters empty; a warning says so.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", ShiftcutWarning)
    linear = ShiftedMinCut(n_clusters=6, similarity="linear", random_state=0).fit(wines)
print(f"linear, at most 6: {linear.result_['sizes']}")
print(f"warning: {caught[-1].message}")

# A new wine: text and missing cells are encoded as they were in the fit.
unknown = wines.iloc[[0]].assign(ash=None, magnesium="much")
print(f"a new wine belongs to cluster {model.predict(unknown)[0]}")
