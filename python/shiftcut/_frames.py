"""Columns of pandas, polars and Arrow tables, read without importing any of these packages.

A column is text if its values are strings (even digits: a code such as "02139" is not a number),
booleans or categories, and numeric if they are numbers. Missing values are None, NaN and null and,
in text, the empty string, `?` and `NA`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from ._arrays import Data, Floats
from ._checks import is_missing

_MISSING_TEXT = ("", "?", "NA")
_LONGEST = 40  # bytes of a name in a message
_DATES = ("date", "datetime", "time", "timedelta", "Timestamp", "Timedelta")
_INSTEAD_OF_DATES = (
    "allowed: numbers or text; make them numbers, such as days since the first, or drop the column"
)


def quoted(name: str) -> str:
    """Quote a name for a one-line message: no control characters, limited length."""
    data = name.encode()
    shown = data[:_LONGEST].decode(errors="ignore")
    safe = "".join(f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c for c in shown)
    return f"'{safe}...'" if len(data) > _LONGEST else f"'{safe}'"


@dataclass(frozen=True)
class Cells:
    """A column before encoding: numbers, or Python values; NaN or None where missing."""

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


def _listed(values: Iterable[Any], name: str, *, is_category: bool) -> Cells:
    """Collect values, None where missing; TypeError for anything but text and numbers."""
    kept: list[Any] = []
    for value in values:
        if isinstance(value, str):
            kept.append(None if value in _MISSING_TEXT else value)
        elif isinstance(value, int | float | np.number | np.bool_) or is_missing(value):
            kept.append(None if is_missing(value) else value)
        else:
            kind = type(value).__name__
            allowed = _INSTEAD_OF_DATES if kind in _DATES else "allowed: text or numbers"
            raise TypeError(f"column {quoted(name)}: found {kind}; {allowed}")
    return Cells(kept, is_category)


class Frame(Protocol):
    names: list[str]
    rows: int

    def is_plain(self) -> bool:
        """Whether it holds only numbers, none missing, as scikit-learn's checks expect."""

    def cells(self, position: int) -> Cells: ...


class _PandasFrame:
    def __init__(self, frame: Data) -> None:
        self._frame = frame
        self.names = [str(name) for name in frame.columns]
        self.rows = len(frame)

    def is_plain(self) -> bool:
        dtypes = list(self._frame.dtypes)
        kinds = {getattr(dtype, "kind", "O") for dtype in dtypes}
        if any(hasattr(dtype, "fill_value") for dtype in dtypes) or "c" in kinds:
            return True  # sparse columns; scikit-learn rejects complex ones
        return kinds <= set("iuf") and not self._frame.isna().to_numpy().any()

    def cells(self, position: int) -> Cells:
        series = self._frame.iloc[:, position]
        name = self.names[position]
        kind = getattr(series.dtype, "kind", "O")
        if kind in "mM":
            raise TypeError(f"column {quoted(name)}: found dates or times; {_INSTEAD_OF_DATES}")
        is_category = hasattr(series.dtype, "categories")
        if kind in "iuf" and not is_category:
            return Cells(series.to_numpy(dtype=np.float64, na_value=np.nan))
        missing = series.isna().to_numpy()
        values = zip(series.tolist(), missing, strict=True)
        return _listed(
            (None if gone else value for value, gone in values), name, is_category=is_category
        )


class _PolarsFrame:
    def __init__(self, frame: Data) -> None:
        self._frame = frame
        self.names = list(frame.columns)
        self.rows = int(frame.height)

    def is_plain(self) -> bool:
        numeric = all(dtype.is_numeric() for dtype in self._frame.dtypes)
        return numeric and not any(self.cells(i).missing for i in range(len(self.names)))

    def cells(self, position: int) -> Cells:
        series = self._frame.to_series(position)
        if series.dtype.is_numeric():
            return Cells(series.to_numpy().astype(np.float64))
        is_category = str(series.dtype).startswith(("Categorical", "Enum"))
        return _listed(series.to_list(), self.names[position], is_category=is_category)


