"""The parameters of `ShiftedMinCut`, for one machine and for clusters of them."""

from __future__ import annotations

import numpy as np

from ._arrays import Data, Shift


class HasParameters:
    """Keeps the parameters as they are given; the estimators say what they mean."""

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        min_cluster_size: int | None = None,
        max_cluster_size: int | None = None,
        similarity: str = "auto",
        n_neighbors: int | None = None,
        weights: str = "shared",
        metric: str = "auto",
        scale: str = "auto",
        distance: str = "sqeuclidean",
        sigma: float | None = None,
        edge_weight: str | None = "weight",
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
        self.min_cluster_size = min_cluster_size
        self.max_cluster_size = max_cluster_size
        self.similarity = similarity
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.scale = scale
        self.distance = distance
        self.sigma = sigma
        self.edge_weight = edge_weight
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
