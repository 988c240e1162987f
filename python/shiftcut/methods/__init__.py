"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""

from ._p_spectral import PEigenpair, PSpectral, p_eigenpair, p_functional
from ._power_iteration import PowerIteration
from ._size_regularised_cut import SizeRegularisedCut

__all__ = [
    "PEigenpair",
    "PSpectral",
    "PowerIteration",
    "SizeRegularisedCut",
    "p_eigenpair",
    "p_functional",
]
