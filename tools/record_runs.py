#!/usr/bin/env python3
"""Record what the program and the Python package answer, to compare before and after a change.

    tools/record_runs.py OUT.json [--program build/shiftcut]   run every case and write the results
    tools/record_runs.py --compare BEFORE.json AFTER.json      list the fields that differ

A refactoring must leave labels and costs as they are, byte for byte. The cases cover every view of
the similarities, every shift, search method and kind of constraint, both front ends and the other
methods. They run on examples/ and, where it lies beside the project, on ../shared/data. Run the
script with the interpreter whose environment has the Python package to record.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse, spatial
from sklearn.base import ClusterMixin

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
QUIET = ["--quiet", "--threads", "2"]
NOT_RECORDED = ("seconds", "version", "threads")

Case = tuple[str, list[str]]


def shuffled_table(source: Path, out: Path) -> None:
    rows = source.read_text(encoding="utf-8").splitlines()
    order = np.random.default_rng(1).permutation(len(rows) - 1)
    out.write_text("\n".join([rows[0], *(rows[1 + i] for i in order)]) + "\n", encoding="utf-8")


def write_data(folder: Path) -> None:
    """Write the inputs that are derived from the examples."""
    rng = np.random.default_rng(0)
    shuffled_table(ROOT / "examples" / "wine.csv", folder / "wine.csv")
    wine = np.genfromtxt(ROOT / "examples" / "wine.csv", delimiter=",", skip_header=1)
    wine = wine[:, ~np.isnan(wine).any(axis=0)]
    wine = (wine - wine.mean(axis=0)) / wine.std(axis=0)
    distances = spatial.distance.squareform(spatial.distance.pdist(wine))
    np.save(folder / "distances.npy", distances)
    np.save(folder / "similarities.npy", np.exp(-(distances**2) / np.median(distances) ** 2))
    np.save(folder / "signed.npy", np.corrcoef(wine))
    rows = sparse.random(300, 80, 0.1, random_state=2, format="csr") + sparse.random(
        300, 80, 0.02, random_state=3, format="csr"
    )
    io.mmwrite(folder / "rows.mtx", rows)
    blobs = np.concatenate([rng.normal(c, 1, (400, 6)) for c in (0, 4, 8, 12, 16)])
    np.save(folder / "blobs.npy", rng.permutation(blobs).astype(np.float32))
    wide = np.concatenate([rng.normal(rng.normal(0, 2, 200), 1, (300, 200)) for _ in range(6)])
    np.save(folder / "wide.npy", rng.permutation(wide))
    edges = np.unique(np.sort(rng.integers(0, 400, (2400, 2)), axis=1), axis=0)
    weight = np.where(edges[:, 0] // 40 == edges[:, 1] // 40, 0.9, 0.2)
    with (folder / "odds.edges").open("w", encoding="utf-8") as file:
        for (a, b), w in zip(edges, weight, strict=True):
            if a != b:
                file.write(f"n{a} n{b} {w}\n")
    block = rng.permutation(3000)
    with (folder / "blocks.edges").open("w", encoding="utf-8") as file:
        for a, b in rng.integers(0, 3000, (60_000, 2)):
            if a != b and (a // 100 == b // 100 or rng.random() < 0.02):
                file.write(f"{block[a]} {block[b]}\n")
    pairs = rng.integers(0, 178, (40, 2))
    klass = [line.rsplit(",", 1)[1] for line in (folder / "wine.csv").read_text().splitlines()[1:]]
    alike = [(a, b) for a, b in pairs if a != b and klass[a] == klass[b]]
    unlike = [(a, b) for a, b in pairs if klass[a] != klass[b]]
    for name, some in (("must", alike), ("cannot", unlike)):
        (folder / f"{name}.csv").write_text("".join(f"{a},{b}\n" for a, b in some))
        (folder / f"{name}_weighted.csv").write_text("".join(f"{a},{b},0.5\n" for a, b in some))
    answers = [f"{a},{b},same\n" for a, b in alike] + [f"{a},{b},different\n" for a, b in unlike]
    (folder / "answers.csv").write_text("a,b,answer\n" + "".join(answers))
    lines = (folder / "wine.csv").read_text().splitlines()
    grouped = [f"{line},b{i // 3}" for i, line in enumerate(lines[1:])]
    (folder / "batches.csv").write_text("\n".join([f"{lines[0]},batch", *grouped]) + "\n")
    nodes = sorted(set((folder / "blocks.edges").read_text().split()), key=int)
    (folder / "groups.csv").write_text("".join(f"{v},{int(v) // 6}\n" for v in nodes))
    np.save(folder / "alpha.npy", np.full((178, 178), 0.3))


def command_cases(folder: Path) -> Iterator[Case]:
    wine = [str(folder / "wine.csv"), "--label-column", "label"]
    for k in ("auto", "3"):
        for name in ("neighbors", "linear", "cosine", "rbf"):
            yield f"wine {name} k={k}", [*wine, "--similarity", name, "-k", k]
    for weights in ("binary", "gaussian"):
        yield f"wine weights {weights}", [*wine, "--weights", weights, "--neighbors", "7"]
    yield "wine euclidean", [*wine, "--distance", "euclidean", "-k", "3"]
    yield "wine sigma", [*wine, "--sigma", "2", "-k", "4"]
    yield "wine paper", [*wine, "--preset", "paper", "-k", "3"]
    for scale in ("minmax", "none"):
        yield f"wine scale {scale}", [*wine, "--scale", scale, "-k", "3"]
    for shift in ("adaptive", "none", "constant=0.2"):
        yield f"wine neighbors shift {shift}", [*wine, "--shift", shift, "-k", "3"]
        yield f"wine rbf shift {shift}", [*wine, "--similarity", "rbf", "--shift", shift, "-k", "3"]
    yield "wine strength", [*wine, "--shift-strength", "1.5"]
    methods = ("local-search", "multilevel", "annealing", "frank-wolfe")
    for method in methods:
        yield f"wine {method}", [*wine, "--method", method, "-k", "3"]
        yield f"karate {method}", [str(ROOT / "examples/karate.edges"), "--method", method]
    for method in ("local-search", "annealing", "frank-wolfe"):
        yield f"linear {method}", [*wine, "--similarity", "linear", "--method", method, "-k", "3"]
    constraints = {
        "must": ["--must-link", "must.csv"],
        "cannot": ["--cannot-link", "cannot.csv"],
        "both weighted": [
            "--must-link",
            "must_weighted.csv",
            "--cannot-link",
            "cannot_weighted.csv",
        ],
        "answers": ["--pairs", "answers.csv"],
        "learned": ["--pairs", "answers.csv", "--learn"],
    }
    for name, given in constraints.items():
        paths = [str(folder / g) if g.endswith(".csv") else g for g in given]
        for similarity in ("neighbors", "linear", "rbf"):
            yield (
                f"wine {similarity} {name}",
                [*wine, "--similarity", similarity, "-k", "6", *paths],
            )
        yield f"wine free {name}", [*wine, *paths]
    batches = [str(folder / "batches.csv"), "--label-column", "label", "--cannot-link-by", "batch"]
    for similarity in ("neighbors", "linear", "rbf"):
        for k in ("auto", "5"):
            yield f"groups {similarity} k={k}", [*batches, "--similarity", similarity, "-k", k]
    blocks = [str(folder / "blocks.edges"), "--cannot-link-by", str(folder / "groups.csv")]
    yield "groups in blocks", [*blocks, "-k", "30"]
    for name in ("similarities", "signed"):
        matrix = [str(folder / f"{name}.npy"), "--as", "similarity"]
        yield f"{name} k=4", [*matrix, "-k", "4"]
        yield f"{name} free", matrix
        yield f"{name} matrix shift", [*matrix, "--shift", f"matrix={folder / 'alpha.npy'}"]
    yield "distances", [str(folder / "distances.npy"), "--as", "distance", "-k", "5"]
    rows = [str(folder / "rows.mtx"), "--as", "features"]
    for similarity in ("neighbors", "cosine", "linear"):
        yield f"sparse {similarity}", [*rows, "--similarity", similarity, "-k", "6"]
    yield "blobs linear", [str(folder / "blobs.npy"), "--similarity", "linear", "-k", "5"]
    yield "blobs neighbors", [str(folder / "blobs.npy")]
    yield "wide linear", [str(folder / "wide.npy"), "--similarity", "linear", "-k", "6"]
    yield "wide cosine", [str(folder / "wide.npy"), "--similarity", "cosine", "-k", "20"]
    yield "log-odds", [str(folder / "odds.edges"), "--weights", "log-odds"]
    for k in ("auto", "8"):
        yield f"karate k={k}", [str(ROOT / "examples/karate.edges"), "-k", k]
        yield f"blocks k={k}", [str(folder / "blocks.edges"), "-k", k]
    yield "blocks auto shift", [str(folder / "blocks.edges"), "--shift", "auto"]
    yield "digits", [str(ROOT / "examples/digits.csv.gz"), "--label-column", "label", "-k", "10"]
    if SHARED.is_dir():
        for name in ("football", "netscience", "power", "condmat", "enron", "lfr_50k_mu0.2"):
            yield f"{name} free", [str(SHARED / f"graphs/{name}.edges.gz")]
        for name in ("football", "power", "condmat"):
            yield f"{name} k=20", [str(SHARED / f"graphs/{name}.edges.gz"), "-k", "20"]
        yield (
            "netscience auto shift",
            [str(SHARED / "graphs/netscience.edges.gz"), "--shift", "auto"],
        )
        for file in sorted((SHARED / "shapes").glob("*/*.data.gz"))[::7]:
            name = f"{file.parent.name}_{file.name.removesuffix('.data.gz')}"
            np.savetxt(folder / f"{name}.csv", np.loadtxt(file), delimiter=",")
            yield f"shape {name}", [str(folder / f"{name}.csv"), "--no-header"]
            yield f"shape {name} k=4", [str(folder / f"{name}.csv"), "--no-header", "-k", "4"]


def of_command(program: Path, arguments: list[str]) -> dict[str, Any]:
    command = [str(program), "cluster", *arguments, "--json", "-", *QUIET]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"exit": done.returncode, "error": done.stderr.strip().splitlines()[-1:]}
    return recorded(json.loads(done.stdout))


def recorded(result: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs from run to run."""
    out = {name: value for name, value in result.items() if name not in NOT_RECORDED}
    for restart in out.get("restarts", []):
        restart.pop("seconds", None)
    return out


