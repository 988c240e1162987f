"""`shiftcut explore` answers one person on one machine."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import blobs, run, write_csv
from ..test_errors import refused
from .exploring import Explorer, require_explore

JSON = "application/json"


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    folder = tmp_path_factory.mktemp("explore")
    write_csv(folder / "points.csv", blobs(40, 3, seed=5, groups=3))
    with Explorer(folder, "points.csv") as running:
        yield running


def test_the_address_has_a_token_that_nobody_guesses(explorer: Explorer, tmp_path: Path) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", explorer.token)
    write_csv(tmp_path / "points.csv", blobs(40, 3, seed=5, groups=3))
    with Explorer(tmp_path, "points.csv") as other:
        assert other.token != explorer.token


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api/state",
        "/{other}/api/state",
        "/{short}/api/state",
        "/{token}x/api/state",
        "//",
        "/*",
    ],
)
def test_nothing_without_the_token(explorer: Explorer, path: str) -> None:
    other = "0" * 32
    response = explorer.request(
        "GET", path.format(token=explorer.token, other=other, short=explorer.token[:31])
    )
    assert response.status == 403
    assert explorer.token.encode() not in response.read()


@pytest.mark.parametrize(
    "path", ["../etc/passwd", "..%2f..%2fetc%2fpasswd", "page/index.html", "x"]
)
def test_no_path_reaches_a_file(explorer: Explorer, path: str) -> None:
    response = explorer.request("GET", f"/{explorer.token}/{path}")
    assert response.status in {403, 404}
    assert b"root:" not in response.read()


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1", "127.0.0.1:1", "example.org:{port}", ""]
)
def test_the_host_must_be_this_one(explorer: Explorer, host: str) -> None:
    response = explorer.request(
        "GET", f"/{explorer.token}/api/state", Host=host.format(port=explorer.port)
    )
    assert response.status in {400, 403}


@pytest.mark.parametrize("origin", ["http://example.org", "null", "https://{host}"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_origin_must_be_this_one(explorer: Explorer, method: str, origin: str) -> None:
    response = explorer.request(
        method,
        f"/{explorer.token}/api/{'state' if method == 'GET' else 'undo'}",
        None if method == "GET" else "{}",
        Origin=origin.format(host=explorer.host),
        Content_Type=JSON,
    )
    assert response.status == 403
    assert response.getheader("Access-Control-Allow-Origin") is None


def test_replies_lock_the_page_down(explorer: Explorer) -> None:
    for path in (
        "",
        "explore.js",
        "explore.css",
        "api/state",
        "api/places",
        "api/labels",
        "api/question",
        "labels.csv",
    ):
        response = explorer.request("GET", f"/{explorer.token}/{path}")
        assert response.status == 200, path
        policy = response.getheader("Content-Security-Policy") or ""
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("Referrer-Policy") == "no-referrer"
        assert response.getheader("Access-Control-Allow-Origin") is None
    page = explorer.request("GET", f"/{explorer.token}/").read().decode()
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|https?://", page)


def test_methods_and_types_of_bodies(explorer: Explorer) -> None:
    path = f"/{explorer.token}/api/undo"
    origin = f"http://{explorer.host}"
    assert explorer.request("POST", path, "{}", Content_Type=JSON).status == 403  # no Origin
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert explorer.request(method, path).status in {400, 405}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        response = explorer.request("POST", path, "{}", Content_Type=kind, Origin=origin)
        assert response.status == 415


def test_sizes_of_requests_are_bounded(explorer: Explorer) -> None:
    path = f"/{explorer.token}/api/undo"
    origin = f"http://{explorer.host}"
    large = "{" + " " * 1_000_000 + "}"
    assert explorer.request("POST", path, large, Content_Type=JSON, Origin=origin).status == 413
    assert explorer.request("GET", f"/{explorer.token}/api/search?text=" + "x" * 10_000).status in {
        400,
        414,
    }
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=20)
    connection.request(
        "POST", path, iter([b"{}"]), {"Content-Type": JSON, "Origin": origin}, encode_chunked=True
    )
    assert connection.getresponse().status == 411
    connection.close()
    assert explorer.get("api/state")["version"] == 0


def test_silent_and_broken_connections_hold_nobody_up(explorer: Explorer) -> None:
    silent = [socket.create_connection(("127.0.0.1", explorer.port)) for _ in range(8)]
    silent[0].sendall(b"GET / HT")
    silent[1].sendall(b"\x00\xff\r\n\r\n")
    silent[2].sendall(b"POST /x HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")
    assert explorer.get("api/state")["version"] == 0
    for connection in silent:
        connection.close()


def test_only_this_machine_is_listened_to(explorer: Explorer) -> None:
    with pytest.raises(OSError, match=r"refused|unreachable"):
        socket.create_connection(("127.0.0.2", explorer.port), timeout=2)


def test_bad_options_are_refused(tmp_path: Path) -> None:
    require_explore()
    file = write_csv(tmp_path / "points.csv", blobs(20, 3, seed=5, groups=3))
    assert "--port" in refused(["explore", file, "--port", "70000"])
    assert "--port" in refused(["explore", file, "--port", "x"])
    assert "--answers" in refused(["explore", file, "--answers", file])
    assert "INPUT" in refused(["explore", "-", "--format", "csv"])
    assert run(["explore", "--help"]).returncode == 0
