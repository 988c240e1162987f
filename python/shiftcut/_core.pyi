"""The C++ library: see the modules of shiftcut that wrap it."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def version() -> str:
    """Of the library."""

def run(values: object, shape: str, options: dict[str, Any], *, checked: bool, notes: Sequence[str], progress: object | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], str]:
    """Group the objects: their labels, and the rest of the result as JSON."""

def neighbor_table(values: object, options: dict[str, Any]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
    """
    The nearest neighbours of each row, nearest first, and their squared distances; 2**32 - 1 and infinity where there are fewer.
    """

def scaling(values: object, options: dict[str, Any]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    What is subtracted from each column of dense rows, and what it is multiplied by.
    """

def cluster_sums(values: object, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], clusters: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """The sum of each cluster's dense rows."""

def score(truth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> str:
    """Agreement of two groupings, as JSON."""

def dominant_sets(values: object, *, dynamics: str, tolerance: float, max_steps: int, support: float, sets: int, leftovers: str, shift: float | None, threads: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], list[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, int, bool]], int, float]:
    """
    Labels; the sets (members, weights, cohesiveness, steps, converged); how many objects are in them; the shift used.
    """

def dominant_set_hierarchy(values: object, *, dynamics: str, tolerance: float, max_steps: int, support: float, factor: float, levels: int, enough: int, threads: int) -> list[tuple[float, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int, int, bool]]:
    """The levels: alpha, labels, clusters, steps, converged."""

def dominant_set_trajectories(values: object, *, clusters: int, steps: int, min_size: int, max_cuts: int, shift: float | None, threads: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int, int, int, float]:
    """Labels, clusters, cuts, clusters dissolved, the shift used."""
