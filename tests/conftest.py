"""What every test shares: one event loop, and how hard the property tests try."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

_SHARED_MACHINE = [HealthCheck.too_slow]

settings.register_profile("dev", deadline=None, suppress_health_check=_SHARED_MACHINE)
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    print_blob=True,
    suppress_health_check=_SHARED_MACHINE,
)
settings.register_profile(
    "mutants",  # fast and the same each time; that it fails is enough (make mutants)
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=20,
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=_SHARED_MACHINE,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=20_000,
    print_blob=True,
    suppress_health_check=_SHARED_MACHINE,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Every asynchronous test runs on asyncio, whose cancellation the runtime promises."""
    return "asyncio"
