"""Clustering by shifted pairwise similarities.

`ShiftedMinCut` is a scikit-learn estimator; `metrics` scores groupings; `plot` (with matplotlib)
draws them.
"""

from . import _core, metrics
from ._estimator import ShiftedMinCut
from ._warnings import ShiftcutWarning

__version__ = _core.version()

__all__ = ["ShiftcutWarning", "ShiftedMinCut", "__version__", "metrics"]
