"""Runs a scenario with one call that fails, and says what it must not do then."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.conftest import ROOT, command

from .scenarios import Scenario

KINDS = ("alloc", "thread", "open", "read", "write", "sync", "rename", "map", "short", "interrupt")
HARMLESS = ("short", "interrupt")  # calls that are to be repeated: the result is as without
REQUESTS = [
    ("GET", "", None),
    ("GET", "api/state", None),
    ("GET", "api/question", None),
    ("GET", "api/explain?object=3", None),
    ("GET", "api/search?text=1", None),
    ("POST", "api/answer", '{"a": 0, "b": 1, "says": "same", "version": 0}'),
    ("POST", "api/undo", '{"version": 1}'),
    ("POST", "api/answer", '{"a": 0, "b": 2, "says": "different", "version": 2}'),
    ("GET", "labels.csv", None),
    ("POST", "api/merge", '{"clusters": [0, 1], "version": 3}'),
    ("POST", "api/undo", '{"version": 4}'),
    ("POST", "api/split", '{"objects": [0, 3], "version": 5}'),
    ("POST", "api/move", '{"objects": [4], "cluster": 0, "version": 6}'),
    ("POST", "api/pin", '{"object": 5, "version": 7}'),
    ("POST", "api/rows", '{"objects": [0, 1]}'),
    ("GET", "api/places", None),
    ("GET", "api/labels", None),
    ("GET", "api/sections", None),
    ("GET", "answers.csv", None),
    ("GET", "clusters.model", None),
    ("GET", "report.html", None),
]
OLD = "what the file held before\n"
TIMES = re.compile(
    r"^.*\d s \(read .*$|\"seconds\": \{[^}]*\}|\"seconds\": [-+.e\d]+", re.MULTILINE
)


def shim() -> Path:
    return Path(
        os.environ.get("SHIFTCUT_FAULTS_LIBRARY") or ROOT / "build/tests/shiftcut_faults.so"
    )


def is_linked() -> bool:
    """Whether the program has the faults inside, and with them the address sanitizer."""
    return bool(os.environ.get("SHIFTCUT_FAULTS_LINKED"))


def require_shim() -> None:
    if not is_linked() and not shim().exists():
        pytest.fail(f"no {shim()}: build the target shiftcut_faults", pytrace=False)


@dataclass
class Outcome:
    code: int
    stdout: str
    stderr: str
    files: dict[str, str]


@dataclass(frozen=True)
class Fault:
    kind: str
    at: int
    stays_on: bool = False

    def environment(self) -> dict[str, str]:
        found = {"SHIFTCUT_FAULT_KIND": self.kind, "SHIFTCUT_FAULT_AT": str(self.at)}
        return {**found, "SHIFTCUT_FAULT_ON": "1"} if self.stays_on else found


def without_times(text: str) -> str:
    return TIMES.sub("", text)


def explored(args: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """The explorer, with a browser that asks, answers and undoes, whatever the replies are."""
    process = subprocess.Popen(
        args,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None
    address = process.stdout.readline()
    if address:
        there = urlsplit(address.decode().strip())
        for method, path, body in REQUESTS:
            request(there.netloc, method, there.path + path, body)
        process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    return subprocess.CompletedProcess(args, process.returncode, address + output, errors)


def request(host: str, method: str, path: str, body: str | None) -> None:
    connection = http.client.HTTPConnection(host, timeout=20)
    headers = {"Origin": f"http://{host}", "Content-Type": "application/json"}
    # A server whose memory has just run out may hang up, or be gone.
    with contextlib.suppress(ConnectionError, http.client.HTTPException):
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        assert response.status in {200, 400, 409, 500, 503}, (path, response.status)
        response.read()
    connection.close()


class Bench:
    """A folder of its own for one scenario, so that several can run at once."""

    def __init__(self, scenario: Scenario, inputs: Path, folder: Path) -> None:
        self.scenario, self.inputs, self.folder = scenario, inputs, folder
        self.counts: dict[str, int] = {}
        self.paths: dict[str, int] = {}  # the first allocation of each call path
        self.reference = Outcome(0, "", "", {})

    def run(self, extra: dict[str, str], *, goes_on: bool = False) -> Outcome:
        if not goes_on:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        for name in self.scenario.outputs():
            if name != "answers":  # which would be resumed from
                (self.folder / name).write_text(OLD, encoding="utf-8")
        environment = {**os.environ, **extra, "ASAN_OPTIONS": "detect_leaks=1:exitcode=99"}
        environment["SHIFTCUT_PYTHON"] = str(self.inputs / "python")
        if not is_linked():
            environment["LD_PRELOAD"] = str(shim())
        stdin = self.scenario.stdin.encode()
        if self.scenario.words.split()[1] == "-":
            stdin = (self.inputs / "table.csv").read_bytes()
        args = command(self.scenario.arguments(self.inputs, self.folder))
        done = (
            explored(args, environment)
            if self.scenario.words.startswith("explore ")
            else subprocess.run(
                args, input=stdin, capture_output=True, env=environment, timeout=60, check=False
            )
        )
        files = {
            path.name: path.read_bytes().decode("latin-1")
            for path in self.folder.iterdir()
            if path.name not in self.scenario.folders()
        }
        return Outcome(
            done.returncode,
            done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
            files,
        )

    def measure(self, frames: int) -> None:
        """An undisturbed run: what is right, how many calls there are, and by which paths."""
        counts = self.folder.with_name(self.folder.name + ".counts")
        counts.unlink(missing_ok=True)
        wanted = {"SHIFTCUT_FAULT_COUNTS": str(counts)}
        if frames > 0:
            wanted["SHIFTCUT_FAULT_PATHS"] = str(frames)
        self.reference = self.run(wanted)
        assert self.reference.code == 0, (self.scenario.name, self.reference.stderr)
        for line in counts.read_text(encoding="utf-8").splitlines():
            kind, number, *path = line.split()
            if kind == "path":
                self.paths[path[0]] = int(number)
            else:
                self.counts[kind] = int(number)

    def objections(self, fault: Fault) -> list[str]:
        """What is wrong about the run with this fault."""
        found = self.run(fault.environment())
        if found.code == 0:
            wrong = self.against_reference(found)
        elif found.code == 1:
            wrong = self.against_error(found)
            if fault.kind in HARMLESS:
                wrong.append(f"not repeated: {found.stderr}")
        else:
            wrong = [f"exit {found.code}: {found.stderr[-3000:]}"]
        beside: set[str] = {"answers.steps"} if "answers" in self.scenario.outputs() else set()
        strangers = set(found.files) - set(self.scenario.outputs()) - beside
        if fault.stays_on:  # a library may end the process, which gives up the lock, not its file
            strangers.discard("answers.lock")
        if strangers:
            wrong.append(f"left {sorted(strangers)}")
        if self.scenario.folders():
            again = self.run({}, goes_on=True)
            if again.code != 0 or self.against_reference(again):
                wrong.append(f"does not go on: exit {again.code}, {again.stderr}")
        return [f"{self.scenario.name}, {fault}: {text}" for text in wrong]

    def against_reference(self, found: Outcome) -> list[str]:
        wrong = [
            f"exit 0, but {name} differs"
            for name in self.reference.files
            if not self.is_right(name, found.files.get(name, OLD))
        ]
        if "stdout" not in self.scenario.loose and without_times(found.stdout) != without_times(
            self.reference.stdout
        ):
            wrong.append(f"exit 0, but printed {found.stdout!r}")
        return wrong

    def against_error(self, found: Outcome) -> list[str]:
        wrong = []
        lines = [
            line
            for line in found.stderr.splitlines()
            if not line.startswith(("shiftcut: warning: ", "shiftcut: note: "))
        ]
        if len(lines) != 1 or not lines[0].startswith("shiftcut: "):
            wrong.append(f"exit 1, but standard error is {found.stderr!r}")
        wrong += [
            f"{name} is half written: {text[:200]!r}"
            for name, text in found.files.items()
            if name in self.reference.files and text != OLD and not self.is_right(name, text)
        ]
        return wrong

    def is_right(self, name: str, text: str) -> bool:
        expected = self.reference.files[name]
        if name == "answers.steps":  # of the requests that went well, which may be others
            return text == OLD or isinstance(json.loads(text), list)
        if name in self.scenario.loose or name == "model":  # which holds the seconds it took
            return len(text) == len(expected) or name == "answers" or text == OLD
        if name == "json" and text != OLD:
            return bool(json.loads(text)["labels"] == json.loads(expected)["labels"])
        return without_times(text) == without_times(expected)
