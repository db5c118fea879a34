"""How a declared function enters the table of its owner: the same for chats and extensions."""

from handrail.contract.terms import Handler
from handrail.errors import ContractError
from handrail.sdk.blame import Place
from handrail.sdk.collecting import refuse
from handrail.sdk.function import ContextFor, Declaration, Function, declare, refused

__all__ = ["register"]


def register(
    table: dict[str, Function],
    declared: Declaration,
    handler: Handler,
    *,
    app_id: str,
    place: Place,
    context: ContextFor,
) -> None:
    """Build the contract of a function and put it into the table.

    Args:
        table: Functions by name.
        declared: What its author wrote.
        handler: As decorated.
        app_id: Id of the app.
        place: The author's line.
        context: Makes the ``ctx`` of a call.

    Raises:
        ContractError: The contract is wrong, or the name is taken.
    """
    try:
        if declared.name in table:
            fault = f"there is a function named {declared.name!r} already"
            raise ContractError(declared.name, [fault])
        made = declare(declared, handler, app_id=app_id, place=place, context=context)
    except ContractError as error:
        refuse(error, place)
        if declared.name not in table:
            table[declared.name] = refused(declared, handler, app_id=app_id, place=place)
    else:
        table[declared.name] = made
