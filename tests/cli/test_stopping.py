"""Time limits and Ctrl-C: the best so far is returned, whole and consistent."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

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
SEARCHES = ["neighbors", "features", "euclidean", "rbf", "graph", "graph free"]
VIEWS = ["default", "default free", *SEARCHES]


def problem(view: str, folder: Path) -> tuple[list[Argument], FloatArray]:
    """A file that is quick to read, and its X."""
    if view.startswith("graph"):
        x = random_graph(500, 6, seed=1)
        file = write_mtx_coordinate(folder / "graph.mtx", x, symmetric=True)
        clusters: list[Argument] = [] if view.endswith("free") else ["-k", 8]
        return [file, *clusters], x
    points = blobs(500, 10, seed=2, groups=8)
    file = write_npy(folder / "points.npy", points)
    y = definition.scaled(points, "standard")
    if view.startswith(("default", "neighbors")):
        own: list[Argument] = [] if view.endswith("free") else ["-k", 8]
        if view.startswith("neighbors"):  # by default a vote decides, and no time is left to use
            own += ["--shift", "adaptive"]
        return [file, "--scale", "standard", *own], definition.neighbors(y, 10, "shared")
    distance = "euclidean" if view == "euclidean" else "sqeuclidean"
    x = definition.rbf(y, 2.0) if view == "rbf" else definition.linear(y, distance)
    options: dict[str, list[Argument]] = {
        "features": ["--similarity", "linear"],
        "rbf": ["--similarity", "rbf", "--sigma", 2],
        "euclidean": ["--distance", "euclidean"],
    }
    return [file, "-k", 8, "--scale", "standard", *options[view]], x


def check_cost(found: Result, x: FloatArray) -> None:
    """All shifts here are adaptive; on the default pipeline the strength was chosen."""
    check_consistent(found)
    s = x - found["shift"]["strength"] * definition.adaptive(x)
    assert found["cost"] == pytest.approx(definition.cost(s, found["labels"]), rel=1e-9)


@pytest.mark.parametrize("view", SEARCHES)
def test_a_time_limit_returns_the_best_so_far(view: str, tmp_path: Path) -> None:
    args, x = problem(view, tmp_path)
    found = result([*args, *ENDLESS, "--max-seconds", "0.3"])
    assert found["stop_reason"] == "max_seconds"
    assert 1 <= len(found["restarts"]) < MANY
    assert [warning for warning in found["warnings"] if "time limit" in warning]
    check_cost(found, x)


@pytest.mark.parametrize("view", VIEWS)
def test_a_limit_too_short_for_anything(view: str, tmp_path: Path) -> None:
    args, x = problem(view, tmp_path)
    found = result([*args, *ENDLESS, "--max-seconds", "1e-9"])
    assert found["stop_reason"] == "max_seconds"
    check_cost(found, x)


def test_a_limit_in_the_middle_of_the_first_restart(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(150_000, 24)).astype(np.float32)
    file = write_npy(tmp_path / "points.npy", points)
    linear: list[Argument] = ["--scale", "standard", "--similarity", "linear", "-k", "300"]
    for limit in ["0.2", "0.4", "0.8"]:  # on a busy machine the first may end before the search
        found = result([file, *linear, "--restarts", "1", "--max-seconds", limit])
        assert found["stop_reason"] == "max_seconds"
        if found["cost"] is not None:
            break
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


SIGNALS = [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGHUP, signal.SIGHUP]]


@pytest.mark.parametrize("how", SIGNALS)
def test_interrupted_search_writes_the_best_so_far(
    how: list[signal.Signals], tmp_path: Path
) -> None:
    """The loss of a terminal is told twice, by the system and by the shell."""
    args, x = problem("euclidean", tmp_path)
    args += ["--method", "local-search"]
    json_file, labels_file = tmp_path / "result.json", tmp_path / "labels.csv"
    outputs: list[Argument] = ["--json", json_file, "--labels", labels_file]
    with Terminal(["cluster", *args, *ENDLESS, *outputs]) as terminal:
        terminal.read_until("search: restart")
        for which in how:
            terminal.signal(which)
        assert terminal.end() == 130
    assert "interrupted" in terminal.stdout
    found: Result = json.loads(json_file.read_text(encoding="utf-8"))
    assert found["stop_reason"] == "interrupted"
    assert [warning for warning in found["warnings"] if "nterrupted" in warning]
    check_cost(found, x)
    lines = labels_file.read_text(encoding="utf-8").splitlines()
    assert lines[1:] == [f"{i},{label}" for i, label in enumerate(found["labels"])]


def test_nohup_is_respected(tmp_path: Path) -> None:
    args, _ = problem("graph", tmp_path)
    args += ["--method", "local-search", *ENDLESS, "--max-seconds", 2, "--json", "-"]
    with Terminal(["cluster", *args], ignore_hang_ups) as terminal:
        terminal.read_until("search: restart")
        terminal.signal(signal.SIGHUP)
        assert terminal.end() == 0
    assert json.loads(terminal.stdout)["stop_reason"] == "max_seconds"


def ignore_hang_ups() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_interrupted_search_prints_json_alone(tmp_path: Path) -> None:
    args, x = problem("graph", tmp_path)
    args += ["--method", "local-search"]
    with Terminal(["cluster", *args, *ENDLESS, "--json", "-"]) as terminal:
        terminal.read_until("search: restart")
        terminal.signal(signal.SIGINT)
        assert terminal.end() == 130
    found: Result = json.loads(terminal.stdout)
    assert found["stop_reason"] == "interrupted"
    check_cost(found, x)


@pytest.mark.parametrize("view", SEARCHES)
def test_the_usual_search_can_be_interrupted(view: str, tmp_path: Path) -> None:
    """It shows how far it is, whatever it does."""
    args, x = problem(view, tmp_path)
    with Terminal(["cluster", *args, *ENDLESS, "--json", "-"]) as terminal:
        terminal.read_until(" s]")
        terminal.signal(signal.SIGINT)
        assert terminal.end() == 130
    found: Result = json.loads(terminal.stdout)
    assert found["stop_reason"] == "interrupted"
    check_cost(found, x)


# ---- On the way along the shift's strengths ----


LargeGraph = tuple[Path, sparse.csr_array]


@pytest.fixture(scope="module")
def large_graph(tmp_path_factory: pytest.TempPathFactory) -> LargeGraph:
    """Of planted parts, so large that its path takes several times the second that passes before
    the progress line is shown."""
    rng = np.random.default_rng(3)
    n, count = 200_000, 1_700_000
    u = rng.integers(n, size=count)
    v = np.where(rng.random(count) < 0.7, u // 500 * 500 + rng.integers(500, size=count), 0)
    v = np.where(v == 0, rng.integers(n, size=count), v)
    ends = np.unique(np.sort(np.column_stack([u, v])[u != v], axis=1), axis=0)
    ends = np.vstack([np.column_stack([np.arange(n - 1), np.arange(1, n)]), ends])  # in order
    file = tmp_path_factory.mktemp("large") / "graph.edges"
    np.savetxt(file, ends, fmt="%d")
    half = sparse.coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    return file, sparse.csr_array(half + half.T)


def check_sparse_cost(found: Result, x: sparse.csr_array) -> None:
    check_consistent(found)
    labels = np.asarray(found["labels"])
    n = len(labels)
    entries = x.tocoo()
    within = entries.data[labels[entries.row] == labels[entries.col]].sum()
    degree = np.asarray(x.sum(axis=1)).ravel()
    size = np.bincount(labels).astype(float)
    degrees = np.bincount(labels, weights=degree)
    shift = (2 * size * degrees / n - size**2 * degree.sum() / n**2).sum()
    expected = -(within - found["shift"]["strength"] * shift)
    assert found["cost"] == pytest.approx(expected, rel=1e-9)


def check_part_of_a_path(found: Result) -> None:
    path = found["shift"]["path"]
    assert path
    assert found["shift"]["strength"] in [point["strength"] for point in path]
    assert all(sum(point["sizes"]) == found["objects"] for point in path)


@pytest.mark.parametrize("clusters", ["auto", "50"])
@pytest.mark.parametrize("limit", [1e-9, 0.5])
def test_a_limit_during_the_path(clusters: str, limit: float, large_graph: LargeGraph) -> None:
    file, x = large_graph
    found = result([file, "--shift", "auto", "-k", clusters, "--max-seconds", limit])
    assert found["stop_reason"] == "max_seconds"
    check_part_of_a_path(found)
    check_sparse_cost(found, x)


@pytest.mark.parametrize("clusters", ["auto", "50"])
def test_interrupted_during_the_path(clusters: str, large_graph: LargeGraph) -> None:
    file, x = large_graph
    args: list[Argument] = ["cluster", file, "--shift", "auto", "-k", clusters, "--json", "-"]
    with Terminal(args) as terminal:
        terminal.read_until("shift path: ")
        terminal.signal(signal.SIGINT)
        assert terminal.end() == 130
    found: Result = json.loads(terminal.stdout)
    assert found["stop_reason"] == "interrupted"
    check_part_of_a_path(found)
    check_sparse_cost(found, x)


def test_interrupted_on_the_way_from_a_table(tmp_path: Path) -> None:
    """Wherever the signal comes, there is an answer."""
    points = np.random.default_rng(0).normal(size=(150_000, 3))
    file = write_npy(tmp_path / "points.npy", points)
    with Terminal(["cluster", file, *ENDLESS, "--json", "-"]) as terminal:
        terminal.read_until("%")
        terminal.signal(signal.SIGINT)
        assert terminal.end() == 130
    if terminal.stdout:
        found: Result = json.loads(terminal.stdout)
        assert found["stop_reason"] == "interrupted"
        check_consistent(found)


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


EASY = ["blobs", "blobs free", "rings"]


@pytest.mark.parametrize("limit", ["1e-9", "0.05", "0.5"])
@pytest.mark.parametrize("data", EASY)
def test_any_limit_gives_a_grouping_worth_having(data: str, limit: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    classes = rng.integers(4, size=30_000)
    if data == "rings":
        angle = rng.uniform(0, 2 * np.pi, len(classes))
        radius = 1.0 + classes + rng.normal(0, 0.04, len(classes))
        points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
        scale: list[Argument] = ["--scale", "none"]
    else:
        points = rng.normal(0, 8, (4, 10))[classes] + rng.normal(size=(len(classes), 10))
        scale = []
    file = write_npy(tmp_path / "points.npy", points.astype(np.float32))
    clusters: list[Argument] = [] if data.endswith("free") else ["-k", 4]
    found = result([file, *clusters, *scale, "--max-seconds", limit])
    check_consistent(found)
    assert adjusted_rand_score(found["labels"], classes) > 0.95


def test_a_graph_too_large_for_the_limit_is_grouped_by_its_edges(tmp_path: Path) -> None:
    """Far from the best clusters, and far from chance."""
    rng = np.random.default_rng(4)
    nodes, blocks = 20_000, 200
    block = rng.integers(blocks, size=nodes)
    members = np.argsort(block, kind="stable")
    begin = np.searchsorted(block[members], np.arange(blocks + 1))
    u = np.repeat(np.arange(nodes), 6)
    span = begin[block[u] + 1] - begin[block[u]]
    v = members[begin[block[u]] + (rng.uniform(size=len(u)) * span).astype(int)]
    pairs = np.unique(np.sort(np.column_stack([u, v])[u != v], axis=1), axis=0)
    x = sparse.coo_matrix(
        (np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(nodes, nodes)
    ).tocsr()
    file = tmp_path / "graph.npz"
    sparse.save_npz(file, x + x.T)
    choices: list[list[Argument]] = [[], ["-k", blocks]]
    for clusters in choices:
        found = result([file, *clusters, "--max-seconds", "1e-9"])
        check_consistent(found)
        assert found["stop_reason"] == "max_seconds"
        assert adjusted_rand_score(found["labels"], block) > 0.2
