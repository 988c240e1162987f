"""Clustering by shifted pairwise similarities.

`ShiftedMinCut` is a scikit-learn estimator; `metrics` scores groupings; `plot` (with matplotlib)
draws them; `Feedback` asks about pairs and groups by the answers.
"""

from . import _core, metrics
from ._estimator import ShiftedMinCut
from ._feedback import Feedback
from ._warnings import ShiftcutWarning

__version__ = _core.version()

__all__ = ["Feedback", "ShiftcutWarning", "ShiftedMinCut", "__version__", "metrics"]
