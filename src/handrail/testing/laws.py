"""Property tests that an author runs over tools of their own.

Arguments are generated from each tool's published schema, valid ones and spoiled ones, and
judged; no handler runs. What must hold for every tool, whoever wrote it, is a law here.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from handrail.contract.call import Context, ToolCall
from handrail.contract.feedback import render
from handrail.contract.issue import Severity
from handrail.contract.judge import Judgement
from handrail.contract.tool import Tool
from handrail.errors import ConfigError
from handrail.runtime.toolbox import Toolbox

__all__ = ["laws"]

_LIMIT = 2_000
_FORMS = ("text", "compact", "prose", "json", "problem")


def laws(toolbox: Toolbox, *, max_examples: int = 50) -> None:
    """Try generated arguments on every tool of a toolbox; no handler runs.

    The laws: judging never fails and says of every refused call what is wrong; the author's own
    checks and formatters never raise; messages keep within 2,000 characters, name the tool, and
    are the same for the same call; some of the valid arguments are accepted, and all of them
    where nothing but a JSON Schema judges; what is accepted fits the handler's signature.

    Args:
        toolbox: The tools.
        max_examples: Valid arguments a tool, and as many spoiled ones.

    Raises:
        AssertionError: A law does not hold; the tool, the law and the arguments are named.
        ConfigError: hypothesis is not installed.
    """
    try:
        import hypothesis
    except ImportError as error:
        raise ConfigError("laws() needs hypothesis: pip install hypothesis") from error
    from handrail.testing.arguments import spoiled, valid

    settings = hypothesis.settings(
        max_examples=max_examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    for tool in toolbox.tools:
        trial = _Trial(toolbox, tool)
        for values, check in (
            (valid(tool.schema), trial.check_valid),
            (spoiled(tool.schema), trial.check),
        ):
            try:
                settings(hypothesis.given(values)(_named(check)))()
            except hypothesis.errors.Unsatisfiable as error:
                law = "no arguments that its schema accepts could be generated"
                raise AssertionError(f"tool {tool.name!r}: {law}") from error
        trial.check_accepted()


def _named(check: Callable[[Any], object]) -> Callable[[Any], None]:  # Any: JSON values
    def law(arguments: Any) -> None:  # Any: JSON values
        check(arguments)

    return law


class _Trial:
    """One tool under the laws."""

    def __init__(self, toolbox: Toolbox, tool: Tool) -> None:
        self.toolbox = toolbox
        self.tool = tool
        self.tried = 0
        self.accepted = 0

    def check_valid(self, arguments: Mapping[str, Any]) -> None:  # Any: JSON values
        """The laws for arguments that the schema accepts."""
        judgement = self.check(arguments)
        self.tried += 1
        self.accepted += judgement.ok
        if self.tool.plain and not isinstance(self.tool.params, type):
            codes = {issue.code for issue in judgement.issues if issue.severity is Severity.ERROR}
            self.require(
                not codes - {"VAL-016", "VAL-017", "VAL-020"},
                f"its schema accepts these arguments, the judgement does not ({sorted(codes)})",
                arguments,
            )

    def check(self, arguments: Mapping[str, Any]) -> Judgement:  # Any: JSON values
        """The laws for any arguments."""
        call = ToolCall("call_1", self.tool.name, json.dumps(arguments))
        judgement = self.toolbox.check(call)
        self.require(
            judgement.host_advice is None,
            f"code of its author failed: {judgement.host_advice}",
            arguments,
        )
        errors = [issue for issue in judgement.issues if issue.severity is Severity.ERROR]
        self.require(judgement.ok is (not errors), "a refusal has a reason", arguments)
        if judgement.ok:
            self._check_signature(judgement, arguments)
        else:
            self._check_message(judgement, arguments)
        return judgement

    def check_accepted(self) -> None:
        """Some of the valid arguments were accepted."""
        what = f"none of {self.tried} arguments that its schema accepts was accepted"
        self.require(self.accepted > 0 or self.tried == 0, what, None)

    def require(self, condition: bool, law: str, arguments: object) -> None:
        """Raise AssertionError with the tool's name if a law does not hold."""
        if not condition:
            shown = "" if arguments is None else f": {json.dumps(arguments)[:500]}"
            raise AssertionError(f"tool {self.tool.name!r}: {law}{shown}")

    def _check_message(
        self, judgement: Judgement, arguments: Mapping[str, Any]
    ) -> None:  # Any: JSON values
        for form in _FORMS:
            text = render(judgement, tool=self.tool, form=form, limit=_LIMIT)
            again = render(judgement, tool=self.tool, form=form, limit=_LIMIT)
            self.require(0 < len(text) <= _LIMIT, f"{form}: the message is too long", arguments)
            self.require(text == again, f"{form}: the message differs each time", arguments)
        for issue in judgement.issues:
            self._check_formatter(issue, arguments)

    def _check_formatter(self, issue: Any, arguments: object) -> None:  # Any: an issue
        if self.tool.format_issue is None:
            return
        try:
            said = self.tool.format_issue(issue)
        except Exception as error:  # an author's formatter
            law = f"format_issue raised {type(error).__name__} for {issue.code}"
            raise AssertionError(f"tool {self.tool.name!r}: {law}") from error
        law = f"format_issue returned {type(said).__name__}, expected str or None"
        self.require(said is None or isinstance(said, str), law, arguments)

    def _check_signature(
        self, judgement: Judgement, arguments: Mapping[str, Any]
    ) -> None:  # Any: JSON values
        if self.tool.handler is None:
            return
        try:
            signature = inspect.signature(self.tool.handler)
        except (TypeError, ValueError):  # a builtin
            return
        context = Context(self.tool.name, "call_1")
        try:
            signature.bind(**self.tool.arguments_for(judgement.prepared, context))
        except TypeError as error:
            law = f"its handler does not take accepted arguments ({error})"
            raise AssertionError(f"tool {self.tool.name!r}: {law}: {arguments!r}") from error
