"""How firmly each sample belongs to its cluster, and what sets the clusters apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import Data, Floats, core_values
from ._checks import count
from ._fitted import Fitted
from ._results import HasResults

if TYPE_CHECKING:
    import pandas as pd

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.uint64]


class Description:
    """What sets each cluster apart; printed as a table.

    Attributes
    ----------
    clusters : list of dict
        For each cluster its `cluster` number, `size`, `exemplars` (sample indices), `cohesion`,
        `nearest` cluster and `columns`, each with `name`, `measure`, `effect`, `inside` and
        `outside`.
    """

    def __init__(self, clusters: list[dict[str, Any]], text: str) -> None:
        self.clusters = clusters
        self._text = text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def __len__(self) -> int:
        return len(self.clusters)

    def to_dict(self) -> dict[int, dict[str, Any]]:
        """Return the description of each cluster by its number."""
        return {cluster["cluster"]: dict(cluster) for cluster in self.clusters}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each cluster and column."""
        import pandas as pd

        rows = []
        for cluster in self.clusters:
            about = {name: cluster[name] for name in ("cluster", "size", "cohesion", "nearest")}
            rows += [about | column for column in cluster["columns"] or [{}]]
        return pd.DataFrame(rows)


class HasStrengths(HasResults):
    """Strengths, outlier scores, exemplars and descriptions of a fit."""

    _fitted: Fitted

    @property
    def strength_(self) -> Floats:
        """Probability that each sample is in the right cluster, less for outliers."""
        return self._strengths("strength_")[0]

    @property
    def outlier_scores_(self) -> Floats:
        """How far each sample is from the others, 0 to 1; above 0.5 it is an outlier."""
        return self._strengths("outlier_scores_")[1]

    @property
    def probabilities_(self) -> sparse.csr_array:
        """Probabilities of the few likeliest clusters of each sample; rows sum to 1."""
        _, _, data, indices, offsets = self._strengths("probabilities_")
        return probabilities(data, indices, offsets, self.n_clusters_)

    @property
    def exemplar_indices_(self) -> list[npt.NDArray[np.intp]]:
        """The most typical samples of each cluster, the most central one first."""
        self._require_fit("exemplar_indices_")
        return [
            np.array(cluster["exemplars"], dtype=np.intp)
            for cluster in self.describe(n_columns=0).clusters
        ]

    def describe(
        self,
        X: Data = None,
        *,
        n_columns: int = 5,
        n_exemplars: int = 3,
        feature_names: Data = None,
    ) -> Description:
        """Say what sets each cluster apart.

        Parameters
        ----------
        X : as for `fit`, or None, default=None
            The training data. None: the data passed to `fit`, which are not available after
            copying or unpickling.
        n_columns : int, default=5
            How many columns of each cluster to list, those that differ most from the rest.
        n_exemplars : int, default=3
            How many typical samples of each cluster to list.
        feature_names : array-like of str of shape (n_features,) or None, default=None
            Names of the columns of X, such as words. None: those of the frame that was fitted, or
            "x0", "x1" and so on.

        Returns
        -------
        Description
            Printed as a table, with `to_dict()` and `to_frame()`.
        """
        check_is_fitted(self)
        values, options = self._asked_again(X)
        names = self._described_columns(feature_names, values.shape[1])
        about, text = _core.describe(
            core_values(values),
            self._shape(values),
            options,
            self.labels_,
            count("n_exemplars", n_exemplars),
            count("n_columns", n_columns),
            names,
            self._fitted.run,
        )
        return Description(json.loads(about)["clusters"], text)

    def _described_columns(self, given: Data, width: int) -> list[str]:
        if given is None:
            return self._column_names()
        names = [str(name) for name in given]
        if names and len(names) != width:
            raise ValueError(
                f"feature_names: found {len(names)} names; allowed: {width}, one per column of X"
            )
        return names

    def _require_fit(self, attribute: str) -> None:
        if not hasattr(self, "labels_"):
            raise AttributeError(f"{attribute} is there after a fit")

    def _strengths(self, attribute: str) -> tuple[Floats, Floats, Floats, Ints, Offsets]:
        self._require_fit(attribute)
        return self._fitted.model.strengths()


def probabilities(
    data: Floats, indices: npt.NDArray[np.int32], offsets: npt.NDArray[Any], n_clusters: int
) -> sparse.csr_array:
    """Return a sparse array with a row for each sample and a column for each cluster."""
    shape = (len(offsets) - 1, n_clusters)
    rows = sparse.csr_array((data, indices, offsets.astype(np.int64)), shape=shape)
    rows.sort_indices()
    return rows
