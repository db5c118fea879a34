"""What `import handrail` costs over pydantic, each time in a fresh interpreter.

pydantic itself is lazy: ``import pydantic`` loads almost nothing, and `BaseModel` the rest. Any
program that declares a model pays for that, so both baselines are reported. So is handrail: what
only a declared tool needs is loaded with the first one, which has a figure of its own.
"""

import os
import subprocess
import sys
import tempfile

from cases.measure import Batch, Figure, Goal, Section, Spread, rounds_of

__all__ = ["run"]

GOAL = Goal(60.0, "issue 2")
TIMED = """
import time
began = time.process_time()
{statement}
print(time.process_time() - began)
"""
LAZY = "import pydantic"
MODELS = "from pydantic import BaseModel"
OURS = "import handrail"
ALONE = "import handrail, after BaseModel"
TOOL = "the first tool, after both imports"
FIRST = (
    MODELS
    + """
class Note(BaseModel):
    text: str
def note(text): ...
from handrail import Tool
"""
)
STATEMENTS = {
    LAZY: TIMED.format(statement=LAZY),
    MODELS: TIMED.format(statement=MODELS),
    OURS: TIMED.format(statement=OURS),
    ALONE: MODELS + TIMED.format(statement=OURS),
    TOOL: FIRST + TIMED.format(statement='Tool("note", "Note it.", note, Note)'),
}


def _fresh(program: str, byte_code: str) -> Batch:
    """Byte code is kept in a folder of our own: the environment may forbid to write it."""
    unset = {"PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment["PYTHONPYCACHEPREFIX"] = byte_code

    def batch() -> float:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        return float(done.stdout)

    return batch


def run(*, quick: bool) -> Section:
    """Import times, and their differences within each round."""
    rounds = 2 if quick else 31
    with tempfile.TemporaryDirectory() as folder:
        batches = {name: _fresh(program, folder) for name, program in STATEMENTS.items()}
        taken = rounds_of(batches, rounds)
    lazy, models, ours = (taken[name] for name in (LAZY, MODELS, OURS))
    over_lazy = [(mine - base) * 1e3 for mine, base in zip(ours, lazy, strict=True)]
    over_models = [(mine - base) * 1e3 for mine, base in zip(ours, models, strict=True)]
    figures = [
        Figure(f"import handrail, over `{LAZY}`", "ms", Spread.of(over_lazy), GOAL),
        Figure(f"import handrail, over `{MODELS}`", "ms", Spread.of(over_models), GOAL),
    ]
    for name, seconds in taken.items():
        figures.append(Figure(f"`{name}`", "ms", Spread.of([one * 1e3 for one in seconds])))
    return Section(
        "Import time",
        "Fresh interpreters with byte code cached; processor time, taken inside, so the start of "
        "the interpreter is not in it.",
        figures,
    )
