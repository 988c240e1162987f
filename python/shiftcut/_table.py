"""Encoding of DataFrames with text and missing cells, identical to the command line's.

Text, boolean and categorical columns are one-hot encoded, categories in sorted order. Missing cells
are filled with the column's median or most frequent value. A column without values is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ._arrays import Data, Floats
from ._frames import Cells, Frame, frame_of, frame_of_rows, quoted
from ._warnings import Note, warn_all

Column: TypeAlias = tuple[str, str, float, list[str], int]

_NOTES_BY_COLUMN = 8
_LEAST_COUNTED = 10  # rows: fewer may count by chance
_FEW_CATEGORIES = 20
_MOST_ONE_HOT = 10_000  # columns of 0 and 1, in a dense array
_ALLOWED = "a finite number, or empty, ? or NA where it is missing"


def is_table(X: Data) -> bool:
    """Whether X is a DataFrame that holds more than plain numbers."""
    frame = frame_of(X)
    return frame is not None and not frame.is_plain()


def _text(value: float) -> str:
    """Format a number as the command line does."""
    return repr(value).removesuffix(".0")


def _median(values: Floats) -> float:
    ordered = np.sort(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return float(ordered[middle])
    below = float(ordered[middle - 1])
    return below + (float(ordered[middle]) - below) / 2


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
                f"row {row}, column {quoted(name)}: found {str(value)!r} in a column of numbers; "
                f"allowed: {_ALLOWED}"
            )
        out[row] = np.inf if np.isnan(number) else number
    return out


def _as_numbers(cells: Cells, name: str) -> Floats:
    """Return numbers, NaN where missing; ValueError for text and infinity."""
    values = cells.values
    out = values if isinstance(values, np.ndarray) else _parsed(values, name)
    endless = np.flatnonzero(np.isinf(out))
    if len(endless) > 0:
        raise ValueError(
            f"row {endless[0]}, column {quoted(name)}: Input X contains infinity or a value too "
            f"large for dtype('float64'); allowed: {_ALLOWED}"
        )
    return out


def _holds_numbers(cells: Cells, name: str) -> bool:
    """Return whether the column is numeric rather than text; ValueError if it is both."""
    if isinstance(cells.values, np.ndarray):
        return True
    if cells.is_category:
        return False
    is_text = [isinstance(value, str | bool | np.bool_) for value in cells.present]
    if any(is_text) and not all(is_text):
        text, number = (cells.present[is_text.index(which)] for which in (True, False))
        raise ValueError(
            f"column {quoted(name)}: found text ({str(text)!r}) and numbers ({number!r}); allowed: "
            "one of them: astype(str) makes all of it text, pandas.to_numeric numbers"
        )
    return not any(is_text)


def _word(value: Data) -> str:
    """Return the category of a value: 8 and 8.0 are the same, whatever the column's type."""
    is_float = isinstance(value, float | np.floating)
    return _text(float(value)) if is_float else str(value)


@dataclass(frozen=True)
class _Empty:
    name: str
    note: str | None = None

    def encode(self, cells: Cells) -> list[Floats]:
        return []

    def kept(self) -> Column:
        return (self.name, "empty", 0.0, [], 0)


@dataclass(frozen=True)
class _Numbers:
    name: str
    median: float
    note: str | None

    @classmethod
    def learn(cls, name: str, cells: Cells) -> _Numbers:
        values = _as_numbers(cells, name)
        median = _median(values[~np.isnan(values)])
        return cls(name, median, _fill_note(name, cells.missing, f"median {_text(median)}"))

    def encode(self, cells: Cells) -> list[Floats]:
        values = _as_numbers(cells, self.name)
        return [np.where(np.isnan(values), self.median, values)]

    def kept(self) -> Column:
        return (self.name, "number", self.median, [], 0)


