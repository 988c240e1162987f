"""The C++ library: see the modules of shiftcut that wrap it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def version() -> str:
    """Of the library."""

class Run:
    """What a run found, for later questions about it."""

class Model:
    """Assigns new rows to the clusters of a fit."""

    def __init__(self, values: object, shape: str, options: dict[str, Any], run: Run, columns: Sequence[tuple[str, str, float, Sequence[str], int]] | None = None, has_names: bool = False) -> None: ...

    @staticmethod
    def from_bytes(bytes: bytes, name: str) -> Model:
        """The model that a file holds."""

    def to_bytes(self) -> bytes:
        """As a file holds it."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def predict(self, values: object, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """The cluster of each row."""

    def judge(self, values: object, threads: int, noise: bool) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]]:
        """
        The cluster of each row, and its strength, outlier score and probabilities (data, indices and indptr); with `noise` the label -1 for outliers.
        """

    def strengths(self) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]:
        """Of the training objects, as in `judge`."""

    def affinities(self, values: object, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Of each row to each cluster."""

    def run(self) -> Run:
        """The run that it was made of."""

    def labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Of the training objects."""

    def row_weights(self) -> object:
        """Of the training rows, or None."""

    def result(self) -> str:
        """The rest of the result as JSON."""

    def options(self) -> dict[str, Any]:
        """Under the names that `run` takes."""

    def columns(self) -> list[tuple[str, str, float, list[str], int]] | None:
        """Of the table: name, kind, median, categories and mode of each."""

    @property
    def shape(self) -> str: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def has_names(self) -> bool: ...

def facts_of_block(block: object) -> tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]: ...

def merge_facts(a: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]], b: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]: ...

def squares_of_block(block: object, largest: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

def chooses_by_squares(options: dict[str, Any], facts: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> bool: ...

def choose_similarity(options: dict[str, Any], facts: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[str, str]: ...

def hash_rows(block: object, facts: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

def distinct_in_bucket(bucket: object, facts: tuple[int, bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]]: ...

def moment_parts(nodes: int) -> int: ...

def moments_of_part(part: object, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]: ...

def scale_sample(nodes: int) -> int: ...

def choose_scale(sample: object, parts: Sequence[tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], scale: str, metric: str, threads: int) -> str: ...

def scaling_of_parts(parts: Sequence[tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], scale: str) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]: ...

def region_count(nodes: int, columns: int, metric: str, region_rows: int) -> int: ...

def region_sample(nodes: int, regions: int) -> int: ...

def find_regions(sample: object, geometry: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], str], regions: int, threads: int) -> tuple[int, int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]]: ...

def find_members(block: object, geometry: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], str], regions: tuple[int, int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], float, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]]: ...

def search_region(rows: object, numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], geometry: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], str], neighbors: int, threads: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]: ...

def merge_neighbors(rows: int, neighbors: int, first: int, nodes: int, pieces: Sequence[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]]]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]: ...

def agglomerative(values: object, *, linkage: str, squared: bool, clusters: int, threads: int, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]]:
    """
    Merge all mutual nearest pairs, round by round: the tree as SciPy has it, the round of each of its rows, and the labels for that many clusters.
    """

def run(values: object, shape: str, options: dict[str, Any], *, checked: bool, notes: Sequence[tuple[str, str, str]], progress: object | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], str, list[tuple[str, str, str]], Run]:
    """
    Group the objects: their labels, the rest of the result as JSON, the warnings as code, parameter and sentence, and the run itself.
    """

def explain(values: object, shape: str, options: dict[str, Any], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], object: int, ties: int, run: Run | None = None) -> str:
    """Why an object is in its cluster, as JSON. `run` knows the neighbours."""

def layout(values: object, shape: str, options: dict[str, Any], run: Run) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """A place in the plane for each object of the run."""

def levels(values: object, shape: str, options: dict[str, Any], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], shift_kind: str, shift_strength: float, run: Run | None = None) -> tuple[object, object]:
    """
    The merges of a nested hierarchy around the labels, and their strengths.
    """

def describe(values: object, shape: str, options: dict[str, Any], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], exemplars: int, columns: int, names: Sequence[str], run: Run | None = None) -> tuple[str, str]:
    """What sets each cluster apart, as JSON and as text."""

def score(truth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> str:
    """Agreement of two groupings, as JSON."""

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

def dominant_sets(values: object, *, dynamics: str, tolerance: float, max_steps: int, support: float, sets: int, leftovers: str, shift: float | None, threads: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], list[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, int, bool]], int, float]:
    """
    Labels; the sets (members, weights, cohesiveness, steps, converged); how many objects are in them; the shift used.
    """

def dominant_set_hierarchy(values: object, *, dynamics: str, tolerance: float, max_steps: int, support: float, factor: float, levels: int, enough: int, threads: int) -> list[tuple[float, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int, int, bool]]:
    """The levels: alpha, labels, clusters, steps, converged."""

def dominant_set_trajectories(values: object, *, clusters: int, steps: int, min_size: int, max_cuts: int, shift: float | None, threads: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int, int, int, float]:
    """Labels, clusters, cuts, clusters dissolved, the shift used."""

class Feedback:
    """Groups that follow answers about pairs."""

    def __init__(self, values: object, shape: str, options: dict[str, Any], strategy: str, learn: bool, *, checked: bool, progress: object | None = None) -> None: ...

    def next_pairs(self, count: int) -> list[tuple[int, int, float]]:
        """Pairs to ask about, and how likely each is together."""

    def answer(self, answers: Sequence[tuple[int, int, int]]) -> int:
        """
        Takes answers in (1 same, 0 different, -1 unsure): how many objects changed cluster.
        """

    def undo(self) -> int:
        """Takes the last answer back."""

    def refit(self) -> int:
        """Learns from all answers."""

    def explore(self, *, title: str, command: str, names: Sequence[str], columns: Sequence[str], save: object, steps: str, save_steps: object) -> None:
        """
        Get ready for requests; `save` is called with all answers, `save_steps` with a text.
        """

    def ask(self, is_post: bool, path: str, parameters: Mapping[str, str], body: bytes) -> tuple[int, str, bytes, str]:
        """A reply of the explorer: status, type, body, and the name of a file."""

    def labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Of the objects."""

    def result(self) -> str:
        """The rest as JSON."""

