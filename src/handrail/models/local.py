"""A model on this machine: llama.cpp's server inside this process, reached like any other.

For demos, tests and benchmarks without a key or a network. The settings are for repeatability:
one thread (two spin against a busy neighbour and are slower), no prompt cache, temperature 0 and
a fixed seed, so the same messages give the same reply.

The tools go into the prompt by the model's own chat template, as ``tools`` of the request, and
nothing is added to it. These small models then write a call as JSON in the *text*, bare or fenced,
not between the tags that the server parses: ``ModelReply.text`` holds it and ``tool_calls`` is
mostly empty. Reading it is not this module's business. Other forms were tried on the 0.5B with ten
prompts over four tools: a listing in the system prompt, or a hint there how to call, gave 8 valid
calls of 8 instead of 7, but answered chatter with a call both times instead of once; requiring a
call changed nothing but the time. After a good result the 0.5B calls again whatever it is told;
the 1.5B calls again too, unless a message after the result asks for an answer in words. The same
message keeps it from correcting a wrong call, so it is left to whoever knows which of both it is.

The server parses the arguments of earlier calls and refuses the whole request where they are not
JSON, though the template only writes them down again. Such a call is therefore sent as the text
that the template would have made of it, with the model's own words.
"""

import asyncio
import atexit
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, get_args

from handrail.errors import ConfigError
from handrail.models import weights
from handrail.models.http import HttpModel
from handrail.models.model import Message, ModelError, ModelReply, ToolDict

__all__ = ["LocalModel", "local_address", "local_model", "readable"]

_CONTEXT_TOKENS = 4096
_REPLY_TOKENS = 512
_SILENT = -1
_REPEATABLE: Mapping[str, Any] = {  # Any: JSON values
    "temperature": 0,
    "seed": 1,
    "cache_prompt": False,
    "max_tokens": _REPLY_TOKENS,
}


class LocalModel:
    """A model whose weights are a file on this machine; the server starts at the first request.

    Args:
        path: A ``.gguf`` file.
        timeout_s: Longest wait for a reply, seconds; small machines are slow.
        body: Further fields of each request, over the repeatable settings.

    Raises:
        ConfigError: The engine or httpx is not installed.
    """

    def __init__(
        self,
        path: Path,
        *,
        timeout_s: float = 600.0,
        body: Mapping[str, Any] | None = None,  # Any: JSON values
    ) -> None:
        if find_spec("xllamacpp") is None:
            raise ConfigError("a local model needs xllamacpp: pip install 'handrail[local,models]'")
        self.path = path.resolve()
        self.name = _name(self.path)
        self._timeout_s = timeout_s
        self._body = {**_REPEATABLE, **(body or {})}
        self._served: tuple[int, HttpModel] | None = None
        self._over_http("http://127.0.0.1")

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """One reply to a conversation; see `Model.respond`."""
        if self._served is None or self._served[0] != os.getpid():
            address = await asyncio.to_thread(local_address, self.path)
            self._served = os.getpid(), self._over_http(f"{address}/v1")
        reply = await self._served[1].respond(
            [readable(message) for message in messages],
            tools,
            tool_choice=tool_choice,
            response_format=response_format,
        )
        return replace(reply, model=self.name)

    def _over_http(self, url: str) -> HttpModel:
        return HttpModel(
            url, model=self.name, api_key="", timeout_s=self._timeout_s, body=self._body
        )


def local_model(which: str = "", **options: Any) -> LocalModel:  # Any: see LocalModel
    """The model that ``local:<which>`` names.

    Args:
        which: ``0.5b``, ``1.5b`` or the path of a ``.gguf`` file. Empty takes ``HANDRAIL_MODEL``
            where it is set, else the cached 1.5B weights, else the cached 0.5B ones: the larger
            model corrects most calls when it is told what is wrong, the smaller one few.
        options: As for `LocalModel`.

    Raises:
        ConfigError: The engine or the weights are missing; says what to install or set.
    """
    if which in ("", *get_args(weights.Size)):
        size: Any = which or None  # Any: a Size by the line above
        found = weights.find(size)
    else:
        found = weights.find(path=which)
    if found is None:
        raise ConfigError(_no_weights(size or "0.5b"))
    return LocalModel(found, **options)


def _name(path: Path) -> str:
    """What the model is called: a known file by its published name."""
    known = {each.sha256: each.file for each in weights.WEIGHTS.values()}
    return known.get(path.stem, path.name).removesuffix(".gguf")


def _no_weights(size: weights.Size) -> str:
    plan = weights.describe(size)
    return (
        f"there are no weights for a local model. Set HANDRAIL_MODEL to a .gguf file, name one "
        f"with local:/path/model.gguf, or call handrail.models.weights.fetch({size!r}). {plan.text}"
    )


_servers: dict[tuple[int, Path], Any] = {}  # Any: xllamacpp has no types
_starting = Lock()


def local_address(path: Path) -> str:
    """Address of this process's server for these weights, started where it does not run yet.

    Raises:
        ModelError: The weights cannot be loaded.
    """
    with _starting:
        key = os.getpid(), path
        if key not in _servers:
            if not _servers:
                atexit.register(_servers.clear)
            _servers[key] = _start(path)
        return str(_servers[key].listening_address)


def _start(path: Path) -> Any:  # Any: xllamacpp has no types
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel = _CONTEXT_TOKENS, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.use_jinja = True
    settings.cache_prompt, settings.cache_ram_mib = False, 0
    settings.ui, settings.endpoint_slots = False, False
    settings.verbosity = _SILENT
    try:
        return xllamacpp.Server(settings)
    except Exception as error:
        raise ModelError(f"{str(path)!r} cannot be loaded as a model ({error})") from error


def readable(message: Message) -> Message:
    """The message, with calls that the server cannot parse written as text."""
    calls = message.get("tool_calls") or ()
    broken = [call for call in calls if not _is_object(call["function"].get("arguments"))]
    if not broken:
        return message
    written = [_as_text(call["function"]) for call in broken]
    kept = {key: value for key, value in message.items() if key != "tool_calls"}
    sound = [call for call in calls if call not in broken]
    if sound:
        kept["tool_calls"] = sound
    kept["content"] = "\n".join([message.get("content") or "", *written]).strip()
    return kept


def _as_text(function: Mapping[str, Any]) -> str:  # Any: JSON values
    name, arguments = json.dumps(function["name"]), function.get("arguments") or "{}"
    return f'<tool_call>\n{{"name": {name}, "arguments": {arguments}}}\n</tool_call>'


def _is_object(arguments: object) -> bool:
    """Whether the server reads the text as an object; it is stricter than Python about numbers."""
    try:
        value = json.loads(arguments, parse_constant=_no_number, parse_float=_number)  # type: ignore[arg-type]  # a TypeError is an answer
    except (ValueError, TypeError, RecursionError):
        return False
    return isinstance(value, dict)


def _number(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _no_number(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")
