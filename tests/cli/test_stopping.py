"""Time limits and Ctrl-C: the best so far is returned, whole and consistent."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import (
    Argument,
    FloatArray,
    Result,
    blobs,
    check_consistent,
    command,
    random_graph,
    result,
    write_mtx_coordinate,
    write_npy,
)
from .terminal import Terminal

MANY = 1_000_000  # minutes of them
ENDLESS: list[Argument] = ["--restarts", MANY]
VIEWS = ["features", "euclidean", "rbf", "graph", "graph free"]


def problem(view: str, folder: Path) -> tuple[list[Argument], FloatArray]:
    """A file that is quick to read, and its S."""
    if view.startswith("graph"):
        x = random_graph(500, 6, seed=1)
        file = write_mtx_coordinate(folder / "graph.mtx", x, symmetric=True)
        clusters: list[Argument] = [] if view.endswith("free") else ["-k", 8]
        return [file, *clusters], x - definition.adaptive(x)
    points = blobs(500, 10, seed=2, groups=8)
    file = write_npy(folder / "points.npy", points)
    y = definition.scaled(points, "standard")
    distance = "euclidean" if view == "euclidean" else "sqeuclidean"
    x = definition.rbf(y, 2.0) if view == "rbf" else definition.linear(y, distance)
    options: dict[str, list[Argument]] = {
        "rbf": ["--similarity", "rbf", "--sigma", 2],
        "euclidean": ["--distance", "euclidean"],
    }
    return [file, "-k", 8, *options.get(view, [])], x - definition.adaptive(x)


def check_cost(found: Result, s: FloatArray) -> None:
    check_consistent(found)
    assert found["cost"] == pytest.approx(definition.cost(s, found["labels"]), rel=1e-9)


@pytest.mark.parametrize("view", VIEWS)
def test_a_time_limit_returns_the_best_so_far(view: str, tmp_path: Path) -> None:
    args, s = problem(view, tmp_path)
    found = result([*args, *ENDLESS, "--max-seconds", "0.3"])
    assert found["stop_reason"] == "max_seconds"
    assert 1 <= len(found["restarts"]) < MANY
    assert [warning for warning in found["warnings"] if "time limit" in warning]
    check_cost(found, s)


@pytest.mark.parametrize("view", VIEWS)
def test_a_limit_too_short_for_anything(view: str, tmp_path: Path) -> None:
    args, s = problem(view, tmp_path)
    found = result([*args, *ENDLESS, "--max-seconds", "1e-9"])
    assert found["stop_reason"] == "max_seconds"
    check_cost(found, s)


def test_a_limit_in_the_middle_of_the_first_restart(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(150_000, 24)).astype(np.float32)
    file = write_npy(tmp_path / "points.npy", points)
    found = result([file, "-k", "300", "--restarts", "1", "--max-seconds", "0.2"])
    assert found["stop_reason"] == "max_seconds"
    y = definition.scaled(points.astype(np.float64), "standard")
    sums = np.array([y[np.equal(found["labels"], k)].sum(axis=0) for k in range(300)])
    assert found["cost"] == pytest.approx(-2 * (sums**2).sum(), rel=1e-9)


def test_a_limit_that_is_not_reached_changes_nothing(tmp_path: Path) -> None:
    args, _ = problem("graph", tmp_path)
    args += ["--method", "local-search"]
    free, limited = result(args), result([*args, "--max-seconds", "3600"])
    assert limited["stop_reason"] == "converged"
    assert limited["labels"] == free["labels"]
    assert limited["warnings"] == free["warnings"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_search_writes_the_best_so_far(how: signal.Signals, tmp_path: Path) -> None:
    args, s = problem("euclidean", tmp_path)
    json_file, labels_file = tmp_path / "result.json", tmp_path / "labels.csv"
    outputs: list[Argument] = ["--json", json_file, "--labels", labels_file]
    with Terminal(["cluster", *args, *ENDLESS, *outputs]) as terminal:
        terminal.read_until("search: restart")
        terminal.signal(how)
        assert terminal.end() == 130
    assert "interrupted" in terminal.stdout
    found: Result = json.loads(json_file.read_text(encoding="utf-8"))
    assert found["stop_reason"] == "interrupted"
    assert [warning for warning in found["warnings"] if "nterrupted" in warning]
    check_cost(found, s)
    lines = labels_file.read_text(encoding="utf-8").splitlines()
    assert lines[1:] == [f"{i},{label}" for i, label in enumerate(found["labels"])]


def test_interrupted_search_prints_json_alone(tmp_path: Path) -> None:
    args, s = problem("graph", tmp_path)
    with Terminal(["cluster", *args, *ENDLESS, "--json", "-"]) as terminal:
        terminal.read_until("search: restart")
        terminal.signal(signal.SIGINT)
        assert terminal.end() == 130
    found: Result = json.loads(terminal.stdout)
    assert found["stop_reason"] == "interrupted"
    check_cost(found, s)


@pytest.mark.parametrize(
    ("form", "header", "line"),
    [("csv", "a,b\n", "1.5,2\n"), ("tsv", "a\tb\n", "1\t2\n"), ("edges", "", "u v 1\n")],
)
def test_interrupted_while_reading(form: str, header: str, line: str) -> None:
    """A long standard input that never ends."""
    much = (header + line * (1 << 18)).encode()
    with subprocess.Popen(
        command(["cluster", "-", "--format", form]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        # Far more than a pipe holds: when all is written, the program has long been reading.
        process.stdin.write(much)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        try:
            # The pipe stays open: only the signal can end the program.
            code = process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail("still reading 20 s after the interrupt")
        assert process.stdout is not None
        assert process.stderr is not None
        told, complaint = process.stdout.read(), process.stderr.read().decode()
        process.stdin.close()
    assert (code, told) == (130, b""), complaint
    assert complaint.count("\n") == 1
    assert "interrupted" in complaint


def test_a_limit_gives_the_portfolio_time_for_more(tmp_path: Path) -> None:
    """And it ends by itself when nothing has come of it for long."""
    args, _ = problem("graph", tmp_path)
    free, limited = result(args), result([*args, "--max-seconds", "3600"])
    assert limited["stop_reason"] == "converged"
    assert limited["cost"] <= free["cost"]
    assert len(limited["restarts"]) > len(free["restarts"])


def test_many_restarts_with_a_time_limit_need_no_memory(tmp_path: Path) -> None:
    args, _ = problem("graph", tmp_path)
    found = result([*args, "--restarts", 2**31 - 1, "--max-seconds", "0.2"])
    assert found["stop_reason"] == "max_seconds"
