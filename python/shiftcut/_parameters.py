"""Convert the estimator's parameters to options of the library, with scikit-learn's checks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.utils import check_array, check_random_state

from ._arrays import Data, Matrix, Shift, core_values
from ._checks import asymmetry, flag, is_bool, symmetric_hint, verbosity
from ._graphs import USUAL_WEIGHT
from ._links import link_options
from ._warnings import Note

PRECOMPUTED = {"precomputed": "similarity", "precomputed_distance": "distance"}

_METRICS = (
    "euclidean",
    "cosine",
    "correlation",
    "manhattan",
    "chebyshev",
    "canberra",
    "braycurtis",
    "hamming",
    "jaccard",
)
_WORDS = {
    "similarity": ("auto", "neighbors", "linear", "cosine", "rbf", *PRECOMPUTED),
    "metric": ("auto", *_METRICS, "precomputed"),
    "weights": ("shared", "binary", "gaussian", "log-odds"),
    "scale": ("auto", "standard", "minmax", "none"),
    "distance": ("sqeuclidean", "euclidean"),
    "method": ("auto", "local-search", "multilevel", "annealing", "frank-wolfe"),
}
# Parameters that apply to one similarity only, and their defaults.
_OF_ONE = {
    "distance": ("linear", "sqeuclidean"),
    "sigma": ("rbf", None),
    "n_neighbors": ("neighbors", None),
    "weights": ("neighbors", "shared"),
    "metric": ("neighbors", "auto"),
}
_SHIFT_WORDS = ("auto", "adaptive", "degree", "linkage", "none")
_MOST_NEIGHBORS = 1000
_SYMMETRY_TOLERANCE = 1e-8  # of the largest absolute value


def _refuse(name: str, allowed: str, value: object, kind: type[Exception] = ValueError) -> None:
    raise kind(f"The {name!r} parameter of ShiftedMinCut must be {allowed}. Got {value!r} instead.")


def _check_word(name: str, value: object) -> None:
    words = _WORDS[name]
    if not isinstance(value, str) or value not in words:
        _refuse(name, f"a str among {{{', '.join(map(repr, words))}}}", value)


def _check_whole(name: str, value: object, most: float = math.inf, none: bool = False) -> None:
    allowed = f"an int in the range [1, {most:g}{')' if math.isinf(most) else ']'}"
    allowed += " or None" if none else ""
    if none and value is None:
        return
    if is_bool(value) or not isinstance(value, Integral):
        _refuse(name, allowed, value, ValueError if isinstance(value, str | Real) else TypeError)
    elif not 1 <= int(value) <= most:
        _refuse(name, allowed, value)


def _check_number(name: str, value: Data, *, zero: bool, none: bool) -> None:
    allowed = f"a finite float in the range {'[' if zero else '('}0, inf)"
    allowed += " or None" if none else ""
    if none and value is None:
        return
    real = isinstance(value, Real) and not is_bool(value)
    if not real or not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        _refuse(name, allowed, value)


def matrix_shape(similarity: object, metric: object) -> str | None:
    """What X holds for each pair of objects: "similarity", "distance", or None for features."""
    if is_word(metric, "precomputed"):
        return "distance"
    return PRECOMPUTED.get(similarity) if isinstance(similarity, str) else None


def check_parameters(given: Mapping[str, Any]) -> None:
    """Raise ValueError or TypeError for errors that can be detected without the data."""
    for name in _WORDS:
        _check_word(name, given[name])
    if given["metric"] == "precomputed" and given["similarity"] not in ("auto", "neighbors"):
        _refuse(
            "metric",
            "other than 'precomputed', which is for the neighbors in a distance matrix, with "
            f"similarity={given['similarity']!r}",
            given["metric"],
        )
    _check_whole("n_clusters", given["n_clusters"], none=True)
    _check_whole("min_cluster_size", given["min_cluster_size"], none=True)
    _check_whole("max_cluster_size", given["max_cluster_size"], none=True)
    _check_whole("n_neighbors", given["n_neighbors"], most=_MOST_NEIGHBORS, none=True)
    _check_whole("n_init", given["n_init"], most=2**31 - 1)
    _check_number("sigma", given["sigma"], zero=False, none=True)
    _check_number("shift_strength", given["shift_strength"], zero=True, none=False)
    _check_number("max_seconds", given["max_seconds"], zero=False, none=True)
    threads_of(given["n_jobs"])
    flag("learn_shift", given["learn_shift"])
    verbosity(given["verbose"])
    if given["edge_weight"] is not None and not isinstance(given["edge_weight"], str):
        _refuse("edge_weight", "a str or None", given["edge_weight"], TypeError)


def threads_of(n_jobs: object) -> int:
    """Return the number of threads as joblib counts it, but reject 2.5 and True."""
    if n_jobs is not None and (is_bool(n_jobs) or not isinstance(n_jobs, Integral)):
        raise ValueError(f"n_jobs: found {n_jobs!r}; allowed: an int other than 0, or None")
    return min(int(effective_n_jobs(n_jobs)), 1024)


def ignored(given: Mapping[str, Any], values: Matrix) -> list[Note]:
    """Return notes on parameters that have no effect; the command line rejects them."""
    found: list[Note] = []

    def tell(name: str, where: str, allowed: str) -> None:
        text = (
            f"{name}: found {given[name]!r} {where}, where it is ignored; allowed: only {allowed}"
        )
        found.append(Note("ignored_parameter", name, text))

    similarity = given["similarity"]
    with_similarity = f"with similarity={similarity!r}"
    for name, (its, default) in _OF_ONE.items():
        is_auto = similarity == "auto" and its == "neighbors"
        if given[name] not in (default, "log-odds") and similarity != its and not is_auto:
            tell(name, with_similarity, f"with similarity={its!r}")
    if given["edge_weight"] != USUAL_WEIGHT and similarity != "precomputed":
        tell("edge_weight", "for rows of features", "with a graph of networkx or igraph")
    if given["scale"] != "auto" and matrix_shape(similarity, given["metric"]) is not None:
        is_metric = given["metric"] == "precomputed"
        tell(
            "scale", "with metric='precomputed'" if is_metric else with_similarity, "with features"
        )
    if given["learn_shift"] and given["must_link"] is None and given["cannot_link"] is None:
        tell("learn_shift", "without pairs", "with must_link or cannot_link")
    elif given["learn_shift"] and not _learns(given, values):
        tell("learn_shift", with_similarity, "with dense features, or where shift='auto'")
    if is_word(given["shift"], "none") and given["shift_strength"] != 1:
        tell("shift_strength", "with shift='none'", "with a shift")
    return found


def _learns(given: Mapping[str, Any], values: Matrix) -> bool:
    """Whether there are feature weights or a shift strength to learn."""
    is_features = matrix_shape(given["similarity"], given["metric"]) is None
    if is_features and not sparse.issparse(values):
        return True
    is_usual = given["shift"] is None and given["shift_strength"] == 1
    return is_word(given["shift"], "auto") or (
        is_usual and given["similarity"] in ("auto", "neighbors")
    )


def is_word(value: object, word: str) -> bool:
    """Compare with a word, even if the value may be an array."""
    return isinstance(value, str) and value == word


def check_log_odds(given: Mapping[str, Any], values: Matrix) -> None:
    """Raise ValueError if log-odds are requested for anything but a graph."""
    is_graph = given["similarity"] == "precomputed" and sparse.issparse(values)
    if given["weights"] == "log-odds" and not is_graph:
        raise ValueError(
            "weights: found 'log-odds' for data that are not a graph; allowed: only with "
            "similarity='precomputed' and a sparse matrix of probabilities"
        )


def seed_of(random_state: object) -> int:
    """Return an int as the seed itself, as on the command line; otherwise draw one."""
    if isinstance(random_state, Integral) and not is_bool(random_state):
        if not 0 <= int(random_state) < 2**64:
            raise ValueError(
                f"{random_state!r} cannot be used as a seed: it must be between 0 and 2**64 - 1"
            )
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def is_symmetric(matrix: Matrix) -> bool:
    """Apply the library's rule: exact for graphs, with a tolerance for full matrices."""
    difference, largest = asymmetry(matrix)
    return difference <= (0 if sparse.issparse(matrix) else _SYMMETRY_TOLERANCE * largest)


