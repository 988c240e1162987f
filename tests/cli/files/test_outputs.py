"""What the program writes: whole or not at all, never over what it reads, and never unnoticed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..conftest import Argument, blobs, command, result, run, write_csv
from ..outside import run_as_nobody, run_with
from ..test_errors import refused

ROWS = 60
OLD = "an older result\n"
QUICK: list[Argument] = ["-k", 3, "--restarts", 1, "--threads", 1]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table of 60 rows and a graph, to work in."""
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "points.csv", blobs(ROWS, 3, seed=5, groups=3, apart=20))
    (tmp_path / "graph.edges").write_text("a b\nb c\nc d\nd e\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def open_desk() -> Iterator[Path]:
    """The same where everybody may go."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    write_csv(folder / "points.csv", blobs(ROWS, 3, seed=5, groups=3)).chmod(0o644)
    yield folder
    for place in [folder, *folder.iterdir()]:
        if place.is_dir():
            place.chmod(0o777)
    shutil.rmtree(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def check_labels(text: str) -> None:
    lines = text.splitlines()
    assert lines[0] == "id,label"
    assert [line.split(",")[0] for line in lines[1:]] == [str(i) for i in range(ROWS)]
    assert text.endswith("\n")


# ---- Whole or not at all ----


@pytest.mark.parametrize("option", ["--labels", "--json"])
@pytest.mark.parametrize("old", [OLD, None])
def test_a_full_disk_leaves_the_old_file(option: str, old: str | None, desk: Path) -> None:
    out = desk / "out"
    if old is not None:
        out.write_text(old, encoding="utf-8")
    before = names(desk)
    limits = {resource.RLIMIT_FSIZE: 200}
    done = run_with(["cluster", "points.csv", *QUICK, option, "out"], limits)
    assert (done.returncode, done.stderr) == (
        1,
        "shiftcut: out: can't be written: File too large\n",
    )
    assert names(desk) == before
    assert old is None or out.read_text(encoding="utf-8") == old


def test_one_output_that_fails_does_not_cost_the_others(desk: Path) -> None:
    done = run(["cluster", "points.csv", *QUICK, "--labels", "/dev/full", "--json", "out.json"])
    assert done.returncode == 1
    assert done.stderr == "shiftcut: /dev/full: can't be written: No space left on device\n"
    assert done.stdout.startswith(f"{ROWS} objects of points.csv")
    assert len(json.loads((desk / "out.json").read_text(encoding="utf-8"))["labels"]) == ROWS


def test_who_reads_the_old_file_meanwhile_sees_all_of_it(desk: Path) -> None:
    """A new file takes the name: so a program that is killed leaves one or the other."""
    (desk / "out").write_text(OLD, encoding="utf-8")
    with (desk / "out").open(encoding="utf-8") as reader:
        assert run(["cluster", "points.csv", *QUICK, "--labels", "out"]).returncode == 0
        assert reader.read() == OLD
    check_labels((desk / "out").read_text(encoding="utf-8"))
    assert names(desk) == ["graph.edges", "out", "points.csv"]


def test_permissions_are_the_old_ones_or_those_of_the_umask(desk: Path) -> None:
    (desk / "old").write_text(OLD, encoding="utf-8")
    (desk / "old").chmod(0o604)
    args: list[Argument] = ["cluster", "points.csv", *QUICK, "--labels", "old", "--json", "new"]
    assert run_with(args, before=lambda: void(os.umask(0o027))).returncode == 0
    assert stat.S_IMODE((desk / "old").stat().st_mode) == 0o604
    assert stat.S_IMODE((desk / "new").stat().st_mode) == 0o640


def void(_: object) -> None:
    pass


def test_links_stay_and_what_they_lead_to_is_written(desk: Path) -> None:
    (desk / "folder").mkdir()
    (desk / "folder" / "real").write_text(OLD, encoding="utf-8")
    (desk / "link").symlink_to("second")
    (desk / "second").symlink_to(Path("folder") / "real")
    (desk / "dangling").symlink_to(Path("folder") / "new")
    args: list[Argument] = ["--labels", "link", "--json", "dangling"]
    assert run(["cluster", "points.csv", *QUICK, *args]).returncode == 0
    assert (desk / "link").is_symlink()
    assert (desk / "dangling").is_symlink()
    check_labels((desk / "folder" / "real").read_text(encoding="utf-8"))
    assert json.loads((desk / "folder" / "new").read_text(encoding="utf-8"))["objects"] == ROWS
    (desk / "circle").symlink_to("circle")
    assert "Too many levels" in refused(["cluster", "points.csv", "--labels", "circle"])


# ---- The same for every output ----

OUTPUTS: dict[str, list[Argument]] = {
    **{
        f"cluster {option}": ["cluster", "points.csv", *QUICK, option]
        for option in ("--labels", "--json", "--levels", "--layout", "--strength", "--model")
    },
    "cluster --report": ["cluster", "points.csv", *QUICK, "--report"],
    "describe --json": ["describe", "points.csv", *QUICK, "--json"],
    "explain --json": ["explain", "points.csv", *QUICK, "--object", 3, "--json"],
    "evaluate --json": ["evaluate", "truth", "truth", "--json"],
    "predict --labels": ["predict", "old.model", "points.csv", "--labels"],
    "predict --json": ["predict", "old.model", "points.csv", "--json"],
    "label --labels": ["label", "points.csv", *QUICK, "--quiet", "--labels"],
    "label --answers": ["label", "points.csv", *QUICK, "--quiet", "--answers"],
}
OLD_ANSWERS = "a,b,answer\n0,1,unsure\n"


@pytest.fixture(scope="module")
def old_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    points = write_csv(folder / "points.csv", blobs(ROWS, 3, seed=5, groups=3, apart=20))
    model = folder / "old.model"
    assert run(["cluster", points, *QUICK, "--model", model]).returncode == 0
    return model


@pytest.mark.parametrize("name", OUTPUTS)
def test_every_output_is_replaced_where_links_lead_with_the_permissions_it_had(
    name: str, old_model: Path, desk: Path
) -> None:
    args = OUTPUTS[name]
    (desk / "truth").write_text("id,label\na,1\nb,2\n", encoding="utf-8")
    shutil.copy(old_model, desk / "old.model")
    old = OLD_ANSWERS if name == "label --answers" else OLD
    (desk / "folder").mkdir()
    real = desk / "folder" / "real"
    real.write_text(old, encoding="utf-8")
    real.chmod(0o604)
    (desk / "link").symlink_to(Path("folder") / "real")
    with real.open(encoding="utf-8") as reader:
        done = run_with([*args, "link"], stdin=b"n\n", before=lambda: void(os.umask(0o027)))
        assert done.returncode == 0, done.stderr
        assert reader.read() == old  # another file has the name now
    assert (desk / "link").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o604
    written = real.read_bytes()
    assert written != old.encode()
    assert names(desk / "folder") == ["real"]
    done = run_with([*args, "new"], stdin=b"n\n", before=lambda: void(os.umask(0o027)))
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE((desk / "new").stat().st_mode) == 0o640
    # Where the disk is full, the old file stays, and nothing is left beside it.
    real.write_text(old, encoding="utf-8")
    limits = {resource.RLIMIT_FSIZE: len(old)}
    done = run_with([*args, "link"], limits, stdin=b"n\n")
    assert done.returncode == 1
    assert "File too large" in done.stderr
    assert real.read_text(encoding="utf-8") == old
    assert names(desk / "folder") == ["real"]


# ---- Never over what is read ----


def itself(file: Path) -> str:
    return file.name


def with_a_dot(file: Path) -> str:
    return f"./{file.name}"


def by_a_link(file: Path) -> str:
    Path("link").symlink_to(file)
    return "link"


def by_a_hard_link(file: Path) -> str:
    os.link(file, "hard")
    return "hard"


WAYS = [itself, with_a_dot, by_a_link, by_a_hard_link]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("option", ["--labels", "--json"])
def test_the_input_is_never_written_over(
    way: Callable[[Path], str], option: str, desk: Path
) -> None:
    before = (desk / "points.csv").read_bytes()
    told = refused(["cluster", "points.csv", *QUICK, option, way(desk / "points.csv")])
    assert f"{option}: found " in told
    assert "allowed: a file other than INPUT" in told
    assert (desk / "points.csv").read_bytes() == before


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--must-link", "read", "a b\n"),
        ("--cannot-link", "read", "a b\n"),
        ("--pairs", "read", "a,b,same\n"),
        ("--cannot-link-by", "read", "a,1\nb,1\nc,\nd,\ne,\n"),
        ("--shift matrix", "matrix=read.csv", "a,b,c,d,e\n" + "0,0,0,0,0\n" * 5),
    ],
)
def test_no_file_that_is_read_is_written_over(
    way: Callable[[Path], str], option: str, value: str, text: str, desk: Path
) -> None:
    file = desk / value.removeprefix("matrix=")
    file.write_text(text, encoding="utf-8")
    args: list[Argument] = ["graph.edges", option.split()[0], value]
    assert run(["cluster", *args]).returncode == 0
    told = refused(["cluster", *args, "--labels", way(file)])
    assert f"allowed: a file other than {option}" in told
    assert file.read_text(encoding="utf-8") == text


def test_the_same_for_the_other_commands(desk: Path) -> None:
    (desk / "truth").write_text("label\n1\n2\n", encoding="utf-8")
    (desk / "labels").write_text("label\n1\n2\n", encoding="utf-8")
    for option, name in [("TRUTH", "truth"), ("LABELS", "labels")]:
        told = refused(["evaluate", "truth", "labels", "--json", f"./{name}"])
        assert f"--json: found './{name}'; allowed: a file other than {option}" in told
    told = refused(["explain", "graph.edges", "--object", "a", "--json", "./graph.edges"])
    assert "allowed: a file other than INPUT" in told
    (desk / "pairs").write_text("a b\n", encoding="utf-8")
    told = refused(["label", "graph.edges", "--must-link", "pairs", "--answers", "./pairs"])
    assert "--answers: found './pairs'; allowed: a file other than --must-link" in told


def test_standard_input_is_not_written_over(desk: Path) -> None:
    before = (desk / "points.csv").read_bytes()
    with (desk / "points.csv").open("rb") as source:
        done = subprocess.run(
            command(["cluster", "-", "--format", "csv", "--labels", "points.csv"]),
            stdin=source,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert "a file other than INPUT" in done.stderr
    assert (desk / "points.csv").read_bytes() == before


def test_a_column_of_groups_may_be_called_like_a_file(desk: Path) -> None:
    (desk / "x1").write_text(OLD, encoding="utf-8")
    done = run(["cluster", "points.csv", "--cannot-link-by", "x1", "--labels", "x1"])
    assert (done.returncode, done.stderr) == (0, "")
    check_labels((desk / "x1").read_text(encoding="utf-8"))


@pytest.mark.parametrize("way", WAYS)
def test_two_outputs_are_two_files(way: Callable[[Path], str], desk: Path) -> None:
    (desk / "out").write_text(OLD, encoding="utf-8")
    args: list[Argument] = ["--labels", way(desk / "out"), "--json", "out"]
    told = refused(["cluster", "points.csv", *QUICK, *args])
    assert "--labels: found " in told
    assert "allowed: a file other than --json" in told
    assert (desk / "out").read_text(encoding="utf-8") == OLD
    told = refused(["cluster", "points.csv", "--labels", "new", "--json", "./new"])
    assert "a file other than --json" in told
    told = refused(["cluster", "points.csv", "--labels", "/dev/stdout", "--json", "-"])
    assert "a file other than --json" in told


# ---- Places that can't be written to, and odd ones that can ----


def test_what_cannot_be_written_is_told_before_the_work(open_desk: Path) -> None:
    """Even before the input is read, which here would be refused too."""
    (open_desk / "bad.csv").write_text("a,b\n1\n", encoding="utf-8")
    (open_desk / "closed").mkdir(mode=0o755)
    (open_desk / "locked").write_text(OLD, encoding="utf-8")
    (open_desk / "locked").chmod(0o444)
    for place, why in [
        ("closed/labels.csv", "is in a folder where no file can be created: Permission denied"),
        ("locked", "can't be written to: Permission denied"),
        ("nowhere/labels.csv", "is in a folder that does not exist"),
        ("points.csv/labels.csv", "is in a folder that does not exist"),
        ("closed", "is a folder"),
        ("x" * 300, "can't be written to: File name too long"),
    ]:
        done = run_as_nobody(["cluster", "bad.csv", "--labels", place], open_desk)
        told = done.stderr.decode()
        assert done.returncode == 1
        assert told.startswith("shiftcut: --labels: found '")
        assert f"', which {why}; allowed: " in told
    assert (open_desk / "locked").read_text(encoding="utf-8") == OLD


def test_a_file_in_a_folder_that_takes_no_new_ones_is_written(open_desk: Path) -> None:
    closed = open_desk / "closed"
    closed.mkdir()
    (closed / "labels.csv").write_text(OLD * 1000, encoding="utf-8")
    (closed / "labels.csv").chmod(0o666)
    closed.chmod(0o555)
    args: list[Argument] = ["points.csv", *QUICK, "--labels", "closed/labels.csv"]
    done = run_as_nobody(["cluster", *args], open_desk)
    assert (done.returncode, done.stderr) == (0, b"")
    check_labels((closed / "labels.csv").read_text(encoding="utf-8"))
    answers = closed / "answers.csv"
    closed.chmod(0o777)
    answers.write_text("a,b,answer\n", encoding="utf-8")
    answers.chmod(0o666)
    closed.chmod(0o555)
    args = ["points.csv", *QUICK, "--answers", "closed/answers.csv"]
    done = run_as_nobody(["label", *args], open_desk, b"n\nn\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(answers.read_text(encoding="utf-8").splitlines()) == 3
    assert names(closed) == ["answers.csv", "labels.csv"]


def test_a_file_of_somebody_else_in_a_folder_like_tmp_is_written(open_desk: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make such a file")
    shared = open_desk / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "labels.csv").write_text(OLD, encoding="utf-8")
    (shared / "labels.csv").chmod(0o666)
    args: list[Argument] = ["points.csv", *QUICK, "--labels", "shared/labels.csv"]
    done = run_as_nobody(["cluster", *args], open_desk)
    assert (done.returncode, done.stderr) == (0, b"")
    check_labels((shared / "labels.csv").read_text(encoding="utf-8"))
    assert names(shared) == ["labels.csv"]


def test_devices_and_pipes_are_written_to(open_desk: Path) -> None:
    done = run_as_nobody(["cluster", "points.csv", *QUICK, "--labels", "/dev/null"], open_desk)
    assert (done.returncode, done.stderr) == (0, b"")
    for place in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]:
        done = run_as_nobody(["cluster", "points.csv", *QUICK, "--labels", place], open_desk)
        assert (done.returncode, done.stderr) == (0, b"")
        labels, summary = done.stdout.decode().split(f"{ROWS} objects of", 1)
        check_labels(labels)
        assert "cost " in summary
    os.mkfifo(open_desk / "fifo")
    (open_desk / "fifo").chmod(0o666)
    received: list[str] = []
    reader = threading.Thread(
        target=lambda: received.append((open_desk / "fifo").read_text(encoding="utf-8"))
    )
    reader.start()
    done = run_as_nobody(["cluster", "points.csv", *QUICK, "--labels", "fifo"], open_desk)
    if done.returncode != 0:  # let the reader go
        (open_desk / "fifo").write_text("", encoding="utf-8")
    reader.join()
    assert (done.returncode, done.stderr) == (0, b"")
    check_labels(received[0])


def test_standard_output_by_its_name_is_not_begun_again(desk: Path) -> None:
    """A file that standard output goes to holds the labels and then the summary."""
    with (desk / "out").open("wb") as out:
        args: list[Argument] = ["cluster", "points.csv", *QUICK, "--labels", "/dev/stdout"]
        assert run_with(args, stdout=out).returncode == 0
    labels, summary = (desk / "out").read_text(encoding="utf-8").split(f"{ROWS} objects of", 1)
    check_labels(labels)
    assert "cost " in summary


# ---- Standard output ----


def all_commands() -> list[list[Argument]]:
    Path("labels").write_text("id,label\n0,1\n1,2\n", encoding="utf-8")
    return [
        ["cluster", "points.csv", *QUICK],
        ["cluster", "points.csv", *QUICK, "--json", "-"],
        ["cluster", "points.csv", *QUICK, "--labels", "-"],
        ["info", "points.csv"],
        ["evaluate", "labels", "labels"],
        ["evaluate", "labels", "labels", "--json", "-"],
        ["explain", "points.csv", "--object", 0, *QUICK],
        ["explain", "points.csv", "--object", 0, *QUICK, "--json", "-"],
        ["label", "points.csv", *QUICK],
        ["--help"],
        ["cluster", "--help"],
        ["--version"],
    ]


@pytest.mark.usefixtures("desk")
def test_a_full_standard_output_is_noticed() -> None:
    for args in all_commands():
        with Path("/dev/full").open("wb") as full:
            done = run_with(args, stdout=full)
        told = "shiftcut: standard output: can't be written: No space left on device\n"
        assert (done.returncode, done.stderr) == (1, told), args


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("ignored", [False, True])
def test_nobody_who_reads_is_no_error(ignored: bool) -> None:
    """As with `| head -1`, where some callers have programs ignore the signal."""
    for args in all_commands():
        reading, writing = os.pipe()
        os.close(reading)
        done = run_with(args, stdout=writing, keep_signals=ignored)
        os.close(writing)
        assert (done.returncode, done.stderr) == (-signal.SIGPIPE, ""), args
    assert Path("points.csv.labels.csv").exists()  # of label: what is known is written


@pytest.mark.usefixtures("desk")
def test_a_closed_standard_output_is_noticed() -> None:
    args: list[Argument] = ["cluster", "points.csv", *QUICK, "--labels", "labels.csv"]
    done = run_with(args, before=lambda: os.close(1))
    told = "shiftcut: standard output: can't be written: Bad file descriptor\n"
    assert (done.returncode, done.stderr) == (1, told)
    check_labels(Path("labels.csv").read_text(encoding="utf-8"))


# ---- Files of `label` ----


def test_label_leaves_other_files_alone(desk: Path) -> None:
    os.mkfifo(desk / "points.csv.answers.csv.tmp")
    (desk / "points.csv.labels.csv.tmp").write_text(OLD, encoding="utf-8")
    done = run(["label", "points.csv", *QUICK], b"y\nn\n", timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert (desk / "points.csv.answers.csv.tmp").is_fifo()
    assert (desk / "points.csv.labels.csv.tmp").read_text(encoding="utf-8") == OLD


def test_a_lock_that_is_none_is_refused(desk: Path) -> None:
    lock = desk / "points.csv.answers.csv.lock"
    (desk / "precious").write_text("", encoding="utf-8")
    lock.symlink_to("precious")
    told = refused(["label", "points.csv", *QUICK])
    assert told.startswith("shiftcut: points.csv.answers.csv.lock: found something other than ")
    assert lock.is_symlink()
    lock.unlink()
    os.mkfifo(lock)
    assert "found something other" in refused(["label", "points.csv", *QUICK])
    assert lock.is_fifo()
    lock.unlink()
    lock.write_text(OLD, encoding="utf-8")
    assert "found something other" in refused(["label", "points.csv", *QUICK])
    assert lock.read_text(encoding="utf-8") == OLD
    lock.write_text("", encoding="utf-8")  # of a program that was killed
    assert run(["label", "points.csv", *QUICK], b"n\n").returncode == 0
    assert not lock.exists()


def test_answers_need_a_file_that_can_be_read_again(desk: Path) -> None:
    os.mkfifo(desk / "fifo")
    for place in ["fifo", "/dev/null", "/dev/stdout"]:
        told = refused(["label", "points.csv", *QUICK, "--answers", place])
        assert f"--answers: found '{place}'; allowed: a file that can be read again" in told


# ---- Ids that a spreadsheet would take for formulas ----


def test_ids_that_look_like_formulas_are_written_as_they_are(desk: Path) -> None:
    ids = ["=1+1", "+2", "-3", "@SUM(A1)"]
    edges = "".join(f"{ids[0]} {name} 1\n" for name in ids[1:])
    (desk / "odd.edges").write_text(edges, encoding="utf-8")
    result(["odd.edges", "--labels", "labels.csv"])
    lines = (desk / "labels.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ids
    (desk / "truth.csv").write_text(
        "id,label\n" + "".join(f"{name},1\n" for name in reversed(ids)), encoding="utf-8"
    )
    done = run(["evaluate", "truth.csv", "labels.csv"])  # by id
    assert (done.returncode, done.stderr) == (0, "")
