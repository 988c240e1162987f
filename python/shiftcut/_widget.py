"""The explorer in a cell of a notebook. Needs anywidget, which nothing else here imports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from . import _core
from ._checks import answer_of

if TYPE_CHECKING:
    from ._explore import Explored
    from ._feedback import Feedback

_WORDS = {True: "same", False: "different", None: "unsure"}


class ExplorerWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The explorer as a widget, as `ShiftedMinCut.explore_widget` makes it.

    Its traits follow what happens on the page; `observe` calls a function when they change.

    Attributes
    ----------
    selection : list of int
        The selected objects. Setting it selects them on the page.
    labels : ndarray of shape (n_samples,)
        Cluster of each object, as the page shows it.
    answers : list of (int, int, bool or None)
        What was taught, as answers about pairs.
    feedback : Feedback
        The session that the answers are added to.
    """

    _esm = _core.explore_widget()
    selection = traitlets.List(traitlets.Int()).tag(sync=True)
    labels = traitlets.Any(read_only=True)
    answers = traitlets.List(read_only=True)

    def __init__(self, explored: Explored) -> None:
        self._explored = explored
        super().__init__()
        self._follow()
        self.on_msg(self._take)

    @property
    def feedback(self) -> Feedback:
        return self._explored.feedback

    def answer(self, i: int, j: int, same: bool | str | None) -> None:
        """Say whether two objects belong together, as `Feedback.answer`; the page follows."""
        self._change("api/answer", {"a": i, "b": j, "says": _WORDS[answer_of(same)]})

    def undo(self) -> None:
        """Take the last step back, as the page does."""
        self._change("api/undo", {})

    def _change(self, address: str, body: dict[str, Any]) -> None:
        version = json.loads(self._explored.ask("api/state")[2])["version"]
        asked = json.dumps(body | {"version": version}).encode()
        status, _, reply, _ = self._explored.ask(address, asked)
        if status != 200:
            raise ValueError(json.loads(reply)["error"])
        self._follow()
        self.send({"kind": "changed"})

    def _take(self, _: object, content: Any, __: object) -> None:  # noqa: ANN401
        """Reply to a request of the page."""
        if not isinstance(content, dict) or content.get("kind") != "ask":
            return
        body = content.get("body")
        status, _, reply, _ = self._explored.ask(
            str(content.get("path")), None if body is None else str(body).encode()
        )
        self.send({"kind": "reply", "id": content.get("id"), "status": status}, buffers=[reply])
        if body is not None:
            self._follow()

    def _follow(self) -> None:
        answers = self._explored.answers_
        if self.labels is not None and answers == self.answers:
            return
        with self.hold_trait_notifications():
            self.set_trait("labels", self._explored.labels_)
            self.set_trait("answers", answers)

    @traitlets.validate("selection")  # type: ignore[untyped-decorator]
    def _check_selection(self, proposal: dict[str, Any]) -> list[int]:
        selection: list[int] = proposal["value"]
        n = self.feedback._n_samples
        wrong = [i for i in selection if not 0 <= i < n]
        if wrong or len(set(selection)) != len(selection):
            raise traitlets.TraitError(
                f"selection: found {wrong[0] if wrong else 'an object twice'}; allowed: different "
                f"indices from 0 to {n - 1}"
            )
        return selection
