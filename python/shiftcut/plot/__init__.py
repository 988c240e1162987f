"""Plots of clusters, similarities and searches (needs matplotlib: `pip install shiftcut[plot]`).

Every function draws on `ax`, or on new axes if it is None, and returns the axes. Legends stand
beside the axes, for which new figures leave room; make others with `layout="constrained"`.
"""

from ._clusters import clusters
from ._search import cost, shift_path
from ._similarities import similarities
from ._stability import stability
from ._tree import tree

__all__ = ["clusters", "cost", "shift_path", "similarities", "stability", "tree"]
