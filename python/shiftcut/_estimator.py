"""The scikit-learn estimator."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._arrays import Data, Floats, Labels, Matrix, Shift, core_values
from ._checks import count, index, symmetric_hint, verbosity
from ._files import replace_file
from ._fitted import Fitted
from ._frames import frame_of, refuse_containers, with_advice
from ._links import LINKS, links_of_fit
from ._parameters import (
    PRECOMPUTED,
    check_log_odds,
    check_parameters,
    core_options,
    ignored,
    is_symmetric,
    parameters_of,
    threads_of,
)
from ._progress import ProgressLine
from ._table import TableEncoder, is_table
from ._warnings import warn_all


class ShiftedMinCut(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Clustering by shifted pairwise similarities.

    Minimises, over all groupings into at most `n_clusters` clusters, minus the sum of
    S_ij = X_ij - shift_strength * alpha_ij over the pairs of objects that share a cluster, where X
    are the similarities and alpha the shift.

    `distance`, `sigma`, `n_neighbors`, `weights` and `scale` are ignored where they do not apply,
    with a warning if one was set.

    Parameters
    ----------
    n_clusters : int or None, default=None
        At most so many clusters. None: the cost decides.
    similarity : {"neighbors", "linear", "cosine", "rbf", "precomputed", "precomputed_distance"}, \
default="neighbors"
        Of the rows of X. "precomputed": X is a symmetric similarity matrix, or, sparse, a graph.
        "precomputed_distance": X is a symmetric matrix of distances.
    n_neighbors : int or None, default=None
        Under "neighbors": how many nearest ones each object is joined to. None: the library's
        choice, 10 but for few objects.
    weights : {"shared", "binary", "gaussian", "log-odds"}, default="shared"
        Of the edges under "neighbors". "log-odds" is for a graph of probabilities (sparse, under
        "precomputed"): edges count log(p / (1 - p)), pairs without one 0, and `shift` None is
        "none".
    scale : {"auto", "standard", "minmax", "none"}, default="auto"
        Of the features. "auto": "standard", and "none" for sparse rows.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear"; "euclidean" needs n_samples x n_samples memory.
    sigma : float or None, default=None
        Width under "rbf". None: each object has its own.
    shift : {"auto", "adaptive", "none"}, float, matrix or None, default=None
        What is subtracted from the similarities: a float is a constant, a matrix (array or sparse,
        n_samples x n_samples) is taken entry by entry; "auto", for graphs, is the adaptive shift
        with a strength chosen from the data. None: "auto" under "neighbors", else "adaptive".
    shift_strength : float, default=1.0
        How much of the shift: below 1 clusters grow, above 1 they shrink.
    must_link : array-like of shape (n_pairs, 2) or None, default=None
        Pairs of indices of samples that belong together, in every answer. This and the next three
        can be given to `fit` instead, next to the data that the indices are of.
    cannot_link : array-like of shape (n_pairs, 2) or None, default=None
        Pairs that do not.
    cannot_link_groups : array-like of shape (n_samples,) or None, default=None
        A group for each sample, such as the source of a record: ints, strings or any other
        hashable; None, NaN and -1 stand for none. No two samples of a group are in one cluster.
    pair_weights : array-like of shape (n_pairs,) or None, default=None
        How sure each pair is, those of must_link before those of cannot_link: so much is added to
        the similarity of the two, or taken off it; inf, and None for all, is certain.
    learn_shift : bool, default=False
        Learn from the pairs how much each feature counts and how strong the shift is, as far as
        they say so themselves.
    method : {"auto", "local-search", "multilevel", "annealing", "frank-wolfe"}, default="auto"
        The search; "auto" is a portfolio of the others.
    n_init : int, default=10
        Restarts, of which the lowest cost wins.
    max_seconds : float or None, default=None
        After that the best grouping so far is kept.
    random_state : int, RandomState instance or None, default=None
        An int is the seed of the command line. The same seed gives the same labels, for any
        `n_jobs`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None is 1, -1 all.
    verbose : int or bool, default=0
        1 shows a progress line.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    cost_ : float
        Of the grouping; the lower the better.
    n_clusters_ : int
        Clusters that are not empty.
    n_iter_ : int
        Sweeps of the best restart.
    shift_ : dict
        The shift used: `kind`, `strength`, and `value` of a constant one.
    shift_path_ : list of dict
        The strengths that were tried where the shift chose its own, a row each;
        `pandas.DataFrame(model.shift_path_)` is a table of them. Empty where none was chosen.
    result_ : dict
        The whole result, as the command line's `--json` writes it (without the labels).
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut import ShiftedMinCut
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> ShiftedMinCut(2, similarity="linear", random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        similarity: str = "neighbors",
        n_neighbors: int | None = None,
        weights: str = "shared",
        scale: str = "auto",
        distance: str = "sqeuclidean",
        sigma: float | None = None,
        shift: Shift = None,
        shift_strength: float = 1.0,
        must_link: Data = None,
        cannot_link: Data = None,
        cannot_link_groups: Data = None,
        pair_weights: Data = None,
        learn_shift: bool = False,
        method: str = "auto",
        n_init: int = 10,
        max_seconds: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.similarity = similarity
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.scale = scale
        self.distance = distance
        self.sigma = sigma
        self.shift = shift
        self.shift_strength = shift_strength
        self.must_link = must_link
        self.cannot_link = cannot_link
        self.cannot_link_groups = cannot_link_groups
        self.pair_weights = pair_weights
        self.learn_shift = learn_shift
        self.method = method
        self.n_init = n_init
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.similarity in PRECOMPUTED
        tags.input_tags.sparse = self.similarity not in ("rbf", "precomputed_distance") and (
            self.similarity != "linear" or self.distance == "sqeuclidean"
        )
        tags.input_tags.allow_nan = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(
        self,
        X: Data,
        y: object = None,
        *,
        must_link: Data = None,
        cannot_link: Data = None,
        cannot_link_groups: Data = None,
        pair_weights: Data = None,
    ) -> Self:
        """Group the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features)
            Features; or, with a precomputed similarity, n_samples x n_samples. Columns of text or
            categories of a DataFrame (pandas, polars, Arrow) are one-hot encoded, and missing
            cells take the column's median (for text: its most frequent value).
        y : ignored
        must_link, cannot_link, cannot_link_groups, pair_weights : as in the constructor
            Each takes the place of the parameter of its name, for this fit. None: the parameter.
            Weights belong to the pairs they are given with.

        Returns
        -------
        self
        """
        parameters = self.get_params(deep=False)
        check_parameters(parameters)
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "cannot_link_groups": cannot_link_groups,
            "pair_weights": pair_weights,
        }
        links = links_of_fit(parameters, given)
        parameters |= links
        values, notes = self._learn_values(X)
        check_log_odds(parameters, values)
        in_fit = frozenset(name for name, links_given in given.items() if links_given is not None)
        options = core_options(parameters, values.shape[0], in_fit)
        progress = ProgressLine() if verbosity(self.verbose) else None
        try:
            labels, text, run = _core.run(
                core_values(values),
                self._shape(values),
                options | {"keep_neighbors": True},
                checked=self.similarity not in PRECOMPUTED and not sparse.issparse(values),
                notes=ignored(parameters, values) + notes,
                progress=progress,
            )
        except ValueError as error:
            self._explain_asymmetry(values, error)
            raise
        finally:
            if progress is not None:
                progress.close()
        self._keep(labels, json.loads(text))
        self._data = values
        self._links = links
        self._fitted = Fitted(
            values,
            self._shape(values),
            options,
            run,
            self._encoder,
            has_names=hasattr(self, "feature_names_in_"),
        )
        warn_all(self.result_["warnings"])
        return self

    def _explain_asymmetry(self, values: Matrix, error: ValueError) -> None:
        """The library's refusal of an asymmetric matrix, and what would help."""
        if self.similarity in PRECOMPUTED and not is_symmetric(values):
            raise ValueError(f"{error}; {symmetric_hint('X', values)}") from None

    def _shape(self, values: Matrix) -> str:
        shape = PRECOMPUTED.get(self.similarity, "features")
        return "graph" if shape == "similarity" and sparse.issparse(values) else shape

    def _keep(self, labels: Labels, result: dict[str, Any]) -> None:
        del result["labels"]
        self.labels_ = labels
        self.result_ = result
        self.cost_: float = np.nan if result["cost"] is None else result["cost"]
        self.n_clusters_: int = result["clusters_found"]
        best = min(result["restarts"], key=lambda restart: restart["cost"], default={"sweeps": 0})
        self.n_iter_: int = max(1, best["sweeps"])
        shift: dict[str, Any] = result["shift"]
        self.shift_ = {name: value for name, value in shift.items() if name != "path"}
        self.shift_path_: list[dict[str, Any]] = shift.get("path", [])

    def _learn_values(self, X: Data) -> tuple[Any, list[str]]:
        """X checked and as numbers, and sentences on what that took."""
        refuse_containers(X)
        self._encoder: TableEncoder | None = None
        frame = None if self.similarity in PRECOMPUTED else frame_of(X)
        if frame is not None and not frame.is_plain():
            validate_data(self, X, skip_check_array=True)
            self._encoder = TableEncoder()
            return self._encoder.fit_encode(X)
        values = self._validated(X, reset=True)
        if frame is not None and not sparse.issparse(values):
            self._encoder = TableEncoder.of_numbers(frame.names, values)
        if self.similarity in PRECOMPUTED and values.shape[0] != values.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be square: expected shape (n_samples, n_samples), got "
                f"{values.shape}"
            )
        return values, []

    def _new_values(self, X: Data) -> Matrix:
        check_is_fitted(self)
        refuse_containers(X)
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

    def transform(self, X: Data) -> Floats:
        """The affinity of each row to each cluster: the sum of its S to the members.

        Parameters
        ----------
        X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features)
            New rows; with a precomputed similarity, that of each new object to each training one.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters_)
        """
        return self._fitted.affinities(self._new_values(X))

    def predict(self, X: Data) -> Labels:
        """The cluster whose affinity to the row is largest, without fitting again.

        Parameters
        ----------
        X : as for `transform`

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted.predict(self._new_values(X))

    @property
    def score(self) -> NoReturn:
        """There is none: costs of other parameters are in other units.

        `shiftcut.model_selection` compares parameters by how well groupings of parts of the data
        agree.
        """
        raise AttributeError(
            "ShiftedMinCut has no score: costs under another n_clusters, similarity or n_neighbors "
            "can't be compared. shiftcut.model_selection.select(model, param_grid, X) chooses "
            "parameters, and model_selection.held_out_agreement is a scorer for GridSearchCV."
        )

    def explain(self, sample: int, X: Data = None, n_ties: int = 5) -> dict[str, Any]:
        """Why a sample of the fit is in its cluster.

        Parameters
        ----------
        sample : int
            Its index.
        X : as for `fit`, or None, default=None
            The data of the fit. None: the estimator knows where they are, unless it was copied or
            unpickled.
        n_ties : int, default=5
            How many of its strongest ties to name, for each of two clusters.

        Returns
        -------
        dict
            `own` and `next` (the best other cluster: `cluster` -1 is one of its own; None if there
            may be no other), each with `cluster`, `size`, `affinity` and the strongest `ties`;
            `margin`, the first affinity less the second (moving the sample would raise the cost by
            twice that); the samples that `must_link`, `cannot_link` and pairs with a weight
            (`uncertain`) bind it to; and `rival`, one in `next` of its group of
            `cannot_link_groups`, or None.
        """
        check_is_fitted(self)
        if X is None and not hasattr(self, "_data"):
            raise ValueError("X is needed: a model that was copied or unpickled has no data")
        values = self._data if X is None else self._new_values(X)
        if values.shape[0] != len(self.labels_):
            raise ValueError(
                f"X has {values.shape[0]} samples, but the fit had {len(self.labels_)}"
            )
        place = index(sample, len(self.labels_))
        parameters = self.get_params(deep=False) | self._links
        options = core_options(parameters | {"random_state": 0}, values.shape[0])
        if self.shift_["kind"] in ("auto", "adaptive"):
            options |= {"shift": "adaptive", "shift_strength": self.shift_["strength"]}
        if "learned" in self.result_:
            options["feature_weights"] = np.asarray(self.result_["learned"]["weights"])
        text = _core.explain(
            core_values(values),
            self._shape(values),
            options,
            self.labels_,
            place,
            count("n_ties", n_ties),
            self._fitted.run,
        )
        explanation: dict[str, Any] = json.loads(text)
        return explanation

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
        model._fitted = Fitted.of_model(core, threads_of(None))
        columns = core.columns()
        model._encoder = None if columns is None else TableEncoder.of_columns(columns)
        model.n_features_in_ = core.n_columns if columns is None else len(columns)
        if columns is not None and core.has_names:
            model.feature_names_in_ = np.array([name for name, *_ in columns], dtype=object)
        return model

    def __getstate__(self) -> dict[str, Any]:
        """Without the data, which are the caller's."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_data"}

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_
