"""`shiftcut label`: two records side by side."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from ..conftest import (
    Argument,
    blobs,
    random_graph,
    write_mtx_coordinate,
    write_npy,
)
from .labelling import PROMPT, QUICK, Session, read_answers


def test_cells_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        'name,height,town,age,class\n"Lee, Ann",1.70,,30,x\nBob\x1b[2J,NA,Oslo,31,y\n',
        encoding="utf-8",
    )
    args: list[Argument] = ["people.csv", "--drop", "name", "--label-column", "class", *QUICK]
    with Session(args, tmp_path) as session:
        session.until("the same?\n\n")
        shown = session.until(PROMPT)
        assert session.end() == 0
    lines = {line[2:10].strip(): line for line in shown.splitlines() if line.strip()}
    assert re.fullmatch(r"\* name +(Lee, Ann +Bob\\x1b\[2J|Bob\\x1b\[2J +Lee, Ann)", lines["name"])
    assert re.fullmatch(r"\* height +(1.70 +NA|NA +1.70)", lines["height"])
    assert re.fullmatch(r"\* town +Oslo", lines["town"])
    assert "class" not in shown


def test_many_columns_and_long_cells(tmp_path: Path) -> None:
    names = [f"c{j}" for j in range(100)]
    rows = [["1"] * 100, ["1"] * 100]
    rows[0][70], rows[1][70] = "x" * 300, "x" * 299 + "y"
    text = "\n".join(",".join(row) for row in [names, *rows]) + "\n"
    (tmp_path / "wide.csv").write_text(text, encoding="utf-8")
    with Session(["wide.csv", *QUICK], tmp_path, COLUMNS="50", LINES="20") as session:
        session.until("the same?\n\n")
        short = session.until(PROMPT).splitlines()
        session.type("a\n")
        session.until("the same?\n\n")
        everything = session.until(PROMPT).splitlines()
        assert session.end() == 0
    assert short[1].startswith("* c70 ")
    assert short[1].count("…") == 2
    assert all(len(line) <= 50 for line in short[:-1])
    assert "  left out: 87 equal (a shows all)" in short
    assert len(everything) == len(short) + 87 - 1
    assert not [line for line in everything if "left out" in line]


def test_arrays_graphs_and_matrices(tmp_path: Path) -> None:
    write_npy(tmp_path / "points.npy", blobs(20, 2, seed=1, groups=2))
    write_mtx_coordinate(tmp_path / "graph.mtx", random_graph(20, 4, seed=1), symmetric=True)
    edges = "ann bob 3\nbob cid 2\nann cid 2\ncid dan 0.5\ndan eve 4\n"
    (tmp_path / "friends.edges").write_text(edges, encoding="utf-8")
    (tmp_path / "far.csv").write_text("p,q,r\n0,1,2\n1,0,3\n2,3,0\n", encoding="utf-8")
    shown = {}
    for name, more in [
        ("points.npy", []),
        ("graph.mtx", []),
        ("friends.edges", ["--shift", "constant=1"]),
        ("far.csv", ["--as", "distance"]),
    ]:
        with Session([name, *QUICK, *more], tmp_path) as session:
            asked = session.question()
            session.type("n\n")
            assert session.end() == 0
        shown[name] = session.shown
        assert read_answers(tmp_path / f"{name}.answers.csv") == [[*asked, "different"]]
    assert re.search(r"^\* c0 +-?\d", shown["points.npy"], re.MULTILINE)
    assert "strongest ties" in shown["graph.mtx"]
    assert {"ann", "bob", "cid", "dan", "eve"} >= set(
        read_answers(tmp_path / "friends.edges.answers.csv")[0][:2]
    )
    assert "nearest" in shown["far.csv"]
    assert "each other" in shown["far.csv"]


def columns_of(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(letter) == "W" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def test_wide_letters_keep_their_columns(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text(
        "town,land,size\n東京都千代田区,日本,1\nZu\u0308rich,Schweiz \u202eX,2\n", encoding="utf-8"
    )
    with Session(["towns.csv", *QUICK], tmp_path, COLUMNS="24") as session:
        session.until("the same?\n\n")
        lines = session.until(PROMPT).splitlines()[1:-2]
        assert session.end() == 0
    cells = {line[2:6]: line.split()[2:] for line in lines}
    assert set(cells["town"]) == {"東京都…", "Zu\u0308rich"}
    assert set(cells["land"]) == {"日本", "Schwei…"}
    starts = [columns_of(line[: line.rindex(line.split()[3])]) for line in lines]
    assert starts == [17, 17, 17]