@dataclass(frozen=True)
class _Categories:
    name: str
    names: list[str]
    mode: str
    note: str | None
    order: str | None = None  # a note that the texts have an order, which categories lose

    @classmethod
    def learn(cls, name: str, cells: Cells, position: int) -> _Categories:
        counts = Counter(map(_word, cells.present))
        rows = cells.rows
        if len(counts) > _FEW_CATEGORIES and len(counts) > rows // 2:
            what = _ordered_texts(counts)
            if what is not None:
                raise ValueError(
                    f"column {position + 1} ({quoted(name)}): found {what} such as "
                    f"{quoted(next(iter(counts)))}, written as text; allowed: plain numbers; drop "
                    "the column to ignore it"
                )
            raise ValueError(
                f"column {position + 1} ({quoted(name)}): found {len(counts)} different texts in "
                f"{rows} rows, which looks like an identifier; allowed: at most half as many as "
                f"rows; drop the column to ignore it{_hint(counts)}"
            )
        mode = min(counts, key=lambda value: (-counts[value], value))
        note = _fill_note(name, cells.missing, f"most frequent value {quoted(mode)}")
        what = _ordered_texts(counts)
        order = None
        if what is not None:
            order = (
                f"column {quoted(name)} holds {what} such as {quoted(next(iter(counts)))}, each a "
                "category of its own: make them plain numbers to compare them by size, or drop it"
            )
        return cls(name, sorted(counts), mode, note, order)

    def encode(self, cells: Cells) -> list[Floats]:
        texts = np.array(
            [self.mode if v is None or v != v else _word(v) for v in cells.values], dtype=object
        )
        unknown = sorted(set(texts) - set(self.names))
        if unknown:
            warn_all(
                [
                    Note(
                        "unknown_category",
                        "",
                        f"column {quoted(self.name)}: found {quoted(unknown[0])}, which did not "
                        "occur in fit: it is treated as none of the known categories",
                    )
                ]
            )
        return [(texts == value).astype(np.float64) for value in self.names]

    def kept(self) -> Column:
        return (self.name, "text", 0.0, self.names, self.names.index(self.mode))


_AMOUNT = re.compile(r"[-+$%() \u0080-\U0010ffff]*\d([\d,. ']*\d)?[-+$%() \u0080-\U0010ffff]*")
_DATE = re.compile(r"(\d{4}([-/.])\d{1,3}\2\d{1,3}|\d{1,3}([-/.])\d{1,3}\3\d{4})([ T].*)?")


def _ordered_texts(texts: Collection[str]) -> str | None:
    """Return what all texts are, if they have an order that categories do not have."""
    if len(texts) < 2 or all(_number(text) is not None for text in texts):
        return None  # plain numbers are codes that somebody made categories
    for what, pattern in (("dates", _DATE), ("amounts", _AMOUNT)):
        if all(map(pattern.fullmatch, texts)):
            return what
    return None


def _hint(texts: Iterable[str]) -> str:
    all_numbers = all(_number(text) is not None for text in texts)
    return ", or make it numbers with pandas.to_numeric" if all_numbers else ""


def _fill_note(name: str, missing: int, what: str) -> str | None:
    if missing == 0:
        return None
    cells = "cell" if missing == 1 else "cells"
    return f"column {quoted(name)}: {missing} missing {cells} filled with the {what}"


def _learn_column(name: str, cells: Cells, position: int) -> _Empty | _Numbers | _Categories:
    if cells.missing == cells.rows:
        return _Empty(name)
    if _holds_numbers(cells, name):
        return _Numbers.learn(name, cells)
    return _Categories.learn(name, cells, position)


def notes_on_counts(names: list[str], values: Floats) -> list[Note]:
    """Of columns that count the rows, such as an id."""
    rows, width = values.shape
    if rows < _LEAST_COUNTED or width < 2:
        return []
    steps = np.arange(rows)
    may_count = np.flatnonzero(values[1] == values[0] + 1)
    return [
        Note(
            "row_numbers",
            "",
            f"column {quoted(names[place])} counts the rows, from "
            f"{_text(float(values[0, place]))}, and is used like any other: drop it to ignore it",
        )
        for place in may_count
        if np.array_equal(values[:, place], values[0, place] + steps)
    ]


