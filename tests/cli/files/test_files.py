"""Ways a file may be written, what the program writes, and the progress it shows."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from ..conftest import (
    Argument,
    blobs,
    csv_text,
    groups,
    program,
    random_graph,
    result,
    run,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)
from ..terminal import Terminal

# ---- Ways a file may be written ----


def packed(path: Path) -> Path:
    target = path.with_name(path.name + ".gz")
    target.write_bytes(gzip.compress(path.read_bytes()))
    return target


def test_gzipped_files_and_standard_input(tmp_path: Path) -> None:
    points, graph = blobs(30, 3, seed=1), random_graph(30, 3, seed=1)
    files = [
        write_csv(tmp_path / "p.csv", points),
        write_csv(tmp_path / "p.tsv", points, delimiter="\t"),
        write_npy(tmp_path / "p.npy", points),
        write_npy(tmp_path / "f.npy", np.asfortranarray(points.astype(np.float32))),
        write_mtx_coordinate(tmp_path / "g.mtx", graph, symmetric=True),
        write_mtx_array(tmp_path / "a.mtx", graph),
        write_edges(tmp_path / "g.edges", [(i, j, graph[i, j]) for i, j in np.argwhere(graph)]),
    ]
    for file in files:
        form = file.suffix.removeprefix(".")
        direct = result([file, "-k", 3])
        ways = [
            result([packed(file), "-k", 3]),
            result(["-", "--format", form, "-k", 3], file.read_bytes()),
            result(["-", "--format", form, "-k", 3], packed(file).read_bytes()),
        ]
        for way in ways:
            assert way["labels"] == direct["labels"]
            assert way["cost"] == direct["cost"]


def test_a_name_without_ending_read_by_its_format(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "points.csv", blobs(20, 3, seed=1))
    direct = result([file, "-k", 3])
    assert (
        result([file.rename(tmp_path / "points"), "--format", "csv", "-k", 3])["labels"]
        == (direct["labels"])
    )


@pytest.mark.parametrize(
    "dress",
    [
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
        lambda text: text.removesuffix(b"\n"),
        lambda text: text.replace(b",", b" , "),
        lambda text: text + b"\n\n",
    ],
    ids=["mark", "crlf", "mark and crlf", "no last line end", "blanks", "blank lines at the end"],
)
def test_dressed_tables(dress: object, tmp_path: Path) -> None:
    assert callable(dress)
    plain = write_csv(tmp_path / "plain.csv", blobs(25, 3, seed=2), ["a", "b", "label"])
    dressed = tmp_path / "dressed.csv"
    dressed.write_bytes(dress(plain.read_bytes()))
    args: list[Argument] = ["--drop", "a", "-k", 3]
    assert result([dressed, *args])["labels"] == result([plain, *args])["labels"]
    told, expected = (run(["info", f, "--drop", "a"]).stdout for f in (dressed, plain))
    assert told.splitlines()[1:] == expected.splitlines()[1:]


def test_columns_with_commas_in_their_names(tmp_path: Path) -> None:
    points = blobs(25, 3, seed=2)
    odd = write_csv(tmp_path / "odd.csv", points, ["x, in mm", "y", "näher"])
    alone = write_csv(tmp_path / "alone.csv", points[:, 1:2])
    found = result([odd, "--drop", '"x, in mm",näher', "-k", 2])
    assert found["labels"] == result([alone, "-k", 2])["labels"]


# ---- Outputs ----


IDS = ["plain", 'say "no"', "Zürich", "日本", "🙂", "x'y", "a;b"]


def test_ids_survive_in_the_labels_file(tmp_path: Path) -> None:
    """Names of a matrix's columns may hold anything a CSV cell can."""
    names = [*IDS, "one,two", " padded ", "two\nlines"]
    x = np.kron(np.eye(2), np.ones((5, 5)))
    table = tmp_path / "alike.csv"
    table.write_text(csv_text(x, names), encoding="utf-8")
    labels = tmp_path / "labels.csv"
    found = result([table, "--as", "similarity", "-k", 2, "--labels", labels])
    with labels.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["id", "label"]
    # Blanks around a cell are not part of it.
    assert [row[0].strip() for row in rows] == [name.strip() for name in names]
    assert [int(row[1]) for row in rows] == found["labels"]
    assert groups(found) == {frozenset(range(5)), frozenset(range(5, 10))}


