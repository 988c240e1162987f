"""Clustering by shifted pairwise similarities.

`ShiftedMinCut` is a scikit-learn estimator; `Feedback` asks about pairs and reclusters after each
answer; `metrics` scores clusterings; `stability` says how far clusters depend on the
sample; `model_selection` chooses parameters; `plot` draws with
matplotlib; `scanpy` clusters AnnData objects; `dask` runs on a Dask cluster, and `blocks` on any
other engine; `methods` holds other methods to compare with.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from . import _core, metrics
from ._estimator import ShiftedMinCut
from ._feedback import Feedback
from ._stability import Stability, stability
from ._warnings import ShiftcutWarning

if TYPE_CHECKING:
    from . import blocks, methods, model_selection, plot, scanpy
    from . import dask as dask  # not in __all__: `import *` must not need Dask

__version__ = _core.version()

_LATER = (  # imported on first use
    "blocks",
    "dask",
    "methods",
    "model_selection",
    "plot",
    "scanpy",
)

__all__ = [
    "Feedback",
    "ShiftcutWarning",
    "ShiftedMinCut",
    "Stability",
    "__version__",
    "blocks",
    "methods",
    "metrics",
    "model_selection",
    "plot",
    "scanpy",
    "stability",
]


def __getattr__(name: str) -> ModuleType:
    if name in _LATER:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
