"""The explorer from Python: the same page, from a server of the standard library."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from shiftcut import Feedback, ShiftedMinCut, _core
from shiftcut._explore import Exploration

if not _core.has_explorer():
    pytest.skip("shiftcut was built without the page of the explorer", allow_module_level=True)

JSON = "application/json"


def model() -> ShiftedMinCut:
    return ShiftedMinCut(3, random_state=0).fit(load_iris().data)


@pytest.fixture
def exploration() -> Iterator[Exploration]:
    with model().explore(open_browser=False) as running:
        yield running


def ask(
    exploration: Exploration,
    method: str,
    path: str,
    body: dict[str, Any] | str | None = None,
    **headers: str,
) -> tuple[int, bytes, http.client.HTTPMessage]:
    host = exploration._host
    connection = http.client.HTTPConnection(host, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if method == "POST":
        given = {"Content-Type": JSON, "Origin": f"http://{host}"} | given
    text = json.dumps(body) if isinstance(body, dict) else body
    try:
        connection.request(method, path, text, given)
        response = connection.getresponse()
        return response.status, response.read(), response.headers
    finally:
        connection.close()


def get(exploration: Exploration, path: str) -> Any:  # noqa: ANN401
    status, body, _ = ask(exploration, "GET", f"/{exploration._token}/{path}")
    assert status == 200, body
    return json.loads(body)


def change(exploration: Exploration, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401
    version = get(exploration, "api/state")["version"]
    status, told, _ = ask(
        exploration, "POST", f"/{exploration._token}/{path}", body | {"version": version}
    )
    assert status == 200, told
    return json.loads(told)


def test_the_page_shows_the_clusters_of_the_fit(exploration: Exploration) -> None:
    fitted = model()
    state = get(exploration, "api/state")
    assert (state["objects"], state["name"]) == (150, "ShiftedMinCut")
    _, body, _ = ask(exploration, "GET", f"/{exploration._token}/api/labels")
    assert np.array_equal(np.frombuffer(body, "<i4")[1:], fitted.labels_)
    _, body, _ = ask(exploration, "GET", f"/{exploration._token}/api/places")
    assert np.frombuffer(body, "<f4").reshape(-1, 2) == pytest.approx(fitted.layout_, abs=1e-3)
    status, page, headers = ask(exploration, "GET", f"/{exploration._token}/")
    assert (status, b"explore.js" in page) == (200, True)
    assert "unsafe" not in headers["Content-Security-Policy"]


def test_what_is_taught_is_there_in_python(exploration: Exploration) -> None:
    before = exploration.labels_
    asked = get(exploration, "api/question")
    change(exploration, "api/answer", {"a": asked["a"], "b": asked["b"], "says": "same"})
    assert exploration.answers_ == [(asked["a"], asked["b"], True)]
    assert exploration.labels_[asked["a"]] == exploration.labels_[asked["b"]]
    told = change(exploration, "api/merge", {"clusters": [0, 1]})
    assert len(exploration.answers_) == told["answers"] == 1 + told["links"]
    change(exploration, "api/undo", {})
    change(exploration, "api/undo", {})
    assert exploration.answers_ == []
    assert np.array_equal(exploration.labels_, before)


def test_answers_are_saved_and_loaded_again(tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    with model().explore(answers=file, open_browser=False) as exploration:
        change(exploration, "api/merge", {"clusters": [0, 1]})
        given = exploration.answers_
        labels = exploration.labels_
    with model().explore(answers=file, open_browser=False) as exploration:
        assert exploration.answers_ == given
        assert get(exploration, "api/state")["undo"] == "merging clusters 0 and 1"
        change(exploration, "api/pin", {"object": 0})
        change(exploration, "api/undo", {})
        assert exploration.answers_ == given
        for a, b, _ in given:
            assert exploration.labels_[a] == exploration.labels_[b]
    again = Feedback(model())
    again.load(file)
    assert len(np.unique(again.labels_)) == len(np.unique(labels))


def test_a_file_that_can_not_be_written_takes_the_change_back(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with model().explore(answers=folder / "answers.csv", open_browser=False) as exploration:
        folder.rmdir()
        before = exploration.labels_
        path = f"/{exploration._token}/api/merge"
        status, told, _ = ask(exploration, "POST", path, {"clusters": [0, 1], "version": 0})
        assert (status, b"No such file" in told) == (500, True)
        assert exploration.answers_ == []
        assert np.array_equal(exploration.labels_, before)


def test_names_of_columns_and_samples(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(load_iris().data, columns=["a", "b", "c", "<d>"])
    names = [f"flower {i}" for i in range(150)]
    fitted = ShiftedMinCut(3, random_state=0).fit(frame)
    with fitted.explore(names=names, open_browser=False) as exploration:
        status, body, _ = ask(
            exploration, "POST", f"/{exploration._token}/api/rows", {"objects": [7]}
        )
        told = json.loads(body)
        assert (status, told["columns"]) == (200, ["a", "b", "c", "<d>"])
        assert told["rows"][0]["name"] == "flower 7"
        assert [float(cell) for cell in told["rows"][0]["cells"]] == frame.iloc[7].tolist()
        assert get(exploration, "api/search?text=flower+149")["found"][0]["object"] == 149


def test_only_who_knows_the_token_is_admitted(exploration: Exploration) -> None:
    token, host = exploration._token, exploration._host
    state = f"/{token}/api/state"
    for path in ("/", "/api/state", f"/{'0' * 32}/api/state", f"/{token}", f"/{token}x/", "//"):
        assert ask(exploration, "GET", path)[0] == 403
    for wrong in ("example.org", "127.0.0.1", f"example.org:{host.partition(':')[2]}"):
        assert ask(exploration, "GET", state, Host=wrong)[0] == 403
    for origin in ("http://example.org", "null", f"https://{host}"):
        assert ask(exploration, "GET", state, Origin=origin)[0] == 403
        assert ask(exploration, "POST", f"/{token}/api/undo", "{}", Origin=origin)[0] == 403
    undo = f"/{token}/api/undo"
    assert ask(exploration, "POST", undo, "{}", Content_Type="text/plain")[0] == 415
    assert ask(exploration, "POST", undo, "{" + " " * 600_000 + "}")[0] == 413
    assert ask(exploration, "GET", f"/{token}/../../etc/passwd")[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert ask(exploration, method, state)[0] == 501
    assert get(exploration, "api/state")["version"] == 0


def test_requests_of_many_threads_are_taken_one_by_one(exploration: Exploration) -> None:
    statuses: list[int] = []

    def answer() -> None:
        path = f"/{exploration._token}/api/answer"
        body = {"a": 0, "b": 1, "says": "same", "version": 0}
        statuses.append(ask(exploration, "POST", path, body)[0])

    threads = [threading.Thread(target=answer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 7
    assert len(exploration.answers_) == 1


def test_it_ends() -> None:
    exploration = model().explore(open_browser=False)
    exploration.close()
    with pytest.raises(OSError, match="refused"):
        ask(exploration, "GET", "/")
