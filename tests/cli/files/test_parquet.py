"""Parquet, Arrow and Feather files, which the program reads through a Python with pyarrow."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from ..conftest import Argument, command, result, run

Table: TypeAlias = Any  # pyarrow has no types

pa = pytest.importorskip("pyarrow", reason="no pyarrow: Parquet files are not tested")
csv = pytest.importorskip("pyarrow.csv")
feather = pytest.importorskip("pyarrow.feather")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(autouse=True)
def this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIFTCUT_PYTHON", sys.executable)


def mixed(rows: int = 120) -> Table:
    rng = np.random.default_rng(3)
    group = np.arange(rows) % 3
    holes = rng.random(rows) < 0.1
    return pa.table(
        {
            "x": pa.array(group * 4 + rng.normal(size=rows), mask=holes),
            "single": pa.array((group * 2 + rng.normal(size=rows)).astype(np.float32)),
            "count": pa.array(rng.integers(-5, 2**60, rows)),
            "price": pa.array([decimal.Decimal(int(g)) / 8 for g in group], pa.decimal128(9, 3)),
            "word": pa.array([["a, b", 'say "c"', None][int(g)] for g in group]),
            "kind": pa.array([["u", "v", "w"][int(g)] for g in group]).dictionary_encode(),
            "flag": pa.array([bool(g == 1) for g in group]),
            "class": pa.array([f"k{g}" for g in group]),
        }
    )


def as_csv(table: Table, path: Path) -> Path:
    """The table as a user would write it: single precision with all its digits, True and False."""
    columns = {
        name: table[name].cast(pa.float64())
        if str(table[name].type) in {"float", "decimal128(9, 3)"}
        else pa.array([None if v is None else str(v) for v in table[name].to_pylist()])
        if str(table[name].type) == "bool" or str(table[name].type).startswith("dictionary")
        else table[name]
        for name in table.column_names
    }
    csv.write_csv(pa.table(columns), path)
    return path


WRITERS = {
    "groups.parquet": lambda table, path: pq.write_table(table, path, row_group_size=7),
    "zstd.parquet": lambda table, path: pq.write_table(table, path, compression="zstd"),
    "gzip.parquet": lambda table, path: pq.write_table(table, path, compression="gzip"),
    "lz4.feather": lambda table, path: feather.write_feather(table, path, compression="lz4"),
    "file.arrow": lambda table, path: feather.write_feather(table, path, "uncompressed"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_labels_are_those_of_the_same_data_as_csv(tmp_path: Path, name: str) -> None:
    table = mixed()
    WRITERS[name](table, tmp_path / name)
    options: list[Argument] = ["-k", 3, "--label-column", "class", "--threads", 2]
    expected = result([as_csv(table, tmp_path / "table.csv"), *options])
    found = result([tmp_path / name, *options])
    assert found["labels"] == expected["labels"]
    assert found["cost"] == expected["cost"]
    assert found["scores"] == expected["scores"]
    said = [warning for warning in found["warnings"] if "read through Python" in warning]
    assert len(said) == 1
    assert pa.__version__ in said[0]


def test_a_stream_of_batches_is_read_like_a_file(tmp_path: Path) -> None:
    table = mixed()
    with pa.ipc.new_stream(tmp_path / "stream.arrow", table.schema) as stream:
        stream.write_table(table, max_chunksize=11)
    feather.write_feather(table, tmp_path / "file.feather")
    options: list[Argument] = ["-k", 3, "--drop", "class"]
    labels = [
        result([tmp_path / name, *options])["labels"] for name in ("stream.arrow", "file.feather")
    ]
    assert labels[0] == labels[1]


@pytest.mark.parametrize("by", ["file", "pipe"])
def test_standard_input_is_read(tmp_path: Path, by: str) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(mixed(), path)
    words = command(["info", "-", "--format", "parquet"])
    if by == "file":
        with path.open("rb") as file:
            done = subprocess.run(words, stdin=file, capture_output=True, check=True)
    else:
        done = subprocess.run(words, input=path.read_bytes(), capture_output=True, check=True)
    assert b"objects:  120" in done.stdout


def info(path: Path, *options: str) -> str:
    done = run(["info", path, *options])
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(path: Path, *options: str) -> str:
    done = run(["info", path, *options])
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert path.name in done.stderr
    return done.stderr


def write(path: Path, **columns: Table) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_text_of_digits_stays_text(tmp_path: Path) -> None:
    said = info(write(tmp_path / "t.parquet", code=["01", "02"] * 4, x=list(range(8))))
    assert "'code=01', 'code=02', 'x'" in said


def test_numbers_keep_every_digit(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 9])
    rows *= 10.0 ** rng.integers(-9, 9)
    path = write(tmp_path / "t.parquet", x=rows[:, 0], y=rows[:, 1])
    np.save(tmp_path / "t.npy", rows)
    assert result([path, "-k", 2])["cost"] == result([tmp_path / "t.npy", "-k", 2])["cost"]


def test_a_column_of_numbers_may_have_a_number_as_its_name(tmp_path: Path) -> None:
    table = pa.table({"2019": [1.0, 2.0, 3.0], "2020": [1.5, 2.5, 3.5]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert "'2019', '2020'" in info(tmp_path / "t.parquet")


def test_missing_numbers_and_a_column_on_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", x=pa.array([1.0, None, float("nan"), 4.0]))
    said = info(path)
    assert "objects:  4" in said
    assert "2 missing cells filled with the median 2.5" in said
    path = write(tmp_path / "u.parquet", x=[1, 2, 3], gone=pa.nulls(3))
    assert "column 'gone' holds no values and was left out" in info(path)


@pytest.mark.parametrize(
    ("column", "what"),
    [
        (pa.array([datetime.date(2020, 1, 1)] * 4), "dates or times of the type date32"),
        (pa.array([datetime.datetime(2020, 1, 1)] * 4), "dates or times of the type timestamp"),
        (pa.array([[1.0, 2.0]] * 4), "values of the type list"),
        (pa.array([{"a": 1}] * 4), "values of the type struct"),
        (pa.array([b"raw"] * 4), "values of the type binary"),
    ],
)
def test_other_types_are_refused_by_name_unless_dropped(
    tmp_path: Path, column: Table, what: str
) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3, 4], odd=column)
    said = refused(path)
    assert "column 'odd': found " + what in said
    assert "--drop 'odd' ignores the column" in said
    assert "features: 1: 'x'" in info(path, "--drop", "odd")


def test_dates_may_be_labels(tmp_path: Path) -> None:
    days = [datetime.date(2020, 1, 1 + i % 2) for i in range(40)]
    x = [i % 2 * 9 + i / 100 for i in range(40)]
    path = write(tmp_path / "t.parquet", day=pa.array(days), x=x)
    found = result([path, "-k", 2, "--label-column", "day"])
    assert found["scores"]["ari"] == 1


def test_infinity_is_refused_with_its_row(tmp_path: Path) -> None:
    x = np.arange(100_000.0)
    x[70_000] = np.inf
    said = refused(write(tmp_path / "t.parquet", x=x))
    assert "row 70000, column 'x': found infinity" in said


def test_the_index_of_a_data_frame_is_left_out(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="no pandas: no index to leave out")
    frame = pandas.DataFrame({"x": range(6)}, index=pandas.Index(list("abcdef"), name="who"))
    frame.to_parquet(tmp_path / "t.parquet")
    said = info(tmp_path / "t.parquet")
    assert "features: 1: 'x'" in said
    assert "column 'who' is the index of a pandas DataFrame and was left out" in said


def test_a_model_takes_new_rows_in_either_format(tmp_path: Path) -> None:
    table = mixed().drop_columns(["class"])
    pq.write_table(table, tmp_path / "t.parquet")
    path = as_csv(table, tmp_path / "t.csv")
    model = tmp_path / "model"
    assert run(["cluster", tmp_path / "t.parquet", "-k", 3, "--model", model]).returncode == 0
    predicted = [run(["predict", model, p]) for p in (tmp_path / "t.parquet", path)]
    assert predicted[0].returncode == 0, predicted[0].stderr
    assert predicted[0].stdout == predicted[1].stdout


# ---- Files and programs that are not as they should be ----


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    for name in ("groups.parquet", "lz4.feather"):
        WRITERS[name](mixed(), tmp_path / name)
        whole = (tmp_path / name).read_bytes()
        for share in (0.0, 0.3, 0.999):
            (tmp_path / name).write_bytes(whole[: int(share * len(whole))])
            refused(tmp_path / name)


def test_damaged_files_end_in_a_message(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(mixed(), path, row_group_size=20)
    whole = path.read_bytes()
    rng = np.random.default_rng(7)
    for _ in range(4):
        damaged = bytearray(whole)
        begin = int(rng.integers(0, len(whole) - 40))
        damaged[begin : begin + 40] = rng.bytes(40)
        path.write_bytes(damaged)
        done = run(["info", path])
        assert done.returncode in {0, 1}
        assert done.returncode == 0 or done.stderr.count("\n") == 1


def test_a_text_file_under_this_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_text("x,y\n1,2\n")
    assert "found no Parquet, Arrow or Feather data" in refused(tmp_path / "t.parquet")


@pytest.mark.parametrize("options", [["--no-header"], ["--delimiter", ";"]])
def test_options_of_text_are_refused(tmp_path: Path, options: list[str]) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    assert options[0] in refused(path, *options)


def test_without_python_or_pyarrow_the_message_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    monkeypatch.setenv("SHIFTCUT_PYTHON", str(tmp_path / "nowhere"))
    assert "read through Python: can't start" in refused(path)
    script = tmp_path / "bare"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("SHIFTCUT_PYTHON", str(script))
    said = refused(path)
    assert "has no pyarrow" in said
    assert "pip install pyarrow" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo broken >&2; exit 1", "exit code 1 (broken)"),
        ("kill -SEGV $$", "signal 11"),
        ("head -c 300000 /dev/zero | tr '\\0' e >&2; exit 7", "exit code 7"),
        ("exit 0", "empty file"),
    ],
)
def test_a_python_that_fails_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    script = tmp_path / "failing"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    monkeypatch.setenv("SHIFTCUT_PYTHON", str(script))
    assert said in refused(path)


def test_names_are_never_run(tmp_path: Path) -> None:
    name = "$(touch owned);`touch owned` .parquet"
    path = write(tmp_path / name, **{"$(touch owned)": [1, 2, 3], 'a"b\\n,c': [1.5, 2.5, 3]})
    done = subprocess.run(
        command(["info", path, "--drop", "$(touch owned)"]),
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"features: 1:" in done.stdout
    assert not (tmp_path / "owned").exists()


def test_nothing_in_the_working_folder_is_imported(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    (tmp_path / "pyarrow.py").write_text("raise SystemExit('owned')")
    done = subprocess.run(command(["info", path]), cwd=tmp_path, capture_output=True, check=True)
    assert b"objects:  3" in done.stdout


def test_an_interrupt_ends_the_reading_and_the_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    note = tmp_path / "pid"
    script = tmp_path / "slow"
    script.write_text(
        f'#!/bin/sh\necho $$ > "{note}.new"; mv "{note}.new" "{note}"\nexec sleep 60\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("SHIFTCUT_PYTHON", str(script))
    with subprocess.Popen(command(["cluster", path]), stderr=subprocess.PIPE) as process:
        while not note.exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_few_descriptors_end_in_a_message(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", x=[1, 2, 3])
    for most in (4, 6, 8):
        done = subprocess.run(
            ["sh", "-c", f'ulimit -n {most}; exec "$@"', "sh", *command(["info", path])],
            capture_output=True,
            check=False,
        )
        assert done.returncode in {0, 1}, done.stderr
        assert (done.returncode == 0) == (done.stderr == b"")


def test_the_python_package_gives_the_same_labels(tmp_path: Path) -> None:
    shiftcut = pytest.importorskip("shiftcut", reason="the Python package is not installed")
    table = mixed().drop_columns(["class"])
    pq.write_table(table, tmp_path / "t.parquet")
    fitted = shiftcut.ShiftedMinCut(3).fit(table)
    assert fitted.labels_.tolist() == result([tmp_path / "t.parquet", "-k", 3])["labels"]


def test_json_is_alone_on_standard_output(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", x=[float(i) for i in range(30)])
    done = run(["cluster", path, "-k", 2, "--json", "-"])
    assert done.stderr == ""
    assert json.loads(done.stdout)["objects"] == 30
