"""RULE: state machines, no I/O.

One call is one `Exchange`; the calls between two user messages are one `TurnState`. Neither
awaits, reads a clock, draws a random number or logs: every answer carries its own time.
"""

__all__: list[str] = []
