"""`shiftcut explore`: what the server tells and takes."""

from __future__ import annotations

import csv
import io
import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ..conftest import ROOT, blobs, run, write_csv
from .exploring import Explorer, wait_until_closed

POINTS = "points.csv"
ANSWERS = "points.csv.answers.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table of 60 rows in three groups."""
    write_csv(tmp_path / POINTS, blobs(60, 3, seed=5, groups=3, apart=4))
    return tmp_path


def saved(folder: Path) -> list[list[str]]:
    rows = list(csv.reader((folder / ANSWERS).read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["a", "b", "answer"]
    return rows[1:]


def test_the_state_is_that_of_cluster(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        state = explorer.get("api/state")
        labels = explorer.request("GET", f"/{explorer.token}/labels.csv").read().decode()
        found = run(
            ["cluster", folder / POINTS, "--labels", "-", "--layout", folder / "map", "--quiet"]
        )
        assert labels == found.stdout
        expected = [int(row["label"]) for row in csv.DictReader(io.StringIO(labels))]
        assert explorer.labels() == expected
        places = np.loadtxt(folder / "map", delimiter=",", skiprows=1)[:, 1:]
        assert explorer.places() == pytest.approx(places, abs=1e-3)
        assert (state["objects"], state["version"], state["answers"]) == (60, 0, 0)
        assert sum(cluster["size"] for cluster in state["clusters"]["largest"]) == 60
        assert len(state["path"]["points"]) > 1
        assert explorer.end() == 0


def test_an_answer_is_on_disk_before_it_is_told(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        labels = explorer.labels()
        given = [explorer.answer(says) for says in ("same", "different", "unsure")]
        assert saved(folder) == [
            [str(one["a"]), str(one["b"]), says]
            for one, says in zip(given, ("same", "different", "unsure"), strict=True)
        ]
        for one in given:
            for place, label in one["changed"]:
                labels[place] = label
        assert labels == explorer.labels()
        assert labels[given[0]["a"]] == labels[given[0]["b"]]
        assert labels[given[1]["a"]] != labels[given[1]["b"]]


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_lost_when_it_ends_in_any_way(folder: Path, by: signal.Signals) -> None:
    with Explorer(folder, POINTS) as explorer:
        explorer.answer("same")
        explorer.answer("different")
        before = saved(folder)
        labels = explorer.labels()
        explorer.end(by)
    wait_until_closed(explorer.port)
    assert saved(folder) == before
    with Explorer(folder, POINTS) as explorer:
        assert explorer.get("api/state")["answers"] == 2
        again = explorer.labels()
        pairs = [(int(a), int(b)) for a, b, _ in before]
        for a, b in pairs:
            assert (again[a] == again[b]) == (labels[a] == labels[b])
        explorer.answer("unsure")
        assert saved(folder)[:2] == before


def test_undo_takes_the_last_answer_back_and_asks_it_again(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        labels = explorer.labels()
        first = explorer.answer("same")
        second = explorer.answer("different")
        status, told = explorer.post("api/undo", {"version": second["version"]})
        assert (status, told["answers"]) == (200, 1)
        assert len(saved(folder)) == 1
        asked = explorer.get("api/question")
        assert (asked["a"], asked["b"]) == (second["a"], second["b"])
        status, told = explorer.post("api/undo", {"version": told["version"]})
        assert (status, told["answers"]) == (200, 0)
        assert explorer.labels() == labels
        status, told = explorer.post("api/undo", {"version": told["version"]})
        assert (status, "no answer" in told["error"]) == (400, True)
        assert first["version"] == 1


def test_two_windows_change_only_what_they_have_seen(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        asked = explorer.get("api/question")
        assert explorer.get("api/question") == asked  # the other window sees the same
        answer = {"a": asked["a"], "b": asked["b"], "version": 0}
        assert explorer.post("api/answer", answer | {"says": "same"})[0] == 200
        status, told = explorer.post("api/answer", answer | {"says": "different"})
        assert (status, "reload" in told["error"]) == (409, True)
        assert explorer.post("api/undo", {"version": 0})[0] == 409
        assert [row[2] for row in saved(folder)] == ["same"]


def test_two_programs_do_not_share_answers(folder: Path) -> None:
    with Explorer(folder, POINTS):
        for command in ("explore", "label"):
            done = run([command, folder / POINTS, "--answers", folder / ANSWERS])
            assert (done.returncode, done.stdout) == (1, "")
            assert ANSWERS in done.stderr


def test_a_contradiction_is_refused_with_its_proof(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        for a, b, version in ((0, 1, 0), (1, 2, 1)):
            status, _ = explorer.post(
                "api/answer", {"a": a, "b": b, "says": "same", "version": version}
            )
            assert status == 200
        status, told = explorer.post(
            "api/answer", {"a": 0, "b": 2, "says": "different", "version": 2}
        )
        assert status == 400
        assert told["error"]
        assert len(saved(folder)) == 2
        assert explorer.get("api/state")["version"] == 2


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "nonsense",
        "{}",
        '{"a": 0, "b": 1, "version": 0}',
        '{"a": 0, "b": 60, "says": "same", "version": 0}',
        '{"a": -1, "b": 1, "says": "same", "version": 0}',
        '{"a": 0.5, "b": 1, "says": "same", "version": 0}',
        '{"a": 0, "b": 0, "says": "same", "version": 0}',
        '{"a": 0, "b": 1, "says": "perhaps", "version": 0}',
        '{"a": 0, "b": 1, "says": "same", "version": "0"}',
        "[" * 60000,
    ],
)
def test_a_body_that_makes_no_sense_changes_nothing(folder: Path, body: str) -> None:
    with Explorer(folder, POINTS) as explorer:
        response = explorer.request(
            "POST",
            f"/{explorer.token}/api/answer",
            body,
            Content_Type="application/json",
            Origin=f"http://{explorer.host}",
        )
        assert response.status == 400
        assert json.loads(response.read())["error"]
        assert explorer.get("api/state")["version"] == 0
    assert not (folder / ANSWERS).exists()


def test_explain_and_search(tmp_path: Path) -> None:
    karate = ROOT / "examples" / "karate.edges"
    with Explorer(tmp_path, karate) as explorer:
        found = explorer.get("api/search?text=33")["found"]
        assert [one["name"] for one in found] == ["33"]
        told = explorer.get(f"api/explain?object={found[0]['object']}")
        labels = explorer.labels()
        assert told["name"] == "33"
        assert told["own"]["cluster"] == labels[found[0]["object"]]
        assert all(labels[tie["object"]] == told["own"]["cluster"] for tie in told["own"]["ties"])
        for text in ("34", "-1", "", "x", "99999999999999999999999"):
            response = explorer.request("GET", f"/{explorer.token}/api/explain?object={text}")
            assert response.status == 400, text


def test_explain_keeps_the_numbers_of_the_clusters(folder: Path) -> None:
    with Explorer(folder, POINTS, "-k", 3) as explorer:
        for says in ("same", "different", "different"):
            explorer.answer(says)
        labels = explorer.labels()
        for i in (0, 1, 2, 30):
            assert explorer.get(f"api/explain?object={i}")["own"]["cluster"] == labels[i]


def test_names_from_the_data_are_bounded_text(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "\u202egnp.exe", "\x1b[31mred", "x" * 1_000_000, "&amp;"]
    rows = ["name,value,note"]
    for i in range(20):
        rows.append(f'"{names[i % len(names)]}",{i % 7},{i // 10}')
    (tmp_path / "hostile.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with Explorer(tmp_path, "hostile.csv") as explorer:
        response = explorer.request("GET", f"/{explorer.token}/api/question")
        text = response.read().decode()
        assert response.getheader("Content-Type") == "application/json"
        assert len(text) < 100_000
        assert "\u202e" not in text
        asked: dict[str, Any] = json.loads(text)
        shown = json.dumps(asked, ensure_ascii=False)
        assert "\x1b" not in shown
        assert len(asked["traits"]) >= 3


def test_search_finds_values_in_the_table(tmp_path: Path) -> None:
    with Explorer(tmp_path, ROOT / "examples" / "wine.csv", "--label-column", "label") as explorer:
        found = explorer.get("api/search?text=14.23")["found"]
        assert {"object": 0, "name": "row 0", "where": "alcohol: 14.23"} in found
        exact = explorer.get("api/search?text=alcohol%3D14.23")["found"]
        assert [one["object"] for one in exact] == [0]
        many = explorer.get("api/search?text=1")
        assert (len(many["found"]), many["is_whole"]) == (50, False)
        assert explorer.get("api/search?text=")["found"] == []


def test_rows_are_those_of_the_file(folder: Path) -> None:
    with (folder / POINTS).open(encoding="utf-8", newline="") as lines:
        names, *table = csv.reader(lines)
    with Explorer(folder, POINTS) as explorer:
        status, told = explorer.post("api/rows", {"objects": [7, 0, 59]})
        assert (status, told["columns"]) == (200, names)
        assert [row["object"] for row in told["rows"]] == [7, 0, 59]
        assert [row["cells"] for row in told["rows"]] == [table[7], table[0], table[59]]
        for objects in ([], [60], [1, 1], "x", list(range(20_001))):
            assert explorer.post("api/rows", {"objects": objects})[0] == 400


def test_the_path_has_labels_at_each_strength(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        path = explorer.get("api/state")["path"]
        for i, point in enumerate(path["points"]):
            assert len(set(explorer.labels(i))) == point["clusters"]
        response = explorer.request(
            "GET", f"/{explorer.token}/api/labels?point={len(path['points'])}"
        )
        assert response.status == 400


def partition(labels: list[int]) -> set[frozenset[int]]:
    clusters: dict[int, set[int]] = {}
    for i, label in enumerate(labels):
        clusters.setdefault(label, set()).add(i)
    return {frozenset(members) for members in clusters.values()}


def test_clusters_are_merged_and_parted_again_in_one_step(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        before = explorer.labels()
        told = explorer.change("api/merge", {"clusters": [0, 1]})
        assert told["followed"]
        after = explorer.labels()
        joined = {after[i] for i, label in enumerate(before) if label in (0, 1)}
        assert len(joined) == 1
        assert told["links"] == len(saved(folder)) == told["answers"]
        assert "merging clusters 0 and 1" in told["undo"]
        undone = explorer.change("api/undo", {})
        assert (undone["answers"], undone["undo"], saved(folder)) == (0, None, [])
        assert explorer.labels() == before


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_undo_goes_step_by_step_after_a_restart(folder: Path, by: signal.Signals) -> None:
    with Explorer(folder, POINTS) as explorer:
        merged = explorer.change("api/merge", {"clusters": [0, 1]})
        explorer.answer("unsure")
        pinned = explorer.change("api/pin", {"object": 5})
        explorer.end(by)
    assert pinned["links"] == 3
    with Explorer(folder, POINTS) as explorer:
        told = [explorer.get("api/state")]
        while told[-1]["undo"] is not None:
            told.append(explorer.change("api/undo", {}))
        assert [one["undo"] for one in told] == [
            "pinning row 5",
            "an answer",
            "merging clusters 0 and 1",
            None,
        ]
        assert [one["answers"] for one in told] == [merged["links"] + n for n in (4, 1, 0)] + [0]
        assert saved(folder) == []


def test_a_pair_that_nobody_was_sure_of_can_be_linked_later(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        asked = explorer.answer("unsure")
        pair = {"a": asked["a"], "b": asked["b"]}
        explorer.change("api/answer", pair | {"says": "same"})
        explorer.change("api/answer", pair | {"says": "same"})
    assert len(saved(folder)) == 3
    with Explorer(folder, POINTS) as explorer:
        assert explorer.get("api/state")["answers"] == 3
        labels = explorer.labels()
        assert labels[pair["a"]] == labels[pair["b"]]
    assert run(["cluster", folder / POINTS, "--pairs", folder / ANSWERS]).returncode == 0


def test_a_selection_is_split_off(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        before = explorer.labels()
        chosen = [i for i, label in enumerate(before) if label == 0][:6]
        told = explorer.change("api/split", {"objects": chosen})
        assert told["followed"]
        after = explorer.labels()
        own = {after[i] for i in chosen}
        assert len(own) == 1
        rest = [after[i] for i, label in enumerate(before) if label == 0 and i not in chosen]
        assert sum(label in own for label in rest) <= len(rest) / 2
        explorer.change("api/undo", {})
        assert explorer.labels() == before


def test_an_object_is_moved_to_a_cluster_and_pinned(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        before = explorer.labels()
        moved = before.index(0)
        told = explorer.change("api/move", {"objects": [moved], "cluster": 1})
        assert told["followed"]
        after = explorer.labels()
        there = [after[i] for i, label in enumerate(before) if label == 1]
        assert after[moved] == max(set(there), key=there.count)
        pinned = explorer.change("api/pin", {"object": before.index(1)})
        assert (pinned["changed_count"], pinned["links"]) == (0, 3)
        explorer.change("api/undo", {})
        explorer.change("api/undo", {})
        assert explorer.labels() == before
        for body in ({"clusters": [0, 0]}, {"clusters": [0, 99]}, {"clusters": [0]}, {}):
            assert explorer.post("api/merge", body | {"version": 4})[0] == 400
        assert explorer.post("api/move", {"objects": [0], "cluster": -1, "version": 4})[0] == 400
        assert explorer.post("api/pin", {"object": 0, "version": 3})[0] == 409


def test_answers_of_other_programs_are_those_of_the_explorer(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        explorer.change("api/merge", {"clusters": [0, 1]})
        labels = explorer.labels()
        explorer.end(signal.SIGKILL)
    with Explorer(folder, POINTS) as explorer:
        assert partition(explorer.labels()) == partition(labels)
    found = run(
        ["cluster", folder / POINTS, "--pairs", folder / ANSWERS, "--labels", "-", "--quiet"]
    )
    again = [int(row["label"]) for row in csv.DictReader(io.StringIO(found.stdout))]
    assert partition(again) == partition(labels)


def test_what_is_saved_is_what_is_seen(folder: Path) -> None:
    with Explorer(folder, POINTS) as explorer:
        explorer.change("api/merge", {"clusters": [0, 1]})
        (folder / "m").write_bytes(explorer.bytes("clusters.model"))
        done = run(["predict", folder / "m", folder / POINTS, "--labels", "-"])
        assert done.returncode == 0
        again = [int(row["label"]) for row in csv.DictReader(io.StringIO(done.stdout))]
        assert partition(again) == partition(explorer.labels())
        sections = explorer.get("api/sections")
        sizes = sections["data"]["clusters"]["sizes"]
        labels = explorer.labels()
        assert [labels.count(number) for number in sections["numbers"]] == sizes
        report = explorer.bytes("report.html").decode()
        assert "--pairs points.csv.answers.csv" in report
