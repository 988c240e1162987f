"""What all methods share: scikit-learn's contract, and the way from X to similarities.

A method is a dataclass whose fields are its parameters and whose `_cluster` sets the fitted
attributes; parameters, `fit`, tags, input checks and common docstring entries come from here.
"""

from __future__ import annotations

import inspect
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative, validate_data

from .._arrays import Data, Floats, Matrix
from .._checks import asymmetry, symmetric_hint
from .._frames import refuse_containers
from .._graphs import refuse_graph
from .._parameters import threads_of
from .._warnings import Note, warn_all
from ._checks import number, one_of, whole

AFFINITIES = ("linear", "rbf", "neighbors", "precomputed")
DISTANCES = ("sqeuclidean", "euclidean")
_SYMMETRY_TOLERANCE = 1e-9  # relative to the largest entry
# Parameters that matter under one affinity only, and their defaults.
_AFFINITY_OF = {
    "distance": ("linear", "sqeuclidean"),
    "gamma": ("rbf", None),
    "n_neighbors": ("neighbors", 10),
}

# Entries of docstrings, which stand there as %(name)s.
_SHARED_ENTRIES = {
    "affinity_parameters": """\
distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
    Under "linear".
gamma : float or None, default=None
    Under "rbf". None: one over the number of features.
n_neighbors : int, default=10
    Under "neighbors".""",
    "n_jobs": """\
n_jobs : int or None, default=None
    Threads, as joblib counts them: None is 1, -1 all. They do not change the result.""",
    "n_features_in_": """\
n_features_in_ : int
    Number of features seen by `fit`.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, where X had string column names.""",
}


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


class Clusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Groups the objects of a square matrix, given ("precomputed") or computed from rows."""

    n_jobs: int | None

    # The parameter that says how the matrix comes about, and what its entries are called.
    _matrix_parameter: ClassVar[str]
    _entries: ClassVar[str] = "matrix"
    _accepts_sparse: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        text = inspect.cleandoc(cls.__doc__ or "")
        for name, entry in _SHARED_ENTRIES.items():
            text = text.replace(f"%({name})s", entry)
        cls.__doc__ = text

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        tags.input_tags.sparse = self._is_precomputed and self._accepts_sparse
        return tags

    @property
    def _is_precomputed(self) -> bool:
        return bool(getattr(self, self._matrix_parameter) == "precomputed")

    @property
    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def fit(self, X: Data, y: object = None) -> Self:
        """Group the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, under "precomputed", n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        self._check_parameters()
        refuse_containers(X)
        refuse_graph(X)
        warn_all(self._ignored())
        rows = validate_data(
            self,
            X,
            accept_sparse="csr" if self._is_precomputed and self._accepts_sparse else False,
            dtype=np.float64,
            order="C",
        )
        self._cluster(self._precomputed(rows) if self._is_precomputed else self._computed(rows))
        return self

    def _check_parameters(self) -> None:
        """Raise ParameterError for what is wrong whatever the data."""
        raise NotImplementedError

    def _ignored(self) -> list[Note]:
        """Warnings about parameters that are set but have no effect."""
        return []

    def _computed(self, rows: Floats) -> Matrix:
        """The matrix of the rows of X."""
        raise NotImplementedError

    def _precomputed(self, matrix: Matrix) -> Matrix:
        """The matrix itself, if it is square and symmetric to a few digits; else ValueError."""
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be square: expected shape (n_samples, n_samples), got "
                f"{matrix.shape}"
            )
        difference, largest = asymmetry(matrix)
        if difference > _SYMMETRY_TOLERANCE * largest:
            hint = symmetric_hint("X", matrix)
            raise ValueError(f"Precomputed {self._entries} must be symmetric; {hint}")
        return matrix

    def _cluster(self, matrix: Matrix) -> None:
        """Set the fitted attributes."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class SimilarityClusterer(Clusterer):
    """Groups objects by their similarities, which may be negative if the method allows it."""

    _: KW_ONLY
    affinity: str = "linear"
    distance: str = "sqeuclidean"
    gamma: float | None = None
    n_neighbors: int = 10
    n_jobs: int | None = None

    _matrix_parameter = "affinity"
    _accepts_sparse = True

    def _check_parameters(self) -> None:
        one_of("affinity", self.affinity, AFFINITIES)
        one_of("distance", self.distance, DISTANCES)
        if self.gamma is not None:
            number("gamma", self.gamma, "a finite number above 0, or None", 0, above=True)
        whole("n_neighbors", self.n_neighbors)

    def _ignored(self) -> list[Note]:
        return [
            Note(
                "ignored_parameter",
                name,
                f"{name}: found {getattr(self, name)!r} with affinity={self.affinity!r}, where it "
                f"is ignored; allowed: only with affinity={its!r}",
            )
            for name, (its, default) in _AFFINITY_OF.items()
            if getattr(self, name) != default and self.affinity != its
        ]

    def _computed(self, rows: Floats) -> Matrix:
        if self.affinity == "linear":
            return linear(rows, self.distance)
        if self.affinity == "rbf":
            return rbf(rows, self.gamma)
        return neighbors(rows, self.n_neighbors)


class NonNegativeClusterer(SimilarityClusterer):
    """Rejects negative precomputed similarities, in scikit-learn's words."""

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self._is_precomputed
        return tags

    def _precomputed(self, matrix: Matrix) -> Matrix:
        similarities = super()._precomputed(matrix)
        check_non_negative(similarities, type(self).__name__)
        return similarities
