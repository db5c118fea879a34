"""Which contract judges a call."""

from typing import Any

import pytest

from handrail.contract.tool import Tool
from handrail.replay.records import Definition, Offer, Place, Recorded
from handrail.replay.schemas import Catalogue, Contract, Faulty, NotOffered, Unknown

HERE = Place("log.jsonl", 1)
TEXT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
NUMBER = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}


def definition(name: str, schema: object, ref: str | None = None) -> Definition:
    """A definition that stands here."""
    return Definition(place=HERE, name=name, schema=schema, ref=ref)


def call(tool: str = "t", **fields: Any) -> Recorded:  # Any: fields of Recorded
    """A call that stands here."""
    return Recorded(place=HERE, tool=tool, **fields)


def schema_of(catalogue: Catalogue, recorded: Recorded) -> object:
    """The schema that judges a call."""
    found = catalogue.match(recorded)
    assert isinstance(found, Contract)
    return found.schema


def test_toolbox_comes_first() -> None:
    """The candidate contract is what is being tried out."""
    tool = Tool.from_json_schema("t", "d", NUMBER)
    offer = Offer({"t": definition("t", TEXT)})
    assert schema_of(Catalogue([tool]), call(offer=offer)) == NUMBER


@pytest.mark.parametrize(
    "fields", [{"schema": TEXT}, {"schema": "r/t"}, {"offer": Offer({"t": definition("t", TEXT)})}]
)
def test_row_comes_before_the_name(fields: dict[str, Any]) -> None:
    """A schema, a ref or an offer in the row wins over a definition of that name."""
    catalogue = Catalogue()
    catalogue.add(definition("t", TEXT, "r/t"))
    catalogue.add(definition("t", NUMBER))
    assert schema_of(catalogue, call(**fields)) == TEXT


def test_labels_choose_among_definitions_of_one_name() -> None:
    """The ref whose parts the row has is meant; without labels nobody knows."""
    catalogue = Catalogue()
    catalogue.add(definition("t", TEXT, "shop/eu/t"))
    catalogue.add(definition("t", NUMBER, "shop/us/t"))
    assert schema_of(catalogue, call(labels=frozenset({"shop", "us"}))) == NUMBER
    assert catalogue.match(call()) == Unknown("several schemas are named t")


def test_same_schema_twice_is_no_question() -> None:
    """Definitions that agree are one."""
    catalogue = Catalogue()
    catalogue.add(definition("t", TEXT, "a/t"))
    catalogue.add(definition("t", TEXT, "b/t"))
    assert schema_of(catalogue, call()) == TEXT


def test_what_was_not_offered_is_told_apart_from_what_is_not_known() -> None:
    """With tools known it is the model's fault, without any it is the log's."""
    catalogue = Catalogue()
    assert catalogue.match(call(unoffered=True)) == Unknown("no schemas are known")
    catalogue.add(definition("other", TEXT))
    assert catalogue.match(call()) == NotOffered(("other",))
    assert catalogue.match(call("other", unoffered=True)) == NotOffered(("other",))
    assert catalogue.match(call(offer=Offer({"u": definition("u", TEXT)}))) == NotOffered(("u",))


def test_ref_that_is_nowhere_is_named() -> None:
    """The operator must know which file is missing."""
    assert catalogue_says(call(schema="r/t")) == "the schema r/t is in no schema file"


def catalogue_says(recorded: Recorded) -> str:
    """Why an empty catalogue cannot judge a call."""
    found = Catalogue().match(recorded)
    assert isinstance(found, Unknown)
    return found.why


@pytest.mark.parametrize("name", ["a.b", "1st", "ns/tool", "x" * 99, "имя", ""])
def test_foreign_names_are_kept_and_judged(name: str) -> None:
    """A name that our own tools may not have is shown as the model wrote it."""
    found = Catalogue().match(call(name, offer=Offer({name: definition(name, TEXT)})))
    assert isinstance(found, Contract)
    assert found.name == name


@pytest.mark.parametrize("schema", ["x", 3, [], {"type": "nonsense"}, {"$ref": "https://x.test/s"}])
def test_schema_that_is_none_is_told(schema: object) -> None:
    """With its place, at the time it is taken up and whenever it is needed."""
    catalogue = Catalogue()
    fault = catalogue.add(definition("t", schema))
    assert isinstance(fault, Faulty)
    assert (fault.place, catalogue.match(call())) == (HERE, fault)


def test_schema_is_compiled_once() -> None:
    """The same schema, told again and again, is one contract."""
    first = Catalogue()
    contracts = {id(first.match(call(schema=dict(TEXT)))) for _ in range(5)}
    assert len(contracts) == 1
