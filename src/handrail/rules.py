"""Rules between the fields of one call, as data."""

from handrail.contract.rules import AnyOf, Exclusive, Irrelevant, Ordered, Requires

__all__ = ["AnyOf", "Exclusive", "Irrelevant", "Ordered", "Requires"]
