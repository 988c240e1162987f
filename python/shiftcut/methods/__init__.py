"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""

from ._dominant_set_hierarchy import HierarchicalDominantSets
from ._dominant_set_trajectories import DominantSetTrajectories
from ._dominant_sets import DominantSet, DominantSets

__all__ = [
    "DominantSet",
    "DominantSetTrajectories",
    "DominantSets",
    "HierarchicalDominantSets",
]
