"""The explorer in a notebook, without a browser: messages in, messages and state out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from shiftcut import Feedback, ShiftedMinCut, _core

if not _core.has_explorer():
    pytest.skip("shiftcut was built without the page of the explorer", allow_module_level=True)
traitlets = pytest.importorskip("traitlets")
pytest.importorskip("anywidget")


class Page:
    """What a page says to the kernel, and hears."""

    def __init__(self, widget: Any) -> None:  # noqa: ANN401
        self.widget = widget
        self.heard: list[tuple[dict[str, Any], list[bytes]]] = []
        widget.send = lambda content, buffers=(): self.heard.append((content, list(buffers)))

    def ask(self, path: str, body: object = None) -> tuple[int, bytes]:
        text = None if body is None else json.dumps(body)
        message = {"kind": "ask", "id": f"x-{len(self.heard)}", "path": path, "body": text}
        self.widget._handle_custom_msg(message, [])
        reply, (content,) = self.heard[-1]
        assert (reply["kind"], reply["id"]) == ("reply", message["id"])
        return reply["status"], content

    def get(self, path: str) -> Any:  # noqa: ANN401
        status, content = self.ask(path)
        assert status == 200, content
        return json.loads(content)

    def change(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401
        status, content = self.ask(path, body | {"version": self.get("api/state")["version"]})
        assert status == 200, content
        return json.loads(content)


def model() -> ShiftedMinCut:
    return ShiftedMinCut(3, random_state=0).fit(load_iris().data)


@pytest.fixture
def page() -> Page:
    return Page(model().explore_widget())


def test_a_page_gets_what_the_server_gives(page: Page) -> None:
    state = page.get("api/state")
    assert (state["objects"], state["name"]) == (150, "ShiftedMinCut")
    labels = np.frombuffer(page.ask("api/labels")[1], "<i4")[1:]
    assert np.array_equal(labels, page.widget.labels)
    assert np.array_equal(labels, model().labels_)
    assert page.ask("api/labels?point=0")[0] == 200
    assert page.ask("api/nothing")[0] == 404
    assert page.ask("labels.csv")[1].startswith(b"id,label\n")


def test_traits_follow_what_people_teach(page: Page) -> None:
    widget = page.widget
    seen: list[tuple[int, int]] = []
    widget.observe(lambda _: seen.append((len(widget.answers), len(set(widget.labels)))), "labels")
    before = widget.labels
    told = page.change("api/merge", {"clusters": [0, 1]})
    assert seen == [(told["answers"], 2)]
    assert widget.answers == widget.feedback.answers_
    assert all(same for _, _, same in widget.answers)
    page.change("api/undo", {})
    assert widget.answers == []
    assert np.array_equal(widget.labels, before)
    assert page.ask("api/undo", {"version": 0})[0] == 409
    with pytest.raises(traitlets.TraitError):
        widget.labels = before


def test_answers_from_python_are_shown(page: Page) -> None:
    widget = page.widget
    a, b = 0, int(np.flatnonzero(widget.labels != widget.labels[0])[0])
    widget.answer(a, b, "same")
    assert page.heard == [({"kind": "changed"}, [])]
    assert widget.labels[a] == widget.labels[b]
    assert widget.answers == [(a, b, True)]
    with pytest.raises(ValueError, match=r"contradict|must-link|cannot"):
        widget.answer(a, b, False)
    widget.undo()
    assert widget.answers == []
    with pytest.raises(ValueError, match="no answer to take back"):
        widget.undo()


def test_the_selection_is_shared(page: Page) -> None:
    widget = page.widget
    widget.set_state({"selection": [3, 1, 2]})  # as the page does
    assert widget.selection == [3, 1, 2]
    widget.selection = [149]
    assert widget.get_state("selection") == {"selection": [149]}
    for wrong in ([150], [-1], [1, 1]):
        with pytest.raises(traitlets.TraitError, match="selection: found"):
            widget.selection = wrong
    assert widget.selection == [149]


def test_other_messages_are_ignored(page: Page) -> None:
    messages: tuple[object, ...] = ({}, {"kind": "hello"}, [], "ask", None)
    for message in messages:
        page.widget._handle_custom_msg(message, [])
    assert page.heard == []
    page.widget._handle_custom_msg({"kind": "ask"}, [])
    assert page.heard[-1][0]["status"] == 404


def test_answers_are_kept_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    page = Page(Feedback(model()).explore_widget(answers=file))
    told = page.change("api/merge", {"clusters": [0, 1]})
    assert len(file.read_text().splitlines()) == 1 + told["links"]
    again = Page(model().explore_widget(answers=file))
    assert again.widget.answers == page.widget.answers
    again.change("api/undo", {})
    assert again.widget.answers == []


def test_the_module_loads_nothing_from_elsewhere() -> None:
    module = _core.explore_widget()
    assert "export" in module
    assert "import " not in module.partition("export")[2]
    for forbidden in ('fetch("http', 'src="http', "@import"):
        assert forbidden not in module


def test_without_anywidget_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None; import shiftcut, numpy as np;"
        "model = shiftcut.ShiftedMinCut(2, random_state=0).fit(np.arange(40.).reshape(20, 2));"
        "model.explore_widget()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ModuleNotFoundError: explore_widget needs anywidget: pip install" in done.stderr
