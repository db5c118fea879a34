"""The example runs, and says of every misbehaviour what it is and how often the tool ran."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def orders_server(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the example's server."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return import_module("orders_server")


def test_the_example_prints_what_the_model_reads() -> None:
    """Class, code and runs of seventeen, for each of the eight."""
    script = EXAMPLES / "search_orders.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, str(script)],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    classes = re.findall(r"^class    (.+)$", done.stdout, re.MULTILINE)
    ran = [int(one) for one in re.findall(r"^tool ran (\d+) of 17 times$", done.stdout, re.M)]
    assert list(zip(classes, ran, strict=True)) == [
        ("schema_mismatch, truncated_response", 1),
        ("partial_data, more_pages_available", 3),
        ("semantic_garbage, empty_first_page", 1),
        ("tool_failed, html_error_page", 3),
        ("transient, retry_after", 3),
        ("transient, retry_after", 3),
        ("transient, retry_after", 3),
        ("schema_mismatch, schema_violation", 1),
    ]
    assert "after 7 seconds" in done.stdout
    assert 'call search_orders with exactly: {"customer_id": "C-9921", "page": 2}' in done.stdout
    assert "orders-db-3.internal" not in done.stdout
    assert done.stderr == ""


def test_the_server_is_well_until_it_is_told_otherwise(orders_server: ModuleType) -> None:
    """All 47 orders, the requests that came, and statuses as they are."""
    with orders_server.OrderServer() as server:
        with urlopen(f"{server.url}/orders?customer_id=C-1", timeout=10) as response:
            page = json.load(response)
        server.behaviour = "limited"
        with pytest.raises(HTTPError) as limited:
            urlopen(f"{server.url}/orders", timeout=10)
        limited.value.close()
    assert (len(page["orders"]), page["has_more"]) == (47, False)
    assert (limited.value.code, limited.value.headers["Retry-After"]) == (429, "7")
    assert server.requests == ["/orders?customer_id=C-1", "/orders"]


def test_pages_follow_each_other(orders_server: ModuleType) -> None:
    """Three at a time, to the last two."""
    pages = [json.loads(orders_server.answer("partial", number).body) for number in (1, 2, 16)]
    assert [len(page["orders"]) for page in pages] == [3, 3, 2]
    assert [page["has_more"] for page in pages] == [True, True, False]
    assert pages[1]["orders"][0]["id"] == "O-4"


def test_the_cut_is_where_the_gateway_cuts(orders_server: ModuleType) -> None:
    """At 4,000 bytes, in the middle of an order."""
    body = orders_server.answer("cut", 1).body
    assert len(body) == 4_000
    with pytest.raises(json.JSONDecodeError):
        json.loads(body)
