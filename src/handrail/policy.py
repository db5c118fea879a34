"""Policies, their presets, and the ceilings of this process."""

from handrail.contract.policy import CEILINGS, PRESETS, Backoff, Limits
from handrail.runtime.config import Policy, set_ceilings

__all__ = ["CEILINGS", "PRESETS", "Backoff", "Limits", "Policy", "set_ceilings"]
