"""Where faults of readers and of authors' code are told to the operator."""

import logging

__all__ = ["subscriber_failed"]

logger = logging.getLogger("handrail.runtime")


def subscriber_failed(error: Exception) -> None:
    """A reader of the journal raised; the call that it read about is not touched."""
    logger.error("A subscriber of the journal raised", exc_info=error)
