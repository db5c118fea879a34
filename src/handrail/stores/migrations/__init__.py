"""RULE: the way up from every schema that was ever released; run by Alembic, when a store opens."""

__all__: list[str] = []
