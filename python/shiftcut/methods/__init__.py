"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""

from ._dominant_sets import (
    DominantSet,
    DominantSets,
    DominantSetTrajectories,
    HierarchicalDominantSets,
)

__all__ = [
    "DominantSet",
    "DominantSetTrajectories",
    "DominantSets",
    "HierarchicalDominantSets",
]
