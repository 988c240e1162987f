"""One measurement of another clustering program, in a separate process, as JSON.

    python -m bench.peers.features kmeans X.npy K ITERATIONS     scikit-learn, Lloyd and Elkan
    python -m bench.peers.features faiss X.npy K ITERATIONS
    python -m bench.peers.features spectral S.npy K              scikit-learn
    python -m bench.peers.features memory X.npy K                a short k-means of scikit-learn
    python -m bench.peers.features kmeans_fit X.npy K            KMeans, on scaled columns
    python -m bench.peers.features minibatch_fit X.npy K         MiniBatchKMeans, likewise

Times exclude starting Python, loading the file and choosing the initial centres.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import THREADS, best

Measured = dict[str, Any]


def per_iteration(algorithm: str, path: Path, clusters: int, iterations: int) -> Measured:
    """Fit with the limit and with one iteration: the difference excludes one-time work."""
    from sklearn.cluster import KMeans

    rows = np.load(path)

    def fit(limit: int) -> tuple[float, int]:
        model = KMeans(
            clusters,
            init="random",
            n_init=1,
            max_iter=limit,
            tol=0,
            algorithm=algorithm,
            random_state=0,
        )
        start = time.perf_counter()
        model.fit(rows)
        return time.perf_counter() - start, int(model.n_iter_)

    once, _ = best(lambda: fit(1), lambda ran: ran[0])
    seconds, done = best(lambda: fit(iterations), lambda ran: ran[0])
    each = (seconds - once) / (done - 1) if done > 1 and seconds > once else seconds / done
    return {"seconds": seconds, "iterations": done, "seconds_each": each}


def kmeans(path: Path, clusters: int, iterations: int) -> Measured:
    return {
        algorithm: per_iteration(algorithm, path, clusters, iterations)
        for algorithm in ("lloyd", "elkan")
    }


def faiss_kmeans(path: Path, clusters: int, iterations: int) -> Measured:
    """Use faiss's own timer, which runs from the first iteration to the end of each."""
    import faiss

    faiss.omp_set_num_threads(THREADS)
    rows = np.load(path)

    def train() -> Measured:
        model = faiss.Kmeans(
            rows.shape[1],
            clusters,
            niter=iterations,
            nredo=1,
            max_points_per_centroid=10**9,
            verbose=False,
            seed=1,
        )
        start = time.perf_counter()
        model.train(rows)
        seconds = time.perf_counter() - start
        ends = [stats["time"] for stats in model.iteration_stats or []]
        each = (ends[-1] - ends[0]) / (len(ends) - 1)
        return {"seconds": seconds, "iterations": len(ends), "seconds_each": each}

    return best(train, lambda ran: float(ran["seconds_each"]))


def spectral(path: Path, clusters: int) -> Measured:
    from sklearn.cluster import SpectralClustering

    affinity = np.maximum(np.load(path), 0)

    def fit() -> float:
        model = SpectralClustering(clusters, affinity="precomputed", random_state=0)
        start = time.perf_counter()
        model.fit(affinity)
        return time.perf_counter() - start

    return {"seconds": best(fit, float)}


def memory(path: Path, clusters: int) -> Measured:
    """Report the memory of the imports alone; the caller measures the peak of the process."""
    from sklearn.cluster import KMeans

    imports = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    model = KMeans(clusters, init="random", n_init=1, max_iter=5, random_state=0)
    model.fit(np.load(path))
    return {"imports": imports}


def fit_as_it_comes(name: str, path: Path, clusters: int) -> Measured:
    """Load, scale and fit, as a user of the peer would; write the labels next to the table."""
    from sklearn import cluster
    from sklearn.preprocessing import StandardScaler

    start = time.perf_counter()
    rows = StandardScaler().fit_transform(np.load(path))
    labels = getattr(cluster, name)(clusters, random_state=0).fit_predict(rows)
    seconds = time.perf_counter() - start
    file = path.with_suffix(f".{name}.npy")
    np.save(file, labels)
    return {"program": name, "seconds": seconds, "labels": str(file)}


def kmeans_fit(path: Path, clusters: int) -> Measured:
    return fit_as_it_comes("KMeans", path, clusters)


def minibatch_fit(path: Path, clusters: int) -> Measured:
    return fit_as_it_comes("MiniBatchKMeans", path, clusters)


def main() -> None:
    work, path, *numbers = sys.argv[1:]
    measures: dict[str, Callable[..., Measured]] = {
        "kmeans": kmeans,
        "faiss": faiss_kmeans,
        "spectral": spectral,
        "memory": memory,
        "kmeans_fit": kmeans_fit,
        "minibatch_fit": minibatch_fit,
    }
    print(json.dumps(measures[work](Path(path), *map(int, numbers))))


if __name__ == "__main__":
    main()
