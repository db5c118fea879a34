"""A tiny OpenAI-compatible server on loopback: answers what it is told, keeps what it was sent."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest


class ChatServer(ThreadingHTTPServer):
    """Serves ``answers`` in order, the last one for ever; each is ``(status, body, headers)``."""

    daemon_threads = True

    def __init__(self, *answers: tuple[int, Any, dict[str, str]]) -> None:
        self.answers = list(answers)
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        self._answer(json.loads(self.rfile.read(length)))

    def _answer(self, body: Any) -> None:
        self.server.requests.append((self.path, dict(self.headers), body))
        answers = self.server.answers
        status, answer, headers = answers.pop(0) if len(answers) > 1 else answers[0]
        text = answer if isinstance(answer, str) else json.dumps(answer)
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(*answers: Any) -> Iterator[ChatServer]:
    """A running server; an answer is a body, or ``(status, body)``, or with headers."""
    full = [a if isinstance(a, tuple) else (200, a) for a in answers]
    server = ChatServer(*[(*a, {})[:3] for a in full])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(message: dict[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
    """A chat completion with this message."""
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


@pytest.fixture
def serve() -> Iterator[Callable[..., ChatServer]]:
    """Starts servers that end with the test: ``serve(answer, ...)``."""
    with ExitStack() as servers:
        yield lambda *answers: servers.enter_context(serving(*answers))


@pytest.fixture(name="completion")
def _completion() -> Callable[..., dict[str, Any]]:
    """Builds a chat completion of a message."""
    return completion
