"""`shiftcut describe`: what sets each cluster apart."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from .conftest import ROOT, Argument, run, write_npy
from .test_errors import refused

WINE = ROOT / "examples" / "wine.csv"
KARATE = ROOT / "examples" / "karate.edges"
DATA = ROOT.parent / "shared" / "data"


def test_it_says_so_in_words() -> None:
    done = run(["describe", WINE, "-k", 3, "--label-column", "label"])
    assert done.returncode == 0, done.stderr
    assert re.match(r"cluster 0: \d+ objects, cohesion 0\.\d\d, nearest cluster \d\n", done.stdout)
    assert "  exemplars: " in done.stdout
    assert "flavanoids" in done.stdout


def test_the_numbers_are_those_of_the_table() -> None:
    lines = WINE.read_text(encoding="utf-8").splitlines()
    names = lines[0].split(",")
    cells = [line.split(",") for line in lines[1:]]
    classes = np.array([row[names.index("label")] for row in cells])
    args: list[Argument] = [
        "describe",
        WINE,
        "--label-column",
        "label",
        "-k",
        3,
        "--json",
        "-",
        "--columns",
        20,
    ]
    told = json.loads(run([*args]).stdout)
    found = json.loads(
        run(["cluster", WINE, "--label-column", "label", "-k", 3, "--json", "-"]).stdout
    )
    of = np.asarray(found["labels"])
    assert len(set(classes)) == len(told["clusters"]) == 3
    for cluster in told["clusters"]:
        own = of == cluster["cluster"]
        assert cluster["size"] == own.sum()
        assert own[cluster["exemplars"]].all()
        assert len(names) - 3 <= len(cluster["columns"]) < len(names)  # no effect of 0
        for column in cluster["columns"]:
            values = np.array([float(row[names.index(column["name"])]) for row in cells])
            spread = 1.4826 * np.sort(
                np.concatenate(
                    [abs(values[of == k] - np.median(values[of == k])) for k in range(3)]
                )
            )
            assert column["inside"] == pytest.approx(np.median(values[own]))
            assert column["outside"] == pytest.approx(np.median(values[~own]))
            effect = (column["inside"] - column["outside"]) / spread[len(spread) // 2]
            assert column["effect"] == pytest.approx(effect)
        effects = [abs(column["effect"]) for column in cluster["columns"]]
        assert effects == sorted(effects, reverse=True)


def test_labels_of_any_file_are_described(tmp_path: Path) -> None:
    points = write_npy(tmp_path / "points.npy", np.array([[0.0], [1], [2], [50], [51], [52], [53]]))
    labels = tmp_path / "labels.csv"
    labels.write_text("id,label\n6,far\n5,far\n4,far\n3,-1\n2,near\n1,near\n0,near\n")
    told = json.loads(run(["describe", points, "--labels", labels, "--json", "-"]).stdout)
    assert [cluster["label"] for cluster in told["clusters"]] == ["near", "far"]
    assert [cluster["size"] for cluster in told["clusters"]] == [3, 3]
    assert told["clusters"][1]["columns"][0]["inside"] == 52
    labels.write_text("label\na\na\na\nb\nb\nb\nb\n")
    done = run(["describe", points, "--labels", labels])
    assert done.stdout.startswith("cluster b: 4 objects")


def test_labels_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    points = write_npy(tmp_path / "points.npy", np.arange(4.0).reshape(4, 1))
    labels = tmp_path / "labels.csv"
    labels.write_text("a\nb\na\n")
    assert "found 3 labels; allowed: 4" in refused(["describe", points, "--labels", labels])
    labels.write_text("id,label\n0,a\n1,a\n2,b\n9,b\n")
    assert "that is no object" in refused(["describe", points, "--labels", labels])
    labels.write_text("id,label\n0,a\n1,a\n2,b\n2,b\n")
    assert "twice" in refused(["describe", points, "--labels", labels])


def test_nodes_of_a_graph_are_named() -> None:
    told = json.loads(run(["describe", KARATE, "-k", 2, "--json", "-"]).stdout)
    hubs = {cluster["exemplar_ids"][0] for cluster in told["clusters"]}
    assert hubs in ({"1", "34"}, {"0", "33"})  # the instructor and the president
    assert all(cluster["columns"] == [] for cluster in told["clusters"])
    assert all(0.5 < cluster["cohesion"] <= 1 for cluster in told["clusters"])


def test_words_say_what_news_are_about(tmp_path: Path) -> None:
    file = DATA / "text" / "news_tfidf.npz"
    if not file.exists():
        pytest.skip(f"no {file}")
    news = np.load(file)
    rows = sparse.csr_matrix((news["data"], news["indices"], news["indptr"]), news["shape"])
    sparse.save_npz(tmp_path / "news.npz", rows)
    (tmp_path / "labels.csv").write_text(
        "label\n" + "\n".join(news["class_names"][c] for c in news["y"]) + "\n"
    )
    args: list[Argument] = ["describe", tmp_path / "news.npz", "--as", "features", "--json", "-"]
    told = json.loads(run([*args, "--labels", tmp_path / "labels.csv"]).stdout)
    terms = news["terms"]
    words = {
        cluster["label"]: {terms[int(column["name"][1:])] for column in cluster["columns"]}
        for cluster in told["clusters"]
    }
    assert {"film", "award"} & words["entertainment"]
    assert {"labour", "election", "party", "minister"} & words["politics"]
    assert {"user", "technology", "computer", "software"} & words["tech"]