class _ArrowFrame:
    """A pyarrow.Table; other frames are converted through their Arrow stream."""

    def __init__(self, table: Data) -> None:
        self._table = table
        self.names = list(table.column_names)
        self.rows = int(table.num_rows)

    def _is_numeric(self, position: int) -> bool:
        kind = str(self._table.column(position).type)
        return kind.startswith(("int", "uint", "float", "halffloat", "double", "decimal"))

    def is_plain(self) -> bool:
        columns = range(len(self.names))
        return all(map(self._is_numeric, columns)) and not any(
            self.cells(i).missing for i in columns
        )

    def cells(self, position: int) -> Cells:
        column = self._table.column(position)
        if self._is_numeric(position):
            return Cells(np.array(column.cast("float64", safe=False).to_numpy(), dtype=np.float64))
        is_category = str(column.type).startswith("dictionary")
        return _listed(column.to_pylist(), self.names[position], is_category=is_category)


def _module(X: Data) -> str:
    return type(X).__module__.partition(".")[0]


def frame_of(X: Data) -> Frame | None:
    """Return X as columns, or None if it is not a DataFrame."""
    if hasattr(X, "iloc") and hasattr(X, "isna") and hasattr(X, "columns"):
        return _PandasFrame(X)
    if _module(X) == "polars" and hasattr(X, "height"):
        return _PolarsFrame(X)
    if hasattr(X, "column_names") and hasattr(X, "num_rows"):
        return _ArrowFrame(X)
    if hasattr(X, "__arrow_c_stream__") and "pyarrow" in sys.modules:
        try:
            return _ArrowFrame(sys.modules["pyarrow"].table(X))
        except (TypeError, ValueError):  # a single column
            return None
    return None


def frame_of_rows(X: Data) -> Frame:
    """Return a DataFrame, or an array or list of rows treated as one, as columns."""
    frame = frame_of(X)
    return _RowsFrame(np.asarray(X, dtype=object)) if frame is None else frame


class _RowsFrame:
    def __init__(self, rows: Data) -> None:
        self._array = rows
        self.names = [str(position) for position in range(rows.shape[1])]
        self.rows = len(rows)

    def is_plain(self) -> bool:
        return False

    def cells(self, position: int) -> Cells:
        values = self._array[:, position].tolist()
        return _listed(values, self.names[position], is_category=False)


def refuse_same_names(frame: Frame) -> None:
    """Raise ValueError if two columns have the same name, so that `predict` can't tell them."""
    for name, count in Counter(frame.names).items():
        if count > 1:
            raise ValueError(
                f"X: found {count} columns named {quoted(name)}; allowed: a name for each column"
            )


def refuse_containers(X: Data) -> None:
    """Reject objects that hold no matrix, several, or masked cells; suggest what to pass."""
    name = type(X).__name__
    if isinstance(X, str | os.PathLike):
        raise TypeError(
            f"X: found {os.fspath(X)!r}; allowed: the data, as pandas.read_csv reads them"
        )
    is_dict = isinstance(X, Mapping) and not sparse.issparse(X)  # a dok_matrix was one
    if is_dict or getattr(getattr(X, "dtype", None), "names", None):
        raise TypeError(f"X: found named columns ({name}); allowed: pandas.DataFrame(X)")
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError(
            "X: found masked cells; allowed: none, or in a DataFrame missing ones, as in "
            "pandas.DataFrame(X.filled(numpy.nan))"
        )
    if hasattr(X, "obsm") and hasattr(X, "obsp"):
        raise TypeError(
            f"X: found {name}, which holds several matrices; allowed: one of them, such as "
            "adata.obsm['X_pca'] for features, or adata.obsp['connectivities'] with "
            "similarity='precomputed' for a graph"
        )
    if _module(X) == "polars" and hasattr(X, "collect"):
        raise TypeError(f"X: found {name}, which holds no rows yet; allowed: X.collect()")


def with_advice(error: ValueError) -> ValueError:
    """Add advice to scikit-learn's errors about missing cells and text in an array."""
    told = str(error).partition("\n")[0]
    if "contains NaN" in told:
        told += (
            " Missing cells of a DataFrame are filled with the column's median or most frequent "
            "value; in an array fill them first, as sklearn.impute.SimpleImputer does."
        )
    elif "could not convert string" in told:
        told += (
            ". Text in the columns of a DataFrame is one-hot encoded; an array holds numbers. "
            "Documents become numbers with sklearn.feature_extraction.text.TfidfVectorizer."
        )
    else:
        return error
    return ValueError(told)
