"""Models.

RULE: talks to a model, no policy.
"""

from handrail.models.connect import connect
from handrail.models.model import Model, ModelReply

__all__ = ["Model", "ModelReply", "connect"]
