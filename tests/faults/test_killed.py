"""A run that is killed at any moment leaves each output as it was, or whole."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import command

from .injecting import OLD, Bench, require_shim
from .scenarios import SCENARIOS, write_inputs

KILLS = 30


@pytest.mark.parametrize("name", ["outputs", "report", "describe as JSON", "predict"])
def test_outputs_of_a_killed_run_are_old_or_whole(name: str, tmp_path: Path) -> None:
    require_shim()
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    write_inputs(inputs)
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == name)
    bench = Bench(scenario, inputs, tmp_path / "run")
    begin = time.monotonic()
    bench.measure(frames=0)
    duration = time.monotonic() - begin
    draws = random.Random(0)
    old = new = 0
    for _ in range(KILLS):
        for output in scenario.outputs():
            (bench.folder / output).write_text(OLD, encoding="utf-8")
        run = subprocess.Popen(
            command(scenario.arguments(inputs, bench.folder)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(draws.uniform(0, duration))
        run.kill()
        run.wait()
        for output in scenario.outputs():
            text = (bench.folder / output).read_bytes().decode("latin-1")
            assert text == OLD or bench.is_right(output, text), output
            old, new = old + (text == OLD), new + (text != OLD)
    print(f"killed {KILLS} times: {old} files were old, {new} new")
