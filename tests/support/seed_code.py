"""Code blocks taken out of the requirement documents, where those are at hand.

The documents lost the indentation of their examples. It is restored by what Python's own grammar
says, and by two habits of their code: a ``return`` ends the block that it stands in, and so does
a count (``n += 1``) in a loop.
"""

import os
import re
import tokenize
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(os.environ.get("HANDRAIL_SEEDS") or ROOT.parent / "shared" / "seeds")
AT_HAND = FOLDER.is_dir()
WHY_NOT = "the requirement documents are not at hand: HANDRAIL_SEEDS names their folder"

_TOP = re.compile(r"(?:from|import|class|def|async def)\b|@|\w+ = (?:Chat)?Extension\(")
_COUNTS = re.compile(r"\w+ \+= ")
_NEW_NAMES = ("imperal_sdk", "handrail")


def document(number: str) -> str:
    """The text of a document; its file's name begins with the number."""
    (path,) = FOLDER.glob(f"{number}_*.txt")
    return path.read_text(encoding="utf-8")


def examples() -> list[str]:
    """The numbered examples of document 002, runnable but for what they import."""
    parts = re.split(r"Example \d+: .*\n", document("002"))[1:]
    return [_renamed(restored(_code(part))) for part in parts]


def fragment() -> str:
    """The example of document 000, with a body in place of the one that was left out."""
    text = document("000")
    code = text[text.index("from pydantic import") :]
    head = code[: code.index("# ...")].rstrip()
    return _renamed(f"{head}\n    return ActionResult.success(params.model_dump())\n")


def _code(part: str) -> str:
    """From the first import to the last closing bracket; a heading may stick to that bracket."""
    part = re.sub(r"^\)(?=[A-Z])", ")\n", part, flags=re.MULTILINE)
    lines = part[part.index("from ") :].splitlines()
    last = max(at for at, line in enumerate(lines) if line == ")" and _is_whole(lines[: at + 1]))
    return "\n".join(lines[: last + 1]) + "\n"


def _is_whole(lines: list[str]) -> bool:
    try:
        compile(restored("\n".join(lines)), "part", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _renamed(code: str) -> str:
    return code.replace(*_NEW_NAMES)


def restored(code: str) -> str:
    """Code with its indentation."""
    blocks: list[str] = []
    made = []
    for statement in _statements(code):
        head = statement[0]
        if _TOP.match(head):
            blocks = []
        made += [f"{'    ' * len(blocks)}{line}" for line in statement]
        if statement[-1].endswith(":"):
            blocks.append(head.split()[0])
        elif blocks and (head.startswith("return ") or _ends_loop(head, blocks)):
            blocks.pop()
    return "\n".join(made) + "\n"


def _ends_loop(head: str, blocks: list[str]) -> bool:
    return blocks[-1] == "for" and _COUNTS.match(head) is not None


def _statements(code: str) -> list[list[str]]:
    """Lines that belong together: a bracket that is open goes on."""
    found: list[list[str]] = []
    depth = 0
    for line in code.splitlines():
        if not line.strip():
            continue
        if depth:
            found[-1].append(line)
        else:
            found.append([line])
        depth += _opened(line)
    return found


def _opened(line: str) -> int:
    """Brackets that a line opens, less those that it closes; texts and comments are skipped."""
    balance = 0
    try:
        for token in tokenize.generate_tokens(StringIO(line + "\n").readline):
            if token.type == tokenize.OP:
                balance += (token.string in "([{") - (token.string in ")]}")
    except tokenize.TokenError:  # the line ends inside a bracket
        pass
    return balance
