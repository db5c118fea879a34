"""How events are named: the app's id, a dot, and what its author wrote.

Source: seed 002, "event"; hyphens of the app's id become underscores, since the rest of the name
is written that way.
"""

__all__ = ["event_type"]


def event_type(app_id: str, event: str) -> str:
    """The full type of an event.

    ``my-app`` and ``created`` give ``my_app.created``; ``tasks`` and ``task.created`` give
    ``tasks.task.created``: the app's id always stands before it. No event gives an empty text.
    """
    return f"{app_id.replace('-', '_')}.{event}" if event else ""