def test_names_of_nodes_are_ids(tmp_path: Path) -> None:
    names = [name.replace(" ", "") for name in IDS]
    file = write_edges(tmp_path / "g.edges", [(name, names[0], 1.0) for name in names[1:]])
    labels = tmp_path / "labels.csv"
    found = result([file, "--labels", labels])
    with labels.open(newline="", encoding="utf-8") as source:
        rows = list(csv.reader(source))
    pairs = zip([names[1], names[0], *names[2:]], found["labels"], strict=True)
    assert rows == [["id", "label"], *([n, str(k)] for n, k in pairs)]


def test_labels_of_a_table_are_numbered_from_0(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "points.csv", blobs(30, 2, seed=3))
    labels = tmp_path / "labels.csv"
    found = result([file, "-k", 3, "--labels", labels])
    expected = ["id,label", *(f"{i},{label}" for i, label in enumerate(found["labels"]))]
    assert labels.read_text(encoding="utf-8") == "\n".join(expected) + "\n"


def test_json_to_a_file_is_what_standard_output_gets(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "points.csv", blobs(30, 2, seed=3))
    json_file = tmp_path / "result.json"
    done = run(["cluster", file, "-k", 3, "--json", json_file])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[:4] == ["30", "objects", "of", str(file)]  # wherever the line breaks
    written = json.loads(json_file.read_text(encoding="utf-8"))
    printed = result([file, "-k", 3])
    assert list(written) == list(printed)
    for field in ["labels", "cost", "sizes", "warnings", "shift", "seed", "version"]:
        assert written[field] == printed[field]


def test_the_json_has_the_promised_fields(tmp_path: Path) -> None:
    table = tmp_path / "points.csv"
    rows = [[*row, "ab"[i % 2]] for i, row in enumerate(blobs(30, 2, seed=3).tolist())]
    table.write_text(csv_text(rows, ["x", "y", "kind"]), encoding="utf-8")
    found = result([table, "--label-column", "kind", "-k", 3, "--seed", 5, "--threads", 2])
    fields = {
        *("objects", "clusters_asked", "clusters_found", "sizes", "labels", "cost", "stop_reason"),
        *("restarts", "shift", "agreement", "similarity", "metric", "scale", "scale_reason"),
        *("seed", "threads", "seconds"),
        *("scores", "warnings", "warning_codes", "version"),
    }
    assert set(found) == fields
    assert (found["objects"], found["clusters_asked"], found["seed"]) == (30, 3, 5)
    assert set(found["restarts"][0]) == {"method", "cost", "sweeps", "moves", "seconds"}
    assert set(found["shift"]) == {"kind", "strength", "path", "dimension"}
    assert (found["shift"]["kind"], found["similarity"]) == ("adaptive", "neighbors")
    point = {"strength", "clusters", "sizes", "cost", "criterion", "agreement"}
    assert all(set(p) == point for p in found["shift"]["path"])
    assert set(found["seconds"]) == {"read", "similarity", "shift", "search", "total"}
    assert {"ami", "ami_max", "ari", "v_measure"} <= set(found["scores"])
    assert found["seconds"]["total"] >= found["seconds"]["search"] >= 0
    linear = result([table, "--similarity", "linear", "--label-column", "kind", "-k", 3])
    assert set(linear) == (fields - {"agreement", "metric"}) | {"distance"}
    assert linear["shift"] == {"kind": "adaptive", "strength": 1}
    assert linear["seconds"]["shift"] == 0
    free = result([table, "--drop", "kind", "--shift", "constant=2", "--shift-strength", 0.5])
    assert free["clusters_asked"] == "auto"
    assert free["shift"] == {"kind": "constant", "strength": 0.5, "value": 2}
    assert "scores" not in free
    graph = result([write_edges(tmp_path / "g.edges", [("a", "b", 1.0)])])
    assert graph["similarity"] == "precomputed"
    assert not {"distance", "scale", "scores"} & set(graph)


