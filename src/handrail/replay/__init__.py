"""RULE: recorded traffic through contracts; runs no tool."""

__all__: list[str] = []
