"""What a tool does, told by its name, where a log is all that is known of it.

The first word of the name that is a known verb decides: ``get_return_policy`` reads. A name
without one is taken for a read. This is a guess, and good enough to tell whether something may
have changed between two calls; nothing is allowed or refused by it. Tools of a toolbox are
declared, and never guessed at.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

__all__ = ["terms_by_name"]

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_READING = """
browse calculate can compare compute count describe download estimate evaluate explain fetch filter
find get has inspect is list load lookup open peek preview query read retrieve search select show
summarize translate validate verify view
"""
_POLLING = "await check monitor ping plan poll reason reflect run status think wait watch"
"""What is asked again until somebody else has changed something, and what thinks aloud."""

_AT_WILL = "reboot reconnect refresh reload reseat reset restart retry switch toggle"
"""What makes sense any number of times: the same call does something each time."""

_WRITING = """
accept activate add allow append apply approve archive assign author book buy cancel change charge
clear close commit confirm connect copy create deactivate decline delete deploy disable disconnect
dispatch drop edit enable exchange execute grant insert install invite kill launch lock
make mark merge modify move notify patch pause pay place post process publish purchase push
put refuel refund register reject remove rename replace reply reschedule reserve restore resume
return revoke save schedule send set share start stop submit suspend sync terminate transfer
uninstall unlock update upload upsert write
"""

_Terms = Mapping[str, Any]  # Any: values of keywords of a contract

_READ: _Terms = MappingProxyType({})
_POLL: _Terms = MappingProxyType({"poll": True})
_WRITE: _Terms = MappingProxyType({"action_type": "write"})
_AGAIN: _Terms = MappingProxyType({"action_type": "write", "repeatable": True})

_BY_VERB: Mapping[str, _Terms] = {
    verb: terms
    for verbs, terms in (
        (_READING, _READ),
        (_POLLING, _POLL),
        (_WRITING, _WRITE),
        (_AT_WILL, _AGAIN),
    )
    for verb in verbs.split()
}


@lru_cache(maxsize=4096)
def terms_by_name(name: str) -> Mapping[str, Any]:  # Any: values of keywords of a contract
    """The terms of a contract that a name suggests: ``action_type``, ``poll``, ``repeatable``.

    Args:
        name: In any spelling: ``get_order``, ``orders.list``, ``createEvent``, ``mcp__send-mail``.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    terms = next((_BY_VERB[word] for word in words if word in _BY_VERB), _READ)
    return _POLL if terms is _READ and "status" in words else terms
