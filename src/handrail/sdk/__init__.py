"""What the author of an extension declares, and what a handler gets while it runs.

RULE: declares and lends; judging, retries, budgets and approvals are those of every other call.
"""

__all__: list[str] = []
