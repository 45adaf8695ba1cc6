"""The address a server listens at: taken before anything else is started, so that a wrong one costs nothing."""

import errno
import socket

from services.settings import Settings


class CannotListen(Exception):
    """The address is not to be had; says why, and what to do."""


def take(settings: Settings) -> list[socket.socket]:
    """Sockets bound to every address of the host; they do not answer yet. Port 0 becomes any free one.

    Raises `CannotListen`.
    """
    host, port = settings.host, settings.port
    taken: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, place in dict.fromkeys(found):
            one = socket.socket(family, kind, protocol)
            taken.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((place[0], port or port_of(taken), *place[2:]))
    except OSError as error:
        for one in taken:
            one.close()
        raise cannot_listen(settings, error) from error
    return taken


def port_of(sockets: list[socket.socket]) -> int:
    """The port that was taken; 0 while there is none."""
    return int(sockets[0].getsockname()[1])


def cannot_listen(settings: Settings, error: OSError) -> CannotListen:
    """The sentence for whoever started the server."""
    host, port = settings.host, settings.port
    if isinstance(error, socket.gaierror):
        return CannotListen(f"There is no machine {host} to listen at: choose another with --host or GREFFIER_HOST.")
    if error.errno == errno.EADDRINUSE:
        return CannotListen(
            f"Port {port} of {host} is taken by another program, perhaps by a Greffier that runs already. End that one,"
            " or choose another port with --port or GREFFIER_PORT (0 takes any that is free)."
        )
    if error.errno == errno.EACCES:
        return CannotListen(f"This account may not listen at port {port}: choose one from 1024 on with --port.")
    if error.errno == errno.EADDRNOTAVAIL:
        return CannotListen(f"{host} is no address of this machine: choose another with --host or GREFFIER_HOST.")
    return CannotListen(f"Nobody can listen at port {port} of {host}: {error.strerror or error}.")


def address(host: str, port: int) -> str:
    """How somebody on this machine reaches a server that listens there."""
    near = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}.get(host, host)  # noqa: S104 - only shown
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"
