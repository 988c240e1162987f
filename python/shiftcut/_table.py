"""DataFrames with text and missing cells, read as the command line reads a table.

Text, booleans and pandas categories are one-hot encoded, columns in the order of their names; text
that is all numbers is numbers. Missing cells (NaN, None, and in text empty, `?`, `NA`) take the
column's median, or its most frequent value. A column without values is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Data, Floats
from ._warnings import warn_all

_MISSING_TEXT = ("", "?", "NA")
_NOTES_BY_COLUMN = 8
_FEW_CATEGORIES = 20
_LONGEST = 40  # bytes of a name in a message
_ALLOWED = "a finite number, or empty, ?, NA where it is missing"


def is_table(X: Data) -> bool:
    """Whether X is a DataFrame that holds more than plain numbers."""
    if not (hasattr(X, "iloc") and hasattr(X, "isna") and hasattr(X, "columns")):
        return False
    kinds = {getattr(dtype, "kind", "O") for dtype in X.dtypes}
    if any(hasattr(dtype, "fill_value") for dtype in X.dtypes) or "c" in kinds:
        return False
    return not kinds <= set("iuf") or bool(X.isna().to_numpy().any())


def _quoted(name: str) -> str:
    """As it may stand in a one-line message: no control characters, not too long."""
    data = name.encode()
    shown = data[:_LONGEST].decode(errors="ignore")
    safe = "".join(f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c for c in shown)
    return f"'{safe}...'" if len(data) > _LONGEST else f"'{safe}'"


def _text(value: float) -> str:
    """A number as the command line writes it."""
    return repr(value).removesuffix(".0")


def _median(values: Floats) -> float:
    ordered = np.sort(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return float(ordered[middle])
    below = float(ordered[middle - 1])
    return below + (float(ordered[middle]) - below) / 2


@dataclass(frozen=True)
class _Cells:
    """A column as it came: numbers with NaN, or Python values with None, where missing."""

    values: Floats | list[Any]
    is_category: bool = False

    @property
    def rows(self) -> int:
        return len(self.values)

    @property
    def present(self) -> Floats | list[Any]:
        if isinstance(self.values, np.ndarray):
            return self.values[~np.isnan(self.values)]
        return [value for value in self.values if value is not None]

    @property
    def missing(self) -> int:
        return self.rows - len(self.present)


def _cells(X: Data, position: int, name: str) -> _Cells:
    series = X.iloc[:, position]
    kind = getattr(series.dtype, "kind", "O")
    if kind in "mM":
        raise TypeError(f"column {_quoted(name)}: found dates or times; allowed: numbers or text")
    is_category = hasattr(series.dtype, "categories")
    if kind in "iuf" and not is_category:
        return _Cells(series.to_numpy(dtype=np.float64, na_value=np.nan))
    missing = series.isna().to_numpy()
    values = [
        None if gone or (isinstance(value, str) and value in _MISSING_TEXT) else value
        for value, gone in zip(series.tolist(), missing, strict=True)
    ]
    for value in values:
        if value is not None and not isinstance(value, str | int | float | np.generic):
            raise TypeError(
                f"column {_quoted(name)}: found {type(value).__name__}; each cell must be a string "
                "or a number"
            )
    return _Cells(values, is_category)


def _number(value: Data) -> float | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, str) and (value != value.strip() or "_" in value):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _parsed(values: list[Any], name: str) -> Floats:
    out = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if value is None:
            continue
        number = _number(value)
        if number is None:
            raise ValueError(
                f"row {row}, column {_quoted(name)}: found {str(value)!r} in a column of numbers; "
                f"allowed: {_ALLOWED}"
            )
        out[row] = np.inf if np.isnan(number) else number
    return out


def _as_numbers(cells: _Cells, name: str) -> Floats:
    """NaN where missing; ValueError for text and infinity."""
    values = cells.values
    out = values if isinstance(values, np.ndarray) else _parsed(values, name)
    endless = np.flatnonzero(np.isinf(out))
    if len(endless) > 0:
        raise ValueError(
            f"row {endless[0]}, column {_quoted(name)}: Input X contains infinity or a value too "
            f"large for dtype('float64'); allowed: {_ALLOWED}"
        )
    return out


def _holds_numbers(cells: _Cells, name: str) -> bool:
    """All numbers, or more than half text; ValueError where it is neither."""
    if isinstance(cells.values, np.ndarray):
        return True
    if cells.is_category:
        return False
    numbers = [_number(value) is not None for value in cells.present]
    texts = len(numbers) - sum(numbers)
    if texts and texts <= sum(numbers):
        _as_numbers(cells, name)
    return texts == 0


@dataclass(frozen=True)
class _Empty:
    name: str
    note: str | None = None

    def encode(self, cells: _Cells) -> list[Floats]:
        return []


@dataclass(frozen=True)
class _Numbers:
    name: str
    median: float
    note: str | None

    @classmethod
    def learn(cls, name: str, cells: _Cells) -> _Numbers:
        values = _as_numbers(cells, name)
        median = _median(values[~np.isnan(values)])
        return cls(name, median, _fill_note(name, cells.missing, f"median {_text(median)}"))

    def encode(self, cells: _Cells) -> list[Floats]:
        values = _as_numbers(cells, self.name)
        return [np.where(np.isnan(values), self.median, values)]


@dataclass(frozen=True)
class _Categories:
    name: str
    names: list[str]
    mode: str
    note: str | None

    @classmethod
    def learn(cls, name: str, cells: _Cells, position: int) -> _Categories:
        counts = Counter(str(value) for value in cells.present)
        rows = cells.rows
        if len(counts) > _FEW_CATEGORIES and len(counts) > rows // 2:
            raise ValueError(
                f"column {position + 1} ({_quoted(name)}): found {len(counts)} different texts in "
                f"{rows} rows, which looks like an identifier; allowed: at most half as many as "
                "rows; drop the column to ignore it"
            )
        mode = min(counts, key=lambda value: (-counts[value], value))
        note = _fill_note(name, cells.missing, f"most frequent value {_quoted(mode)}")
        return cls(name, sorted(counts), mode, note)

    def encode(self, cells: _Cells) -> list[Floats]:
        texts = np.array([self.mode if v is None else str(v) for v in cells.values], dtype=object)
        unknown = sorted(set(texts) - set(self.names))
        if unknown:
            warn_all(
                [
                    f"column {_quoted(self.name)}: found {_quoted(unknown[0])}, which was not "
                    "there in fit: it is none of the known categories"
                ]
            )
        return [(texts == value).astype(np.float64) for value in self.names]


def _fill_note(name: str, missing: int, what: str) -> str | None:
    if missing == 0:
        return None
    cells = "cell" if missing == 1 else "cells"
    return f"column {_quoted(name)}: {missing} missing {cells} took the {what}"


def _learn_column(name: str, cells: _Cells, position: int) -> _Empty | _Numbers | _Categories:
    if cells.missing == cells.rows:
        return _Empty(name)
    if _holds_numbers(cells, name):
        return _Numbers.learn(name, cells)
    return _Categories.learn(name, cells, position)


class TableEncoder:
    """Learns the columns of one DataFrame, encodes others the same way."""

    def fit_encode(self, X: Data) -> tuple[Floats, list[str]]:
        """The numbers, and sentences on what was filled in or left out."""
        names = [str(name) for name in X.columns]
        read = [_cells(X, position, name) for position, name in enumerate(names)]
        if not names or len(X) == 0:
            raise ValueError(f"Found array with shape {X.shape}: 1 sample and 1 feature are needed")
        self._columns = [
            _learn_column(name, cells, position)
            for position, (name, cells) in enumerate(zip(names, read, strict=True))
        ]
        encoded = self._stack(read)
        if encoded.shape[1] == 0:
            raise ValueError("X: found no value in any column; allowed: one or more with values")
        return encoded, self._notes(read)

    def encode(self, X: Data) -> Floats:
        if not hasattr(X, "iloc"):
            import pandas as pd

            X = pd.DataFrame(np.asarray(X, dtype=object))
        cells = [_cells(X, i, column.name) for i, column in enumerate(self._columns)]
        return self._stack(cells)

    def _stack(self, read: list[_Cells]) -> Floats:
        parts = [
            part
            for column, cells in zip(self._columns, read, strict=True)
            for part in column.encode(cells)
        ]
        return np.column_stack(parts) if parts else np.empty((read[0].rows, 0))

    def _notes(self, read: list[_Cells]) -> list[str]:
        filled = [column.note for column in self._columns if column.note is not None]
        notes = filled[:_NOTES_BY_COLUMN]
        if len(filled) > _NOTES_BY_COLUMN:
            cells = sum(
                c.missing
                for column, c in zip(self._columns, read, strict=True)
                if column.note is not None
            )
            notes.append(
                f"{len(filled) - _NOTES_BY_COLUMN} more columns had missing cells filled in the "
                f"same way ({cells} cells in all {len(filled)} columns)"
            )
        empty = [column.name for column in self._columns if isinstance(column, _Empty)]
        notes += [
            f"column {_quoted(name)} holds no values and was left out"
            for name in empty[:_NOTES_BY_COLUMN]
        ]
        if len(empty) > _NOTES_BY_COLUMN:
            more = len(empty) - _NOTES_BY_COLUMN
            notes.append(f"{more} more columns hold no values and were left out")
        return notes
