"""The category of the library's warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

_HERE = str(Path(__file__).parent)


class ShiftcutWarning(UserWarning):
    """Something about the data or the result that the user should know; the words are those of
    the command line."""


def warn_all(sentences: Iterable[str]) -> None:
    """Warn with each sentence, at the caller's line outside this package and scikit-learn."""
    for sentence in sentences:
        warnings.warn(sentence, ShiftcutWarning, stacklevel=_caller_level())


def _caller_level() -> int:
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and _is_inside(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_inside(filename: str) -> bool:
    return filename.startswith(_HERE) or "/sklearn/" in filename
