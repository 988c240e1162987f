"""Random problems: data, options, and what the definition says about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse

from tests.cli import definition
from tests.cli.conftest import (
    Argument,
    FloatArray,
    random_graph,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)
from tests.cli.test_cost import SIMILARITIES

Random = np.random.Generator

METHODS = ["auto", "auto", "local-search", "multilevel", "annealing", "frank-wolfe"]

# What the command line's options are called in Python.
PARAMETERS: dict[str, tuple[str, type]] = {
    "--similarity": ("similarity", str),
    "--distance": ("distance", str),
    "--sigma": ("sigma", float),
    "--neighbors": ("n_neighbors", int),
    "--weights": ("weights", str),
    "--scale": ("scale", str),
    "--shift-strength": ("shift_strength", float),
    "--method": ("method", str),
    "--restarts": ("n_init", int),
    "--seed": ("random_state", int),
    "--min-size": ("min_cluster_size", int),
    "--max-size": ("max_cluster_size", int),
}


@dataclass
class Problem:
    files: list[Path]  # the same data in several formats
    options: list[Argument]
    s: FloatArray | None  # shifted similarities; None: the program chooses the shift
    values: Any  # for Python
    python: dict[str, Any] | None  # its parameters; None: it is not asked
    planted: npt.NDArray[np.signedinteger[Any]] | None = (
        None  # the group of each object, where one answer is best
    )
    must: list[tuple[int, int]] = field(default_factory=list)
    cannot: list[tuple[int, int]] = field(default_factory=list)
    sizes: tuple[int, int] | None = None
    nodes: npt.NDArray[np.intp] | None = None  # rows of one node move together

    def is_free(self) -> bool:
        """No constraints: any single move is allowed."""
        return not self.must and not self.cannot and self.sizes is None


def points_of(random: Random, n: int, in_general_position: bool) -> FloatArray:
    """Clouds, lines, constant columns, wide ranges; also ties and repeated rows if allowed."""
    columns = int(random.choice([1, 2, 3, 8, 25]))
    groups = int(random.integers(1, 7))
    centres = random.normal(size=(groups, columns)) * random.choice([0.0, 1.0, 3.0, 20.0])
    points = centres[random.integers(groups, size=n)] + random.normal(size=(n, columns))
    points[0, -1] += 1
    if random.uniform() < 0.3 and not in_general_position:
        steps = float(random.choice([1, 2, 10]))
        points = np.round(points * steps) / steps
    if random.uniform() < 0.2 and not in_general_position:
        points[random.integers(n, size=n // 3)] = points[random.integers(n, size=n // 3)]
    if random.uniform() < 0.1 and columns > 1:
        points[:, 0] = 7.0
    if random.uniform() < 0.2:
        points *= 10.0 ** random.integers(-6, 7, size=columns)
    # Only then: rows that differ by a rounding are distinct or not by the way they are scaled.
    if np.ptp(points[:, -1]) == 0:
        points[0, -1] += 1
    return np.asarray(points)


def clusters_of(random: Random, n: int) -> list[Argument]:
    return ["-k", int(random.integers(1, min(n, 9) + 1))] if random.uniform() < 0.6 else []


def search_of(random: Random, has_multilevel: bool = True) -> list[Argument]:
    method = str(random.choice(METHODS))
    return [
        *("--method", method if has_multilevel or method != "multilevel" else "auto"),
        *("--restarts", int(random.integers(1, 5))),
        *("--seed", int(random.integers(1000))),
    ]


def shift_of(
    random: Random, x: FloatArray, has_auto: bool
) -> tuple[list[Argument], FloatArray | None]:
    kinds = ["adaptive", "adaptive", "constant", "none"]
    kind = random.choice([*kinds, "auto"] if has_auto else kinds)
    strength = round(float(random.uniform(0.2, 3)), 2)
    if kind == "auto":
        return ["--shift", "auto"], None
    if kind == "none":
        return ["--shift", "none"], x
    if kind == "adaptive":
        options: list[Argument] = ["--shift", "adaptive", "--shift-strength", strength]
        return options, x - strength * definition.adaptive(x)
    value = float(np.quantile(x, random.uniform(0.2, 0.9))) + 0.01
    return ["--shift", f"constant={value!r}"], x - value


def python_of(options: list[Argument]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in zip(options[::2], options[1::2], strict=True):
        if name == "-k":
            found["n_clusters"] = int(str(value))
        elif name == "--shift":
            kind, _, number = str(value).partition("=")
            found["shift"] = float(number) if number else kind
        else:
            parameter, kind_of = PARAMETERS[str(name)]
            found[parameter] = kind_of(str(value))
    return found


def features(random: Random, folder: Path, has_constraints: bool = False) -> Problem:
    n = int(random.integers(2, 120))
    similarity = str(random.choice(list(SIMILARITIES)))
    words, similarity_of = SIMILARITIES[similarity]
    has_neighbors = "neighbors" in similarity or similarity == "default"
    # Roundings may decide which of equally near rows are neighbours. Equal rows move together,
    # except where constraints want them apart.
    points = points_of(random, n, in_general_position=has_neighbors or has_constraints)
    scale = str(random.choice(["standard", "minmax", "none"]))
    with np.errstate(all="ignore"):
        x = similarity_of(definition.scaled(points, scale))
    shift, s = shift_of(random, x, has_auto=has_neighbors)
    options = [*words, "--scale", scale, *shift, *clusters_of(random, n)]
    options += search_of(random, not {"linear", "cosine"} & set(words) or "euclidean" in words)
    python = python_of(options)
    if "similarity" not in python:
        python["similarity"] = "neighbors"
    return Problem(
        files=[write_csv(folder / "points.csv", points), write_npy(folder / "points.npy", points)],
        options=options,
        s=s,
        values=points,
        python=python,
        nodes=np.unique(points, axis=0, return_inverse=True)[1].reshape(-1),
    )


def graph(random: Random, folder: Path) -> Problem:
    n = int(random.integers(3, 120))
    signed = bool(random.uniform() < 0.3)
    x = random_graph(n, float(random.uniform(0.5, 8)), int(random.integers(10**6)), signed)
    if random.uniform() < 0.4:
        x = np.sign(x)
    shift, s = shift_of(random, x, has_auto=not signed)
    options = [*shift, *clusters_of(random, n), *search_of(random)]
    rows = [(i, j, x[i, j]) for i, j in np.argwhere(np.triu(x)).tolist()]
    edges = write_edges(folder / "graph.edges", [(f"n{i:04}", f"n{j:04}", w) for i, j, w in rows])
    # Nodes of an edge list are numbered as they come: here in the order of the matrix, mostly.
    order = list(dict.fromkeys(node for i, j, _ in rows for node in (i, j)))
    in_order = order == sorted(order) and len(order) == n
    mtx = write_mtx_coordinate(folder / "graph.mtx", x, symmetric=True)
    return Problem(
        files=[mtx, edges] if in_order else [mtx],
        options=options,
        s=s,
        values=scipy.sparse.csr_matrix(x),
        python={**python_of(options), "similarity": "precomputed"},
    )


def matrix(random: Random, folder: Path) -> Problem:
    n = int(random.integers(2, 90))
    x = random.normal(size=(n, n))
    if random.uniform() < 0.4:
        x = np.round(2 * x)
    x = x + x.T
    shift, s = shift_of(random, x, has_auto=False)
    options = [*shift, *clusters_of(random, n), *search_of(random)]
    files = [write_npy(folder / "alike.npy", x), write_mtx_array(folder / "alike.mtx", x)]
    return Problem(
        files=files,
        options=["--as", "similarity", *options],
        s=s,
        values=x,
        python={**python_of(options), "similarity": "precomputed"},
    )


def planted(random: Random, folder: Path) -> Problem:
    """Groups so far apart that there is one best answer, whatever the order of the rows."""
    count = int(random.integers(2, 6))
    size = int(random.integers(14, 25))
    groups = np.repeat(np.arange(count), size)
    centres = np.eye(count) * 60
    points = centres[groups] + random.normal(size=(len(groups), count))
    order = random.permutation(len(groups))
    options: list[Argument] = ["-k", count, "--scale", "none", "--seed", int(random.integers(99))]
    options += ["--similarity", str(random.choice(["neighbors", "rbf", "cosine"]))]
    return Problem(
        files=[
            write_csv(folder / "points.csv", points[order]),
            write_npy(folder / "points.npy", points[order]),
        ],
        options=options,
        s=None,
        values=points[order],
        python=python_of(options),
        planted=groups[order],
    )


def linked(random: Random, folder: Path) -> Problem:
    problem = features(random, folder, has_constraints=True)
    n = len(problem.values)
    k = int(random.integers(2, min(n, 6) + 1))
    hidden = random.integers(k, size=n)
    pairs = {
        (min(a, b), max(a, b)) for a, b in random.integers(n, size=(n // 2, 2)).tolist() if a != b
    }
    problem.must = [(a, b) for a, b in sorted(pairs) if hidden[a] == hidden[b]]
    problem.cannot = [(a, b) for a, b in sorted(pairs) if hidden[a] != hidden[b]]
    problem.options = [*without(problem.options, "-k"), "-k", k]
    for name, drawn in (("must", problem.must), ("cannot", problem.cannot)):
        if drawn:
            file = folder / f"{name}.csv"
            file.write_text("".join(f"{a},{b}\n" for a, b in drawn), encoding="utf-8")
            problem.options += [f"--{name}-link", file]
    problem.python = None
    return problem


def bounded(random: Random, folder: Path) -> Problem:
    problem = features(random, folder, has_constraints=True)
    n = len(problem.values)
    k = int(random.integers(1, min(n, 7) + 1))
    low = int(random.integers(1, n // k + 1))
    high = int(random.integers(-(-n // k), n + 1))
    problem.sizes = (low, high)
    options = without(without(problem.options, "-k"), "--method")
    problem.options = [*options, "-k", k, "--min-size", low, "--max-size", high]
    problem.python = (
        python_of(problem.options) | {"similarity": problem.python["similarity"]}
        if (problem.python)
        else None
    )
    return problem


def without(options: list[Argument], name: str) -> list[Argument]:
    kept: list[Argument] = []
    for option, value in zip(options[::2], options[1::2], strict=True):
        if option != name:
            kept += [option, value]
    return kept


KINDS = [features, features, graph, matrix, planted, linked, bounded]


def draw(random: Random, folder: Path) -> Problem:
    return KINDS[random.integers(len(KINDS))](random, folder)
