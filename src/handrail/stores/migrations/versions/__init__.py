"""RULE: one file is one step up, whole in itself, and never edited once it was released."""

__all__: list[str] = []
