"""Stand-ins for the paper's two private data sets; they show trends, not the same numbers.

DS1 in the paper: 675 scanned documents of 56 kinds, from a few to more than 200 per kind, 4096
features. Ours: 56 handwritten digits, each "scanned" repeatedly: enlarged, rotated, shifted, with
different contrast and noise; 675 images of 32 x 32 pixels, 3 to 229 per kind. Made from
scikit-learn's digits, so it is always available.

DS2 in the paper: 7500 articles on five subjects, as tf-idf. Ours: 2225 news articles on five
topics.
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage, sparse
from sklearn.datasets import load_digits

from .. import places
from .datasets import DataSet, Floats

KINDS, OBJECTS, SIDE = 56, 675, 32


def kind_sizes() -> list[int]:
    """The number of scans of each kind: 3 of most, increasingly many of a few, 675 in all."""
    weights = 1.0 / np.arange(1, KINDS + 1) ** 1.4
    spare = OBJECTS - 3 * KINDS
    sizes = 3 + np.floor(spare * weights / weights.sum()).astype(int)
    sizes[0] += OBJECTS - sizes.sum()
    return [int(size) for size in sizes]


def _scan(form: Floats, rng: np.random.Generator) -> Floats:
    turned = ndimage.rotate(form, rng.normal(0, 4), reshape=False, order=1)
    moved = ndimage.shift(turned, rng.normal(0, 0.8, 2), order=1)
    return np.asarray(moved * rng.uniform(0.8, 1.2) + rng.normal(0, 0.6, form.shape))


def scans() -> DataSet:
    """The stand-in for DS1."""
    rng = np.random.default_rng(1)
    images = load_digits().images
    forms = images[rng.choice(len(images), KINDS, replace=False)]
    rows, kinds = [], []
    for kind, (form, size) in enumerate(zip(forms, kind_sizes(), strict=True)):
        enlarged = ndimage.zoom(form, SIDE / form.shape[0], order=1)
        rows += [_scan(enlarged, rng).ravel() for _ in range(size)]
        kinds += [kind] * size
    return DataSet(
        "DS1",
        np.array(rows),
        np.array(kinds, dtype=np.int64),
        note="stand-in: 675 distorted copies of 56 handwritten digits",
        stand_in=True,
    )


def news() -> DataSet | None:
    """The stand-in for DS2, if its file is available."""
    if not places.NEWS.is_file():
        return None
    with np.load(places.NEWS, allow_pickle=True) as file:
        matrix = sparse.csr_matrix((file["data"], file["indices"], file["indptr"]), file["shape"])
        topics = np.asarray(file["y"], dtype=np.int64)
    rows = np.asarray(matrix.toarray(), dtype=np.float64)
    note = "stand-in: 2225 news articles on five topics, tf-idf"
    return DataSet("DS2", rows, topics, note=note, stand_in=True)


def missing() -> list[str]:
    if places.NEWS.is_file():
        return []
    return [
        f"DS2: not at {places.NEWS}; get the BBC News corpus of MIND-Lab/OCTIS, and save its "
        "tf-idf rows there (CSR: data, indices, indptr, shape; topics: y)"
    ]
