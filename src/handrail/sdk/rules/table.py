"""The author rules as a table; ``handrail validate`` and ``docs/author-rules.md`` are made of it.

Numbers are those of the seeds; 40 and up are ours. A number is never given again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from handrail.sdk.rules import bodies, functions, identity, schemas, words
from handrail.sdk.rules.app import App, Check, Level
from handrail.sdk.rules.icon import icon

__all__ = ["RULES", "AuthorIssue", "AuthorRule", "validate"]


class AuthorRule(NamedTuple):
    """One rule.

    Attributes:
        rule: Its number.
        level: How bad it is.
        title: What must hold.
        fix: What to do.
        check: Finds where it does not hold; None where it has no meaning here.
        strict: How bad it is with ``--strict``; None is the same.
    """

    rule: str
    level: Level
    title: str
    fix: str
    check: Check | None
    strict: Level | None = None


class AuthorIssue(NamedTuple):
    """Something that breaks a rule.

    Attributes:
        rule: Number of the rule.
        level: How bad it is.
        message: What is wrong.
        file: The author's file.
        line: Its line, from 1; 0 where it is unknown.
        fix: What to do.
    """

    rule: str
    level: Level
    message: str
    file: str
    line: int
    fix: str


_ERROR, _WARN, _INFO = Level.ERROR, Level.WARN, Level.INFO

RULES: tuple[AuthorRule, ...] = (
    AuthorRule("V1", _ERROR, "the app's id is a slug",
               'write it as "my-app": a letter first, then lower-case letters, digits, hyphens',
               identity.app_id),
    AuthorRule("V2", _ERROR, "the version is semantic",
               'write it as "1.0.0" or "1.0.0-beta.1"', identity.version),
    AuthorRule("V3", _ERROR, "there is at least one tool",
               "declare one with @chat.function, in APP or in a file that APP imports",
               identity.has_tools),
    AuthorRule("V4", _ERROR, "the action type is read, write or destructive",
               "choose destructive where it cannot easily be undone", functions.action_type),
    AuthorRule("V5", _ERROR, "a tool's return annotation is ActionResult",
               "add -> ActionResult", functions.tool_returns),
    AuthorRule("V6", _WARN, "parameters are a model, not a schema written by hand (see V17)",
               "leave params out and annotate the second parameter with a pydantic model",
               functions.explicit_schema),
    AuthorRule("V7", _ERROR, "no file of the author's imports a provider's SDK",
               "leave the model to the host; a handler calls other servers with ctx.http",
               bodies.provider_sdks),
    AuthorRule("V8", _WARN, "the manifest is there and current",
               "run: handrail manifest APP", identity.manifest),
    AuthorRule("V9", _WARN, "the app has a health check",
               "declare one with @ext.health_check", identity.health_check),
    AuthorRule("V10", _WARN, "a write or destructive function has an event",
               'add event="created" or another past participle', functions.event, _ERROR),
    AuthorRule("V11", _WARN, "a handler has a docstring",
               "say in one sentence what it does", bodies.docstring),
    AuthorRule("V12", _INFO, "does not apply here", "", None),
    AuthorRule("V13", _WARN, "a skeleton section is named in snake_case",
               'write it as "open_tasks"', identity.skeleton_names),
    AuthorRule("V14", _ERROR, "the app's description has at least 40 characters",
               "say what the app is for, and name what it works on", identity.description),
    AuthorRule("V15", _ERROR, "the app has a display name",
               "add display_name=, which users read", identity.display_name),
    AuthorRule("V16", _ERROR, "a function's description has at least 20 characters",
               "say what it does and to what, so that a model can choose it",
               functions.description),
    AuthorRule("V17", _ERROR, "parameters are a pydantic model at module scope",
               "define the model at module scope and annotate the second parameter with it; "
               "NoParams of handrail.chat where there are none", functions.params_model),
    AuthorRule("V18", _ERROR, "a function's return annotation is ActionResult",
               "add -> ActionResult, or -> ActionResult[Model]", functions.function_returns),
    AuthorRule("V19", _ERROR, "a write or destructive function can be a step of a chain",
               "add chain_callable=True, or leave it out", functions.chain_callable),
    AuthorRule("V20", _WARN, "a write or destructive function declares its effects",
               'add effects=["verb:resource"]', functions.effects, _ERROR),
    AuthorRule("V21", _ERROR, "the icon is a small SVG file that only draws",
               "put an SVG file with a viewBox beside the app, at most 100 KB, without images, "
               "scripts and links", icon),
    AuthorRule("V22", _INFO, "does not apply here", "", None),
    AuthorRule("V24", _ERROR, "no handler reads ctx.skeleton",
               "use ctx.store, ctx.http or ctx.cache", bodies.skeleton_access),
    AuthorRule("V25", _ERROR, "nothing is named tool_..._chat",
               "name it after what it does", identity.tool_entries),
    AuthorRule("V31", _ERROR, "an app of the host is written by an allowed author",
               f"leave system=True out, or let the host list the author in "
               f"{identity.SYSTEM_AUTHORS}", identity.system_author),
    AuthorRule("V32", _WARN, "an error carries a code",
               'add code="FOLDER_NOT_FOUND" or another short word', bodies.error_codes),
    AuthorRule("V33", _WARN, "the app's id, two underscores and a name are at most 64 characters",
               "shorten the name", identity.qualified_names),
    AuthorRule("V34", _WARN, "scopes are declared",
               "add scopes= to the tool, and each of them to the app's capabilities=",
               functions.scopes),
    AuthorRule("V40", _WARN, "every field has a description",
               'add Field(description="..."): the model reads it', schemas.field_descriptions),
    AuthorRule("V41", _WARN, "an effect is a known verb and a resource",
               'write it as "create:note"', functions.effect_words),
    AuthorRule("V42", _WARN, "id_projection names a field of the parameters",
               "name the field that holds the id of the target", functions.id_projection),
    AuthorRule("V43", _WARN, "strict decoding enforces the whole schema",
               "name the fields instead of allowing any, or say in a description what must hold",
               schemas.weakened),
    AuthorRule("V44", _WARN, "a model can tell the tools apart",
               "say in each description what the other one does not do", words.distinct),
    AuthorRule("V45", _WARN, "descriptions speak in the third person",
               'write "Create a note", not "I will create a note"', words.impersonal),
    AuthorRule("V46", _ERROR, "the contract of each function can be built",
               "correct the declaration; its own message says how", functions.accepted),
)  # fmt: skip
"""All rules, by number."""


def validate(
    app: App, *, strict: bool = False, rules: Sequence[AuthorRule] = RULES
) -> list[AuthorIssue]:
    """Everything that breaks a rule, worst first, then by rule, file and line.

    Args:
        app: The extension.
        strict: Levels that are announced for later versions.
        rules: Those to apply.
    """
    found = [
        AuthorIssue(
            row.rule,
            (row.strict or row.level) if strict else row.level,
            one.message,
            one.place.file,
            one.place.line,
            row.fix,
        )
        for row in rules
        if row.check is not None
        for one in row.check(app)
    ]
    order = {row.rule: number for number, row in enumerate(rules)}
    severity = list(Level)
    found.sort(key=lambda one: (severity.index(one.level), order[one.rule], one.file, one.line))
    return found
