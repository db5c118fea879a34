"""Steps that pass results on."""

from handrail.sdk.target_id import resolve_id_field

__all__ = ["resolve_id_field"]
