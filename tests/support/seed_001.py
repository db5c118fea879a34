"""The article of seed 001, where it is at hand, and its programs with their indentation back."""

import os
import re
from pathlib import Path

__all__ = ["IMPORTS", "article", "listing", "program"]

IMPORTS = "from pydantic import BaseModel\n\nfrom handrail import ToolError, guarded_call\n"
"""What stands in place of the article's own thirty lines."""

_ROOT = Path(__file__).resolve().parents[2]


def article() -> str | None:
    """Its text; None where the folder of seeds is not at hand."""
    stated = os.environ.get("HANDRAIL_SEEDS")
    for folder in filter(None, [stated and Path(stated), _ROOT.parent / "shared" / "seeds"]):
        for path in sorted(folder.glob("001*")):
            return path.read_text(encoding="utf-8")
    return None


def program(text: str) -> str:
    """The program that uses the guard: models, the check, the call."""
    return IMPORTS + listing(text, "class Order(", "class SearchOrdersResult(", "def check_orders(",
                             "result = guarded_call(")  # fmt: skip


def listing(text: str, *begins: str) -> str:
    """The listings that begin so, each up to the first line that is no Python."""
    return "\n".join(_indented(_lines(text, begin)) for begin in begins)


def _lines(text: str, begin: str) -> list[str]:
    """The lines of one listing: prose is in no Latin script, and a new head is a new listing."""
    start = text.index(f"\n{begin}") + 1
    taken: list[str] = []
    for line in text[start:].splitlines():
        head = line.startswith(("class ", "def ")) and taken
        if head or re.search("[\u3000-\u9fff\uff00-\uffef]", line):
            break
        taken.append(line)
    return taken


def _indented(lines: list[str]) -> str:
    """Indentation as it must have been: deeper after a colon, back after ``return``."""
    depth, brackets, blocks = 0, 0, list[int]()
    written = []
    for line in lines:
        bare = line.strip()
        if not brackets:
            if bare.startswith("except"):
                depth = blocks[-1]
            elif bare.startswith("try"):
                blocks.append(depth)
        written.append("    " * (depth + bool(brackets)) + bare)
        before, code = brackets, _code_of(bare)
        brackets += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if not before:
            returns = bare.startswith("return")
        if brackets:
            continue
        if code.endswith(":"):
            depth += 1
        elif returns and depth > 1:
            depth -= 1
    return "\n".join(written) + "\n"


def _code_of(line: str) -> str:
    """A line without the texts and comments in it."""
    line = re.sub(r'"[^"]*"', '""', line)
    return line.split("#", 1)[0].rstrip()
