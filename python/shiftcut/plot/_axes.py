"""What the plots share: axes, legends beside them, and styles of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Colour = tuple[float, float, float]

# Okabe and Ito's colours, which people with any colour vision can tell apart (2008), without black
# and with the bright yellow last.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p", "h")
# Of each round of colours, towards white (1) or black (-1), as far as those of a round stay apart
# by 9 in CIELAB for people with any colour vision.
_TONES = (0.0, -0.35, 0.35, -0.5)
NOISE_COLOUR: Colour = (0.6, 0.6, 0.6)

_MOST_NAMED = 40  # clusters in a legend
_ROWS = 20  # of a legend's column
_SIZE = 22.0  # of its markers


class Style(NamedTuple):
    """How the objects of a cluster are drawn."""

    colour: Colour
    marker: str


def styles(n: int) -> list[Style]:
    """Return n styles: seven colours, then the same darker, lighter and darkest, each round with a
    marker of its own."""
    from matplotlib.colors import to_rgb

    found = []
    for place in range(n):
        turn, which = divmod(place, len(_COLOURS))
        tone = _TONES[turn % len(_TONES)]
        target = 1.0 if tone > 0 else 0.0
        red, green, blue = (part + abs(tone) * (target - part) for part in to_rgb(_COLOURS[which]))
        found.append(Style((red, green, blue), _MARKERS[turn % len(_MARKERS)]))
    return found


def axes(ax: Axes | None) -> Axes:
    """Return `ax` or new axes in a figure that makes room for a legend beside them."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("shiftcut.plot needs matplotlib: pip install shiftcut[plot]") from error
    return plt.subplots(layout="constrained")[1]


def legend(ax: Axes, title: str | None = None) -> None:
    """Add a legend to the right of the axes; one that is very long names the first clusters."""
    from matplotlib.collections import PathCollection

    handles, labels = ax.get_legend_handles_labels()
    more = len(labels) - _MOST_NAMED
    if more > 0:
        from matplotlib.lines import Line2D

        handles = [*handles[:_MOST_NAMED], Line2D([], [], linestyle="")]
        labels = [*labels[:_MOST_NAMED], f"and {more} more"]
    drawn = ax.legend(
        handles,
        labels,
        title=title,
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        borderaxespad=0.0,
        frameon=False,
        fontsize="small",
        ncols=max(1, -(-len(labels) // _ROWS)),
    )
    for handle in drawn.legend_handles:
        if isinstance(handle, PathCollection):
            handle.set_sizes([_SIZE])  # readable, however small the points


def whole_numbers(ax: Axes, axis: str) -> None:
    """Put the ticks of an axis at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def in_order(labels: Data) -> tuple[list[Any], Data]:
    """Return the different labels, numbers in text in the order of numbers, and for each object the
    place of its own."""
    values, codes = np.unique(np.asarray(labels), return_inverse=True)
    order = sorted(range(len(values)), key=lambda place: _natural(values[place]))
    rank = np.empty(len(values), dtype=int)
    rank[order] = np.arange(len(values))
    return [values[place].item() for place in order], rank[codes.ravel()]


def _natural(value: Any) -> tuple[int, float, str]:  # noqa: ANN401
    text = str(value)
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)
