"""The machine that figures are taken on: without it they are worth nothing."""

import os
import platform
from pathlib import Path

__all__ = ["load_average", "processor"]


def processor() -> str:
    """The name of the processor."""
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def load_average() -> float:
    """Of the last minute; 0 where the system does not say."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0
