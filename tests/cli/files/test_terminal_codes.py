"""Names of any bytes: nothing that a terminal would obey reaches it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ..conftest import Argument, command, run

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
