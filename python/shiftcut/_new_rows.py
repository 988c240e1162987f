"""What a fitted model says of new rows, and the file it is kept in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal, Self, overload

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import Data, Floats, Labels
from ._files import replace_file
from ._fitted import Fitted
from ._levels import HasLevels
from ._links import LINKS
from ._parameters import parameters_of, threads_of
from ._strength import HasStrengths, probabilities
from ._table import TableEncoder


# With TransformerMixin as a base, for `set_output` to wrap this `transform`.
class TakesNewRows(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    HasLevels,
    HasStrengths,
):
    """Assigns new rows to the clusters, and saves and loads what that needs."""

    def transform(self, X: Data) -> Floats:
        """Return the affinity of each row to each cluster, the sum of its S to the members.

        Parameters
        ----------
        X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features)
            New rows or, with a precomputed similarity, the similarity of each new object to each
            training object.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters_)
        """
        values = self._new_values(X)
        return self._fitted.affinities(values)

    @overload
    def predict(
        self, X: Data, *, return_strength: Literal[False] = False, noise: bool = False
    ) -> Labels: ...
    @overload
    def predict(
        self, X: Data, *, return_strength: Literal[True], noise: bool = False
    ) -> tuple[Labels, Floats]: ...
    def predict(
        self, X: Data, *, return_strength: bool = False, noise: bool = False
    ) -> Labels | tuple[Labels, Floats]:
        """Assign each row to the cluster with the largest affinity, without refitting.

        Parameters
        ----------
        X : as for `transform`
        return_strength : bool, default=False
            Also return the strength of each row: the probability of its cluster, less for a row
            far from all training rows.
        noise : bool, default=False
            Label outliers -1: rows with an outlier score above 0.5, which are farther from their
            neighbours than nearly all training rows.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        strength : ndarray of shape (n_samples,)
            Only if `return_strength` is True.
        """
        values = self._new_values(X)
        if not (return_strength or noise):
            return self._fitted.predict(values)
        labels, (strength, *_) = self._fitted.judge(values, noise=noise)
        return (labels, strength) if return_strength else labels

    def predict_probabilities(self, X: Data) -> Floats:
        """Return the probability of each cluster for each row.

        Only the few likeliest clusters of a row have probabilities above 0.

        Parameters
        ----------
        X : as for `transform`

        Returns
        -------
        ndarray of shape (n_samples, n_clusters_)
        """
        values = self._new_values(X)
        _, (_, _, data, indices, offsets) = self._fitted.judge(values, noise=False)
        rows: Floats = probabilities(data, indices, offsets, self.n_clusters_).toarray()
        return rows

    def outlier_scores(self, X: Data) -> Floats:
        """Return how far each row is from the training rows, 0 to 1; above 0.5 it is an outlier.

        Parameters
        ----------
        X : as for `transform`

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        _, strengths = self._fitted.judge(self._new_values(X), noise=False)
        scores: Floats = strengths[1]
        return scores

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file, whole or not at all.

        The command line reads it (`shiftcut predict`), as `load` does. It holds the parameters, the
        labels and what new rows need: under "neighbors" and "rbf" the training rows, else sums
        over them. It is no pickle, so reading one from elsewhere runs no code.

        Parameters
        ----------
        path : str or path-like
        """
        check_is_fitted(self)
        replace_file(path, self._fitted.model.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model that `save` or the command line's `--model` wrote.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        ShiftedMinCut
            Fitted, with the parameters of the fit. Threads are not part of them: set `n_jobs`.
        """
        core = _core.Model.from_bytes(Path(path).read_bytes(), os.fspath(path))
        model = cls(**parameters_of(core.options(), core.shape))
        model._keep(core.labels(), json.loads(core.result()))
        model._links = {name: getattr(model, name) for name in LINKS}
        model._sample_weight = core.row_weights()
        model._fitted = Fitted.of_model(core, threads_of(None))
        columns = core.columns()
        model._encoder = None if columns is None else TableEncoder.of_columns(columns)
        model.n_features_in_ = core.n_columns if columns is None else len(columns)
        if columns is not None and core.has_names:
            model.feature_names_in_ = np.array([name for name, *_ in columns], dtype=object)
        return model
