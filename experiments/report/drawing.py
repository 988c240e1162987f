"""How all figures look, and where they are written."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams.update(
    {
        "figure.dpi": 100,
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 9,
        "svg.hashsalt": "shiftcut",  # the same picture, byte for byte
        "legend.frameon": False,
    }
)

from matplotlib.figure import Figure  # noqa: E402

COLORS = ("#1f6f8b", "#d1495b", "#7a9e3d", "#7b5ea7", "#c98a1b", "#444b5c", "#2ca58d", "#b05c9a",
          "#8a6d3b", "#5b8def")  # fmt: skip


def new_figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None})
    return file
