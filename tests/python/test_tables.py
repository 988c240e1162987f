"""DataFrames with text, categories and missing cells are read as the command line reads a table."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftcut import ShiftcutWarning, ShiftedMinCut

from .command_line import cluster
from .test_same_as_command_line import check_same, fitted

pd = pytest.importorskip("pandas")


def people(n: int = 90) -> Any:  # noqa: ANN401
    rng = np.random.default_rng(0)
    group = np.arange(n) % 3
    frame = pd.DataFrame(
        {
            "age": 20 + 15 * group + rng.normal(size=n),
            "income": rng.normal(size=n) * 5 + group * 20,
            "city": np.array(["oslo", "Ürümqi", "rome"], dtype=object)[group],
            "smokes": rng.random(n) < 0.4,
            "code": pd.Categorical(rng.integers(8, 12, n)),
            "rank": [str(i % 5) for i in range(n)],
            "nothing": [np.nan] * n,
        }
    )
    frame.loc[[3, 10], "age"] = np.nan
    frame.loc[[5], "income"] = np.nan
    frame.loc[[7, 8], "city"] = None
    frame.loc[[11], "city"] = "?"
    return frame


@pytest.mark.parametrize("similarity", ["linear", "neighbors"])
def test_the_same_answer_and_words_as_for_the_csv(similarity: str, tmp_path: Path) -> None:
    frame = people()
    file = tmp_path / "people.csv"
    frame.to_csv(file, index=False)
    ours = fitted(ShiftedMinCut(3, similarity=similarity, random_state=0), frame)
    arguments = ["--similarity", similarity, "--categorical", "code,rank"]
    theirs = cluster(file, "-k", 3, *arguments)
    check_same(ours, theirs)
    told = "\n".join(ours.result_["warnings"])
    assert "column 'age': 2 missing cells filled with the median" in told
    assert "column 'city': 3 missing cells filled with the most frequent value" in told
    assert "column 'nothing' holds no values and was left out" in told


def test_many_columns_with_holes_are_summed_up(tmp_path: Path) -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(30, 12)))
    frame.columns = [f"x{i}" for i in range(12)]
    for i in range(11):
        frame.iloc[i, i] = np.nan
    frame.to_csv(tmp_path / "holes.csv", index=False)
    ours = fitted(ShiftedMinCut(2, similarity="linear", random_state=0), frame)
    theirs = cluster(tmp_path / "holes.csv", "-k", 2, "--similarity", "linear")
    check_same(ours, theirs)
    assert any("3 more columns" in warning for warning in ours.result_["warnings"])


def test_numbers_alone_are_not_copied_into_a_table() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(30, 3)).astype(np.float32))
    same = ShiftedMinCut(2, random_state=0).fit(frame.to_numpy())
    np.testing.assert_array_equal(ShiftedMinCut(2, random_state=0).fit_predict(frame), same.labels_)


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
def test_new_rows_are_encoded_as_the_old_ones() -> None:
    frame = people()
    model = ShiftedMinCut(3, similarity="linear", random_state=0).fit(frame)
    np.testing.assert_array_equal(model.predict(frame), model.labels_)
    assert list(model.feature_names_in_) == list(frame.columns)
    assert model.n_features_in_ == frame.shape[1]
    one = frame.iloc[[0]]
    assert model.predict(one)[0] == model.labels_[0]
    np.testing.assert_array_equal(model.predict(frame.to_numpy(dtype=object)), model.labels_)


def test_an_unknown_category_is_told_and_is_none_of_the_known() -> None:
    frame = people()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        model = ShiftedMinCut(3, similarity="linear", random_state=0).fit(frame)
    new = frame.iloc[[0, 1]].copy()
    new.loc[0, "city"] = "atlantis"
    with pytest.warns(ShiftcutWarning, match="'atlantis', which did not occur in fit"):
        assert model.predict(new).shape == (2,)


def test_text_of_digits_is_text_not_numbers() -> None:
    """The zip code 02139 is no number, and 02139 and 2139 are two."""
    codes = ["02139", "2139", "10001"] * 4
    frame = pd.DataFrame({"zip": codes, "x": range(12)})
    for column in (frame["zip"], frame["zip"].astype(object), frame["zip"].astype("category")):
        model = ShiftedMinCut(2, similarity="linear", random_state=0).fit(frame.assign(zip=column))
        same = pd.get_dummies(frame, columns=["zip"])[["zip_02139", "zip_10001", "zip_2139", "x"]]
        assert model._data.shape == (12, 4)
        np.testing.assert_array_equal(model._data, same.to_numpy(dtype=float))


def test_text_that_is_all_different_numbers_is_named_with_what_to_do() -> None:
    frame = pd.DataFrame({"a": [f"{i}.5" for i in range(50)], "b": range(50)})
    with pytest.raises(ValueError, match=r"make it numbers with pandas.to_numeric"):
        ShiftedMinCut(2).fit(frame)


def test_text_among_numbers_is_refused() -> None:
    frame = pd.DataFrame({"a": np.array([1, "2", 9, 8], dtype=object), "b": [1, 2, 8, 9]})
    with pytest.raises(ValueError, match=r"column 'a': found text \('2'\) and numbers \(1\)"):
        ShiftedMinCut(2).fit(frame)


def test_text_where_numbers_were_is_refused() -> None:
    model = ShiftedMinCut(2, similarity="linear", random_state=0)
    model.fit(pd.DataFrame({"a": [1.0, 2, 9, 8], "b": [1, 2, 8, 9]}))
    with pytest.raises(ValueError, match="found 'many' in a column of numbers"):
        model.predict(pd.DataFrame({"a": ["many"], "b": [1]}))
    with pytest.raises(ValueError, match="row 0, column 'a': Input X contains infinity"):
        model.predict(pd.DataFrame({"a": ["nan"], "b": [1]}))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_missing_cells_of_new_rows_are_filled_though_the_fit_had_none(dtype: type) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 3)).astype(dtype), columns=list("abc"))
    frame.iloc[20:] += 9
    new = frame.iloc[[0, 30]].copy()
    new.iloc[0, 1] = new.iloc[1, 2] = np.nan
    filled = new.fillna(frame.median())
    for similarity in ("neighbors", "linear"):
        model = ShiftedMinCut(2, similarity=similarity, random_state=0).fit(frame)
        np.testing.assert_allclose(model.transform(new), model.transform(filled), rtol=1e-6)
        holes = new.astype(object).where(new.notna(), None)
        np.testing.assert_allclose(model.transform(holes), model.transform(filled), rtol=1e-6)
        np.testing.assert_array_equal(model.predict(frame), model.labels_)
    with pytest.raises(ValueError, match="NaN"):
        ShiftedMinCut(2).fit(frame.to_numpy()).predict(new.to_numpy())


def test_a_category_of_numbers_is_known_again_in_a_plain_column() -> None:
    frame = pd.DataFrame({"code": pd.Categorical([8, 9] * 10), "x": [0, 5] * 10})
    model = ShiftedMinCut(2, similarity="linear", random_state=0).fit(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ShiftcutWarning)
        for plain in (int, float, object):
            new = frame.astype({"code": plain})
            np.testing.assert_array_equal(model.predict(new), model.labels_)
        new = pd.DataFrame({"code": [8, None], "x": [0, 0]})
        assert model.predict(new).tolist() == [model.labels_[0]] * 2


def test_extension_types_are_numbers_with_holes() -> None:
    frame = pd.DataFrame({"a": pd.array([1, 2, None, 9, 10, 11], dtype="Int64"), "b": range(6)})
    with pytest.warns(ShiftcutWarning, match="column 'a': 1 missing cell filled with the median 9"):
        ShiftedMinCut(2, similarity="linear", random_state=0).fit(frame)


@pytest.mark.parametrize(
    ("column", "error", "words"),
    [
        ([f"id{i}" for i in range(50)], ValueError, "looks like an identifier"),
        ([f"${i},000" for i in range(50)], ValueError, r"found amounts such as '\$0,000'"),
        ([1, 2, "x"] * 16 + [1, 2], ValueError, r"found text \('x'\) and numbers \(1\)"),
        ([np.inf] * 49 + [None], ValueError, "contains infinity"),
        (pd.date_range("2020-01-01", periods=50), TypeError, "dates or times"),
        ([[1]] * 50, TypeError, "found list; allowed: text or numbers"),
    ],
)
def test_columns_that_make_no_sense_are_refused(
    column: list[object], error: type[Exception], words: str
) -> None:
    frame = pd.DataFrame({"fine": range(50), "bad": column})
    with pytest.raises(error, match=words):
        ShiftedMinCut(2).fit(frame)


@pytest.mark.parametrize(
    ("texts", "what"), [(["$1,200", "$900"], "amounts"), (["2020-01-31", "2021-02-28"], "dates")]
)
def test_text_with_an_order_that_categories_lose_is_noted(texts: list[str], what: str) -> None:
    frame = pd.DataFrame({"x": range(20), "bad": texts * 10})
    with pytest.warns(ShiftcutWarning, match=f"column 'bad' holds {what} such as"):
        ShiftedMinCut(2, random_state=0).fit(frame)


def test_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="X: found 2 columns named 'a'; allowed: a name for each"):
        ShiftedMinCut(2).fit(frame)


@pytest.mark.parametrize("others", ["numbers", "text"])
def test_a_column_that_counts_the_rows_is_noted(others: str) -> None:
    rng = np.random.default_rng(0)
    other = rng.normal(size=40) if others == "numbers" else rng.choice(["u", "v"], 40)
    frame = pd.DataFrame({"id": range(1, 41), "other": other})
    with pytest.warns(ShiftcutWarning, match="column 'id' counts the rows, from 1"):
        ShiftedMinCut(2, random_state=0).fit(frame)
    shuffled = frame.iloc[rng.permutation(40)]
    with warnings.catch_warnings(record=True) as caught_again:
        warnings.simplefilter("always")
        ShiftedMinCut(2, random_state=0).fit(shuffled)
    assert not any("counts the rows" in str(one.message) for one in caught_again)


def test_text_in_an_array_is_refused() -> None:
    with pytest.raises(ValueError, match="could not convert string to float"):
        ShiftedMinCut(2).fit(np.array([["a", "b"], ["c", "d"]], dtype=object))


def test_a_table_read_back_is_the_same_table() -> None:
    text = people().to_csv(index=False)
    again = pd.read_csv(io.StringIO(text), keep_default_na=True, dtype={"rank": str})
    again["code"] = again["code"].astype("category")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        one, two = (ShiftedMinCut(3, random_state=0).fit(f) for f in (people(), again))
    np.testing.assert_array_equal(one.labels_, two.labels_)


def test_text_that_would_become_very_many_columns_is_refused() -> None:
    rows = 12_000
    frame = pd.DataFrame(
        {f"t{j}": [f"v{i % 5_900}" for i in range(rows)] for j in range(2)} | {"x": range(rows)}
    )
    with pytest.raises(ValueError, match=r"found 11800 different texts.*at most 10000.*'t0'"):
        ShiftedMinCut(n_clusters=2).fit(frame)
