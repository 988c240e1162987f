"""Clustering guided by a person's answers about pairs."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from . import _core
from ._arrays import Data, Labels, Matrix, core_values
from ._checks import answer_of, count, flag, index
from ._estimator import ShiftedMinCut
from ._files import replace_file
from ._graphs import matrix_model
from ._parameters import check_log_odds, check_parameters, core_options, ignored
from ._progress import ProgressLine
from ._warnings import warn_all

if TYPE_CHECKING:
    from ._explore import Exploration, Explored
    from ._widget import ExplorerWidget

STRATEGIES = ("entropy", "maxexp", "maxmin", "random", "uncertainty")
_WORDS = {True: "same", False: "different", None: "unsure"}
_SAYS = {True: 1, False: 0, None: -1}

Answer = tuple[int, int, bool | None]


class Feedback:
    """Asks about pairs and reclusters after each answer.

    Parameters
    ----------
    model : ShiftedMinCut
        How to cluster. It is not modified.
    X : as for `ShiftedMinCut.fit`, or None, default=None
        The data. None: the data that `model` was fitted to.
    strategy : {"entropy", "maxexp", "maxmin", "random", "uncertainty"}, default="entropy"
        How pairs are chosen. "entropy" compares objects that may belong to several clusters with a
        typical member of each; "maxmin" and "maxexp" look for three objects whose similarities
        contradict each other; "uncertainty" selects similarities close to 0.
    learn : bool, default=True
        Learn feature weights and the shift strength from the answers, each time their number has
        grown by a quarter; with more than 10,000 samples, only when `refit` is called.
    random_state : int or None, default=None
        None: use that of the model.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object. Clusters keep their numbers from answer to answer.
    answers_ : list of (int, int, bool or None)
        The answers in the order given; None means unsure.
    n_changed_ : int
        Number of objects whose cluster changed with the last answer, `undo` or `refit`.
    result_ : dict
        Like `ShiftedMinCut.result_`; the sizes are in decreasing order.

    Examples
    --------
    >>> import shiftcut
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = shiftcut.ShiftedMinCut(3, random_state=0)
    >>> feedback = shiftcut.Feedback(model, X)
    >>> for _ in range(20):
    ...     for i, j in feedback.next_pairs(1):
    ...         n_changed = feedback.answer(i, j, y[i] == y[j])
    >>> len(feedback.answers_)
    20
    """

    def __init__(
        self,
        model: ShiftedMinCut,
        X: Data = None,
        *,
        strategy: str = "entropy",
        learn: bool = True,
        random_state: int | None = None,
    ) -> None:
        if strategy not in STRATEGIES:
            raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}, got {strategy!r}")
        if not isinstance(model, ShiftedMinCut):
            raise TypeError(f"model: found {model!r}; allowed: a ShiftedMinCut")
        learn = flag("learn", learn)
        check_parameters(model.get_params(deep=False))
        model, X = matrix_model(model, X)
        parameters = model._parameters() if X is None else model.get_params(deep=False)
        values = _values_of(model, X)
        if X is None:
            parameters |= model._links
        if random_state is not None:
            parameters["random_state"] = random_state
        check_log_odds(parameters, values)
        warn_all(ignored(parameters, values))
        options = core_options(parameters, values.shape[0])
        if X is None:
            options["sample_weight"] = model._sample_weight
        self._model = model
        self._n_samples: int = values.shape[0]
        self.answers_: list[Answer] = []
        self.n_changed_ = 0
        progress = ProgressLine() if model.verbose else None
        try:
            self._core = _core.Feedback(
                core_values(values),
                model._shape(values),
                options,
                strategy,
                learn,
                checked=model._matrix_shape() is None,
                progress=progress,
            )
        except ValueError as error:
            model._explain_asymmetry(values, error)
            raise
        finally:
            if progress is not None:
                progress.close()

    @property
    def labels_(self) -> Labels:
        return self._core.labels()

    @property
    def result_(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self._core.result())
        del result["labels"]
        return result

    def next_pairs(self, n: int = 1) -> list[tuple[int, int]]:
        """Return the pairs to ask about next, most useful first.

        Parameters
        ----------
        n : int, default=1
            Number of pairs. Fewer are returned only if the answers settle all others.

        Returns
        -------
        list of (int, int)
        """
        return [(i, j) for i, j, _ in self._core.next_pairs(count("n", n))]

    def answer(self, i: int, j: int, same: bool | str | None) -> int:
        """Add an answer and recluster.

        Parameters
        ----------
        i, j : int
            Indices of two samples.
        same : bool, str or None
            Whether they belong together: True, "same", "yes" or "y"; False, "different", "no" or
            "n"; None, "unsure" or "u" means unsure, and the pair is not asked about again. Anything
            else is an error.

        Returns
        -------
        int
            Number of objects whose cluster changed.
        """
        return self.answer_all([(i, j, same)])

    def answer_all(self, answers: Iterable[tuple[int, int, bool | str | None]]) -> int:
        """Add several answers and recluster once. Either all are added or none.

        Parameters
        ----------
        answers : iterable of (i, j, same)
            Each as for `answer`.

        Returns
        -------
        int
            Number of objects whose cluster changed.
        """
        checked = [self._checked(answer) for answer in answers]
        if not checked:
            return 0
        self.n_changed_ = self._core.answer([(i, j, _SAYS[same]) for i, j, same in checked])
        self.answers_ += checked
        return self.n_changed_

    def _checked(self, answer: tuple[Any, ...]) -> Answer:
        try:
            first, second, says = answer
        except (TypeError, ValueError):
            raise ValueError(f"an answer: found {answer!r}; allowed: (i, j, same)") from None
        i, j = (index(sample, self._n_samples) for sample in (first, second))
        if i == j:
            raise ValueError(f"an answer is about two different samples, got {i!r} twice")
        return i, j, answer_of(says)

    def undo(self) -> int:
        """Undo the last answer.

        Returns
        -------
        int
            Number of objects whose cluster changed.
        """
        self.n_changed_ = self._core.undo()
        del self.answers_[-1:]
        return self.n_changed_

    def refit(self) -> int:
        """Learn from all answers now and recluster from scratch.

        Returns
        -------
        int
            Number of objects whose cluster changed.
        """
        self.n_changed_ = self._core.refit()
        return self.n_changed_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answers, one per line, for `load` and `shiftcut cluster --pairs`.

        Parameters
        ----------
        path : str or path-like
        """
        lines = ["a,b,answer", *(f"{i},{j},{_WORDS[same]}" for i, j, same in self.answers_)]
        replace_file(path, "".join(f"{line}\n" for line in lines).encode())

    def load(self, path: str | os.PathLike[str]) -> int:
        """Add the answers from a file written by `save`.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        int
            Number of objects whose cluster changed.
        """
        says = {word: same for same, word in _WORDS.items()}
        answers: list[Answer] = []
        with Path(path).open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                if not row or row == ["a", "b", "answer"]:
                    continue
                try:
                    i, j, word = row
                    answers.append(self._checked((int(i), int(j), says[word])))
                except (ValueError, KeyError):
                    raise ValueError(
                        f"{os.fspath(path)}, line {number}: found {','.join(row)!r}; allowed: two "
                        f"different indices from 0 to {self._n_samples - 1} and same, different or "
                        f"unsure"
                    ) from None
        return self.answer_all(answers)

    def explore(
        self,
        *,
        answers: str | os.PathLike[str] | None = None,
        title: str = "ShiftedMinCut",
        names: Data = None,
        port: int = 0,
        open_browser: bool = True,
    ) -> Exploration:
        """Show the groups in the browser, where people correct them.

        The page is served on this machine alone while Python runs. It adds to the answers; until
        it is closed, do not answer from elsewhere.

        Parameters
        ----------
        answers : str or path-like or None, default=None
            File in which the answers are saved after each change, and from which those that are
            there are loaded first. None: they are only in `answers_`.
        title : str, default="ShiftedMinCut"
        names : array-like of shape (n_samples,) or None, default=None
            Names of the samples. None: those of a graph's nodes, or numbers from 0.
        port : int, default=0
            0: any free one.
        open_browser : bool, default=True

        Returns
        -------
        Exploration
        """
        from ._explore import Exploration

        exploration = Exploration(self._explored(answers, title, names), port=port)
        if open_browser:
            exploration.open()
        return exploration

    def explore_widget(
        self,
        *,
        answers: str | os.PathLike[str] | None = None,
        title: str = "ShiftedMinCut",
        names: Data = None,
    ) -> ExplorerWidget:
        """Show the groups in a cell of a notebook, where people correct them.

        The page of `explore`, without a server: it talks to the kernel, also over a network. Needs
        anywidget (`pip install shiftcut[notebook]`).

        Parameters
        ----------
        answers, title, names
            As for `explore`.

        Returns
        -------
        ExplorerWidget
            With the traits `selection` (indices, which can be set), `labels` and `answers`.
        """
        try:
            from ._widget import ExplorerWidget
        except ModuleNotFoundError as error:
            if error.name not in ("anywidget", "traitlets"):
                raise
            raise ModuleNotFoundError(
                "explore_widget needs anywidget: pip install shiftcut[notebook]", name=error.name
            ) from error
        return ExplorerWidget(self._explored(answers, title, names))

    def _explored(
        self, answers: str | os.PathLike[str] | None, title: str, names: Data
    ) -> Explored:
        from ._explore import Explored

        if answers is not None and Path(answers).exists():
            self.load(answers)
        model = self._model
        return Explored(
            self,
            title=title,
            command=f"{model.__repr__(N_CHAR_MAX=4000)}.fit(X)",  # type: ignore[call-arg]
            names=model._sample_names(names) if hasattr(model, "labels_") else [],
            columns=model._column_names() if hasattr(model, "labels_") else [],
            answers=answers,
        )


def _values_of(model: ShiftedMinCut, X: Data) -> Matrix:
    """Return X, checked and converted to numbers, or the training data if X is None."""
    if X is not None:
        values, _ = clone(model)._learn_values(X)
        return values
    values = getattr(model, "_data", None)
    if values is None:
        raise NotFittedError(
            "Feedback needs the data: give them, or fit the model first (a model that was copied "
            "or unpickled has none)"
        )
    return values