def test_npy_of_any_type_groups_like_float64(tmp_path: Path) -> None:
    points = np.clip(np.round(blobs(60, 3, seed=4) * 8), -128, 127)
    expected = result([write_npy(tmp_path / "d.npy", points), "-k", 3])
    for kind in ["<i1", "<i2", ">i4", "<i8", ">i8", "<f2", ">f4", ">f8"]:
        found = result([write_npy(tmp_path / "t.npy", points.astype(kind)), "-k", 3])
        assert (kind, found["labels"]) == (kind, expected["labels"])
        assert found["warnings"] == expected["warnings"]
    file = write_npy(tmp_path / "b.npy", points > 0)
    assert result([file, "-k", 2])["objects"] == 60


def test_a_file_that_is_cut_while_the_program_runs_changes_nothing(tmp_path: Path) -> None:
    points = blobs(2000, 16, seed=5)
    file = write_npy(tmp_path / "points.npy", points)
    args: list[Argument] = ["cluster", file, *LONG, "--json", "-"]
    with Terminal(args) as terminal:
        terminal.read_until("search")  # it is read by then
        os.truncate(file, 0)
        assert terminal.end() == 0
    assert json.loads(terminal.stdout)["objects"] == 2000


@pytest.mark.parametrize("delimiter", [";", "|", "\t"])
def test_other_delimiters_are_found_or_given(delimiter: str, tmp_path: Path) -> None:
    points = blobs(40, 3, seed=6)
    expected = result([write_csv(tmp_path / "p.csv", points), "-k", 3])
    file = write_csv(tmp_path / "other.csv", points, delimiter=delimiter)
    found = result([file, "-k", 3])
    assert found["labels"] == expected["labels"]
    assert "--delimiter" in found["warnings"][0]
    word = "tab" if delimiter == "\t" else delimiter
    given = result([file, "-k", 3, "--delimiter", word])
    assert given["labels"] == expected["labels"]
    assert given["warnings"] == expected["warnings"]
    commands: list[list[Argument]] = [
        ["info", file],
        ["explain", file, "--object", 0, "--quiet"],
    ]
    for command in commands:
        assert run([*command, "--delimiter", word]).returncode == 0
    labels = tmp_path / "labels.csv"
    labels.write_text(delimiter.join(["id", "label"]) + f"\n1{delimiter}a\n2{delimiter}b\n")
    done = run(["evaluate", labels, labels, "--delimiter", word])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("AMI           1.0")


def test_delimiters_that_are_refused(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(9, 2, seed=6))
    for wrong in ["a", "5", ".", "ab", '"']:
        done = run(["info", file, "--delimiter", wrong])
        assert done.returncode == 1
        assert "--delimiter" in done.stderr
    graph = write_edges(tmp_path / "g.edges", [("a", "b", 1.0)])
    assert "--delimiter" in run(["info", graph, "--delimiter", ";"]).stderr


def test_a_pair_of_objects_called_a_and_b_is_kept(tmp_path: Path) -> None:
    graph = write_edges(
        tmp_path / "g.edges", [("a", "c", 5), ("b", "d", 5), ("a", "b", -1), ("c", "d", -1)]
    )
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("a b\n", encoding="utf-8")
    found = result([graph, "--shift", "none", "--must-link", pairs])
    assert found["labels"][0] == found["labels"][2]
    assert found["links"]["must_link"] == 1


