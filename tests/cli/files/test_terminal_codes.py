"""Names of any bytes: nothing that a terminal would obey reaches it."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ..conftest import Argument, command, run
from ..explore.exploring import Explorer

# Clears the screen; the same with the one-letter code of ISO 6429; and bytes that are no UTF-8.
EVIL = b"\x1b[2J\xc2\x9b2J\xff\x9b2Jx"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(args: Sequence[Argument]) -> bytes:
    """Standard output and error."""
    return subprocess.run(
        command(args),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    ).stdout


def check_harmless(text: bytes) -> None:
    assert not [c for c in text.decode() if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
    assert b"2J" in text  # the name is there


@pytest.mark.usefixtures("desk")
def test_ids_in_an_explanation() -> None:
    Path("g.edges").write_bytes(b"a b 1\nb c 1\na c 1\na %s 1\nb %s 1\n" % (EVIL, EVIL))
    check_harmless(shown(["explain", "g.edges", "--object", "a", "-k", 1, "--ties", 9]))


@pytest.mark.usefixtures("desk")
def test_names_of_columns_that_count() -> None:
    rng = np.random.default_rng(1)
    kind = rng.integers(2, size=80)
    rows = np.column_stack([kind * 3 + rng.normal(size=80) * 0.5, rng.normal(size=(80, 5))])
    lines = [b"%s,a,b,c,d,e" % EVIL, *(",".join(map(str, row)).encode() for row in rows)]
    Path("t.csv").write_bytes(b"\n".join(lines) + b"\n")
    asked = {tuple(sorted(rng.choice(80, 2, replace=False))) for _ in range(100)}
    says = {True: "same", False: "different"}
    pairs = "".join(f"{a},{b},{says[bool(kind[a] == kind[b])]}\n" for a, b in sorted(asked))
    Path("pairs").write_text(pairs, encoding="utf-8")
    text = shown(
        ["cluster", "t.csv", "--scale", "standard", "--pairs", "pairs", "--learn", "-k", 2]
    )
    assert b"learned: most weight on" in text
    check_harmless(text)
    check_harmless(shown(["info", "t.csv"]))


@pytest.mark.usefixtures("desk")
def test_names_of_files() -> None:
    name = EVIL.decode(errors="surrogateescape")
    Path(name + ".edges").write_text("a b 1\nb c 1\n", encoding="utf-8")
    Path(name + "truth").write_text("id,label\na,1\na,2\n", encoding="utf-8")
    Path(name + "short").write_text("id,label\na,1\n", encoding="utf-8")
    Path(name + "other").write_text("id,label\nx,1\ny,1\n", encoding="utf-8")
    Path("two").write_text("id,label\na,1\nb,2\n", encoding="utf-8")
    for args in (
        ["cluster", name + ".edges"],
        ["cluster", name + ".edges", "--scale", "none"],
        ["info", name + ".edges"],
        ["cluster", name],
        ["cluster", "--labels", name + "/x", "t"],
        ["cluster", "two", "--format", "csv", "--drop", name],
        ["cluster", "two", "--" + name],
        [name],
        ["evaluate", name + "truth", name + "truth"],
        ["evaluate", "two", name + "short"],
        ["evaluate", "two", name + "other"],
        ["explain", name + ".edges", "--object", name],
        ["label", name + ".edges", "--restarts", "1"],
    ):
        check_harmless(shown(args))


@pytest.mark.usefixtures("desk")
def test_ids_in_errors() -> None:
    Path("twice").write_bytes(b"id,label\n%s,1\n%s,1\n" % (EVIL, EVIL))
    Path("once").write_bytes(b"id,label\n%s,1\nb,1\n" % EVIL)
    Path("plain").write_bytes(b"id,label\na,1\nb,1\n")
    check_harmless(shown(["evaluate", "twice", "twice"]))
    check_harmless(shown(["evaluate", "once", "plain"]))
    Path("t.csv").write_bytes(b"x,y\n1,2\n3,%s\n" % EVIL * 5)
    check_harmless(shown(["cluster", "t.csv", "--as", "similarity"]))


@pytest.mark.usefixtures("desk")
def test_files_hold_the_bytes_as_they_are() -> None:
    Path("g.edges").write_bytes(b"a %s 1\n" % EVIL)
    assert run(["cluster", "g.edges", "--labels", "labels.csv"]).returncode == 0
    assert EVIL in Path("labels.csv").read_bytes()


# ---- Every command ----

NAME = EVIL.decode(errors="surrogateescape")
TABLE, GRAPH, MODEL = f"{NAME}.csv", f"{NAME}.edges", f"{NAME}.model"
SMALL: list[Argument] = ["-k", 2, "--threads", 1, "--restarts", 1]


@pytest.fixture
def hostile(desk: Path) -> Path:
    """A table and a graph in which every name is hostile, and so are the files' own."""
    rng = np.random.default_rng(2)
    kinds = rng.integers(2, size=24)
    lines = [b"%s,%s2,class%s" % (EVIL, EVIL, EVIL)]
    for i, kind in enumerate(kinds):
        lines.append(b"%s%d,%f,%s%d" % (EVIL, i % 2, kind * 5 + rng.normal(), EVIL, kind))
    Path(TABLE).write_bytes(b"\n".join(lines) + b"\n")
    edges = [(a, b) for a in range(12) for b in range(a) if (a < 6) == (b < 6)]
    text = b"".join(b"%s%d %s%d 1\n" % (EVIL, a, EVIL, b) for a, b in edges)
    Path(GRAPH).write_bytes(text)
    Path(f"{NAME}.labels").write_bytes(
        b"id,label\n" + b"".join(b"%s%d,%s\n" % (EVIL, i, EVIL) for i in range(12))
    )
    assert run(["cluster", TABLE, *SMALL, "--model", MODEL]).returncode == 0
    return desk