class TableEncoder:
    """Learns the columns of one DataFrame and encodes others the same way."""

    is_needed = True  # False: all columns are numeric, so it is needed only for missing cells
    _dtype = np.dtype(np.float64)

    def fit_encode(self, X: Data) -> tuple[Floats, list[Note]]:
        """Return the numbers, and notes on what was filled in or left out."""
        frame = frame_of_rows(X)
        read = self._read(frame)
        self._columns = [
            _learn_column(name, cells, position)
            for position, (name, cells) in enumerate(zip(frame.names, read, strict=True))
        ]
        self._check_width()
        encoded = self._stack(read)
        if encoded.shape[1] == 0:
            raise ValueError("X: found no value in any column; allowed: one or more with values")
        return encoded, self._notes(read)

    def _check_width(self) -> None:
        wide = [column for column in self._columns if isinstance(column, _Categories)]
        found = sum(len(column.names) for column in wide)
        if found > _MOST_ONE_HOT:
            wide.sort(key=lambda column: -len(column.names))
            most = ", ".join(f"{quoted(column.name)} ({len(column.names)})" for column in wide[:3])
            raise ValueError(
                f"X: found {found} different texts, each of which would become a column of 0 and "
                f"1; allowed: at most {_MOST_ONE_HOT}; drop columns with many categories; "
                f"these have the most: {most}"
            )

    @classmethod
    def of_numbers(cls, names: list[str], values: Floats) -> TableEncoder:
        """Return an encoder for a DataFrame of plain numbers; new ones may have missing cells."""
        encoder = cls()
        encoder.is_needed = False
        encoder._dtype = values.dtype
        encoder._columns = [
            _Numbers(name, float(np.median(values[:, position])), None)
            for position, name in enumerate(names)
        ]
        return encoder

    def encoded_names(self) -> list[str]:
        """Of the columns of numbers that a frame becomes."""
        return [
            name if kind == "number" else f"{name}={category}"
            for name, kind, _, categories, _ in self.columns()
            for category in ([""] if kind == "number" else categories)
        ]

    def columns(self) -> list[Column]:
        """As the library keeps them: name, kind, median, categories and the place of the mode."""
        return [column.kept() for column in self._columns]

    @classmethod
    def of_columns(cls, columns: list[Column]) -> TableEncoder:
        """What `columns` gave."""
        encoder = cls()
        encoder.is_needed = any(kind != "number" for _, kind, *_ in columns)
        encoder._columns = []
        for name, kind, median, categories, mode in columns:
            if kind == "number":
                encoder._columns.append(_Numbers(name, median, None))
            elif kind == "text":
                encoder._columns.append(_Categories(name, categories, categories[mode], None))
            else:
                encoder._columns.append(_Empty(name))
        return encoder

    def encode(self, X: Data) -> Floats:
        return self._stack(self._read(frame_of_rows(X))).astype(self._dtype, copy=False)

    @staticmethod
    def _read(frame: Frame) -> list[Cells]:
        if not frame.names or frame.rows == 0:
            raise ValueError(
                f"Found array with {frame.rows} sample(s) and {len(frame.names)} feature(s) while "
                "a minimum of 1 is required."
            )
        return [frame.cells(position) for position in range(len(frame.names))]

    def _stack(self, read: list[Cells]) -> Floats:
        parts = [
            part
            for column, cells in zip(self._columns, read, strict=True)
            for part in column.encode(cells)
        ]
        return np.column_stack(parts) if parts else np.empty((read[0].rows, 0))

    def _notes(self, read: list[Cells]) -> list[Note]:
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
        left_out = [
            f"column {quoted(name)} holds no values and was left out"
            for name in empty[:_NOTES_BY_COLUMN]
        ]
        if len(empty) > _NOTES_BY_COLUMN:
            more = len(empty) - _NOTES_BY_COLUMN
            left_out.append(f"{more} more columns hold no values and were left out")
        ordered = [
            column.order
            for column in self._columns
            if isinstance(column, _Categories) and column.order is not None
        ]
        return [
            *(Note("filled_cells", "", text) for text in notes),
            *(Note("empty_columns", "", text) for text in left_out),
            *(Note("ordered_texts", "", text) for text in ordered[:_NOTES_BY_COLUMN]),
        ]
