"""RULE: rows in, rows out. Stores keep what they are given and decide nothing."""

__all__: list[str] = []
