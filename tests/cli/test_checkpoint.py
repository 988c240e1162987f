"""Runs that are killed at any moment and go on from --checkpoint with the same labels."""

from __future__ import annotations

import json
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from .conftest import Argument, blobs, command, random_graph, result, run, write_edges, write_npy

ROWS = 10_000


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    values = blobs(ROWS, 6, seed=4, groups=7, apart=3)
    return write_npy(tmp_path_factory.mktemp("checkpoint") / "rows.npy", values)


@pytest.fixture(scope="module")
def labels(rows: Path) -> list[int]:
    """Without a checkpoint."""
    found: list[int] = result([rows, "-k", 7])["labels"]
    return found


def start(args: list[Argument]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(["cluster", *args, "--quiet"]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def parts_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.part")) if folder.exists() else []


def kill_with_parts(args: list[Argument], folder: Path, least: int) -> bool:
    """Kills the run once that number of parts is there; False if it ended before."""
    with start([*args, "--checkpoint", folder]) as process:
        while process.poll() is None and len(parts_of(folder)) < least:
            time.sleep(0.002)
        process.kill()
        return process.wait() == -signal.SIGKILL


def resumed(warnings: list[str]) -> bool:
    return any("went on from an earlier run" in warning for warning in warnings)


@pytest.mark.parametrize(
    "options",
    [["-k", 7], [], ["-k", 7, "--similarity", "linear", "--method", "local-search"]],
    ids=["k given", "k free", "restarts"],
)
def test_killed_at_random_moments_it_ends_with_the_same_labels(
    rows: Path, tmp_path: Path, options: list[Argument]
) -> None:
    args: list[Argument] = [rows, *options, "--threads", 2]
    begin = time.monotonic()
    expected = result(args)
    whole = time.monotonic() - begin
    random = np.random.default_rng(11)
    folder = tmp_path / "kept"
    labels = tmp_path / "labels.csv"
    kills = 0
    for _ in range(4):
        with start([*args, "--checkpoint", folder, "--labels", labels]) as process:
            try:
                process.wait(timeout=whole * random.random())
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
        if labels.exists():
            break
    found = result([*args, "--checkpoint", folder])
    assert found["labels"] == expected["labels"]
    assert found["cost"] == expected["cost"]
    assert kills > 0
    assert list(folder.iterdir()) == []


def test_it_goes_on_where_it_was(rows: Path, tmp_path: Path, labels: list[int]) -> None:
    args: list[Argument] = [rows, "-k", 7, "--threads", 1]
    folder = tmp_path / "kept"
    assert kill_with_parts(args, folder, 3)
    times = {part.name: part.stat().st_mtime_ns for part in parts_of(folder)}
    if not kill_with_parts(args, folder, len(times) + 1):
        pytest.skip("all parts that took long enough to be kept were there at once")
    assert {name: (folder / name).stat().st_mtime_ns for name in times} == times
    found = result([*args, "--checkpoint", folder])
    assert resumed(found["warnings"])
    assert found["labels"] == labels


def test_the_number_of_threads_may_change_and_the_order_of_outputs(
    rows: Path, tmp_path: Path, labels: list[int]
) -> None:
    folder = tmp_path / "kept"
    assert kill_with_parts([rows, "-k", 7, "--threads", 2], folder, 4)
    found = result([rows, "-k", 7, "--threads", 1, "--checkpoint", folder])
    assert resumed(found["warnings"])
    assert found["labels"] == labels


def test_an_interrupted_run_goes_on(rows: Path, tmp_path: Path, labels: list[int]) -> None:
    folder = tmp_path / "kept"
    args: list[Argument] = [rows, "-k", 7, "--threads", 1, "--checkpoint", folder]
    with start(args) as process:
        while len(parts_of(folder)) < 4:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    found = result(args)
    assert resumed(found["warnings"])
    assert found["labels"] == labels


def test_a_given_graph_goes_on(tmp_path: Path) -> None:
    weights = random_graph(1500, 8, seed=2)
    edges = [(i, j, weights[i, j]) for i, j in np.argwhere(np.triu(weights))]
    path = write_edges(tmp_path / "graph.edges", edges)
    args: list[Argument] = [path, "-k", 8, "--shift", "auto", "--threads", 1]
    if not kill_with_parts(args, tmp_path / "kept", 4):
        pytest.skip("the run ended before four parts of it took long enough to be kept")
    found = result([*args, "--checkpoint", tmp_path / "kept"])
    assert resumed(found["warnings"])
    assert found["labels"] == result(args)["labels"]


def test_pairs_are_kept_to(rows: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("".join(f"{i},{i + 7}\n" for i in range(0, 300, 3)))
    args: list[Argument] = [rows, "-k", 7, "--cannot-link", pairs, "--learn", "--threads", 1]
    expected = result(args)
    for least in (3, 6):
        kill_with_parts(args, tmp_path / "kept", least)
    assert result([*args, "--checkpoint", tmp_path / "kept"])["labels"] == expected["labels"]


# ---- What is not as it was left ----


def damages(bytes_: bytes) -> dict[str, bytes]:
    flipped = bytearray(bytes_)
    flipped[len(flipped) // 2] ^= 4
    return {
        "truncated": bytes_[: len(bytes_) * 2 // 3],
        "flipped": bytes(flipped),
        "empty": b"",
        "longer": bytes_ + b"\0",
        "other": b"x" * len(bytes_),
        "version": bytes_.replace(b"checkpoint 1", b"checkpoint 7", 1),
    }


def test_damaged_parts_are_done_again(rows: Path, tmp_path: Path, labels: list[int]) -> None:
    args: list[Argument] = [rows, "-k", 7, "--threads", 2]
    folder = tmp_path / "kept"
    assert kill_with_parts(args, folder, 5)
    shutil.copytree(folder, tmp_path / "copy")
    for shift in (0, 3):
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "copy", folder)
        parts = [part for part in parts_of(folder) if shift > 0 or part.name != "run.part"]
        for number, part in enumerate(parts):
            part.write_bytes(list(damages(part.read_bytes()).values())[(number + shift) % 6])
        found = result([*args, "--checkpoint", folder])
        assert found["labels"] == labels
        assert any("damaged" in warning for warning in found["warnings"])
        assert not resumed(found["warnings"])


def test_parts_that_changed_places_are_done_again(
    rows: Path, tmp_path: Path, labels: list[int]
) -> None:
    args: list[Argument] = [rows, "-k", 7, "--threads", 2]
    folder = tmp_path / "kept"
    assert kill_with_parts(args, folder, 4)
    first, *_, last = parts_of(folder)[:-1]
    whole = first.read_bytes()
    first.write_bytes(last.read_bytes())
    last.write_bytes(whole)
    assert result([*args, "--checkpoint", folder])["labels"] == labels


def refused(args: list[Argument]) -> str:
    done = run(["cluster", *args])
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "--checkpoint" in done.stderr
    return done.stderr


def test_another_run_is_refused_and_nothing_is_lost(rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    args: list[Argument] = [rows, "-k", 7, "--threads", 1]
    assert kill_with_parts(args, folder, 4)
    there = parts_of(folder)
    other = write_npy(tmp_path / "other.npy", np.load(rows)[::-1].copy() + 1e-9)
    others: list[list[Argument]] = [
        [other, "-k", 7],
        [rows, "-k", 6],
        [rows, "-k", 7, "--seed", 1],
    ]
    for words in others:
        said = refused([*words, "--checkpoint", folder])
        assert "of other data, options or version" in said
        assert parts_of(folder) == there
    assert resumed(result([*args, "--checkpoint", folder])["warnings"])


def test_folders_that_cannot_be_used_are_refused_before_the_work(
    rows: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    assert "thesis.txt" in refused([rows, "--checkpoint", tmp_path / "mine"])
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "all of it"
    assert "can't be" in refused([rows, "--checkpoint", rows])
    assert "can't be made" in refused([rows, "--checkpoint", tmp_path / "no" / "where"])
    said = refused([rows, "--checkpoint", tmp_path / "kept", "--max-seconds", 5])
    assert "--max-seconds" in said


def test_two_runs_do_not_share_a_folder(rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with start([rows, "--threads", 1, "--checkpoint", folder]) as process:
        while not (folder / "lock").exists():
            time.sleep(0.002)
        time.sleep(0.05)
        assert "another run" in refused([rows, "--checkpoint", folder])
        process.kill()


def test_a_full_disk_costs_the_checkpoint_not_the_labels(
    rows: Path, tmp_path: Path, labels: list[int]
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    args: list[Argument] = [rows, "-k", 7, "--threads", 2]
    done = subprocess.run(
        command(["cluster", *args, "--checkpoint", tmp_path / "kept", "--json", tmp_path / "json"]),
        preexec_fn=limit,
        capture_output=True,
        check=True,
    )
    assert done.returncode == 0
    found = json.loads((tmp_path / "json").read_text())
    assert found["labels"] == labels
    assert any("could not be kept: File too large" in text for text in found["warnings"])
    assert list((tmp_path / "kept").iterdir()) == []


def test_without_a_kill_nothing_is_said_or_left(rows: Path, tmp_path: Path) -> None:
    plain = result([rows, "-k", 7])
    kept = result([rows, "-k", 7, "--checkpoint", tmp_path / "kept"])
    assert kept["labels"] == plain["labels"]
    assert kept["warnings"] == plain["warnings"]
    assert list((tmp_path / "kept").iterdir()) == []
