"""Which addresses a handler may call: public ones, and those that the host allows.

A name is looked up once and its address is what gets called, so that a second answer of a name
server cannot lead elsewhere.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Collection

__all__ = ["allowed_address", "is_public"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open internet.

    IPv4 addresses inside IPv6 ones are judged as what they are.
    """
    found: Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            found = inner
    return found.is_global and not found.is_multicast


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


async def allowed_address(host: str, port: int, allowed: Collection[str]) -> str:
    """The address to call for a host.

    Args:
        host: A name or an address, without brackets.
        port: The port.
        allowed: Hosts that may be private, written as in addresses.

    Raises:
        PermissionError: One of its addresses is private.
        ConnectionError: The name has no address.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ConnectionError(f"{host} has no address") from error
    addresses = [str(entry[4][0]) for entry in found]
    if host.lower() not in allowed and not all(map(is_public, addresses)):
        raise PermissionError(
            f"ctx.http does not call {host}: its address is private; the host can allow it with "
            f'config={{"http_allow": [{host!r}]}}'
        )
    return addresses[0]