def has_page() -> bool:
    """Whether the page of reports was compiled in."""

def has_explorer() -> bool:
    """Whether the page of the explorer was compiled in."""

def explore_widget() -> str:
    """The module that shows the explorer in a notebook."""

def page(values: object, shape: str, options: dict[str, Any], run: Run, truth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, title: str, command: str, names: Sequence[str], columns: Sequence[str], classes: Sequence[str]) -> bytes:
    """A run as one HTML page. Lists that are empty are not known."""

def p_spectral(values: object, clusters: int, *, p: float = 1.2, normalized: bool = True, by_ratio: bool = False, max_steps: int = 100, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], float, int]:
    """
    p-spectral clustering: the labels, the ratio or normalised cut, the steps. Thresholds by the Cheeger cut or, `by_ratio`, by that.
    """

def p_eigenpair(values: object, *, p: float, normalized: bool, max_steps: int = 100, threads: int = 1) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], list[float], bool]:
    """
    The second eigenpair of the p-Laplacian: the value, the vector, the functional at the start and after each step, whether it converged.
    """

def p_functional(values: object, u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, p: float, normalized: bool, threads: int = 1) -> float:
    """F_p of the vector u."""

def power_iteration(values: object, *, random: bool = False, columns: int = 1, tolerance: float = 1e-05, max_steps: int = 1000, seed: int = 0, threads: int = 1, starts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], list[int], bool]:
    """
    Power iteration: the n x columns vectors, the steps of each, whether all converged. From the degrees, at random, or from `starts` (columns x n), which goes before both.
    """

def size_regularised_cut(values: object, clusters: int, alpha: float, *, by_volume: bool = False, by_sign: bool = False, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], float, float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    The labels, their cost, the smallest eigenvalue of L + alpha v v' and its vector (empty for one cluster). `by_volume`: v are degrees, not 1; `by_sign`: thresholds at 0 instead of where the cost is least.
    """
