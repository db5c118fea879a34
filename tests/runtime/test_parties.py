"""The shapes of parties are those that our own parts have."""

from handrail.models.model import Model, ModelReply
from handrail.protocol.asks import Approved, Card, Denied, Edited
from handrail.runtime.parties import Decider, Decision, Human, ModelLike, ReplyLike
from handrail.testing import AutoHuman, ScriptedModel


def deny(card: Card) -> bool:
    """A human as a function."""
    return False


def as_human(human: Human) -> Human:
    """For the type checker: what is taken as a human."""
    return human


def as_model(model: ModelLike) -> ModelLike:
    """For the type checker: what is taken as a model."""
    return model


def as_reply(reply: ReplyLike) -> ReplyLike:
    """For the type checker: what is taken as a reply."""
    return reply


def test_a_function_is_a_human() -> None:
    """The shortest one."""
    assert as_human(deny) is deny


def test_the_human_of_tests_is_one() -> None:
    """With a method of the protocol's name."""
    human = AutoHuman(approve=True)
    assert as_human(human) is human
    assert hasattr(human, "decide") or callable(human)
    assert hasattr(Decider, "decide")


def test_the_scripted_model_is_a_model() -> None:
    """And what it answers is a reply."""
    model = ScriptedModel([])
    assert as_model(model) is model
    assert {"respond"} <= set(dir(ModelLike)) & set(dir(Model))


def test_a_model_reply_is_a_reply() -> None:
    """Text and calls."""
    reply = ModelReply(text="hello")
    assert (as_reply(reply).text, list(reply.tool_calls)) == ("hello", [])


def test_a_decision_is_one_of_three() -> None:
    """True and False are short for the first two."""
    assert Decision == Approved | Denied | Edited
