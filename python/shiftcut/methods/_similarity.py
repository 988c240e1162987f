"""What the methods have in common: rows of features become non-negative similarities."""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from .._arrays import Data, Floats, Matrix
from .._checks import asymmetry, is_bool, symmetric_hint
from .._frames import refuse_containers
from .._warnings import Note, warn_all

AFFINITIES = ("linear", "rbf", "neighbors", "precomputed")
DISTANCES = ("sqeuclidean", "euclidean")
_SYMMETRY_TOLERANCE = 1e-9  # of the largest entry
# Parameters that count under one affinity only, and what they are where nobody set them.
_OF_ONE = {
    "distance": ("linear", "sqeuclidean"),
    "gamma": ("rbf", None),
    "n_neighbors": ("neighbors", 10),
}


def one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise ValueError if a word is not among those allowed."""
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(repr(word) for word in allowed)
        raise ValueError(f"{name}: found {value!r}; allowed: {words}")


def _check_above_zero(name: str, value: Data, kind: type, allowed: str) -> None:
    is_number = isinstance(value, kind) and not is_bool(value)
    if not is_number or not 0 < float(value) < math.inf:
        raise ValueError(f"{name}: found {value!r}; allowed: {allowed}")


def linear(rows: Floats, distance: str) -> Floats:
    """X = max(D) - D + min(D), as the paper defines it; the diagonal is the largest entry."""
    d: Floats = pairwise_distances(rows, metric=distance)
    np.fill_diagonal(d, 0.0)
    top = d.max() + d.min()
    np.subtract(top, d, out=d)
    return d


def rbf(rows: Floats, gamma: float | None) -> Floats:
    """exp(-gamma |x_i - x_j|^2); gamma None: one over the number of features, as scikit-learn."""
    d: Floats = pairwise_distances(rows, metric="sqeuclidean")
    np.fill_diagonal(d, 0.0)
    d *= -(1.0 / rows.shape[1] if gamma is None else gamma)
    np.exp(d, out=d)
    return d


def neighbors(rows: Floats, n_neighbors: int) -> Matrix:
    """The graph that joins each object to its nearest ones, in both directions, weights 1."""
    count = min(n_neighbors, rows.shape[0] - 1)
    if count < 1:
        return sparse.csr_matrix((rows.shape[0], rows.shape[0]))
    graph = kneighbors_graph(rows, count, mode="connectivity")
    return graph.maximum(graph.T).tocsr()


def check_symmetric(matrix: Matrix, what: str) -> None:
    """Raise ValueError unless it is, to a few digits."""
    difference, largest = asymmetry(matrix)
    if difference > _SYMMETRY_TOLERANCE * largest:
        raise ValueError(f"Precomputed {what} must be symmetric; {symmetric_hint('X', matrix)}")


class SimilarityClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator with the parameters `affinity`, `distance`, `gamma` and `n_neighbors`."""

    affinity: str
    distance: str
    gamma: float | None
    n_neighbors: int

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.affinity == "precomputed"
        tags.input_tags.sparse = self.affinity == "precomputed"
        return tags

    def _ignored(self) -> list[Note]:
        """Notes on parameters that were set and do not count."""
        return [
            Note(
                "ignored_parameter",
                name,
                f"{name}: found {getattr(self, name)!r} with affinity={self.affinity!r}, where it "
                f"is ignored; allowed: only with affinity={its!r}",
            )
            for name, (its, default) in _OF_ONE.items()
            if getattr(self, name) != default and self.affinity != its
        ]

    def _similarities(self, X: Data) -> Matrix:
        """X checked, as an n x n array or a CSR matrix of similarities.

        Precomputed ones are symmetric (else ValueError); whether they may be negative is for the
        method to say.
        """
        one_of("affinity", self.affinity, AFFINITIES)
        one_of("distance", self.distance, DISTANCES)
        if self.gamma is not None:
            _check_above_zero("gamma", self.gamma, Real, "a finite number above 0, or None")
        _check_above_zero("n_neighbors", self.n_neighbors, Integral, "an int of 1 or more")
        refuse_containers(X)
        warn_all(self._ignored())
        rows = validate_data(
            self,
            X,
            accept_sparse="csr" if self.affinity == "precomputed" else False,
            dtype=np.float64,
            order="C",
            ensure_min_samples=1,
        )
        if self.affinity == "linear":
            return linear(rows, self.distance)
        if self.affinity == "rbf":
            return rbf(rows, self.gamma)
        if self.affinity == "neighbors":
            return neighbors(rows, self.n_neighbors)
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be square: expected shape (n_samples, n_samples), got "
                f"{rows.shape}"
            )
        check_symmetric(rows, "matrix")
        return rows
