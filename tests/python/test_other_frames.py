"""Frames of polars and Arrow are read as those of pandas are."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pytest

from shiftcut import ShiftcutWarning, ShiftedMinCut
from shiftcut.model_selection import agreement

from .test_tables import people

PEOPLE = people().drop(columns="nothing").assign(code=lambda frame: frame["code"].astype(str))


def columns() -> dict[str, list[Any]]:
    """Python values, None where missing."""
    return {
        name: [None if value != value else value for value in PEOPLE[name].astype(object)]
        for name in PEOPLE.columns
    }


def polars_frame(values: dict[str, Any]) -> Any:  # noqa: ANN401
    return pytest.importorskip("polars").DataFrame(values)


def arrow_table(values: dict[str, Any]) -> Any:  # noqa: ANN401
    return pytest.importorskip("pyarrow").table(values)


FRAMES = [polars_frame, arrow_table]


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("similarity", ["linear", "neighbors"])
def test_text_and_missing_cells(make: Any, similarity: str) -> None:  # noqa: ANN401
    frame = make(columns())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        model = ShiftedMinCut(3, similarity=similarity, random_state=0).fit(frame)
        same = ShiftedMinCut(3, similarity=similarity, random_state=0).fit(PEOPLE)
    np.testing.assert_array_equal(model.labels_, same.labels_)
    assert model.result_["warnings"] == same.result_["warnings"]
    assert model.n_features_in_ == 6
    np.testing.assert_array_equal(model.predict(frame), same.predict(PEOPLE))


@pytest.mark.parametrize("make", FRAMES)
def test_plain_numbers_and_holes_in_new_rows(make: Any) -> None:  # noqa: ANN401
    numbers = np.random.default_rng(0).normal(size=(40, 2))
    numbers[20:] += 8
    model = ShiftedMinCut(2, random_state=0).fit(make({"a": numbers[:, 0], "b": numbers[:, 1]}))
    np.testing.assert_array_equal(
        model.labels_, ShiftedMinCut(2, random_state=0).fit_predict(numbers)
    )
    new = make({"a": [0.0, 8.0], "b": [0.0, None]})
    filled = make({"a": [0.0, 8.0], "b": [0.0, float(np.median(numbers[:, 1]))]})
    np.testing.assert_allclose(model.transform(new), model.transform(filled))


@pytest.mark.parametrize("make", FRAMES)
def test_parts_of_it_are_grouped(make: Any) -> None:  # noqa: ANN401
    numbers = np.random.default_rng(0).normal(size=(40, 2))
    numbers[20:] += 8
    frame = make({"a": numbers[:, 0], "b": numbers[:, 1]})
    assert agreement(ShiftedMinCut(2, random_state=0), frame, n_splits=2).min() == 1


def test_categories_and_other_types_of_columns() -> None:
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    text = ["u", "v"] * 10
    numbers = [0.0, 9.0] * 10
    made = [
        polars.DataFrame({"c": polars.Series(text, dtype=polars.Categorical), "x": numbers}),
        polars.DataFrame({"c": polars.Series(text, dtype=polars.Enum(["u", "v"])), "x": numbers}),
        arrow.table({"c": arrow.array(text).dictionary_encode(), "x": numbers}),
    ]
    for frame in made:
        model = ShiftedMinCut(2, similarity="linear", random_state=0).fit(frame)
        assert model._data.tolist()[:2] == [[1, 0, 0], [0, 1, 9]]
    from datetime import date

    with pytest.raises(TypeError, match="column 'd': found date; allowed: numbers or text; make"):
        ShiftedMinCut(2).fit(polars.DataFrame({"d": [date(2020, 1, 1)] * 3}))
    with pytest.raises(TypeError, match=r"found LazyFrame.*X.collect\(\)"):
        ShiftedMinCut(2).fit(made[0].lazy())


def test_an_arrow_stream_is_a_frame() -> None:
    arrow = pytest.importorskip("pyarrow")

    class Stream:
        shape = (20, 2)

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            table = arrow.table({"c": ["u", "v"] * 10, "x": [0.0, 9.0] * 10})
            return table.__arrow_c_stream__(requested_schema)

    assert "pyarrow" in sys.modules
    model = ShiftedMinCut(2, similarity="linear", random_state=0).fit(Stream())
    assert model.labels_.tolist() == [1, 0] * 10
