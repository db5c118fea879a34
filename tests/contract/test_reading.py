"""The values that both engines share."""

from handrail.contract.pydantic_engine import PydanticEngine
from handrail.contract.reading import Engine, Rejected
from handrail.contract.schema_engine import SchemaEngine


def test_rejected_tells_nothing_by_itself() -> None:
    """A fault is kept for the operator and is no part of the exception's text."""
    fault = KeyError("sesame")
    rejected = Rejected(fault=fault)
    assert (rejected.fault, rejected.error) == (fault, None)
    assert "sesame" not in str(rejected)


def test_both_engines_have_the_shape_of_an_engine() -> None:
    """Every member of the protocol is there, by name."""
    members = {name for name in vars(Engine) if not name.startswith("_")}
    engines = [SchemaEngine({"type": "object"}), PydanticEngine.__new__(PydanticEngine)]
    missing = {name for name in members for engine in engines if not hasattr(engine, name)}
    assert missing - {"schema", "states_lax"} == set()
