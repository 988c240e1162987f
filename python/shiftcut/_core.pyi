"""The C++ library: see the modules of shiftcut that wrap it."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def version() -> str:
    """Of the library."""

def run(values: object, shape: str, options: dict[str, Any], *, checked: bool, notes: Sequence[str], progress: object | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], str, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    Group the objects: their labels, the rest of the result as JSON, and what was subtracted from each column of dense features and what it was multiplied by.
    """

def neighbor_table(values: object, options: dict[str, Any]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
    """
    The nearest neighbours of each row, nearest first, and their squared distances; 2**32 - 1 and infinity where there are fewer.
    """

def cluster_sums(values: object, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], clusters: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """The sum of each cluster's dense rows."""

def score(truth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> str:
    """Agreement of two groupings, as JSON."""
