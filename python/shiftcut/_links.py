"""Must-links, cannot-links and groups, checked and converted to options of the library."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Data, Floats
from ._checks import is_missing

LINKS = ("must_link", "cannot_link", "cannot_link_groups", "pair_weights")

_Pairs = tuple[npt.NDArray[np.uint32], Floats]  # and the weight of each
_Groups = npt.NDArray[np.int32]
_NO_GROUP = -1
_IN_FIT = (
    "; indices given to the constructor are those of one data set: where `fit` sees part of it, as "
    "in cross-validation, pass them to `fit`"
)


def links_of_fit(parameters: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the links of a fit: arguments of `fit` override parameters of the same name."""
    links = {name: parameters[name] if given.get(name) is None else given[name] for name in LINKS}
    has_pairs = given.get("must_link") is not None or given.get("cannot_link") is not None
    if has_pairs and given.get("pair_weights") is None and links["pair_weights"] is not None:
        raise ValueError(
            "pair_weights: found only in the constructor, but pairs in fit; allowed: weights "
            "where the pairs are"
        )
    return links


def _listed(name: str, given: Data, shape: str) -> Data:
    """Return `given`; TypeError if it is unordered, has no rows or can be read only once."""
    if isinstance(given, str | bytes | Mapping | Set | Iterator):
        raise TypeError(
            f"{name} must be array-like of shape {shape}, got {type(given).__name__}; "
            "convert it to a list"
        )
    return given


def _checked(name: str, given: Data, n_objects: int, hint: str) -> npt.NDArray[np.uint32]:
    shape = "(n_pairs, 2)"
    pairs = np.asarray([] if given is None else _listed(name, given, shape))
    if pairs.size == 0 and pairs.ndim > 0:
        return np.empty((0, 2), dtype=np.uint32)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"{name} must be of shape {shape}, got {pairs.shape}")
    if pairs.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold indices of samples (ints), got dtype {pairs.dtype}")
    if pairs.min() < 0 or pairs.max() >= n_objects:
        wrong = pairs[(pairs < 0) | (pairs >= n_objects)][0]
        raise ValueError(f"{name} holds {wrong}, but there are {n_objects} samples{hint}")
    itself = pairs[pairs[:, 0] == pairs[:, 1]]
    if len(itself) > 0:
        raise ValueError(f"{name} holds {itself[0, 0]} with itself")
    return np.ascontiguousarray(pairs, dtype=np.uint32)


def _is_no_group(value: Hashable) -> bool:
    """Whether a value means no group: missing, or -1."""
    return is_missing(value) or (not isinstance(value, str) and value == _NO_GROUP)


def _group_numbers(given: Data, n_objects: int, hint: str) -> _Groups:
    """Number the groups in order of appearance; -1 means none."""
    shape = "(n_samples,)"
    if getattr(given, "ndim", 1) != 1 or not hasattr(given, "__iter__"):
        raise ValueError(f"cannot_link_groups must be array-like of shape {shape}, got {given!r}")
    values = list(_listed("cannot_link_groups", given, shape))
    if len(values) != n_objects:
        raise ValueError(
            f"cannot_link_groups must have one group for each of the {n_objects} samples, got "
            f"{len(values)}{hint}"
        )
    numbers: dict[Hashable, int] = {}
    groups = np.full(n_objects, _NO_GROUP, dtype=np.int32)
    for i, value in enumerate(values):
        if not isinstance(value, Hashable):
            raise TypeError(
                f"cannot_link_groups must hold one value per sample, got {value!r} for sample {i}"
            )
        if not _is_no_group(value):
            groups[i] = numbers.setdefault(value, len(numbers))
    return groups


def _weights(given: Data, must: int, cannot: int) -> Floats:
    if given is None:
        return np.full(must + cannot, np.inf)
    weights = np.asarray(_listed("pair_weights", given, "(n_pairs,)"))
    if weights.shape != (must + cannot,):
        raise ValueError(
            f"pair_weights must have one weight for each of the {must} pairs of must_link "
            f"and then the {cannot} of cannot_link, got shape {weights.shape}"
        )
    if weights.dtype.kind not in "iuf" and weights.size > 0:
        raise TypeError(f"pair_weights must be numbers, got dtype {weights.dtype}")
    if not (weights > 0).all():
        raise ValueError("pair_weights must be above 0; inf makes a pair certain")
    return weights.astype(np.float64)


def link_options(
    given: Mapping[str, Any], n_objects: int, in_fit: frozenset[str] = frozenset()
) -> dict[str, _Pairs | _Groups]:
    """Convert pairs and groups to options of the library; `in_fit` names those passed to
    `fit`."""
    hints = {name: "" if name in in_fit else _IN_FIT for name in LINKS}
    must, cannot = (
        _checked(name, given[name], n_objects, hints[name]) for name in ("must_link", "cannot_link")
    )
    weights = _weights(given["pair_weights"], len(must), len(cannot))
    options: dict[str, _Pairs | _Groups] = {}
    if len(must) > 0:
        options["must_link"] = (must, np.ascontiguousarray(weights[: len(must)]))
    if len(cannot) > 0:
        options["cannot_link"] = (cannot, np.ascontiguousarray(weights[len(must) :]))
    if given["cannot_link_groups"] is not None:
        options["cannot_link_groups"] = _group_numbers(
            given["cannot_link_groups"], n_objects, hints["cannot_link_groups"]
        )
    return options


def links_within(given: Mapping[str, Any], rows: npt.NDArray[np.intp]) -> dict[str, Any]:
    """Restrict links to a subset of the rows and renumber them accordingly."""
    place = {int(row): i for i, row in enumerate(rows)}
    within: dict[str, Any] = {}
    kept: list[npt.NDArray[np.bool_]] = []
    for name in ("must_link", "cannot_link"):
        pairs = np.asarray([] if given[name] is None else given[name], dtype=np.int64)
        pairs = pairs.reshape(-1, 2)
        inside = np.array([a in place and b in place for a, b in pairs.tolist()], dtype=bool)
        kept.append(inside)
        within[name] = [[place[a], place[b]] for a, b in pairs[inside].tolist()]
    if given["pair_weights"] is not None:
        within["pair_weights"] = np.asarray(given["pair_weights"])[np.concatenate(kept)]
    if given["cannot_link_groups"] is not None:
        groups = list(given["cannot_link_groups"])
        within["cannot_link_groups"] = [groups[row] for row in rows]
    return within
