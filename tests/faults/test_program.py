"""Everything the program calls fails once: it must say so, or give the right result all the same.

Allocations fail once per call path: the first of those that come the same way. SHIFTCUT_FAULTS=N
looks at N frames of each path. With 1, as in `make test`, up to eight calls of each other kind
fail, spread over the run; `make faults` lets all of them fail, looks at 6 frames, and has the
address sanitizer, too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from .injecting import KINDS, Bench, Fault, require_shim
from .scenarios import SCENARIOS, Scenario, write_inputs

FRAMES = int(os.environ.get("SHIFTCUT_FAULTS", "1"))
AT_MOST = 8
SEEN: set[str] = set()  # call paths that have failed before


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_shim()
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


def places(count: int) -> list[int]:
    if FRAMES > 1 or count <= AT_MOST:
        return list(range(1, count + 1))
    return [1 + i * (count - 1) // (AT_MOST - 1) for i in range(AT_MOST)]


def faults_of(bench: Bench) -> list[Fault]:
    faults = [Fault("alloc", at) for path, at in bench.paths.items() if path not in SEEN]
    SEEN.update(bench.paths)
    for kind in KINDS[1:]:
        faults += [Fault(kind, at) for at in places(bench.counts[kind])]
        if kind not in {"interrupt", "short"} and bench.counts[kind] > 0:
            faults.append(Fault(kind, 1, stays_on=True))
    count = bench.counts["alloc"]
    times = 10 if FRAMES > 1 else 3
    return faults + [Fault("alloc", 1 + i * count // times, stays_on=True) for i in range(times)]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_any_call_may_fail(
    scenario: Scenario,
    inputs: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    injected: Counter[str] = Counter()
    bench = Bench(scenario, inputs, tmp_path / "run")
    bench.measure(FRAMES)
    wrong: list[str] = []
    for fault in faults_of(bench):
        injected[fault.kind] += 1
        wrong += bench.objections(fault)
    record_property("faults", dict(injected))
    assert not wrong, f"{len(wrong)} objections\n" + "\n".join(wrong[:10])
