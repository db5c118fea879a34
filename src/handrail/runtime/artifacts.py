"""Outputs that are too big to be shown: compacted for the model, and kept to be read in pieces.

The data of a result stay whole for the program; only `ToolResult.content` is made to fit, when
somebody reads it. Above a second limit the whole text is kept as an artifact, and from then on
the turn offers the model a built-in tool, `READ_ARTIFACT`. Who may read one is decided here, by
scope and owner; somebody else's artifact is answered exactly like one that never was.
"""

import os
import threading
from collections import ChainMap, OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from weakref import ref

from handrail.contract.call import ToolResult
from handrail.contract.issue import Issue
from handrail.contract.policy import Settings
from handrail.contract.tokens import count_tokens
from handrail.contract.tool import Tool
from handrail.protocol.exchange import Exchange
from handrail.protocol.turn import TurnState
from handrail.runtime.parties import Artifact, ArtifactStore

__all__ = ["READ_ARTIFACT", "Fitting", "MemoryArtifacts"]

READ_ARTIFACT = "read_artifact"

_MOST_CHARACTERS = 64 * 1024 * 1024
_PAGE = 8_000
"""Tokens of a page, and of a preview where the policy compacts nothing."""

_BYTES_A_CHARACTER = 4
"""No tokenizer makes more tokens than there are bytes."""

_DESCRIPTION = (
    "Read a part of an output that was too big to be shown: its result has the id in "
    "_meta.artifact, or below the text. Give `path` to go to a part of a JSON output, and `start` "
    "and `count` to page through a list, an object or a text. Each page says where the next starts."
)
_SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "Id of the artifact"},
        "path": {
            "type": "string",
            "default": "",
            "description": 'JSON Pointer into the output, such as "/orders/0/note"',
        },
        "start": {
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "Items, fields or characters to skip",
        },
        "count": {
            "type": "integer",
            "minimum": 1,
            "description": "How many of them to read; as many as fit if left out",
        },
    },
    "required": ["id"],
    "additionalProperties": False,
}
_NOT_HERE = "There is no such artifact"
_NOT_HERE_HINT = (
    "use an id that a result of this conversation gives, or call the tool again whose output it was"
)


