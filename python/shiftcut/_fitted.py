"""What a fit leaves for new rows."""

from __future__ import annotations

from typing import Any

from . import _core
from ._arrays import Floats, Labels, Matrix, core_values
from ._table import TableEncoder


class Fitted:
    """The library's model of a fit, made when it is first needed.

    Until then the data are the caller's, where they lie; the model keeps of them what new rows
    need, and is all that is copied or pickled.
    """

    def __init__(
        self,
        values: Matrix,
        shape: str,
        options: dict[str, Any],
        run: _core.Run,
        encoder: TableEncoder | None,
        *,
        has_names: bool,
    ) -> None:
        self._values = values
        self._shape = shape
        self._options = options
        self._run: _core.Run | None = run
        self._columns = None if encoder is None else encoder.columns()
        self._has_names = has_names
        self._threads: int = options["threads"]
        self._model: _core.Model | None = None
        self._layout: Floats | None = None

    @classmethod
    def of_model(cls, model: _core.Model, threads: int) -> Fitted:
        """One that was read from a file."""
        fitted = cls.__new__(cls)
        fitted.__setstate__({"model": model, "threads": threads})
        return fitted

    @property
    def model(self) -> _core.Model:
        if self._model is None:
            if self._run is None:  # copied without a model
                raise ValueError(
                    "shift: found a matrix, which holds no shift for new rows; allowed: any other"
                )
            self._model = _core.Model(
                core_values(self._values),
                self._shape,
                self._options,
                self._run,
                self._columns,
                self._has_names,
            )
        return self._model

    @property
    def run(self) -> _core.Run | None:
        """Knows the neighbours of the fit."""
        if self._run is None and self._model is not None:
            self._run = self._model.run()
        return self._run

    def layout(self) -> Floats | None:
        """Of the objects, made when it is first needed; None where the data are gone."""
        if self._layout is None and self._run is not None and hasattr(self, "_values"):
            self._layout = _core.layout(
                core_values(self._values), self._shape, self._options, self._run
            )
        return self._layout

    def affinities(self, values: Matrix) -> Floats:
        return self.model.affinities(core_values(values), self._threads)

    def predict(self, values: Matrix) -> Labels:
        return self.model.predict(core_values(values), self._threads)

    def judge(self, values: Matrix, *, noise: bool) -> tuple[Labels, tuple[Any, ...]]:
        """Return labels, and strengths, outlier scores and the parts of sparse probabilities."""
        return self.model.judge(core_values(values), self._threads, noise)

    def __getstate__(self) -> dict[str, Any]:
        has_model = self._model is not None or self._options.get("shift") != "matrix"
        return {
            "model": self.model if has_model else None,
            "threads": self._threads,
            "layout": self._layout,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._model = state["model"]
        self._threads = state["threads"]
        self._layout = state.get("layout")
        self._run = None
        self._options = {} if self._model is not None else {"shift": "matrix"}
