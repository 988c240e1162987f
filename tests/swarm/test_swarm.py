"""A short swarm, the same each time: `make swarm` and CI go on with fresh seeds.

SHIFTCUT_SWARM_SEED and SHIFTCUT_SWARM_SECONDS set others.
"""

from __future__ import annotations

import os

import pytest

from .__main__ import swarm


def test_what_must_hold_holds_for_random_problems(capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("SHIFTCUT_SWARM_SEED", "20"))
    seconds = float(os.environ.get("SHIFTCUT_SWARM_SECONDS", "8"))
    count, wrong = swarm(seed, seconds)
    with capsys.disabled():
        print(f"\nswarm: {count} problems of seed {seed}, {len(wrong)} of them wrong")
    assert not wrong, f"python -m tests.swarm --seed {seed} --only NUMBER\n" + "\n".join(wrong[:5])
    assert count > 0
