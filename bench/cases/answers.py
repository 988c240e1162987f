"""Tables V and W: the default's answers on many kinds of problems, and on noise.

Constants of the rule that selects an answer are chosen on the first half of the problems of V and
judged on the second (problems.py).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bench import problems
from bench.cases.features import Bench
from bench.cases.quality import UCI, read_uci
from bench.measure import PROGRAM, THREADS, run
from bench.peers.answers import FREE, GIVEN, Floats, labels_by
from bench.problems import KINDS, PER_KIND, Problem
from bench.report import Row, Section

SHARED = UCI.parent
OLD_PROGRAM = os.environ.get("SHIFTCUT_OLD_PROGRAM", "")
CACHE = os.environ.get("SHIFTCUT_BENCH_CACHE", "")
QUICK_PROBLEMS = 2  # in a scaled-down run
GROUPS_IN_ORDER = ("shapes", "uci", "text", *KINDS)
HALVES = {"a": "first", "b": "second"}
NO_CLUSTERS = {"no_clusters", "like_noise"}
NOISE_DIMENSIONS = (1, 2, 3, 5, 10, 20)
NOISE_SETS = {100: 6, 300: 4, 1_000: 3, 3_000: 2, 10_000: 1}  # seeds for each number of objects
NOISE_CLUSTERS = (2, 3, 5)
NOISE_SEED = 1_000


def all_problems(bench: Bench) -> Iterator[Problem]:
    if bench.scale < 1:
        yield from islice(problems.synthetic(range(1)), QUICK_PROBLEMS)
        return
    yield from problems.synthetic(range(PER_KIND))
    if not SHARED.is_dir():
        bench.say(f"V: no data in {SHARED}, left out")
        return
    yield from problems.read_shapes(SHARED / "shapes")
    for path in sorted((SHARED / "uci").glob("*.csv")):
        data = read_uci(path)
        yield problems.problem("uci", data.name, data.rows, data.classes + 1)
    yield from problems.read_news(SHARED / "text" / "news_tfidf.npz")


def score(problem: Problem, labels: Sequence[int], clusters: int | None) -> float:
    """The ARI with the reference labelling that fits best, of those with this many clusters."""
    from sklearn.metrics import adjusted_rand_score

    given = np.asarray(labels)
    scores = []
    for reference in problem.labellings:
        judged = reference > 0
        if clusters in (None, len(np.unique(reference[judged]))):
            scores.append(float(adjusted_rand_score(reference[judged], given[judged])))
    return max(scores)


def result_of(program: str, rows: Floats, clusters: int | None, folder: Path) -> dict[str, Any]:
    path = folder / "rows.npy"
    np.save(path, rows)
    number = [] if clusters is None else ["-k", str(clusters)]
    options = ["--as", "features", "--threads", str(THREADS), "--quiet", "--json", "-"]
    command = [program, "cluster", str(path), *options, *number]
    result: dict[str, Any] = json.loads(run(command).output)
    return result


def standardised(problem: Problem) -> Floats:
    """What the peers get: columns of UCI tables have different units."""
    if problem.group != "uci":
        return problem.rows
    spread = problem.rows.std(axis=0)
    centred = problem.rows - problem.rows.mean(axis=0)
    return np.asarray(centred / np.where(spread > 0, spread, 1))


def cached(key: str, problem: Problem, compute: Callable[[], float]) -> float:
    """Scores of other programs are kept in the folder SHIFTCUT_BENCH_CACHE, if that is set."""
    if not CACHE:
        return compute()
    content = hashlib.sha256(problem.rows.tobytes())
    for labels in problem.labellings:
        content.update(labels.tobytes())
    path = Path(CACHE) / f"{content.hexdigest()[:24]} {key}.json"
    if not path.exists():
        path.write_text(json.dumps(compute()) + "\n", encoding="utf-8")
    return float(json.loads(path.read_text(encoding="utf-8")))


def peer_score(method: str, problem: Problem, clusters: int | None) -> float:
    def compute() -> float:
        return score(problem, labels_by(method, standardised(problem), clusters).tolist(), clusters)

    return cached(f"{method} {clusters}", problem, compute)


def old_score(problem: Problem, clusters: int | None, folder: Path) -> float:
    def compute() -> float:
        labels = result_of(OLD_PROGRAM, problem.rows, clusters, folder)["labels"]
        return score(problem, labels, clusters)

    name = hashlib.sha256(Path(OLD_PROGRAM).read_bytes()).hexdigest()[:12]
    return cached(f"{name} {clusters}", problem, compute)


def row_of(bench: Bench, problem: Problem) -> Row:
    bench.say(f"V: {problem.name}")
    row: Row = {"problem": problem.name, "group": problem.group, "half": problem.half}

    def given(judge: Callable[[int], float]) -> float:
        return max(judge(clusters) for clusters in problem.numbers)

    def ours(clusters: int | None) -> float:
        found = result_of(PROGRAM, problem.rows, clusters, bench.folder)
        if clusters is None:
            row["found"] = found["clusters_found"]
        return score(problem, found["labels"], clusters)

    row["ours"] = given(ours)
    row["ours free"] = ours(None)
    if OLD_PROGRAM:
        row["old"] = given(lambda clusters: old_score(problem, clusters, bench.folder))
        row["old free"] = old_score(problem, None, bench.folder)
    for method in GIVEN:
        row[method] = given(lambda clusters, method=method: peer_score(method, problem, clusters))  # type: ignore[misc]
    for method in FREE:
        row[f"{method} free"] = peer_score(method, problem, None)
    return row


def means(rows: list[Row], name: str, half: str) -> Row:
    mean: Row = {"group": name, "half": half, "problems": len(rows)}
    for key in rows[0]:
        if isinstance(rows[0][key], float):
            mean[key] = float(np.mean([float(row[key] or 0) for row in rows]))
    return mean


def answers(bench: Bench) -> Section:
    section = Section(
        "V. Mean ARI of the default, K given and free, by group and half of the problems",
        {
            "group": "group",
            "half": "half",
            "problems": "problems",
            "old": "K given: previous",
            "ours": "ours",
            "consensus": "path and trees",
            "kmeans": "k-means",
            "mixture": "mixture",
            "spectral": "spectral",
            "genie": "Genie",
            "hdbscan": "HDBSCAN",
            "old free": "K free: previous",
            "ours free": "ours",
            "hdbscan free": "HDBSCAN",
            "silhouette free": "k-means, silhouette",
            "bic free": "mixture, BIC",
        },
        notes=[
            "Constants are chosen on the first half (by a hash of names), judged on the second.",
            "Peers get standardised columns of UCI tables, else the rows as they are. HDBSCAN with",
            "K given: the least size that leads nearest to K; its noise joins the nearest cluster.",
            "Path and trees: the plain vote of 14 strengths and 12 cuts (peers/consensus.py).",
        ],
    )
    singles = [row_of(bench, problem) for problem in all_problems(bench)]
    for half, name in {**HALVES, "ab": "both"}.items():
        of_half = [row for row in singles if str(row["half"]) in half]
        for group in GROUPS_IN_ORDER:
            if rows := [row for row in of_half if row["group"] == group]:
                section.rows.append(means(rows, group, name))
        if of_half:
            section.rows.append(means(of_half, "all", name))
    for row in singles:
        section.notes += [f"Called noise: {row['problem']}."] if row["found"] == 1 else []
    return section


def noise_sets(bench: Bench, dimension: int) -> Iterator[Floats]:
    for objects, seeds in NOISE_SETS.items():
        for seed in range(seeds if bench.scale == 1 else objects == min(NOISE_SETS)):
            rng = np.random.default_rng([objects, dimension, NOISE_SEED + seed])
            yield rng.uniform(size=(objects, dimension))
            yield rng.normal(size=(objects, dimension))


def noise(bench: Bench) -> Section:
    """K free: more than one cluster, or no warning; K given: no warning."""
    section = Section(
        "W. Uniform and Gaussian noise of 100 to 10,000 objects: share not recognised",
        {
            "dimension": "dimension",
            "sets": "sets",
            "free": "K free",
            **{str(k): f"K = {k}" for k in NOISE_CLUSTERS},
        },
    )
    everything: dict[str, list[bool]] = {}
    for dimension in NOISE_DIMENSIONS:
        bench.say(f"W: {dimension} columns")
        missed: dict[str, list[bool]] = {}
        for rows in noise_sets(bench, dimension):
            for k in (None, *NOISE_CLUSTERS):
                found = result_of(PROGRAM, rows, k, bench.folder)
                is_known = not NO_CLUSTERS.isdisjoint(found["warning_codes"])
                missed.setdefault(str(k or "free"), []).append(not is_known)
        section.rows.append(shares(str(dimension), missed))
        for key, of in missed.items():
            everything.setdefault(key, []).extend(of)
    section.rows.append(shares("all", everything))
    return section


def shares(dimension: str, missed: dict[str, list[bool]]) -> Row:
    row: Row = {"dimension": dimension, "sets": len(missed["free"])}
    return row | {key: float(np.mean(of)) for key, of in missed.items()}


GROUPS: dict[str, Callable[[Bench], Section]] = {"V": answers, "W": noise}