def _shift_matrix(shift: Data, n_objects: int) -> Matrix:
    """Check that the matrix is finite and symmetric, to the command line's tolerance."""
    if np.shape(shift) != (n_objects, n_objects):
        raise ValueError(
            f"shift has shape {np.shape(shift)}, but there are {n_objects} samples: "
            f"({n_objects}, {n_objects}) is needed"
        )
    matrix = check_array(
        shift, accept_sparse="csr", dtype=[np.float64, np.float32], input_name="shift"
    )
    difference, largest = asymmetry(matrix)
    if difference > _SYMMETRY_TOLERANCE * largest:
        raise ValueError(f"shift must be a symmetric matrix; {symmetric_hint('shift', matrix)}")
    return core_values(matrix)


def _shift_options(shift: Shift, n_objects: int) -> dict[str, Any]:
    if shift is None:
        return {}
    if isinstance(shift, str):
        if shift not in _SHIFT_WORDS:
            words = ", ".join(map(repr, _SHIFT_WORDS))
            _refuse("shift", f"a str among {{{words}}}, a float, a square matrix or None", shift)
        return {"shift": shift}
    if isinstance(shift, Real) and not is_bool(shift):
        if not math.isfinite(shift):
            _refuse("shift", "finite", shift)
        return {"shift": "constant", "shift_constant": float(shift)}
    if isinstance(shift, list | tuple):
        shift = np.asarray(shift)
    if not sparse.issparse(shift) and not hasattr(shift, "__array__"):
        _refuse("shift", "a str, a float, a square matrix or None", shift, TypeError)
    return {"shift": "matrix", "shift_matrix": _shift_matrix(shift, n_objects)}


