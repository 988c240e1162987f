"""The paper's eight methods: from a problem and a seed to labels and the method's own cost.

Best of 100 means lowest cost: for Shifted Min Cut its cost, for mixtures minus the log likelihood,
for k-means the inertia, for spectral clustering and power iteration that of k-means on their
vectors. Dominant sets and p-spectral clustering are deterministic: one run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.manifold import spectral_embedding
from sklearn.mixture import GaussianMixture

from shiftcut import ShiftedMinCut

from ..data.datasets import Labels
from .pipelines import Problem

RESTARTS = 100
MOST_FEATURES = 100  # of a mixture with full covariances
DETERMINISTIC = ("DSC", "InImDyn", "PSC")


class NotBuiltError(Exception):
    """The installed package has no such method."""


class Run(NamedTuple):
    labels: Labels
    cost: float


Runner = Callable[[int], Run]  # of a seed


def method_class(name: str) -> Any:  # noqa: ANN401
    """An estimator of shiftcut.methods."""
    import shiftcut.methods

    found = getattr(shiftcut.methods, name, None)
    if found is None:
        raise NotBuiltError(f"not built: shiftcut {shiftcut.__version__} has no methods.{name}")
    return found


def best_shifted_min_cut(problem: Problem, restarts: int = RESTARTS) -> Run:
    """The lowest cost of many restarts, as a user of the package gets it."""
    model = ShiftedMinCut(
        problem.k,
        similarity="linear",
        distance=problem.how.distance,
        scale=problem.how.scale,
        method="local-search",
        n_init=restarts,
        shift="adaptive",
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(problem.unscaled)
    return Run(np.asarray(model.labels_, dtype=np.int64), model.cost_)


def shifted_min_cut(problem: Problem) -> Runner:
    similarities = problem.similarities

    def run(seed: int) -> Run:
        model = ShiftedMinCut(
            problem.k,
            similarity="precomputed",
            shift="adaptive",
            method="local-search",
            n_init=1,
            random_state=seed,
        ).fit(similarities)
        return Run(np.asarray(model.labels_, dtype=np.int64), model.cost_)

    return run


def dominant_sets(dynamics: str) -> Callable[[Problem], Runner]:
    """Peel dominant sets until no object is left; the number of classes is not used."""

    def prepare(problem: Problem) -> Runner:
        kind = method_class("DominantSets")

        def run(_seed: int) -> Run:
            model = kind(None, dynamics=dynamics, affinity="precomputed")
            return Run(model.fit_predict(problem.graph), 0.0)

        return run

    return prepare


def p_spectral(problem: Problem) -> Runner:
    kind = method_class("PSpectral")

    def run(_seed: int) -> Run:
        model = kind(problem.k, p=1.2, normalized=True, affinity="precomputed")
        return Run(model.fit_predict(problem.graph), 0.0)

    return run


def covariance(problem: Problem) -> str:
    """Full covariances, which give the printed rows; diagonal ones for many features."""
    return "full" if problem.rows.shape[1] <= MOST_FEATURES else "diag"


def mixture(problem: Problem) -> Runner:
    rows = problem.rows

    def run(seed: int) -> Run:
        model = GaussianMixture(
            problem.k, covariance_type=covariance(problem), init_params="kmeans", random_state=seed
        )
        return Run(model.fit_predict(rows), -float(model.lower_bound_))

    return run


def k_means(problem: Problem) -> Runner:
    rows = problem.rows

    def run(seed: int) -> Run:
        model = KMeans(problem.k, init="k-means++", n_init=1, random_state=seed).fit(rows)
        return Run(model.labels_, float(model.inertia_))

    return run


def power_iteration(problem: Problem) -> Runner:
    """Starts from the degrees, which gives a printed row; only k-means on the vector is random."""
    kind = method_class("PowerIteration")
    model = kind(problem.k, start="degree", n_init=1, affinity="precomputed", random_state=0)
    vector = model.fit(problem.graph).embedding_
    spread = (vector - vector.mean(axis=0)) / vector.std(axis=0)

    def run(seed: int) -> Run:
        model = KMeans(problem.k, init="k-means++", n_init=1, random_state=seed).fit(spread)
        return Run(model.labels_, float(model.inertia_))

    return run


def spectral(problem: Problem) -> Runner:
    """As scikit-learn's SpectralClustering, whose eigenvectors do not depend on the run."""
    embedding = spectral_embedding(
        problem.graph, n_components=problem.k, drop_first=False, random_state=0
    )

    def run(seed: int) -> Run:
        model = KMeans(problem.k, init="k-means++", n_init=1, random_state=seed).fit(embedding)
        return Run(model.labels_, float(model.inertia_))

    return run


PREPARE: dict[str, Callable[[Problem], Runner]] = {
    "ShiftedMinCut": shifted_min_cut,
    "DSC": dominant_sets("replicator"),
    "InImDyn": dominant_sets("infection"),
    "PSC": p_spectral,
    "GMM": mixture,
    "KMeans": k_means,
    "PIC": power_iteration,
    "SC": spectral,
}


def runner(method: str, problem: Problem) -> Runner:
    """The method on this problem, without warnings about fewer clusters or slow convergence."""
    run = PREPARE[method](problem)

    def quiet(seed: int) -> Run:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(seed)

    return quiet