class MemoryArtifacts:
    """Artifacts in memory, bounded: the one used longest ago goes first.

    Args:
        most_characters: Characters of all artifacts together.
    """

    def __init__(self, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._kept: OrderedDict[str, Artifact] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def put(self, artifact: Artifact) -> None:
        """Keep it; older ones go for it. One that alone is over the bound is not kept."""
        if len(artifact.text) > self._most:
            return
        with self._lock:
            self._forget(artifact.id)
            self._kept[artifact.id] = artifact
            self._characters += len(artifact.text)
            while self._characters > self._most:
                self._forget(next(iter(self._kept)))

    def get(self, id: str) -> Artifact | None:
        """The artifact; None if there is none, or no more."""
        with self._lock:
            if id in self._kept:
                self._kept.move_to_end(id)
            return self._kept.get(id)

    def holds(self, scope: str) -> bool:
        """Whether anything is kept for this conversation or run."""
        with self._lock:
            return any(one.scope == scope for one in self._kept.values())

    def drop(self, scope: str) -> None:
        """Forget everything of a conversation or run that is over."""
        with self._lock:
            for id in [one.id for one in self._kept.values() if one.scope == scope]:
                self._forget(id)

    def _forget(self, id: str) -> None:
        gone = self._kept.pop(id, None)
        self._characters -= len(gone.text) if gone else 0


class Fitting:
    """Makes the outputs of one turn short enough for the model.

    Args:
        state: The turn.
        store: Where artifacts are kept.
        scope: The conversation or run.
        owner: Id of the user; None is nobody.
        lasting: Whether the scope goes on after this turn.
    """

    __slots__ = (
        "_closed",
        "_known",
        "_lasting",
        "_offered",
        "_owner",
        "_policy",
        "_scope",
        "_state",
        "_store",
    )

    def __init__(
        self,
        state: TurnState,
        store: ArtifactStore,
        scope: str,
        owner: str | None,
        *,
        lasting: bool,
    ) -> None:
        self._state = ref(state)  # which holds this: weakly, so as to make no cycle
        self._policy = state.policy
        self._store = store
        self._scope = scope
        self._owner = owner
        self._lasting = lasting
        self._closed = False
        self._offered: Tool | None = None
        self._known: dict[bytes, str] = {}
        if lasting and store.holds(scope):
            self._offer(state)

    @classmethod
    def wanted(cls, policy: Settings) -> bool:
        """Whether the policy asks for any of it; where nothing is enforced nothing is changed."""
        sizes = (policy.compact_tokens, policy.artifact_tokens)
        return policy.enforce and sizes != (None, None)

    def __call__(self, exchange: Exchange, result: ToolResult) -> None:
        """Prepare a result whose data the model will read; nothing is written or counted yet."""
        judgement = exchange.judgement
        arguments = judgement.value if judgement is not None else None
        result.fit_by(partial(self._fit, exchange.tool, arguments))

    def close(self) -> None:
        """The turn is over: what does not last is forgotten, and no artifact is made any more."""
        if not self._lasting:
            self._closed = True
            if self._known:
                self._store.drop(self._scope)

    def _fit(self, tool: Tool, arguments: Mapping[str, Any] | None, text: str) -> str:
        # Any: JSON values
        policy = self._policy
        limits = (policy.compact_tokens, policy.artifact_tokens)
        if len(text) * _BYTES_A_CHARACTER <= min(one for one in limits if one is not None):
            return text
        tokens = count_tokens(text, policy.token_counter)
        most = policy.artifact_tokens
        meta: dict[str, Any] | None = None  # Any: JSON values
        budget, footer = policy.compact_tokens, ""
        if most is not None and tokens > most and tool.name != READ_ARTIFACT and self._may_keep():
            id = self._kept_as(tool.name, text)
            budget = min(most, budget or _PAGE)
            meta = {"artifact": _told(id, tokens, len(text))}
            footer = (
                f"[The whole output ({len(text):,} characters) is artifact {id}: read more of it "
                f"with {READ_ARTIFACT}, id, start and count.]"
            )
        if budget is None:
            return text
        from handrail.contract.compact import compact_text  # late: few outputs are too big

        return compact_text(
            text,
            budget,
            arguments=arguments,
            ids=tuple(tool.id_patterns),
            counter=policy.token_counter,
            meta=meta,
            footer=footer,
        )

    def _may_keep(self) -> bool:
        """Whether the model can be given the tool; one of the host's own by that name wins."""
        state = self._state()
        if self._closed or state is None:
            return self._lasting and self._offered is not None
        self._offer(state)
        return state.tools.get(READ_ARTIFACT) is self._offered

    def _kept_as(self, tool: str, text: str) -> str:
        """The id of an artifact with this text; the same text is kept once."""
        from hashlib import blake2b

        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        id = self._known.get(key)
        if id is None or self._store.get(id) is None:
            id = self._known[key] = f"art_{os.urandom(12).hex()}"
            self._store.put(Artifact(id, self._scope, self._owner, tool, text))
        return id

    def _offer(self, state: TurnState) -> None:
        """Let the model read artifacts from now on."""
        if READ_ARTIFACT not in state.tools:
            self._offered = _reader(self._find, self._policy)
            own = {READ_ARTIFACT: self._offered}
            state.tools = ChainMap(own, state.tools)  # type: ignore[arg-type]  # only read

    def _find(self, id: str) -> Artifact | None:
        artifact = self._store.get(id)
        if artifact is None or artifact.owner != self._owner:
            return None
        return artifact if self._owner is not None or artifact.scope == self._scope else None


def _told(id: str, tokens: int, characters: int) -> dict[str, object]:
    how = f"{READ_ARTIFACT} with this id reads the rest, by path or by start and count"
    return {"id": id, "tokens": tokens, "characters": characters, "read": how}


def _reader(find: Callable[[str], Artifact | None], policy: Settings) -> Tool:
    """The built-in tool. A wrong id or path is a wrong argument, and is told as one."""
    from handrail.contract.excerpt import content_of, excerpt, part_at  # late: as above

    budget = min(policy.compact_tokens or _PAGE, _PAGE)
    counter = policy.token_counter

    def check(args: Mapping[str, Any]) -> Issue | None:  # Any: JSON values
        artifact = find(args["id"])
        if artifact is None:
            return Issue.of("VAL-015", "/id", problem=_NOT_HERE, hint=_NOT_HERE_HINT)
        try:
            part = part_at(content_of(artifact.text), args.get("path", ""))
        except LookupError:
            hint = "leave /path out to see what there is at the top"
            return Issue.of("VAL-015", "/path", problem="Nothing is there", hint=hint)
        total = len(part) if isinstance(part, str | list | dict) else 1
        start = args.get("start", 0)
        if start and start >= total:
            problem = f"Only {total:,} are there"
            return Issue.of("VAL-015", "/start", problem=problem, hint=f"start below {total:,}")
        return None

    def read(
        id: str, path: str = "", start: int = 0, count: int | None = None
    ) -> dict[str, Any]:  # Any: JSON values
        artifact = find(id)
        if artifact is None:  # gone since the check
            return {"error": f"{_NOT_HERE}: {_NOT_HERE_HINT}"}
        part = part_at(content_of(artifact.text), path)
        page = excerpt(part, budget, start=start, count=count, counter=counter)
        return {"id": id, "path": path, **page} if path else {"id": id, **page}

    return Tool.from_json_schema(
        READ_ARTIFACT,
        _DESCRIPTION,
        _SCHEMA,
        read,
        check_input=check,
        pages={"cursor": "/next", "argument": "start"},
        action_type="read",
    )
