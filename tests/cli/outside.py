"""The program under limits, as another user, and with odd places to write to."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from .conftest import Argument, command, program

NOBODY = 65534
Limits = dict[int, int]


def heed_hang_ups() -> None:
    """Undo what a program inherits under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def run_with(
    args: Sequence[Argument],
    limits: Limits | None = None,
    stdin: bytes = b"",
    stdout: int | IO[bytes] = subprocess.PIPE,
    before: Callable[[], None] | None = None,
    keep_signals: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs the program under limits of `resource`; `keep_signals`: SIGPIPE stays ignored."""

    def prepare() -> None:
        for which, most in (limits or {}).items():
            resource.setrlimit(which, (most, resource.getrlimit(which)[1]))
        if before is not None:
            before()

    done = subprocess.run(
        command(args),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        preexec_fn=prepare,
        restore_signals=not keep_signals,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args,
        done.returncode,
        (done.stdout or b"").decode(errors="replace"),
        done.stderr.decode(errors="replace"),
    )


def run_as_nobody(
    args: Sequence[Argument], folder: Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """In `folder`, without the rights of root if the tests have them. `folder` must be one that
    everybody can reach."""
    own = folder / "program"  # the tests' may be where nobody can read it
    if not own.exists():
        shutil.copy(program(), own)
    rights: dict[str, Any] = {}
    if os.geteuid() == 0:
        rights = {"user": NOBODY, "group": NOBODY, "extra_groups": ()}
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        [str(own), *map(str, args)],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=60,
        check=False,
        **rights,
    )
    return done
