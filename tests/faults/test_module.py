"""Everything the extension module calls fails once: an exception, or the right result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cli.conftest import ROOT

from .injecting import shim

FRAMES = int(os.environ.get("SHIFTCUT_FAULTS", "1"))


def test_any_call_of_the_module_may_fail(
    record_property: Callable[[str, object], None],
) -> None:
    if not shim().exists():
        pytest.skip(f"no {shim()}: it is built with the release preset")
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.module_calls", str(shim()), str(FRAMES)],
        env={**os.environ, "LD_PRELOAD": str(shim()), "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-3000:]}"
    found = json.loads(done.stdout.splitlines()[-1])
    record_property("faults", found["injected"])
    assert not found["wrong"], "\n".join(found["wrong"][:20])
