"""The search over all 2 x 2 tables agrees with the scores of labels, and with known triples."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import places
from experiments.paper.tables import doubts, printed
from experiments.paper.tables.attainable import all_scores, tables_with
from experiments.paper.tables.printed import Place
from shiftcut import metrics


@pytest.mark.parametrize("classes", [(3, 5), (7, 9)])
def test_scores_of_every_table_are_those_of_its_labels(classes: tuple[int, int]) -> None:
    a, b = classes
    found = all_scores(a, b)
    truth = np.repeat([0, 1], [a, b])
    for x in range(a + 1):
        for y in range(b + 1):
            if 0 < x + y < a + b:
                labels = np.repeat([0, 1, 0, 1], [x, a - x, y, b - y])
                scores = metrics.scores(truth, labels)
                assert found.ami_max[x, y] == pytest.approx(scores["ami_max"], abs=1e-9)
                assert found.ari[x, y] == pytest.approx(scores["ari"], abs=1e-9)
                assert found.v_measure[x, y] == pytest.approx(scores["v_measure"], abs=1e-9)


def test_the_printed_pima_row_has_one_source() -> None:
    assert tables_with((268, 500), 0.1178, 0.1535, 0.1227) == [(67, 334), (201, 166)]


def test_the_printed_spectf_row_has_none_but_without_its_ari() -> None:
    assert tables_with((55, 212), 0.1570, 0.0917, 0.1788) == []
    assert tables_with((55, 212), 0.1570, None, 0.1788) == [(0, 94), (55, 118)]
    assert tables_with((55, 212), 0.1570, -0.0197, 0.1788) == [(0, 94), (55, 118)]


def test_three_equal_scores_have_no_source() -> None:
    assert tables_with((268, 500), 0.12, 0.12, 0.12) == []


needs_tables = pytest.mark.skipif(
    not places.PRINTED.is_file(), reason=f"the printed tables are not at {places.PRINTED}"
)


@needs_tables
def test_every_doubt_that_names_a_check_is_confirmed_by_it() -> None:
    numbers = printed.read()
    found = doubts.findings(numbers)
    for place, doubt in doubts.listed().items():
        assert place in numbers, place
        assert not doubt.check or place in found[doubt.check], (place, doubt)


@needs_tables
def test_what_the_checks_find_is_listed() -> None:
    listed, found = doubts.listed(), doubts.findings(printed.read())
    assert found["above_v"] <= set(listed)
    for place in found["unattainable"]:
        if place.method not in doubts.FREE_K and place.score == "ari":
            assert place in listed


@needs_tables
def test_copied_rows_and_columns_are_found() -> None:
    found = doubts.findings(printed.read())
    assert Place("best", "Heart", "ShiftedMinCut", "ami_max") in found["copied_row"]
    assert Place("best", "Teaching Assistant", "PSC", "ari") in found["copied_column"]
    assert not any(place.data == "Ecoli" for places_ in found.values() for place in places_)
