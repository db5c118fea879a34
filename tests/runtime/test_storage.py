"""The shape of a store, and that the stores have it."""

import inspect

from handrail.runtime import storage
from handrail.runtime.storage import Group, Store
from handrail.stores.memory import MemoryStore
from handrail.stores.sql import SqlStore


def methods(shape: type) -> dict[str, inspect.Signature]:
    """What a Protocol asks for."""
    found = {name: vars(shape)[name] for name in vars(shape) if not name.startswith("_")}
    return {name: inspect.signature(it) for name, it in found.items() if callable(it)}


def parameters(signature: inspect.Signature) -> list[tuple[str, object, object]]:
    """What a caller may rely on."""
    return [(one.name, one.kind, one.default) for one in signature.parameters.values()]


def test_every_store_has_the_shape() -> None:
    """Names, order and defaults; `tests/typing` has the types checked."""
    for kind in (MemoryStore, SqlStore):
        for name, signature in methods(Store).items():
            found = inspect.signature(getattr(kind, name))
            assert (kind, name, parameters(found)) == (kind, name, parameters(signature))


def test_a_group_has_a_shape_for_each_table() -> None:
    """Each is exported, and each has its methods in the group of a store."""
    with MemoryStore().group() as rows:
        for name, shown in vars(Group).items():
            if isinstance(shown, property):
                shape = getattr(storage, inspect.signature(shown.fget).return_annotation.__name__)
                for method, signature in methods(shape).items():
                    found = inspect.signature(getattr(type(getattr(rows, name)), method))
                    assert (method, parameters(found)) == (method, parameters(signature))
