"""Methods that take no negative similarities."""

from __future__ import annotations

from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from .._arrays import Data, Matrix
from ._similarity import SimilarityClusterer


class NonNegativeClusterer(SimilarityClusterer):
    """Refuses precomputed similarities below 0, in scikit-learn's words."""

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.affinity == "precomputed"
        return tags

    def _similarities(self, X: Data) -> Matrix:
        similarities = super()._similarities(X)
        if self.affinity == "precomputed":
            check_non_negative(similarities, type(self).__name__)
        return similarities
