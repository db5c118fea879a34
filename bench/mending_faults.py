"""Faults as models make them, put into arguments that are known to be right.

Each takes the gold arguments, the schema and a seeded generator, and gives the arguments with the
fault, or None where the call offers no place for it. `MENDABLE` are of the contract's listed
kinds; `HOPELESS` must never be read as anything.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

__all__ = ["HOPELESS", "IDS", "MENDABLE", "Fault"]

JsonObject = dict[str, Any]  # Any: JSON values
Fault = Callable[[JsonObject, JsonObject, Random], str | None]

IDS = re.compile(r"(?:^|_)id$|Id$|^id", re.ASCII)
"""Fields that the benchmark declares as ids."""

_BEFORE = (
    "Here are the arguments:\n",
    "Sure, here you go:\n\n",
    "I will use these values: ",
    "Arguments: ",
    "Okay, let's do this. ",
)
_AFTER = ("", "\n\nLet me know what you need next.", " Done.", "\nThis calls the tool.")


def _one(found: Iterator[Any], rng: Random) -> Any:
    everything = list(found)
    return rng.choice(everything) if everything else None


def _fields(gold: JsonObject, schema: JsonObject) -> Iterator[tuple[str, Any, JsonObject]]:
    known = schema.get("properties", {})
    return ((name, item, known[name]) for name, item in gold.items() if name in known)


def _with(gold: JsonObject, name: str, value: Any) -> str:
    return json.dumps({**gold, name: value})


def _renamed(gold: JsonObject, name: str, new: str) -> str:
    return json.dumps({new if key == name else key: item for key, item in gold.items()})


# level 1


def bom(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    return "\ufeff" + json.dumps(gold)


def fence(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    opened = rng.choice(("```json\n", "```\n", "```JSON\n", "\n```json\n"))
    return f"{opened}{json.dumps(gold, indent=rng.choice((None, 2)))}\n```"


def prose(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    return rng.choice(_BEFORE) + json.dumps(gold) + rng.choice(_AFTER)


def prose_and_fence(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    return f"{rng.choice(_BEFORE)}\n```json\n{json.dumps(gold)}\n```{rng.choice(_AFTER)}"


def trailing_comma(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    comma = rng.choice((",", ", ", ",\n"))
    return f"{json.dumps(gold)[:-1]}{comma}}}" if gold else None


def python_literal(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    text = re.sub(
        r'("(?:[^"\\]|\\.)*")|\b(true|false|null)\b',
        lambda found: found[1] or {"true": "True", "false": "False", "null": "None"}[found[2]],
        json.dumps(gold),
    )
    return text if text != json.dumps(gold) else None


def quotes(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    return repr(gold) if gold else None


# level 2


def parsed_json(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if isinstance(at[1], list | dict)), rng)
    return _with(gold, found[0], json.dumps(found[1])) if found else None


def twice_encoded(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    return json.dumps(json.dumps(gold))


def null_dropped(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    absent = set(schema.get("properties", {})) - set(gold) - set(schema.get("required", ()))
    name = _one(iter(sorted(absent)), rng)
    return _with(gold, name, None) if name else None


def whitespace(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    texts = (at for at in gold.items() if isinstance(at[1], str) and IDS.search(at[0]))
    found = _one(texts, rng)
    return (
        _with(gold, found[0], rng.choice((" {}", "{} ", "{}\n")).format(found[1]))
        if found
        else None
    )


# level 3


def enum_case(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    listed = (
        (name, item, field["enum"])
        for name, item, field in _fields(gold, schema)
        if isinstance(item, str) and "enum" in field
    )
    found = _one(listed, rng)
    if found is None:
        return None
    other = rng.choice(" _-")
    changed = rng.choice(
        [
            found[1].upper(),
            found[1].lower(),
            found[1].title(),
            re.sub(r"[ _-]", other, found[1]),
        ]
    )
    return None if changed in found[2] else _with(gold, found[0], changed)


def key_case(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one((name for name, _, _ in _fields(gold, schema)), rng)
    if name is None:
        return None
    words = [word for word in re.split(r"[_-]|(?<=[a-z])(?=[A-Z])", name) if word]
    spellings = {
        "".join([words[0].lower(), *(word.title() for word in words[1:])]),
        "_".join(words).lower(),
        "-".join(words).lower(),
        name.upper(),
        name.title(),
    } - {name}
    return _renamed(gold, name, rng.choice(sorted(spellings))) if spellings else None


def number_text(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    numbers = (at for at in gold.items() if type(at[1]) in (int, float))
    found = _one(numbers, rng)
    return _with(gold, found[0], json.dumps(found[1])) if found else None


def boolean_text(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if isinstance(at[1], bool)), rng)
    return (
        _with(gold, found[0], rng.choice((str(found[1]), json.dumps(found[1])))) if found else None
    )


def wrapped(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    lone = (at for at in gold.items() if isinstance(at[1], list) and len(at[1]) == 1)
    found = _one((at for at in lone if isinstance(at[1][0], str | int | float)), rng)
    return _with(gold, found[0], found[1][0]) if found else None


def unwrapped(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if isinstance(at[1], str | int | float)), rng)
    return _with(gold, found[0], [found[1]]) if found else None


def two_faults(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    """One in the values and one in the syntax around them."""
    inner = rng.choice((number_text, enum_case, key_case, parsed_json))(gold, schema, rng)
    outer = rng.choice((fence, prose, quotes, trailing_comma))
    return outer(json.loads(inner), schema, rng) if inner else None


MENDABLE: Mapping[str, tuple[int, Fault]] = {
    "bom": (1, bom),
    "fence": (1, fence),
    "prose": (1, prose),
    "prose and fence": (1, prose_and_fence),
    "trailing_comma": (1, trailing_comma),
    "python_literal": (1, python_literal),
    "quotes": (1, quotes),
    "parsed_json": (2, parsed_json),
    "parsed_json, the whole": (2, twice_encoded),
    "null_dropped": (2, null_dropped),
    "whitespace": (2, whitespace),
    "enum_case": (3, enum_case),
    "key_case": (3, key_case),
    "number_text": (3, number_text),
    "boolean_text": (3, boolean_text),
    "wrapped": (3, wrapped),
    "unwrapped": (3, unwrapped),
    "one in syntax, one in a value": (3, two_faults),
}
"""Name of the fault -> level of the mend that undoes it, and the fault."""


# never


def cut(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    text = json.dumps(gold)
    return text[: rng.randrange(1, len(text))]


def cut_in_dress(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    dressed = rng.choice((fence, prose, quotes))(gold, schema, rng) or ""
    last = dressed.rfind("}")
    return dressed[: rng.randrange(1, last)] if last > 1 else None


def inner_object(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    """An envelope that lost its brace, or ends one too early."""
    inner = json.dumps(gold)
    forms = (
        '"name": "tool", "arguments": {}',
        "name: tool, arguments: {}",
        '"arguments": {}}}',
        '{{"arguments": {}',
    )
    return rng.choice(forms).format(inner)


def lost_brace(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    text = json.dumps(gold)
    return text[1:] if rng.random() < 0.5 else text[1:-1]


def two_objects(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one(iter(sorted(gold)), rng)
    joined = rng.choice(("\n", " or ", ", "))
    return json.dumps(gold) + joined + _with(gold, name, "other") if name else None


def correction(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    said = (" Sorry, I meant 7.", " or rather something else", "\nNot this one, the old one.")
    return json.dumps(gold) + rng.choice(said)


def example(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    said = ("For example: ", "Never send ", "The previous call was ", "It should look like ")
    return rng.choice(said) + json.dumps(gold)


def twice_the_key(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one(iter(sorted(gold)), rng)
    dress = rng.choice(("{}", "```json\n{}\n```", "Here: {}"))
    return dress.format(json.dumps(gold)[:-1] + f', {json.dumps(name)}: "x"}}') if name else None


def two_spellings(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    """The same field in two wrong spellings with two values."""
    name = _one((name for name in sorted(gold) if name.upper() != name.title() != name), rng)
    if name is None or name.upper() == name:
        return None
    left = {key: item for key, item in gold.items() if key != name}
    return json.dumps({**left, name.upper(): gold[name], name.title(): "other"})


def _slip(text: str, rng: Random) -> str:
    """The text without one of its letters."""
    letters = [at for at, char in enumerate(text) if char.isalnum() and at]
    at = rng.choice(letters) if letters else 0
    return text[:at] + text[at + 1 :]


def typo_in_key(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one((name for name in sorted(gold) if len(name) > 3), rng)
    new = _slip(name, rng) if name else ""
    return _renamed(gold, name, new) if new and new not in schema["properties"] else None


def typo_in_enum(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    listed = (
        (name, item, field["enum"])
        for name, item, field in _fields(gold, schema)
        if isinstance(item, str) and "enum" in field and len(item) > 3
    )
    found = _one(listed, rng)
    new = _slip(found[1], rng) if found else ""
    return _with(gold, found[0], new) if found and new not in found[2] else None


def missing(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one((name for name in schema.get("required", ()) if name in gold), rng)
    return json.dumps({key: gold[key] for key in gold if key != name}) if name else None


def joined_list(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    lists = (at for at in gold.items() if isinstance(at[1], list) and len(at[1]) > 1)
    found = _one((at for at in lists if all(isinstance(one, str | int) for one in at[1])), rng)
    separator = rng.choice((", ", ",", "; ", " and ", " ", "/", "\n"))
    return _with(gold, found[0], separator.join(map(str, found[1]))) if found else None


def longer_list(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if isinstance(at[1], str | int | float)), rng)
    return _with(gold, found[0], [found[1], found[1]]) if found else None


def number_in_words(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if type(at[1]) in (int, float)), rng)
    forms = ("{} km", "about {}", "{}%", "${}", "0{}", "+{}", "{},000", "{}e3", "1,{}")
    return _with(gold, found[0], rng.choice(forms).format(found[1])) if found else None


def boolean_in_words(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    found = _one((at for at in gold.items() if isinstance(at[1], bool)), rng)
    words = ("yes", "on", "1", 1) if found and found[1] else ("no", "off", "0", 0)
    return _with(gold, found[0], rng.choice(words)) if found else None


def null_for_required(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    name = _one((name for name in schema.get("required", ()) if name in gold), rng)
    return _with(gold, name, None) if name else None


def cut_inside(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    """A container sent as a string that was cut off."""
    found = _one((at for at in gold.items() if isinstance(at[1], list | dict) and at[1]), rng)
    text = json.dumps(found[1]) if found else ""
    return _with(gold, found[0], text[: rng.randrange(1, len(text))]) if found else None


def apostrophe(gold: JsonObject, schema: JsonObject, rng: Random) -> str | None:
    """Single quotes around a text that holds one."""
    found = _one((at for at in gold.items() if isinstance(at[1], str) and len(at[1]) > 2), rng)
    if found is None:
        return None
    return repr(gold).replace(repr(found[1]), f"'{found[1][:2]}'{found[1][2:]}'", 1)


HOPELESS: Mapping[str, Fault] = {
    "cut off": cut,
    "cut off in a fence, in prose, in Python": cut_in_dress,
    "a container in a string, cut off": cut_inside,
    "an envelope without its brace": inner_object,
    "without its own brace": lost_brace,
    "two objects": two_objects,
    "corrected in words": correction,
    "an example": example,
    "a key twice": twice_the_key,
    "a field in two spellings": two_spellings,
    "a slip in a key": typo_in_key,
    "a slip in an enum value": typo_in_enum,
    "a required field missing": missing,
    "null for a required field": null_for_required,
    "a list joined to a text": joined_list,
    "a list of two for one value": longer_list,
    "a number with unit, sign or exponent": number_in_words,
    "a boolean in other words": boolean_in_words,
    "an apostrophe in single quotes": apostrophe,
}
"""Name of the fault -> the fault."""