def _whole(value: int | None) -> int | None:
    return None if value is None else int(value)


def core_options(
    given: Mapping[str, Any], n_objects: int, in_fit: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the options under their command line names, after `check_parameters`; `in_fit` names
    the links passed to `fit`."""
    n_clusters = given["n_clusters"]
    if is_word(given["shift"], "auto") and given["shift_strength"] != 1:
        _refuse("shift_strength", "1 with shift='auto', which chooses it", given["shift_strength"])
    if n_clusters is not None and n_clusters > n_objects:
        raise ValueError(f"n_samples={n_objects} should be >= n_clusters={n_clusters}.")
    options: dict[str, Any] = {
        "clusters": None if n_clusters is None else int(n_clusters),
        "min_size": _whole(given["min_cluster_size"]),
        "max_size": _whole(given["max_cluster_size"]),
        "shift_strength": float(given["shift_strength"]),
        "method": given["method"],
        "restarts": int(given["n_init"]),
        "seed": seed_of(given["random_state"]),
        "threads": threads_of(given["n_jobs"]),
        "max_seconds": None if given["max_seconds"] is None else float(given["max_seconds"]),
        **_shift_options(given["shift"], n_objects),
        **link_options(given, n_objects, in_fit),
        "learn": bool(given["learn_shift"]),
    }
    shape = matrix_shape(given["similarity"], given["metric"])
    if shape == "distance":
        is_graph = given["metric"] == "precomputed"
        options["similarity"] = "neighbors" if is_graph else "linear"
        if is_graph:
            options["neighbors"] = (
                None if given["n_neighbors"] is None else int(given["n_neighbors"])
            )
            options["weights"] = given["weights"]
    elif shape is None:
        options |= {
            "similarity": given["similarity"],
            "metric": given["metric"] if given["similarity"] in ("auto", "neighbors") else "auto",
            "scale": given["scale"],
            "distance": given["distance"],
            "neighbors": None if given["n_neighbors"] is None else int(given["n_neighbors"]),
            "weights": given["weights"],
            "sigma": None if given["sigma"] is None else float(given["sigma"]),
        }
    elif given["weights"] == "log-odds":
        options["weights"] = "log-odds"
        if given["shift"] is None and given["shift_strength"] != 1:
            options["shift"] = "linkage"
    return options


def parameters_of(options: Mapping[str, Any], shape: str) -> dict[str, Any]:
    """The parameters that `core_options` would make these options of, for data of this shape."""
    from_shape = {"similarity": "precomputed", "graph": "precomputed"}
    is_graph_of_distances = shape == "distance" and options["similarity"] in ("auto", "neighbors")
    from_shape["distance"] = "neighbors" if is_graph_of_distances else "precomputed_distance"
    must, cannot = options["must_link"], options["cannot_link"]
    weights = [pairs[1] for pairs in (must, cannot) if pairs is not None]
    shift = options["shift"]
    return {
        "n_clusters": options["clusters"],
        "min_cluster_size": options["min_size"],
        "max_cluster_size": options["max_size"],
        "similarity": from_shape.get(shape, options["similarity"]),
        "n_neighbors": options["neighbors"],
        "weights": options["weights"],
        "metric": "precomputed" if is_graph_of_distances else options["metric"],
        "scale": options["scale"],
        "distance": options["distance"],
        "sigma": options["sigma"],
        "shift": options["shift_constant"] if shift == "constant" else shift,
        "shift_strength": options["shift_strength"],
        "must_link": None if must is None else must[0].astype(np.int64),
        "cannot_link": None if cannot is None else cannot[0].astype(np.int64),
        "cannot_link_groups": options["cannot_link_groups"],
        "pair_weights": np.concatenate(weights) if weights else None,
        "learn_shift": options["learn"],
        "method": options["method"],
        "n_init": options["restarts"],
        "max_seconds": options["max_seconds"],
        "random_state": options["seed"],
    }
