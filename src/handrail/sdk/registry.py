"""How a declared function enters the table of its owner: the same for chats and extensions."""

from handrail.contract.terms import Handler
from handrail.errors import ContractError
from handrail.sdk.blame import Place
from handrail.sdk.collecting import refuse
from handrail.sdk.extension import Extension
from handrail.sdk.function import Declaration, Function, declare, refused

__all__ = ["register"]


def register(
    table: dict[str, Function],
    declared: Declaration,
    handler: Handler,
    ext: Extension,
    place: Place,
) -> None:
    """Build the contract of a function and put it into the table.

    Raises:
        ContractError: The contract is wrong, or the name is taken.
    """
    try:
        if declared.name in table:
            fault = f"there is a function named {declared.name!r} already"
            raise ContractError(declared.name, [fault])
        made = declare(
            declared, handler, app_id=ext.app_id, place=place, context=ext.context_of_call
        )
    except ContractError as error:
        refuse(error, place)
        if declared.name not in table:
            table[declared.name] = refused(declared, handler, app_id=ext.app_id, place=place)
    else:
        table[declared.name] = made
