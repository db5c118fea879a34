"""What a human sees of a call and may say about it."""

from handrail.protocol.asks import Approved, Card, CardItem, Denied, Edited

__all__ = ["Approved", "Card", "CardItem", "Denied", "Edited"]
