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

def agglomerative(values: object, *, linkage: str, squared: bool, clusters: int, threads: int, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]]:
    """
    Merge all mutual nearest pairs, round by round: the tree as SciPy has it, the round of each of its rows, and the labels of so many clusters.
    """

def cut_search(values: object, *, clusters: int, cost: str, p: float, restarts: int, max_sweeps: int, seed: int, threads: int, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, int, bool]:
    """
    Local search over a cut cost: the labels, the cost of each restart, that of the best, its sweeps, and whether it ended by itself.
    """

def cut_cost(values: object, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: str, p: float) -> float:
    """A cut cost of a grouping."""

def correlation_cost(values: object, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: float) -> tuple[float, float]:
    """
    The cost of correlation clustering, and the disagreements, of a grouping.
    """
