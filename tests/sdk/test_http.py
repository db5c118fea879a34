"""Calls to other servers, against a real one on this machine."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from handrail.sdk import http
from handrail.sdk.http import MOST_SECONDS, Http, HttpPool, Response
from handrail.testing import make_ctx


class Answers(BaseHTTPRequestHandler):
    """A small server."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        """Nothing."""

    def answer(self) -> None:
        """By path."""
        size = int(self.headers.get("content-length") or 0)
        sent = self.rfile.read(size).decode()
        host = self.headers.get("host")
        peer = f"{self.client_address[1]}"
        told = {"method": self.command, "path": self.path, "sent": sent, "host": host, "peer": peer}
        status, kind, body = 200, "application/json", json.dumps(told).encode()
        headers = {}
        if self.path == "/text":
            kind, body = "text/plain; charset=latin-1", "é".encode("latin-1")
        if self.path == "/large":
            body = b"x" * 3000
        if self.path == "/missing":
            status = 404
        if self.path.startswith("/to?"):
            status, headers["Location"] = 302, self.path.removeprefix("/to?")
        self.send_response(status)
        for name, value in {"Content-Type": kind, "X-More": "1", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Its address."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    made.daemon_threads = True
    made.block_on_close = False
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


def calling(work: Any, *, allowed: Any = ("127.0.0.1",)) -> Any:
    """What comes of a function of `Http`."""

    async def go() -> Any:
        pool = HttpPool()
        try:
            return await work(Http(pool, allowed))
        finally:
            await pool.aclose()

    return asyncio.run(go())


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_every_method(server: str, method: str) -> None:
    """With what the seeds read of an answer."""
    found: Response = calling(lambda client: getattr(client, method)(f"{server}/a?b=1"))
    assert (found.status_code, found.ok) == (200, True)
    assert found.body == found.json()
    assert (found.body["method"], found.body["path"]) == (method.upper(), "/a?b=1")
    assert found.headers["x-more"] == "1"


def test_json_is_sent_and_head_has_no_body(server: str) -> None:
    """And parameters and headers."""
    sent = calling(lambda client: client.post(f"{server}/a", json={"a": 1}, params={"q": "x"}))
    head = calling(lambda client: client.head(f"{server}/a"))
    assert (json.loads(sent.body["sent"]), sent.body["path"]) == ({"a": 1}, "/a?q=x")
    assert (head.status_code, head.content) == (200, b"")


def test_text_and_status(server: str) -> None:
    """A body that is no JSON is text; an error status is no exception."""
    found = calling(lambda client: client.get(f"{server}/text"))
    missing = calling(lambda client: client.get(f"{server}/missing"))
    assert (found.body, found.text) == ("é", "é")
    assert (missing.status_code, missing.ok) == (404, False)
    with pytest.raises(ValueError):
        found.json()


def test_unreadable_text_is_shown_as_far_as_it_goes() -> None:
    """Bytes that are no UTF-8, and a character set that nobody knows."""
    assert Response(200, {}, b"a\xff", "").text == "a\ufffd"
    assert Response(200, {"content-type": "text/plain; charset=none"}, b"a", "").text == "a"


def test_connections_are_kept(server: str) -> None:
    """Three calls, one connection; the host's name is the one that was called."""

    async def thrice(client: Http) -> list[Any]:
        return [(await client.get(f"{server}/a")).body for _ in range(3)]

    told = calling(thrice)
    assert len({one["peer"] for one in told}) == 1
    assert told[0]["host"] == server.removeprefix("http://")


def test_private_address_is_refused(server: str) -> None:
    """Unless the host allows it in its settings."""
    with pytest.raises(PermissionError, match="its address is private"):
        calling(lambda client: client.get(f"{server}/a"), allowed=())

    async def go() -> int:
        ctx = make_ctx(config={"http_allow": ["127.0.0.1"]})
        found = await ctx.http.get(f"{server}/a")
        await ctx._pool.aclose()
        return found.status_code

    assert asyncio.run(go()) == 200


def test_redirects_are_judged_too(server: str) -> None:
    """Followed within what is allowed, refused beyond."""
    port = server.rpartition(":")[2]
    found = calling(lambda client: client.get(f"{server}/to?/b"))
    assert (found.body["path"], found.url) == ("/b", f"{server}/b")
    with pytest.raises(PermissionError, match="does not call localhost"):
        calling(lambda client: client.get(f"{server}/to?http://localhost:{port}/b"))
    with pytest.raises(ValueError, match="cannot be called"):
        calling(lambda client: client.get(f"{server}/to?/to?/to?/to?/to?/to?/to?/a"))


def test_large_bodies_are_not_read(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten MiB at most."""
    monkeypatch.setattr(http, "MOST_BYTES", 2000)
    with pytest.raises(ValueError, match="larger than 2000 bytes"):
        calling(lambda client: client.get(f"{server}/large"))


def test_call_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the server does; no call takes longer than the cap, whatever is asked."""
    assert MOST_SECONDS == 180.0
    monkeypatch.setattr(http, "MOST_SECONDS", 0.05)

    async def silent(client: Http) -> None:
        with socket.create_server(("127.0.0.1", 0)) as quiet:
            await client.get(f"http://127.0.0.1:{quiet.getsockname()[1]}/", timeout=999)

    with pytest.raises(TimeoutError, match=r"no answer within 0\.05 s"):
        calling(silent)


def test_what_cannot_be_reached_is_a_lost_connection() -> None:
    """So that a read may be tried again."""

    async def closed(client: Http) -> None:
        with socket.create_server(("127.0.0.1", 0)) as gone:
            port = gone.getsockname()[1]
        await client.get(f"http://127.0.0.1:{port}/")

    with pytest.raises(ConnectionError, match="cannot be reached"):
        calling(closed)


@pytest.mark.parametrize("url", ["ftp://example.org/a", "nonsense", "http://"])
def test_addresses_that_are_none(url: str) -> None:
    """Said as what they are."""
    with pytest.raises(ValueError, match="cannot be called"):
        calling(lambda client: client.get(url))


def test_unknown_options_are_refused(server: str) -> None:
    """Nobody gets round what is set here."""
    with pytest.raises(TypeError, match="takes no auth; there is content, data"):
        calling(lambda client: client.get(server, auth=1))
