"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""

from ._agglomerative import ReliableAgglomerative
from ._correlation import CorrelationClustering
from ._cut_search import CutSearch, cut_cost
from ._dominant_set_hierarchy import HierarchicalDominantSets
from ._dominant_set_trajectories import DominantSetTrajectories
from ._dominant_sets import DominantSet, DominantSets
from ._p_spectral import PEigenpair, PSpectral, p_eigenpair, p_functional
from ._power_iteration import PowerIteration
from ._size_regularised_cut import SizeRegularisedCut

__all__ = [
    "CorrelationClustering",
    "CutSearch",
    "DominantSet",
    "DominantSetTrajectories",
    "DominantSets",
    "HierarchicalDominantSets",
    "PEigenpair",
    "PSpectral",
    "PowerIteration",
    "ReliableAgglomerative",
    "SizeRegularisedCut",
    "cut_cost",
    "p_eigenpair",
    "p_functional",
]
