"""A name becomes a model."""

from collections.abc import Callable
from typing import Any

from handrail.errors import ConfigError
from handrail.models.model import Model

__all__ = ["connect"]

_UNDERSTOOD = """\
  local                      the model at $HANDRAIL_MODEL, or the largest in the cache
  local:0.5b, local:1.5b     known weights
  local:/path/model.gguf     weights of your own
  http://host:port/v1        any OpenAI-compatible server (model=, api_key=)
  openai:NAME, anthropic:NAME, google:NAME and so on: any model name of pydantic-ai"""


def connect(name: str, **options: Any) -> Model:  # Any: options of the kind of model named
    """The model of a name.

    Nothing is downloaded and no request is made; a missing engine, extra or file is told here.

    Args:
        name: ``local``, ``local:0.5b``, ``local:1.5b``, ``local:/path/model.gguf``, the address of
            an OpenAI-compatible server up to ``/v1``, or a model name of pydantic-ai.
        options: For an address ``model``, ``api_key``, ``timeout_s``, ``body``; for a local model
            ``timeout_s``, ``body``; for any other the model settings of pydantic-ai, such as
            ``temperature``.

    Raises:
        ConfigError: The name is not understood, an option is unknown, or something is missing.
    """
    if not name.strip():
        raise ConfigError(f"{name!r} names no model; understood are:\n{_UNDERSTOOD}")
    kind, _, rest = name.partition(":")
    if kind == "local":
        from handrail.models.local import local_model

        return _with(local_model, name, rest, options)
    if kind in ("http", "https"):
        from handrail.models.http import HttpModel

        return _with(HttpModel, name, name, options)
    if not rest:
        raise ConfigError(f"{name!r} names no model; understood are:\n{_UNDERSTOOD}")
    from handrail.models.any_provider import AnyProvider

    return AnyProvider(name, **options)


def _with(
    build: Callable[..., Model], name: str, first: str, options: dict[str, Any]
) -> Model:  # Any: as in connect
    try:
        return build(first, **options)
    except TypeError as error:
        raise ConfigError(f"connect({name!r}) does not take these options: {error}") from error
