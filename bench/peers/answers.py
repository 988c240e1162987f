"""Labels that other methods give, with the number of clusters given or chosen by a common rule."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bench.peers.consensus import consensus

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
NUMBERS = (*range(2, 13), 15, 20, 30, 50)  # that are tried with K free
SAMPLE = 2_000  # rows on which they are tried
FULL_COLUMNS = 40  # above this, mixtures have diagonal covariances
LEAST_SIZES = (5, 10, 15, 25, 40, 60, 100)  # of HDBSCAN's clusters, with K given


def kmeans(rows: Floats, clusters: int) -> Codes:
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(clusters, n_init=10, random_state=0).fit_predict(rows))


def fitted_mixture(rows: Floats, clusters: int) -> GaussianMixture:
    from sklearn.mixture import GaussianMixture

    kind = "full" if rows.shape[1] <= FULL_COLUMNS else "diag"
    return GaussianMixture(clusters, covariance_type=kind, reg_covar=1e-4, random_state=0).fit(rows)


def mixture(rows: Floats, clusters: int) -> Codes:
    scale = rows.std() or 1.0
    return np.asarray(fitted_mixture(rows / scale, clusters).predict(rows / scale))


def spectral(rows: Floats, clusters: int) -> Codes:
    from sklearn.cluster import SpectralClustering

    model = SpectralClustering(clusters, affinity="nearest_neighbors", random_state=0)
    return np.asarray(model.fit_predict(rows))


def genie(rows: Floats, clusters: int) -> Codes:
    import genieclust

    return np.asarray(genieclust.Genie(n_clusters=clusters).fit_predict(rows))


def hdbscan(rows: Floats, least: int = 5) -> Codes:
    """Rows that it takes for noise join the cluster of the nearest row of one."""
    from sklearn.cluster import HDBSCAN
    from sklearn.neighbors import NearestNeighbors

    labels = np.asarray(HDBSCAN(min_cluster_size=least, copy=True).fit_predict(rows))
    inside = labels >= 0
    if inside.any() and not inside.all():
        nearest = NearestNeighbors(n_neighbors=1).fit(rows[inside])
        labels[~inside] = labels[inside][nearest.kneighbors(rows[~inside])[1][:, 0]]
    return labels


def hdbscan_near(rows: Floats, clusters: int) -> Codes:
    """With the least size that leads nearest to the number of clusters."""
    tried = [hdbscan(rows, least) for least in LEAST_SIZES if least < len(rows)]
    return min(tried, key=lambda labels: abs(len(np.unique(labels)) - clusters))


def sample_of(rows: Floats) -> Floats:
    if len(rows) <= SAMPLE:
        return rows
    return rows[np.random.default_rng(0).choice(len(rows), SAMPLE, replace=False)]


def by_silhouette(rows: Floats) -> Codes:
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    some = sample_of(rows)

    def judged(clusters: int) -> float:
        labels = KMeans(clusters, n_init=3, random_state=0).fit_predict(some)
        return float(silhouette_score(some, labels))

    return kmeans(rows, max((k for k in NUMBERS if 4 * k <= len(some)), key=judged))


def by_bic(rows: Floats) -> Codes:
    rows = rows / (rows.std() or 1.0)
    some = sample_of(rows)
    numbers = [k for k in (1, *NUMBERS) if 4 * k <= len(some)]
    best = min(numbers, key=lambda k: float(fitted_mixture(some, k).bic(some)))
    return mixture(rows, best)


GIVEN: dict[str, Callable[[Floats, int], Codes]] = {
    "kmeans": kmeans,
    "mixture": mixture,
    "spectral": spectral,
    "genie": genie,
    "hdbscan": hdbscan_near,
    "consensus": consensus,
}
FREE: dict[str, Callable[[Floats], Codes]] = {
    "hdbscan": hdbscan,
    "silhouette": by_silhouette,
    "bic": by_bic,
}


def labels_by(method: str, rows: Floats, clusters: int | None) -> Codes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about disconnected graphs and slow convergence
        return FREE[method](rows) if clusters is None else GIVEN[method](rows, clusters)
