"""The data sets of the study, scaled once: every method sees the same numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_mutual_info_score

from .. import places
from ..data import datasets
from ..data.datasets import Floats, Labels
from ..paper.pipelines import scaled

UCI = {  # the word of --only: the name in datasets.py
    "ecoli": "Ecoli",
    "breast": "Breast Tissue",
    "forest": "Forest Type",
    "knowledge": "User Knowledge Modeling",
}
NAMES = ("digits", *UCI)


@dataclass(frozen=True)
class Task:
    name: str
    title: str
    rows: Floats  # scaled
    classes: Labels

    @property
    def k(self) -> int:
        return len(np.unique(self.classes))

    def ami(self, labels: Labels) -> float:
        """AMI against the classes, normalised by the mean entropy as in scikit-learn."""
        return float(adjusted_mutual_info_score(self.classes, labels))


def digits() -> Task:
    """Not scaled: all pixels have the same unit."""
    found = load_digits()
    return Task(
        "digits",
        "digits (scikit-learn)",
        np.asarray(found.data, dtype=np.float64),
        np.asarray(found.target, dtype=np.int64),
    )


def tasks(names: list[str], folder: Path = places.UCI) -> list[Task]:
    """The tasks whose data are available."""
    there = datasets.available(folder)
    found = [digits()] if "digits" in names else []
    for name, title in UCI.items():
        if name in names and title in there:
            one = there[title]
            found.append(Task(name, title, scaled(one.rows, "standard"), one.classes))
    return found


def missing(names: list[str], folder: Path = places.UCI) -> list[str]:
    """A line for each requested data set that is not available."""
    wanted = tuple(f"{UCI[name]}:" for name in names if name in UCI)
    return [line for line in datasets.missing(folder) if line.startswith(wanted)]
