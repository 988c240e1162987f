"""A running `shiftcut explore`, and requests to it."""

from __future__ import annotations

import http.client
import json
import select
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pytest

from ..conftest import Argument, command, run

PATIENCE = 60.0
Floats = npt.NDArray[np.float32]


def require_explore() -> None:
    """Skips where the program was built without cpp-httplib."""
    if "explore" not in run(["--help"]).stdout:
        pytest.skip("the program was built without cpp-httplib, so it has no explore")


class Explorer:
    """The program, until it is asked to end; `kill` gives it no chance to."""

    def __init__(self, folder: Path, *args: Argument) -> None:
        require_explore()
        self.process = subprocess.Popen(
            command(["explore", *args, "--no-browser", "--quiet"]),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert ready, "no address was printed"
        self.address = self.process.stdout.readline().decode().strip()
        if not self.address:
            assert self.process.stderr is not None
            pytest.fail(self.process.stderr.read().decode())
        parts = urlsplit(self.address)
        assert parts.hostname == "127.0.0.1"
        assert parts.port is not None
        self.port: int = parts.port
        self.token = parts.path.strip("/")
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self) -> Explorer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, by: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)

    def request(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        """Of this path as it is, without the token; the reply is read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, given)
            response = connection.getresponse()
            text = response.read()
            response.read = lambda _=None: text  # type: ignore[method-assign, assignment]
            return response
        finally:
            connection.close()

    def get(self, path: str) -> Any:  # noqa: ANN401
        response = self.request("GET", f"/{self.token}/{path}")
        assert response.status == 200, response.read()
        return json.loads(response.read())

    def bytes(self, path: str) -> bytes:
        response = self.request("GET", f"/{self.token}/{path}")
        assert response.status == 200, response.read()
        return response.read()

    def places(self) -> Floats:
        return np.frombuffer(self.bytes("api/places"), "<f4").reshape(-1, 2)

    def labels(self, point: int | None = None) -> list[int]:
        """As the page reads them: the version comes first."""
        values = np.frombuffer(
            self.bytes("api/labels" if point is None else f"api/labels?point={point}"), "<i4"
        )
        assert values[0] == self.get("api/state")["version"]
        labels: list[int] = values[1:].tolist()
        return labels

    def change(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """A change of the groups as they are now."""
        status, told = self.post(path, body | {"version": self.get("api/state")["version"]})
        assert status == 200, told
        return told

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        response = self.request(
            "POST",
            f"/{self.token}/{path}",
            json.dumps(body),
            Content_Type="application/json",
            Origin=f"http://{self.host}",
        )
        return response.status, json.loads(response.read())

    def answer(self, says: str) -> dict[str, Any]:
        """Answers the question that is asked."""
        asked = self.get("api/question")
        given = {name: asked[name] for name in ("a", "b", "version")}
        status, told = self.post("api/answer", given | {"says": says})
        assert status == 200, told
        return given | told


def wait_until_closed(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=1).connect()
        except OSError:
            return
        time.sleep(0.05)
    pytest.fail("the port is still open")