def python_cases(folder: Path) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    from shiftcut import ShiftedMinCut, methods

    blobs = np.load(folder / "blobs.npy").astype(float)
    new = blobs[::9] + 0.3
    graph = sparse.csr_matrix(io.mmread(folder / "rows.mtx"))
    graph = graph @ graph.T
    kinds: dict[str, dict[str, Any]] = {
        "default": {},
        "linear": {"similarity": "linear", "n_clusters": 5},
        "cosine": {"similarity": "cosine", "n_clusters": 4},
        "rbf": {"similarity": "rbf", "n_clusters": 5},
    }
    for name, parameters in kinds.items():

        def fit(parameters: dict[str, Any] = parameters) -> dict[str, Any]:
            model = ShiftedMinCut(**parameters, random_state=0).fit(blobs)
            return {**recorded(model.result_), "predicted": model.predict(new).tolist()}

        yield f"python {name}", fit

    def fit_graph() -> dict[str, Any]:
        return recorded(ShiftedMinCut(similarity="precomputed", random_state=0).fit(graph).result_)

    yield "python graph", fit_graph

    def ask() -> dict[str, Any]:
        model = ShiftedMinCut(n_clusters=5, random_state=0).fit(blobs[:500])
        return {"explained": str(model.explain(3))}

    yield "python explanation", ask
    similarities = np.load(folder / "similarities.npy")
    given: dict[str, Any] = {"affinity": "precomputed"}
    seeded: dict[str, Any] = {**given, "random_state": 0}
    others = {
        "dominant sets": methods.DominantSets(**given),
        "dominant sets infection": methods.DominantSets(**given, dynamics="infection"),
        "hierarchy": methods.HierarchicalDominantSets(**given),
        "trajectories": methods.DominantSetTrajectories(**given),
        "agglomerative": methods.ReliableAgglomerative(3),
        "correlation": methods.CorrelationClustering(**seeded),
        "normalized cut": methods.CutSearch(3, **seeded),
        "ratio cut": methods.CutSearch(3, cost="ratio_cut", **seeded),
        "p-spectral": methods.PSpectral(3, **given),
        "power iteration": methods.PowerIteration(3, **seeded),
        "size-regularised cut": methods.SizeRegularisedCut(3, alpha=1.0, **given),
    }
    for name, method in others.items():

        def labels(method: ClusterMixin = method) -> dict[str, Any]:
            return {"labels": np.asarray(method.fit_predict(similarities)).tolist()}

        yield f"python {name}", labels


