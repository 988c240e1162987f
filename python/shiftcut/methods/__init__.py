"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""

from ._agglomerative import ReliableAgglomerative
from ._correlation import CorrelationClustering
from ._cut_search import CutSearch, cut_cost

__all__ = ["CorrelationClustering", "CutSearch", "ReliableAgglomerative", "cut_cost"]
