"""RULE: read entries of the journal, never write back."""

__all__: list[str] = []
