"""The author rules: what is wrong with an extension before anybody uses it.

RULE: one row and one small function for each rule; they read what was declared and its source,
and run nothing of it.
"""

__all__: list[str] = []
