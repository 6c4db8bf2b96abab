"""Bind an address, and serve the application on it."""

from __future__ import annotations

import socket

import uvicorn

from robustfim.errors import UsageError
from robustfim_explore.app import application
from robustfim_explore.desk import Desk

__all__ = ["bind", "server"]


def bind(host: str, port: int) -> socket.socket:
    """Bind an address and listen.

    Call this before the link is printed: a browser that follows the link early then waits for the server.

    Args:
        host: A name or an address.
        port: The port; 0 for any free port.

    Raises:
        UsageError: The address does not belong to this machine, or the port is taken.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen()
    except OSError as error:
        raise UsageError(f"{host}:{port} cannot be served: {error.strerror or error}.") from error
    return found


def server(desk: Desk, bound: socket.socket, *, token: str, host: str) -> uvicorn.Server:
    """Make the server; its answers do not name the software."""
    app = application(desk, token=token, host=host, port=bound.getsockname()[1])
    return uvicorn.Server(
        uvicorn.Config(
            app, log_level="error", access_log=False, server_header=False, date_header=False, ws="none",
            timeout_graceful_shutdown=2,
        )
    )  # fmt: skip