def test_lines_of_pairs_that_are_passed_over_are_told(tmp_path: Path) -> None:
    points = write_npy(tmp_path / "p.npy", blobs(20, 2, seed=7))
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("a b\n# as told\n0 1\n", encoding="utf-8")
    found = result([points, "-k", 2, "--must-link", pairs])
    told = [warning for warning in found["warnings"] if str(pairs) in warning]
    assert len(told) == 2
    assert "line 1 ('a b') was treated as a header" in told[0]
    assert "line 2 ('# as told') was skipped as a comment" in told[1]


def test_a_limit_on_memory_is_seen_before_a_table_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large.npy"
    rows, columns = 30_000_000, 12
    with file.open("wb") as out:
        np.lib.format.write_array_header_1_0(
            out, {"descr": "<f8", "fortran_order": False, "shape": (rows, columns)}
        )
        out.truncate(out.tell() + rows * columns * 8)
    limited = f'ulimit -v 2000000; exec "$0" info "{file}"'
    done = subprocess.run(
        ["bash", "-c", limited, program()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"needs {rows} x {columns} numbers of 2.9 GB; found" in done.stderr


def test_text_that_takes_too_much_memory_as_columns_is_refused(tmp_path: Path) -> None:
    rows = ["".join(f"t{(i * 7 + j) % 240}," for j in range(40)) + "1" for i in range(2000)]
    names = ",".join(f"c{j}" for j in range(41))
    file = tmp_path / "text.csv"
    file.write_text("\n".join([names, *rows]) + "\n", encoding="utf-8")
    limited = f'ulimit -v 300000; exec "$0" cluster "{file}" --quiet'
    done = subprocess.run(
        ["bash", "-c", limited, program()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "2000 rows of 9601 columns once text is one-hot encoded" in done.stderr
    assert "--drop" in done.stderr
    assert "'c0' (240)" in done.stderr


def test_labels_to_standard_output(tmp_path: Path) -> None:
    file = write_edges(tmp_path / "g.edges", [("a", "b", 1.0)])
    done = run(["cluster", file, "-k", 1, "--labels", "-"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "id,label\na,0\nb,0\n", "")


# ---- Progress ----


LONG: list[Argument] = [
    *(
        "--similarity",
        "linear",
        "-k",
        8,
        "--method",
        "local-search",
        "--restarts",
        1_000_000,
        "--max-seconds",
        1.6,
    )
]


def test_long_work_shows_progress_at_a_terminal(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(400, 10, seed=2))
    with Terminal(["cluster", file, *LONG, "--json", "-"]) as terminal:
        assert terminal.end() == 0
    assert "\r\x1b[Ksearch: restart " in terminal.screen
    assert " of 1000000, sweep " in terminal.screen
    assert ", cost -" in terminal.screen
    assert "\n" not in terminal.screen  # one line, drawn over
    assert terminal.screen.endswith("\r\x1b[K")  # and wiped off
    assert json.loads(terminal.stdout)["stop_reason"] == "max_seconds"


def test_quiet_and_no_terminal_show_nothing(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(400, 10, seed=2))
    with Terminal(["cluster", file, *LONG, "--quiet"]) as terminal:
        assert terminal.end() == 0
    assert terminal.screen == ""
    assert terminal.stdout.split()[:3] == ["400", "objects", "of"]
    done = run(["cluster", file, *LONG])
    assert (done.returncode, done.stderr) == (0, "")


def test_quick_work_shows_nothing(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 3, seed=2))
    with Terminal(["cluster", file, "-k", 3]) as terminal:
        assert terminal.end() == 0
    assert terminal.screen == ""


def test_warnings_are_shown_beside_labels_on_standard_output(tmp_path: Path) -> None:
    graph = tmp_path / "graph.edges"
    graph.write_text("#1 x 2\nx y 1\nz w 3\n", encoding="utf-8")
    done = run(["cluster", graph, "--labels", "-"])
    assert done.returncode == 0
    assert done.stdout.startswith("id,label\n")
    assert "shiftcut: warning: " in done.stderr
    assert "'#1 x 2'" in done.stderr
