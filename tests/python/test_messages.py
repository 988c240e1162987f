"""Warnings and errors of the library name Python's parameters, with a code each."""

from __future__ import annotations

import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftcutWarning, ShiftedMinCut

ERRORS = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
FLAG = re.compile(r"(^|[^\w-])(--[a-z]|-k\b)")


def warned(X: Any, **parameters: Any) -> list[ShiftcutWarning]:  # noqa: ANN401
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = ShiftedMinCut(random_state=0, **parameters).fit(X)
    found = [w.message for w in caught if isinstance(w.message, ShiftcutWarning)]
    assert [str(w) for w in found] == model.result_["warnings"]
    return found


def blobs() -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(3)
    return np.vstack([rng.normal(0, 0.1, (20, 2)), rng.normal(5, 0.1, (20, 2))])


def test_warnings_name_python_parameters_and_have_documented_codes() -> None:
    ring = sparse.csr_array(np.ones((6, 6)) - np.eye(6))
    cases = {
        "fewer_clusters": (warned(blobs(), n_clusters=9, similarity="linear"), "n_clusters"),
        "one_cluster": (warned(ring, similarity="precomputed", shift="none"), "shift"),
        "too_many_neighbors": (warned(blobs()[:5], n_neighbors=9), "n_neighbors"),
        "ignored_parameter": (warned(blobs(), sigma=2.0), "sigma"),
        "equal_rows": (warned(np.ones((4, 2))), ""),
    }
    table = ERRORS.read_text(encoding="utf-8")
    for code, (found, parameter) in cases.items():
        assert (code, parameter) in {(w.code, w.parameter) for w in found}, code
        for warning in found:
            assert f"`{warning.code}`" in table
            assert not FLAG.search(str(warning)), warning


def test_advice_is_spelt_as_python_code() -> None:
    texts = [str(w) for w in warned(blobs(), n_clusters=9, similarity="linear")]
    assert any("Try similarity='neighbors', or a shift_strength" in text for text in texts)
    ring = sparse.csr_array(np.ones((6, 6)) - np.eye(6))
    texts = [str(w) for w in warned(ring, similarity="precomputed", shift="none")]
    assert any("Try shift='adaptive'." in text for text in texts)


def test_errors_of_the_library_have_a_code_and_a_parameter() -> None:
    with pytest.raises(ValueError, match=r"^cannot_link: found 0 and 1, which must_link") as raised:
        ShiftedMinCut(2, must_link=[(0, 1)], cannot_link=[(0, 1)]).fit(blobs())
    assert raised.value.code == "contradiction"  # type: ignore[attr-defined]
    assert raised.value.parameter == "cannot_link"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"^cannot_link_groups: found a group of 3") as raised:
        ShiftedMinCut(2, cannot_link_groups=[0, 0, 0] + [1] * 37).fit(blobs())
    assert raised.value.code == "too_few_clusters"  # type: ignore[attr-defined]
    assert raised.value.parameter == "cannot_link_groups"  # type: ignore[attr-defined]


def test_a_warning_survives_pickling() -> None:
    warning = pickle.loads(pickle.dumps(ShiftcutWarning("text", "code", "parameter")))
    assert (str(warning), warning.code, warning.parameter) == ("text", "code", "parameter")
