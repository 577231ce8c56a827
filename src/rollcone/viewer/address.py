"""Where the page can be served.

viser looks for a free port itself, but waits for ever where there is none; so we look first.
"""

from __future__ import annotations

import errno
import os
import socket

from rollcone._check import whole_number
from rollcone.errors import InputError

_TRIES = 100


def free_port(host: str, port: int) -> int:
    """`port`, or the next one that is free; 0 stays 0, which means any."""
    if whole_number("port", port) > 65535:
        raise InputError(f"port = {port}: must be from 0 (any free one) to 65535")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise InputError(f"host = {host!r}: is not known ({error})") from None
    for number in range(port, min(port + _TRIES, 65536)):
        if _can_listen(family, (address[0], number, *address[2:]), host):
            return number
    raise InputError(f"port = {port}: is taken, and so are those after it; take another one")


def _can_listen(family: int, address: tuple[object, ...], host: str) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # as the server does: ports of those who have just left count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen()
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise InputError(
                f"host = {host!r}: is not an address of this machine; take 127.0.0.1, or "
                "0.0.0.0 for all of them"
            ) from None
    return True
