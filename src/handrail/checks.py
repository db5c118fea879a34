"""Ready-made checks of results, for ``check_output=`` of a tool and ``check=`` of a guard."""

from handrail.contract.checks import echoes_argument, not_empty, paged, unit
from handrail.runtime.freshness import fresh

__all__ = ["echoes_argument", "fresh", "not_empty", "paged", "unit"]
