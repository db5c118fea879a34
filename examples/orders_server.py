"""A small order service on this machine that misbehaves when it is told to.

It is a real HTTP server: the client in `search_orders.py` meets real statuses, real headers, a
body that really ends too early, and a socket on which nothing comes.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

STATUSES = ("placed", "shipped", "delivered", "cancelled")
ORDERS = [
    {
        "id": f"O-{number}",
        "total_cents": 1_250 + 117 * number,
        "status": STATUSES[number % 4],
        "note": f"parcel {number} of the spring delivery, leave it at the door",
    }
    for number in range(1, 48)
]
GATEWAY_LIMIT = 4_000
"""Bytes after which a gateway in front of the service cuts every answer, silently."""

MISBEHAVIOURS = {
    "cut": "the gateway cuts the answer at 4,000 bytes",
    "partial": "3 of 47 orders, more on the next page",
    "empty": "page 1 is empty, although more exist",
    "html": "a login page, with status 200",
    "limited": "429 with Retry-After: 7",
    "down": "503",
    "hang": "no answer at all",
    "renamed": "total_cents is called total since yesterday",
}


class Answer(NamedTuple):
    """What goes over the wire."""

    body: bytes
    status: int = 200
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


def page_of(number: int, size: int) -> dict[str, object]:
    """One page, as the service answers when all is well."""
    first = (number - 1) * size
    rows = ORDERS[first : first + size]
    return {"orders": rows, "page": number, "has_more": first + size < len(ORDERS)}


def answer(behaviour: str, page: int) -> Answer:
    """The answer to one request."""
    match behaviour:
        case "cut":
            return Answer(_json(page_of(1, 47))[:GATEWAY_LIMIT])
        case "partial":
            return Answer(_json(page_of(page, 3)))
        case "empty":
            return Answer(_json({"orders": [], "page": page, "has_more": True}))
        case "html":
            text = "<!doctype html><html><head><title>Sign in</title></head><body>...</body></html>"
            return Answer(text.encode(), media_type="text/html")
        case "limited":
            return Answer(_json({"error": "slow down"}), 429, headers=(("Retry-After", "7"),))
        case "down":
            return Answer(b"no healthy upstream: orders-db-3.internal", 503, "text/plain")
        case "renamed":
            rows = [{"id": row["id"], "total": row["total_cents"], "status": "placed"} for row in
                    ORDERS[:2]]  # fmt: skip
            return Answer(_json({"orders": rows, "page": 1, "has_more": False}))
    return Answer(_json(page_of(page, 47)))


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


class OrderServer:
    """The service, on a free port of this machine, for the length of a ``with``.

    Attributes:
        behaviour: A key of `MISBEHAVIOURS`, or ``well``. May be changed at any time.
        requests: Paths that were asked for since it was last emptied.
    """

    def __init__(self) -> None:
        self.behaviour = "well"
        self.requests: list[str] = []
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "OrderServer":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.requests.append(self.path)
                if owner.behaviour == "hang":
                    owner._closing.wait(30)
                    return
                asked = parse_qs(urlsplit(self.path).query)
                self._send(answer(owner.behaviour, int(asked.get("page", ["1"])[0])))

            def _send(self, said: Answer) -> None:
                self.send_response(said.status)
                self.send_header("Content-Type", said.media_type)
                self.send_header("Content-Length", str(len(said.body)))
                for name, value in said.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said.body)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: the example prints what matters."""

        return Handler
