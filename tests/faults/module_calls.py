"""Run by test_module.py in a process of its own, with the faults preloaded: prints what it found.

Arguments that are lists or long texts are left out: nanobind converts them where no exception can
be thrown, so that the process ends if there is no memory for them.

Calls of the Python package whose allocations (those of the extension module), threads and files
fail once each: each must raise a usual exception or give the right result.
"""

from __future__ import annotations

import ctypes
import json
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from shiftcut import Feedback, ShiftedMinCut, metrics
from shiftcut.blocks import cluster_with
from shiftcut.methods import (
    CorrelationClustering,
    CutSearch,
    DominantSets,
    HierarchicalDominantSets,
    PSpectral,
    ReliableAgglomerative,
)
from tests.cli.conftest import blobs, random_graph

USUAL = (MemoryError, OSError, RuntimeError, ValueError)
KINDS = ("alloc", "thread", "open", "read", "write", "sync", "rename", "map")

POINTS = blobs(30, 3, seed=1, groups=3, apart=5)
GRAPH = scipy.sparse.csr_matrix(random_graph(30, 4, seed=2))
DENSE = POINTS @ POINTS.T


def fit(model: ShiftedMinCut, values: object = POINTS) -> list[int]:
    return [int(label) for label in model.fit(values).labels_]


def fit_whole(model: ShiftedMinCut) -> ShiftedMinCut:
    return model.fit(POINTS)


def answered() -> list[int]:
    feedback = Feedback(ShiftedMinCut(3, similarity="linear", random_state=0, n_jobs=1), POINTS)
    feedback.next_pairs(2)
    feedback.refit()
    return [int(label) for label in feedback.labels_]


class Here:
    """An engine for blocks that computes everything at once."""

    def submit(self, _stage: str, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401
        return function(*arguments)

    def get(self, handles: Sequence[Any]) -> list[Any]:
        return list(handles)


def in_blocks() -> list[int]:
    blocks = np.array_split(POINTS, 3)
    labels = cluster_with(Here(), blocks, ShiftedMinCut(3, random_state=0, n_jobs=1)).labels
    return [int(label) for block in labels for label in block]


def reported(model: ShiftedMinCut, path: Path) -> int:
    model.report(path)
    return len(path.read_bytes())


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    model = ShiftedMinCut(3, random_state=0, n_jobs=1).fit(POINTS)
    model.save(folder / "old.model")
    small: dict[str, Any] = {"random_state": 0, "n_jobs": 1, "n_init": 2}
    return {
        "auto": lambda: fit(ShiftedMinCut(3, **small)),
        "linear": lambda: fit(ShiftedMinCut(3, similarity="linear", **small)),
        "threads": lambda: fit(
            ShiftedMinCut(3, similarity="linear", random_state=0, n_jobs=3, n_init=2)
        ),
        "graph": lambda: fit(ShiftedMinCut(similarity="precomputed", **small), GRAPH),
        "matrix": lambda: fit(ShiftedMinCut(3, similarity="precomputed", **small), DENSE),
        "linked": lambda: fit(
            ShiftedMinCut(3, must_link=[(0, 1)], cannot_link=[(0, 2)], similarity="rbf", **small)
        ),
        "sizes": lambda: fit(ShiftedMinCut(3, min_cluster_size=8, similarity="linear", **small)),
        "predict": lambda: model.predict(POINTS).tolist(),
        "describe": lambda: str(model.describe()),
        "save": lambda: model.save(folder / "new.model"),
        "load": lambda: ShiftedMinCut.load(folder / "old.model").predict(POINTS).tolist(),
        "feedback": answered,
        "blocks": in_blocks,
        "path": lambda: fit_whole(ShiftedMinCut(**small)).labels_at(3).tolist(),
        "layout": lambda: fit_whole(ShiftedMinCut(3, **small)).layout_.tolist(),
        "strength": lambda: fit_whole(ShiftedMinCut(3, **small)).strength_.tolist(),
        "explain": lambda: str(model.explain(4)),
        "report": lambda: reported(model, folder / "new.model"),
        "judge": lambda: model.outlier_scores(POINTS).tolist(),
        "probabilities": lambda: str(model.predict_probabilities(POINTS)),
        "metrics": lambda: metrics.ami([0, 0, 1, 1], [0, 1, 1, 1]),
        "dominant sets": lambda: DominantSets().fit(np.exp(DENSE / 1e3)).labels_.tolist(),
        "hierarchy of sets": lambda: (
            HierarchicalDominantSets().fit(np.exp(DENSE / 1e3)).labels_.tolist()
        ),
        "agglomerative": lambda: ReliableAgglomerative(3).fit(DENSE).labels_.tolist(),
        "correlation": lambda: CorrelationClustering().fit(DENSE).labels_.tolist(),
        "spectral": lambda: PSpectral(3).fit(np.exp(DENSE / 1e3)).labels_.tolist(),
        "cut search": lambda: (
            CutSearch(3, random_state=0).fit(np.exp(DENSE / 1e3)).labels_.tolist()
        ),
    }


def run(faults: ctypes.CDLL, frames: int, folder: Path) -> tuple[Counter[str], list[str]]:
    injected: Counter[str] = Counter()
    wrong: list[str] = []
    for name, call in calls(folder).items():
        expected = call()  # also imports what it needs
        print(f"calling {name}", file=sys.stderr, flush=True)  # the last one, if this ends here
        faults.fault_find_paths(frames)
        faults.fault_arm(b"none", 0, 0)
        call()
        faults.fault_disarm()
        numbers = [faults.fault_path(i) for i in range(faults.fault_path_count())]
        places = {kind: faults.fault_count(kind.encode()) for kind in KINDS}
        faults.fault_find_paths(0)
        todo = [("alloc", at) for at in numbers]
        todo += [(kind, at) for kind in KINDS[1:] for at in range(1, places[kind] + 1)]
        for kind, at in todo:
            injected[kind] += 1
            faults.fault_arm(kind.encode(), at, 0)
            try:
                found = call()
                faults.fault_disarm()
                if found != expected:
                    wrong.append(f"{name}, {kind} {at}: {found} instead of {expected}")
            except USUAL:
                faults.fault_disarm()
            except Exception as error:  # told with the call that failed
                faults.fault_disarm()
                wrong.append(f"{name}, {kind} {at}: {error!r}")
    strangers = {path.name for path in folder.iterdir()} - {"old.model", "new.model"}
    if strangers:
        wrong.append(f"left {sorted(strangers)}")
    return injected, wrong


def main() -> None:
    warnings.simplefilter("ignore")
    faults = ctypes.CDLL(sys.argv[1])
    faults.fault_count.restype = faults.fault_path.restype = ctypes.c_long
    faults.fault_path_count.restype = ctypes.c_long
    faults.fault_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
    faults.fault_path.argtypes = [ctypes.c_long]
    with tempfile.TemporaryDirectory() as folder:
        injected, wrong = run(faults, int(sys.argv[2]), Path(folder))
    print(json.dumps({"injected": injected, "wrong": wrong}))


if __name__ == "__main__":
    main()
