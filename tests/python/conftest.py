"""Before anything imports SciPy: scikit-learn's checks of array types want this set."""

from __future__ import annotations

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
