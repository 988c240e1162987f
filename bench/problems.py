"""Labelled problems on which answers are judged: shapes, UCI tables, news, and synthetic ones.

A problem belongs to one of two halves by a hash of its name: constants are chosen on the problems
of one half and judged on those of the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
PER_KIND = 8
NEWS_TOPICS = 5
NEWS_PER_TOPIC = 240


@dataclass(frozen=True)
class Problem:
    """Rows, and one or more reference labellings, in which 0 is noise and not scored."""

    group: str
    name: str
    rows: Floats
    labellings: tuple[Codes, ...]

    @property
    def half(self) -> str:
        return "ab"[hashlib.sha256(self.name.split(",")[0].encode()).digest()[0] % 2]

    @property
    def numbers(self) -> list[int]:
        """The numbers of clusters of the labellings."""
        return sorted({len(np.unique(labels[labels > 0])) for labels in self.labellings})


def problem(group: str, name: str, rows: Floats, *labellings: Codes) -> Problem:
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    return Problem(group, name, rows, tuple(labels.astype(np.int64) for labels in labellings))


# ---- Synthetic problems ----


def turned(rng: Rng, rows: Floats) -> Floats:
    """Rotate, scale and move all rows."""
    turn, _ = np.linalg.qr(rng.normal(size=(rows.shape[1], rows.shape[1])))
    return np.asarray(rows @ turn * np.exp(2 * rng.normal()) + 3 * rng.normal(size=rows.shape[1]))


def apart(rng: Rng, count: int, columns: int, least: float) -> Floats:
    """Random centres, no two of which are nearer than `least`."""
    width = least * count ** (1 / columns)
    while True:
        centres: list[Floats] = []
        for _ in range(200 * count):
            centre = rng.uniform(0, width, size=columns)
            if all(np.linalg.norm(centre - other) >= least for other in centres):
                centres.append(centre)
            if len(centres) == count:
                return np.array(centres)
        width *= 1.2


def dealt(rng: Rng, rows: int, shares: Floats) -> Codes:
    return np.sort(rng.choice(len(shares), size=rows, p=shares / shares.sum())) + 1


def round_groups(
    rng: Rng,
    rows: int,
    columns: int,
    count: int,
    least: float,
    spread: float = 0,
    uneven: float = 0,
) -> tuple[Floats, Codes]:
    """Normal groups; `spread` and `uneven` are the logarithms by which widths and sizes vary."""
    widths = np.exp(rng.uniform(-spread, spread, size=count))
    labels = dealt(rng, rows, np.exp(rng.uniform(-uneven, uneven, size=count)))
    centres = apart(rng, count, columns, least * np.sqrt((widths**2).mean()))
    noise = rng.normal(size=(rows, columns)) * widths[labels - 1, None]
    return centres[labels - 1] + noise, labels


def round_ones(rng: Rng) -> tuple[Floats, Codes]:
    return round_groups(
        rng, int(rng.integers(200, 1500)), int(rng.integers(2, 6)), int(rng.integers(2, 16)), 6
    )


def long_ones(rng: Rng) -> tuple[Floats, Codes]:
    """Parallel or crossing ellipsoids, or arcs and waves side by side."""
    rows, count = int(rng.integers(300, 1500)), int(rng.integers(2, 6))
    labels = dealt(rng, rows, np.ones(count))
    kind = rng.integers(0, 3)
    along = rng.uniform(-1, 1, size=rows)
    if kind == 0:
        at = np.c_[rng.uniform(5, 12) * along, 5.5 * labels + rng.normal(size=rows)]
    elif kind == 1:
        wave = np.sin(3 * along + rng.uniform(0, 3))
        at = np.c_[9 * along, 4 * wave + 4 * labels + 0.45 * rng.normal(size=rows)]
    else:
        columns = int(rng.integers(2, 5))
        stretch = np.stack([rng.normal(size=columns) for _ in range(count)])
        stretch /= np.linalg.norm(stretch, axis=1)[:, None]
        centres = apart(rng, count, columns, 12)
        at = centres[labels - 1] + rng.normal(size=(rows, columns))
        at += 4 * rng.normal(size=rows)[:, None] * stretch[labels - 1]
    return at, labels


def nested_ones(rng: Rng) -> tuple[Floats, Codes]:
    """Rings or shells around each other, spirals, linked rings, or half moons."""
    rows = int(rng.integers(500, 1500))
    kind = int(rng.integers(0, 4))
    count = 2 if kind >= 2 else int(rng.integers(2, 4))
    columns = 3 if kind == 2 else 2
    angle = rng.uniform(0, 2 * np.pi, size=rows)
    if kind == 0:
        radius = 1 + 3 * np.arange(count)
        labels = dealt(rng, rows, radius.astype(float))
        at = radius[labels - 1, None] * np.c_[np.cos(angle), np.sin(angle)]
    elif kind == 1:
        labels = dealt(rng, rows, np.ones(count))
        turn = np.sqrt(rng.uniform(0.08, 1, size=rows)) * 3 * np.pi
        phase = 2 * np.pi * labels / count
        at = turn[:, None] * np.c_[np.cos(turn + phase), np.sin(turn + phase)]
    elif kind == 2:
        labels = dealt(rng, rows, np.ones(2))
        flat = np.c_[4 * np.cos(angle), 4 * np.sin(angle), np.zeros(rows)]
        up = np.c_[4 * np.cos(angle) + 4, np.zeros(rows), 4 * np.sin(angle)]
        at = np.where((labels == 1)[:, None], flat, up)
    else:
        labels = dealt(rng, rows, rng.uniform(0.4, 1, size=2))
        side = np.where(labels == 1, 1.0, -1.0)
        at = np.c_[4 * np.cos(angle / 2) * side, 4 * np.sin(angle / 2) * side]
        at += np.where((labels == 1)[:, None], [0.0, 0.0], [4.0, 1.6])
    return at + rng.uniform(0.1, 0.35) * rng.normal(size=(rows, columns)), labels


def uneven_ones(rng: Rng) -> tuple[Floats, Codes]:
    """Normal groups of unequal sizes and densities."""
    rows, columns = int(rng.integers(500, 1800)), int(rng.integers(2, 5))
    return round_groups(rng, rows, columns, int(rng.integers(3, 9)), 7, 0.9, 1.2)


def noisy_ones(rng: Rng) -> tuple[Floats, Codes]:
    """Any of the other kinds among rows spread evenly over the box."""
    at, labels = (round_ones, long_ones, nested_ones, uneven_ones)[int(rng.integers(0, 4))](rng)
    extra = int(len(at) * rng.uniform(0.05, 0.3))
    low, high = at.min(axis=0), at.max(axis=0)
    margin = 0.1 * (high - low)
    noise = rng.uniform(low - margin, high + margin, size=(extra, at.shape[1]))
    return np.r_[at, noise], np.r_[labels, np.zeros(extra, int)]


def overlapping_ones(rng: Rng) -> tuple[Floats, Codes]:
    rows, columns = int(rng.integers(500, 2000)), int(rng.integers(2, 5))
    return round_groups(
        rng, rows, columns, int(rng.integers(2, 9)), rng.uniform(3.2, 4.2), 0.15, 0.3
    )


def wide_ones(rng: Rng) -> tuple[Floats, Codes]:
    """Many columns: groups that differ in a few directions."""
    rows, columns = int(rng.integers(300, 1200)), int(rng.integers(15, 101))
    count = int(rng.integers(3, 11))
    labels = dealt(rng, rows, np.exp(rng.uniform(-0.5, 0.5, size=count)))
    centres = np.zeros((count, columns))
    few = int(rng.integers(4, 11))
    centres[:, :few] = apart(rng, count, few, rng.uniform(6, 9))
    return centres[labels - 1] + rng.normal(size=(rows, columns)), labels


KINDS: dict[str, Callable[[Rng], tuple[Floats, Codes]]] = {
    "round": round_ones,
    "long": long_ones,
    "nested": nested_ones,
    "uneven": uneven_ones,
    "noisy": noisy_ones,
    "overlapping": overlapping_ones,
    "wide": wide_ones,
}


def synthetic(seeds: range = range(PER_KIND)) -> Iterator[Problem]:
    for place, (kind, make) in enumerate(KINDS.items()):
        for seed in seeds:
            rng = np.random.default_rng([place, seed])
            at, labels = make(rng)
            order = rng.permutation(len(at))
            yield problem(kind, f"{kind}-{seed}", turned(rng, at)[order], labels[order])


# ---- Collections ----


def read_shapes(folder: Path) -> Iterator[Problem]:
    for path in sorted(folder.glob("*/*.data.gz")):
        stem = path.name.removesuffix(".data.gz")
        labellings = [
            np.loadtxt(of, dtype=int) for of in sorted(path.parent.glob(f"{stem}.labels*.gz"))
        ]
        yield problem(
            "shapes", f"{path.parent.name}/{stem}", np.loadtxt(path, ndmin=2), *labellings
        )


def read_news(path: Path) -> Iterator[Problem]:
    """Selections of topics, as TF-IDF and as components of it."""
    from scipy import sparse
    from sklearn.decomposition import TruncatedSVD

    z = np.load(path, allow_pickle=True)
    rows = sparse.csr_matrix((z["data"], z["indices"], z["indptr"]), z["shape"])
    everything = tuple(range(NEWS_TOPICS))
    selections = [*islice(combinations(everything, 3), 0, None, 3), everything]
    for number, topics in enumerate(selections):
        order = np.random.default_rng(number).permutation(len(z["y"]))
        some = np.concatenate(
            [[row for row in order if z["y"][row] == topic][:NEWS_PER_TOPIC] for topic in topics]
        )
        some = np.sort(some)
        name = "".join(map(str, topics))
        chosen = rows[some]
        chosen = chosen[:, np.flatnonzero(chosen.getnnz(axis=0) > 1)]
        labels = z["y"][some].astype(int) + 1
        yield problem("text", f"news {name}", chosen.toarray(), labels)
        for count in (20, 100):
            parts = TruncatedSVD(count, random_state=0).fit_transform(chosen)
            yield problem("text", f"news {name}, {count} components", parts, labels)
