"""What a fitted model says of new rows, and the file it is kept in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Self

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
from ._table import TableEncoder


# With TransformerMixin as a base, for `set_output` to wrap this `transform`.
class TakesNewRows(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    HasLevels,
):
    """Assigns new rows to the clusters, and saves and loads what that needs."""

    _fitted: Fitted

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

    def predict(self, X: Data) -> Labels:
        """Assign each row to the cluster with the largest affinity, without refitting.

        Parameters
        ----------
        X : as for `transform`

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        values = self._new_values(X)
        return self._fitted.predict(values)

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