def record(out: Path, program: Path) -> None:
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_data(folder)
        for name, arguments in command_cases(folder):
            results[name] = of_command(program, arguments)
            print(name, results[name].get("cost", results[name].get("error")), flush=True)
        for name, call in python_cases(folder):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    results[name] = call()
                except Exception as error:  # compared like any other outcome
                    results[name] = {"error": f"{type(error).__name__}: {error}"}
            print(name, results[name].get("cost", results[name].get("error")), flush=True)
    out.write_text(json.dumps(results, indent=0), encoding="utf-8")
    print(f"{len(results)} runs recorded in {out}")


def compare(before: Path, after: Path) -> int:
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    differing = 0
    for name in sorted(old.keys() | new.keys()):
        one, two = old.get(name, {}), new.get(name, {})
        fields = [f for f in sorted(one.keys() | two.keys()) if one.get(f) != two.get(f)]
        if fields:
            differing += 1
            costs = f" (cost {one['cost']!r} -> {two['cost']!r})" if "cost" in fields else ""
            print(f"{name}: {', '.join(fields)}{costs}")
    print(f"{len(new)} runs, {differing} differ")
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "shiftcut")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    arguments = parser.parse_args()
    if arguments.compare:
        return compare(*arguments.compare)
    if arguments.out is None:
        parser.error("name the file to write, or --compare two of them")
    record(arguments.out, arguments.program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
