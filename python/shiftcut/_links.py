"""Pairs of samples that somebody knows to belong together, or apart, as the library takes them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Data, Floats

_Pairs = tuple[npt.NDArray[np.uint32], Floats]  # and the weight of each
_Groups = npt.NDArray[np.int32]
_NO_GROUP = -1


def _checked(name: str, given: Data, n_objects: int) -> npt.NDArray[np.uint32]:
    pairs = np.asarray([] if given is None else given)
    if pairs.size == 0:
        return np.empty((0, 2), dtype=np.uint32)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"{name} must be of shape (n_pairs, 2), got {pairs.shape}")
    if pairs.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold indices of samples (ints), got dtype {pairs.dtype}")
    if pairs.min() < 0 or pairs.max() >= n_objects:
        wrong = pairs[(pairs < 0) | (pairs >= n_objects)][0]
        raise ValueError(f"{name} holds {wrong}, but there are {n_objects} samples")
    itself = pairs[pairs[:, 0] == pairs[:, 1]]
    if len(itself) > 0:
        raise ValueError(f"{name} holds {itself[0, 0]} with itself")
    return np.ascontiguousarray(pairs, dtype=np.uint32)


def _is_no_group(value: Hashable) -> bool:
    """None, NaN (which no value equals, nor itself), pandas' NA and -1."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return bool(value != value) or (not isinstance(value, str) and value == _NO_GROUP)


def _group_numbers(given: Data, n_objects: int) -> _Groups:
    """Numbers of groups in the order they come in, -1 for none."""
    values = list(given)
    if len(values) != n_objects:
        raise ValueError(
            f"cannot_link_groups must have one group for each of the {n_objects} samples, got "
            f"{len(values)}"
        )
    numbers: dict[Hashable, int] = {}
    groups = np.full(n_objects, _NO_GROUP, dtype=np.int32)
    for i, value in enumerate(values):
        if not isinstance(value, Hashable):
            raise TypeError(
                f"cannot_link_groups must hold one value a sample, got {value!r} for sample {i}"
            )
        if not _is_no_group(value):
            groups[i] = numbers.setdefault(value, len(numbers))
    return groups


def link_options(given: Mapping[str, Any], n_objects: int) -> dict[str, _Pairs | _Groups]:
    """The parameters on pairs of samples and on groups of them as options of the library."""
    must = _checked("must_link", given["must_link"], n_objects)
    cannot = _checked("cannot_link", given["cannot_link"], n_objects)
    count = len(must) + len(cannot)
    if given["pair_weights"] is None:
        weights = np.full(count, np.inf)
    else:
        weights = np.asarray(given["pair_weights"], dtype=np.float64)
        if weights.shape != (count,):
            raise ValueError(
                f"pair_weights must have one weight for each of the {len(must)} pairs of must_link "
                f"and then the {len(cannot)} of cannot_link, got shape {weights.shape}"
            )
        if not (weights > 0).all():
            raise ValueError("pair_weights must be above 0; inf makes a pair certain")
    options: dict[str, _Pairs | _Groups] = {}
    if len(must) > 0:
        options["must_link"] = (must, np.ascontiguousarray(weights[: len(must)]))
    if len(cannot) > 0:
        options["cannot_link"] = (cannot, np.ascontiguousarray(weights[len(must) :]))
    if given["cannot_link_groups"] is not None:
        options["cannot_link_groups"] = _group_numbers(given["cannot_link_groups"], n_objects)
    return options
