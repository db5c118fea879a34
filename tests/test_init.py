"""The front door: few names, all of them there, and nothing heavy behind them."""

import os
import subprocess
import sys
from pathlib import Path

import handrail

# Spellings that `import` lines of users hold.
FRONT = {
    "Toolbox", "Turn", "Tool", "ToolCall", "ToolResult", "Issue", "Severity", "Suggestion", "Mend",
    "Status", "Coverage", "Judgement", "Escalation", "Policy", "Journal", "render", "Context",
    "format_pydantic_for_llm", "HandrailError", "ContractError", "ProtocolError", "ConfigError",
    "StoreError", "ApprovalError", "Requires", "AnyOf", "Exclusive", "Ordered", "Irrelevant",
}  # fmt: skip


def test_every_public_name_is_there() -> None:
    """And sorted the way that a reader looks it up."""
    assert set(handrail.__all__) >= FRONT
    assert [name for name in handrail.__all__ if not hasattr(handrail, name)] == []
    assert len(handrail.__all__) == len(set(handrail.__all__))


def test_the_front_fits_on_a_screen() -> None:
    """Forty names at most."""
    assert len(handrail.__all__) <= 40


def test_the_contract_has_a_version() -> None:
    """Printed in every machine-readable form."""
    assert handrail.CONTRACT == "handrail/1"


def test_errors_have_one_root() -> None:
    """So that a program can catch what handrail raises on purpose."""
    names = ["ContractError", "ProtocolError", "ConfigError", "StoreError", "ApprovalError"]
    kinds = [getattr(handrail, name) for name in names]
    assert all(issubclass(kind, handrail.HandrailError) for kind in kinds)


def test_importing_needs_the_base_install_only() -> None:
    """Extras come late: no web, database, YAML or telemetry library is loaded."""
    code = (
        "import sys, handrail, handrail.policy, handrail.rules, handrail.approvals\n"
        "heavy = {'yaml', 'httpx', 'openai', 'anthropic', 'sqlalchemy', 'opentelemetry', 'mcp',\n"
        "         'starlette', 'rich', 'pytest', 'hypothesis', 'aiosqlite', 'sqlite3'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    source = str(Path(handrail.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert done.stdout.strip() == "[]"
