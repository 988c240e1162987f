"""The scikit-learn estimator."""

from __future__ import annotations

import json
from typing import Any, NoReturn, Self

from scipy import sparse
from sklearn.base import ClusterMixin
from sklearn.utils import Tags

from . import _core
from ._arrays import Data, core_values
from ._checks import row_weights, verbosity
from ._constructor import HasParameters
from ._fitted import Fitted
from ._links import links_of_fit
from ._new_rows import TakesNewRows
from ._parameters import check_log_odds, check_parameters, core_options, ignored
from ._progress import ProgressLine
from ._warnings import warn_all


class ShiftedMinCut(ClusterMixin, HasParameters, TakesNewRows):  # type: ignore[misc]
    """Clustering by shifted pairwise similarities.

    Minimises, over all partitions into at most `n_clusters` clusters, minus the sum of
    S_ij = X_ij - shift_strength * alpha_ij over the pairs of objects that share a cluster, where X
    is the similarity and alpha the shift.

    `distance`, `sigma`, `n_neighbors`, `weights`, `metric` and `scale` are ignored where they do
    not apply, with a warning if they were set.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Maximum number of clusters. None: estimated from the data.
    min_cluster_size, max_cluster_size : int or None, default=None
        Samples in every cluster, at least and at most, whatever their weights. Kept exactly, or
        refused with the reason. With `n_clusters` and `min_cluster_size`, exactly `n_clusters`
        clusters. Not kept by `predict`. None: no bound.
    similarity : {"auto", "neighbors", "linear", "cosine", "rbf", "precomputed", \
"precomputed_distance"}, default="auto"
        Similarity of the rows of X. "auto": "neighbors", or "cosine" for rows of words (at least
        nine tenths zeros, none negative), unless that finds fewer than `n_clusters` clusters or a
        parameter of "neighbors" is set. "precomputed": X is a symmetric similarity matrix or, if
        sparse, a graph. "precomputed_distance": X is a symmetric distance matrix D, and the
        similarity is max(D) - D; for the neighbours in D, see `metric`.
    n_neighbors : int or None, default=None
        Nearest neighbours per object, for "neighbors". None: 10, or fewer where there are
        fewer than 40 objects: a quarter of them, but three if there are six.
    weights : {"shared", "binary", "gaussian", "log-odds"}, default="shared"
        Edge weights for "neighbors". "log-odds" is for a sparse "precomputed" graph of
        probabilities that two samples are the same: edges become log(p / (1 - p)), and `shift`
        defaults to "linkage".
    metric : {"auto", "euclidean", "cosine", "correlation", "manhattan", "chebyshev", \
"canberra", "braycurtis", "hamming", "jaccard", "precomputed"}, default="auto"
        Distance of the rows for "neighbors". "auto": "euclidean", or "cosine" for sparse rows and
        for rows of mostly zeros. "precomputed": X is a symmetric distance matrix. All but the first
        three compare all pairs of rows. Sparse rows take "cosine" and "jaccard".
    scale : {"auto", "standard", "minmax", "none"}, default="auto"
        Feature scaling. "auto": "standard" where columns seem to have different units, otherwise
        "none"; `result_["scale"]` and `result_["scale_reason"]` say which and why.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Distance for "linear"; "euclidean" needs n_samples x n_samples memory.
    sigma : float or None, default=None
        Kernel width for "rbf". None: a separate width for each object.
    edge_weight : str or None, default="weight"
        Attribute of the edges of a networkx or igraph graph that holds their weight. Edges without
        it count 1. None: all count 1.
    shift : {"auto", "adaptive", "degree", "linkage", "none"}, float, matrix or None, default=None
        What is subtracted from the similarities. A float is a constant; a matrix (array or sparse,
        n_samples x n_samples) is subtracted entry by entry; "auto", for graphs, is the adaptive
        shift with its strength chosen from the data; "degree", for graphs and matrices, makes the
        cost modularity and `shift_strength` its resolution; "linkage", for `weights="log-odds"`,
        counts absent pairs as log-odds of -0.5 and judges the ends of paths of two likely matches
        at higher prior odds. None: "auto" for "neighbors", "linkage" for "log-odds", otherwise
        "adaptive".
    shift_strength : float, default=1.0
        Factor applied to the shift: values below 1 give larger clusters, values above 1 smaller
        ones.
    must_link : array-like of shape (n_pairs, 2) or None, default=None
        Pairs of sample indices that share a cluster in every solution. This and the next three
        parameters can be passed to `fit` instead, along with the data that the indices refer to.
    cannot_link : array-like of shape (n_pairs, 2) or None, default=None
        Pairs of sample indices that never share a cluster.
    cannot_link_groups : array-like of shape (n_samples,) or None, default=None
        Group of each sample, such as the source of a record: ints, strings or other hashable
        values; None, NaN and -1 mean no group. No two samples of a group share a cluster.
    pair_weights : array-like of shape (n_pairs,) or None, default=None
        Weight of each pair, first those of must_link, then those of cannot_link. It is added to, or
        subtracted from, the similarity of the pair; inf means certain. None: all are certain.
    learn_shift : bool, default=False
        Learn feature weights and the shift strength from the pairs, if held-out pairs support it.
    method : {"auto", "local-search", "multilevel", "annealing", "frank-wolfe"}, default="auto"
        Search method; "auto" is a portfolio of the others.
    n_init : int, default=10
        Number of restarts; the lowest cost wins.
    max_seconds : float or None, default=None
        Time limit, after which the best solution so far is kept.
    random_state : int, RandomState instance or None, default=None
        An int is equivalent to `--seed` on the command line. The same seed gives the same labels,
        for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of threads, as in joblib: None is 1, -1 all.
    verbose : int or bool, default=0
        1 shows a progress line.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object; cluster 0 is the largest.
    cost_ : float
        Cost of the solution; lower is better.
    n_clusters_ : int
        Number of non-empty clusters.
    n_iter_ : int
        Number of sweeps in the best restart.
    shift_ : dict
        The shift used: `kind`, `strength`, and `value` for a constant.
    shift_path_ : list of dict
        The shift strengths tried, one entry each, if the strength was chosen automatically;
        otherwise empty. `pandas.DataFrame(model.shift_path_)` is a table of them.
    layout_ : ndarray of shape (n_samples, 2)
        A place in the plane for each object, for plots; computed when it is first asked for.
    strength_ : ndarray of shape (n_samples,)
        How firmly each sample belongs to its cluster: the probability that it is in the right one,
        less for outliers.
    probabilities_ : sparse array of shape (n_samples, n_clusters_)
        Probabilities of the few likeliest clusters of each sample, in CSR format.
    outlier_scores_ : ndarray of shape (n_samples,)
        How far each sample is from the others, 0 to 1; above 0.5 it is an outlier.
    exemplar_indices_ : list of ndarray
        For each cluster its most typical samples, the most central one first.
    result_ : dict
        The full result, as written by `--json` on the command line, without the labels.
    linkage_ : ndarray of shape (n_samples - 1, 4)
        For fits whose similarities are a graph ("neighbors" among them): a nested hierarchy with
        `labels_` as a level, in SciPy's format, computed on first use; see `labels_at`.
    node_names_ : list
        For a graph of networkx or igraph: the names of the nodes, in the order of `labels_`.
    labels_by_name_ : dict
        For such a graph: the cluster of each node by its name.
    clusters_ : list of lists
        For such a graph: the names in each cluster, the largest cluster first.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X had string column names.

    Examples
    --------
    >>> from shiftcut import ShiftedMinCut
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> ShiftedMinCut(2, similarity="linear", random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    # For rows in blocks (shiftcut.blocks): above how many rows neighbours are searched region by
    # region (0: the default), and neighbours of the distinct rows that were found before.
    _region_rows = 0
    _bucket_bytes = 1 << 27  # of rows that are brought together at a time; changes no result
    _known_neighbors: list[tuple[Any, Any]] | None = None

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._matrix_shape() is not None
        tags.input_tags.sparse = (
            self.similarity != "rbf"
            and self._matrix_shape() != "distance"
            and (self.similarity != "linear" or self.distance == "sqeuclidean")
            and self.metric in ("auto", "cosine", "jaccard")
        )
        tags.input_tags.allow_nan = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(
        self,
        X: Data,
        y: object = None,
        sample_weight: Data = None,
        *,
        must_link: Data = None,
        cannot_link: Data = None,
        cannot_link_groups: Data = None,
        pair_weights: Data = None,
    ) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features), or graph
            Features or, with a precomputed similarity, an n_samples x n_samples matrix. Text and
            categorical columns of a DataFrame (pandas, polars, Arrow) are one-hot encoded, and
            missing cells are filled with the column's median (for text, its most frequent value).
            Graphs of networkx and igraph are taken as they are, with the similarity "auto" or
            "precomputed": directed edges count as undirected ones, and the weights of parallel
            edges add up.
        y : ignored
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weight of each row of features, 0 or more: a row of weight 2 counts as two equal rows.
            Rows of weight 0 take no part in the clustering and get the labels that `predict` gives
            them. None: 1 each.
        must_link, cannot_link, cannot_link_groups, pair_weights : as in the constructor
            Each overrides the parameter of the same name for this fit. None: use the parameter.
            Weights must be passed with the pairs they belong to.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "cannot_link_groups": cannot_link_groups,
            "pair_weights": pair_weights,
        }
        links = links_of_fit(self.get_params(deep=False), given)
        values, notes = self._learn_values(X)
        parameters = self._parameters() | links
        check_log_odds(parameters, values)
        in_fit = frozenset(name for name, links_given in given.items() if links_given is not None)
        options = core_options(parameters, values.shape[0], in_fit)
        self._sample_weight = row_weights(sample_weight, values)
        options["sample_weight"] = self._sample_weight
        options["region_rows"] = self._region_rows
        options["known_neighbors"] = self._known_neighbors
        progress = ProgressLine() if verbosity(self.verbose) else None
        try:
            labels, text, warned, run = _core.run(
                core_values(values),
                self._shape(values),
                options,
                checked=self._matrix_shape() is None and not sparse.issparse(values),
                notes=ignored(parameters, values) + notes,
                progress=progress,
            )
        except ValueError as error:
            self._explain_asymmetry(values, error)
            raise
        finally:
            if progress is not None:
                progress.close()
        del options["known_neighbors"], options["region_rows"]
        self._keep(labels, json.loads(text))
        self._linkage = None
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
        warn_all(warned)
        return self

    @property
    def score(self) -> NoReturn:
        """Not available: costs for different parameters have different units.

        `shiftcut.model_selection` compares parameters by how well the clusterings of two halves of
        the data agree.
        """
        raise AttributeError(
            "ShiftedMinCut has no score: costs under another n_clusters, similarity or n_neighbors "
            "can't be compared. shiftcut.model_selection.select(model, param_grid, X) chooses "
            "parameters, and model_selection.held_out_agreement is a scorer for GridSearchCV."
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the data, which belong to the caller."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_data"}

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_
