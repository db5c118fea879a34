"""Which addresses a handler may call."""

import pytest

from handrail.sdk.addresses import allowed_address, is_public

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0",
    "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    """Loopback, local nets, metadata servers, multicast, and IPv4 inside IPv6."""
    assert is_public(address) is False


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    """Of the open internet."""
    assert is_public(address) is True


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "10.0.0.7"])
async def test_private_host_is_refused_unless_allowed(host: str) -> None:
    """The text says how to allow it."""
    with pytest.raises(PermissionError, match=r'config={"http_allow": \['):
        await allowed_address(host, 80, ())
    assert is_public(await allowed_address(host, 80, {host})) is False


async def test_public_host_is_called_at_its_address() -> None:
    """The one that was judged."""
    assert await allowed_address("8.8.8.8", 443, ()) == "8.8.8.8"


async def test_host_without_an_address() -> None:
    """A lost connection, so a read may be tried again."""
    with pytest.raises(ConnectionError, match="has no address"):
        await allowed_address("nowhere.invalid", 80, ())