RUNS: dict[str, list[Argument]] = {
    "cluster a table": ["cluster", TABLE, *SMALL],
    "cluster a graph": ["cluster", GRAPH, *SMALL],
    "score": ["cluster", TABLE, *SMALL, "--label-column", f"class{NAME}"],
    "forbid": ["cluster", TABLE, *SMALL, "--cannot-link-by", f"class{NAME}"],
    "codes": ["cluster", TABLE, *SMALL, "--categorical", f"{NAME}2"],
    "no such column": ["cluster", TABLE, *SMALL, "--drop", f"{NAME}3"],
    "json": ["cluster", GRAPH, *SMALL, "--json", "-"],
    "labels": ["cluster", GRAPH, *SMALL, "--labels", "/dev/stdout"],
    "levels": ["cluster", GRAPH, *SMALL, "--levels", "/dev/fd/1"],
    "layout": ["cluster", GRAPH, *SMALL, "--layout", "-"],
    "strength": ["cluster", GRAPH, *SMALL, "--strength", "-"],
    "model": ["cluster", GRAPH, *SMALL, "--model", "-"],
    "a report nowhere": ["cluster", GRAPH, *SMALL, "--report", f"{NAME}/report"],
    "describe": ["describe", TABLE, *SMALL],
    "describe a graph": ["describe", GRAPH, *SMALL],
    "describe as JSON": ["describe", TABLE, *SMALL, "--json", "-"],
    "describe labels": ["describe", GRAPH, "--labels", f"{NAME}.labels"],
    "explain": ["explain", GRAPH, *SMALL, "--object", f"{NAME}3"],
    "explain as JSON": ["explain", GRAPH, *SMALL, "--object", f"{NAME}3", "--json", "-"],
    "explain nobody": ["explain", GRAPH, *SMALL, "--object", f"{NAME}99"],
    "predict": ["predict", MODEL, TABLE],
    "predict labels": ["predict", MODEL, TABLE, "--labels", "-"],
    "predict another table": ["predict", MODEL, GRAPH],
    "predict by no model": ["predict", TABLE, TABLE],
    "info": ["info", TABLE],
    "info on a graph": ["info", GRAPH],
    "evaluate": ["evaluate", f"{NAME}.labels", f"{NAME}.labels"],
    "evaluate nothing": ["evaluate", f"{NAME}.labels", NAME],
    "label": ["label", GRAPH, *SMALL, "--questions", 1],
    "explore nothing": ["explore", NAME],
}


def at_terminal(args: Sequence[Argument], *outputs: str) -> bytes:
    """What a terminal gets that is standard output, standard error or both."""
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        command(args),
        stdin=subprocess.DEVNULL,
        stdout=terminal if "stdout" in outputs else subprocess.DEVNULL,
        stderr=terminal if "stderr" in outputs else subprocess.DEVNULL,
    )
    os.close(terminal)
    text = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while chunk := os.read(master, 4096):
            text += chunk
    os.close(master)
    process.wait(60)
    return text.replace(b"\r\n", b"\n")


def check_shows_no_codes(text: bytes) -> None:
    found = text.decode()  # whatever is no letter is shown as another
    assert not [c for c in found if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("name", RUNS)
def test_a_terminal_is_shown_no_codes(name: str) -> None:
    both = at_terminal(RUNS[name], "stdout", "stderr")
    check_shows_no_codes(both)
    assert both.strip()
    check_shows_no_codes(at_terminal(RUNS[name], "stderr"))


@pytest.mark.usefixtures("hostile")
def test_explore_prints_no_codes(hostile: Path) -> None:
    answers = f"{NAME}.answers"
    with Explorer(hostile, TABLE, *SMALL, "--answers", answers) as explorer:
        process = explorer.process
        assert explorer.end() in (0, 130)
        assert process.stdout is not None
        assert process.stderr is not None
        check_harmless(process.stdout.read())
        check_shows_no_codes(process.stderr.read())


@pytest.mark.usefixtures("hostile")
def test_an_output_that_is_a_terminal_shows_names_and_no_codes() -> None:
    shown_names = at_terminal(["cluster", GRAPH, *SMALL, "--labels", "-"], "stdout")
    assert shown_names.count(b"\\x1b[2J") == 12
    piped = subprocess.run(
        command(["cluster", GRAPH, *SMALL, "--labels", "-", "--quiet"]),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert piped.stdout.count(EVIL) == 12
