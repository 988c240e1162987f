"""The data of a fit and new rows, checked and converted to numbers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arrays import Data, Matrix
from ._checks import symmetric_hint
from ._frames import frame_of, refuse_containers, refuse_same_names, with_advice
from ._graphs import Graph, graph_of, library_of
from ._parameters import is_symmetric, matrix_shape
from ._table import TableEncoder, is_table, notes_on_counts
from ._warnings import Note


class TakesData(BaseEstimator):  # type: ignore[misc]
    """How X becomes numbers: frames are encoded, graphs and matrices checked."""

    _node_names: list[Hashable] | None = None  # of the graph that was fitted, if one was

    def _explain_asymmetry(self, values: Matrix, error: ValueError) -> None:
        """Raise the library's error for an asymmetric matrix with a suggestion added."""
        if self._matrix_shape() is not None and not is_symmetric(values):
            raise ValueError(f"{error}; {symmetric_hint('X', values)}") from None

    def _matrix_shape(self) -> str | None:
        return matrix_shape(self._parameters()["similarity"], self.metric)

    def _parameters(self) -> dict[str, Any]:
        """The parameters, with the similarity that X is if it is a graph."""
        parameters: dict[str, Any] = self.get_params(deep=False)
        if self._node_names is not None:
            parameters["similarity"] = "precomputed"
        return parameters

    def _shape(self, values: Matrix) -> str:
        shape = self._matrix_shape() or "features"
        return "graph" if shape == "similarity" and sparse.issparse(values) else shape

    def _learn_values(self, X: Data) -> tuple[Any, list[Note]]:
        """Return X, checked and converted to numbers, and notes on the conversion."""
        refuse_containers(X)
        self._encoder: TableEncoder | None = None
        self._node_names = None
        graph = self._graph_of(X)
        if graph is not None:
            X, self._node_names = graph.values, graph.names
        is_matrix = self._matrix_shape() is not None
        frame = None if is_matrix else frame_of(X)
        if frame is not None:
            refuse_same_names(frame)
        if frame is not None and not frame.is_plain():
            validate_data(self, X, skip_check_array=True)
            self._encoder = TableEncoder()
            encoded, notes = self._encoder.fit_encode(X)
            return encoded, notes + notes_on_counts(self._encoder.encoded_names(), encoded)
        values = self._validated(X, reset=True)
        if frame is not None and not sparse.issparse(values):
            self._encoder = TableEncoder.of_numbers(frame.names, values)
            return values, notes_on_counts(frame.names, values)
        if is_matrix and values.shape[0] != values.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be square: expected shape (n_samples, n_samples), got "
                f"{values.shape}"
            )
        return values, []

    def _graph_of(self, X: Data) -> Graph | None:
        """Return the matrix and names of a graph; ValueError for parameters that take none."""
        graph = graph_of(X, self.edge_weight)
        allowed = {"similarity": ("auto", "precomputed"), "metric": ("auto",)}
        for name, words in allowed.items() if graph is not None else ():
            value = getattr(self, name)
            if value not in words:
                raise ValueError(
                    f"{name}: found {value!r} with a graph of {library_of(X)}; allowed: "
                    f"{' or '.join(map(repr, words))}"
                )
        return graph

    def _new_values(self, X: Data) -> Matrix:
        check_is_fitted(self)
        refuse_containers(X)
        library = library_of(X)
        if library is not None:
            raise TypeError(
                f"X: found a graph of {library}; allowed: the similarity of each new object to "
                "each node of the fit, as a matrix"
            )
        if self._encoder is not None and (self._encoder.is_needed or is_table(X)):
            validate_data(self, X, reset=False, skip_check_array=True)
            return self._encoder.encode(X)
        return self._validated(X, reset=False)

    def _validated(self, X: Data, *, reset: bool) -> Matrix:
        try:
            return validate_data(
                self,
                X,
                reset=reset,
                accept_sparse="csr" if self.__sklearn_tags__().input_tags.sparse else False,
                dtype=[np.float64, np.float32],
                order="C",
            )
        except ValueError as error:
            raise with_advice(error) from None
