"""The explorer: groups in the browser, and answers there, served on this machine alone."""

from __future__ import annotations

import hmac
import os
import secrets
import threading
import weakref
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from . import _core
from ._arrays import Labels
from ._files import replace_file

if TYPE_CHECKING:
    from ._feedback import Answer, Feedback

MOST_BODY = 512 * 1024
MOST_SECONDS = 30  # for a request to arrive
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAYS: dict[int, bool | None] = {1: True, 0: False, -1: None}


class Explored:
    """The groups of a session as pages ask about them, and the answers, kept after each change."""

    def __init__(
        self,
        feedback: Feedback,
        *,
        title: str,
        command: str,
        names: list[str],
        columns: list[str],
        answers: str | os.PathLike[str] | None,
    ) -> None:
        if not _core.has_explorer():
            raise RuntimeError(
                "explore: this shiftcut was built without the page of the explorer; install a "
                "wheel, or run `make web` in the source folder and install again"
            )
        self.feedback = feedback
        self._path = None if answers is None else Path(answers)
        this = weakref.ref(self)  # the core keeps these functions, and must not keep this alive

        def save(answers: list[tuple[int, int, int]]) -> None:
            explored = this()
            if explored is not None:
                explored._save(answers)

        def save_steps(steps: str) -> None:
            explored = this()
            if explored is not None and explored._steps_path is not None:
                replace_file(explored._steps_path, steps.encode())

        feedback._core.explore(
            title=title,
            command=command,
            names=names,
            columns=columns,
            save=save,
            steps=self._steps_before(),
            save_steps=save_steps,
        )

    @property
    def labels_(self) -> Labels:
        reply = self.ask("api/labels")[2]  # between two changes
        return np.frombuffer(reply, "<i4")[1:].astype(np.int32)

    @property
    def answers_(self) -> list[Answer]:
        return list(self.feedback.answers_)

    def ask(self, address: str, body: bytes | None = None) -> tuple[int, str, bytes, str]:
        """Return status, type, body and file name of the reply. A body makes it a change."""
        parts = urlsplit(address)
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        return self.feedback._core.ask(body is not None, parts.path, parameters, body or b"")

    @property
    def _steps_path(self) -> Path | None:
        return None if self._path is None else self._path.with_name(self._path.name + ".steps")

    def _steps_before(self) -> str:
        if self._steps_path is None or not self._steps_path.exists():
            return ""
        return self._steps_path.read_text(encoding="utf-8", errors="replace")

    def _save(self, answers: list[tuple[int, int, int]]) -> None:
        before = self.feedback.answers_
        self.feedback.answers_ = [(a, b, _SAYS[says]) for a, b, says in answers]
        if self._path is not None:
            try:
                self.feedback.save(self._path)
            except BaseException:
                self.feedback.answers_ = before
                raise


class Exploration:
    """A running explorer, as `ShiftedMinCut.explore` and `Feedback.explore` start it.

    It ends with `close`, at the end of a `with` block, or with Python.

    Attributes
    ----------
    url : str
        The address of the page, with a token: whoever has it can see and change the groups.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object, as the page shows it.
    answers_ : list of (int, int, bool or None)
        What was taught, as answers about pairs.
    """

    def __init__(self, explored: Explored, *, port: int) -> None:
        self._explored = explored
        self._token = secrets.token_hex(16)
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.exploration = self
        self._host = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{self._host}/{self._token}/"

    @property
    def feedback(self) -> Feedback:
        return self._explored.feedback

    @property
    def labels_(self) -> Labels:
        return self._explored.labels_

    @property
    def answers_(self) -> list[Answer]:
        return self._explored.answers_

    def open(self) -> None:
        """Open the page in the browser."""
        webbrowser.open(self.url)

    def wait(self) -> None:
        """Serve until Ctrl-C, or until another thread calls `close`."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Stop serving. What was taught remains in `feedback`."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Exploration:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Exploration at {self.url}>"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    exploration: Exploration

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """A window that was closed is no reason to print anything."""


class _Handler(BaseHTTPRequestHandler):
    """Admits what `shiftcut explore` does, and passes it on."""

    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = MOST_SECONDS

    def do_GET(self) -> None:
        if self._is_admitted():
            self._answer(None)

    def do_POST(self) -> None:
        if not self._is_admitted():
            return
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Content-Type") != "application/json":
            self._fail(415, "found a body of another type; allowed: application/json")
        elif not length.isascii() or not length.isdigit() or "Transfer-Encoding" in self.headers:
            self._fail(411, "found no Content-Length")
        elif len(length) > 9 or int(length) > MOST_BODY:
            self._fail(413, "found too large a body")
        else:
            self._answer(self.rfile.read(int(length)))

    def _is_admitted(self) -> bool:
        exploration = self.server.exploration
        host = self.headers.get_all("Host") or []
        origin = self.headers.get("Origin")
        token = self.path[1:].partition("/")
        port = exploration._host.partition(":")[2]
        is_admitted = (
            token[1] == "/"
            and hmac.compare_digest(token[0].encode(), exploration._token.encode())
            and len(host) == 1
            and host[0] in (exploration._host, f"localhost:{port}")
            and (origin == f"http://{host[0]}" or (origin is None and self.command == "GET"))
        )
        if not is_admitted:
            self._fail(403, "not allowed: open the address that Python has given")
        return is_admitted

    def _answer(self, body: bytes | None) -> None:
        exploration = self.server.exploration
        address = self.path[len(exploration._token) + 2 :]
        self._send(*exploration._explored.ask(address, body))

    def _fail(self, status: int, error: str) -> None:
        self.close_connection = True  # the body was not read
        self._send(status, "application/json", f'{{"error":"{error}"}}'.encode(), "")

    def _send(self, status: int, kind: str, body: bytes, file: str) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if file and status == 200:
            self.send_header("Content-Disposition", f'attachment; filename="{file}"')
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return "shiftcut"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401
        """Requests are nobody's concern."""
