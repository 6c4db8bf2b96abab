"""The gate: decides which requests the server answers, and adds security headers to every answer."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADER", "Gate", "is_loopback"]

HEADER = "x-robustfim-explore"
"""A header that only the page's own script can send: another site would have to ask first, and is refused."""

_MOST = 2_000_000
"""Bytes of a request's body, at most."""

_SAFE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_POLICY = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'; default-src 'self'{}"
_INLINE = "; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
"""Of the page: its own policy, which stands in it, allows by hash what is inside it; a browser obeys both."""

_ENTERED = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>robustfim explore</title>'
    '<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go on to the page.</a></p></html>'
)
"""Answers the link with the token. It is not a redirection: a browser from elsewhere would bring no cookie."""


def is_loopback(host: str) -> bool:
    """Return whether an address is a loopback address, which other machines cannot reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass
class Gate:
    """A web application that passes on only requests that come from the served page.

    Args:
        app: The application behind the gate.
        token: The secret in the link on the terminal; it becomes a cookie that scripts cannot read.
        host: The served address.
        port: The served port.

    A request must satisfy all of these: its ``Host`` is the served address (this stops other sites whose name resolves
    to this machine); its ``Origin``, if any, is the page's; it carries the token; and, unless it is GET or HEAD, it has
    the header :data:`HEADER`.
    """

    app: ASGIApp
    token: str
    host: str
    port: int

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token."""
        return f"robustfim_explore_{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":  # no web socket is served
            answer = self._answer(Request(scope))
            await answer(scope, _bounded(receive), _guarded(send, page=scope["path"] == "/"))

    def _answer(self, request: Request) -> ASGIApp:
        """The application for a request of its page; else what refuses it, or lets the browser of the link in."""
        headers, given = request.headers, request.query_params.get("token")
        if not self._addressed(headers) or len(headers.raw) != len({key for key, _ in headers.raw}):
            return _FORBIDDEN
        if request.method == "GET" and request.url.path == "/" and given:
            cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            return HTMLResponse(_ENTERED, headers={"set-cookie": cookie}) if self._is_token(given) else _FORBIDDEN
        if not self._is_token(request.cookies.get(self.cookie, "")) or not _own(request.method, headers):
            return _FORBIDDEN
        size = headers.get("content-length", "0")
        if not size.isdigit() or int(size) > _MOST:
            return PlainTextResponse(f"more than {_MOST:,} bytes\n", 413)
        return self.app

    def _addressed(self, headers: Headers) -> bool:
        """Whether the request names this server by an address of its own, as ``Host`` and as ``Origin``."""
        host = headers.get("host", "")
        name, _, port = host.rpartition(":")
        bare = name.strip("[]")
        if port != str(self.port) or not self._is_own(bare):
            return False
        return headers.get("origin") in (None, f"http://{host}")

    def _is_own(self, name: str) -> bool:
        if is_loopback(self.host):
            return is_loopback(name)
        if name in (self.host, socket.gethostname()):
            return True
        try:  # An address is never bent to another machine, as a name can be.
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


_FORBIDDEN = PlainTextResponse("Forbidden\n", 403)


def _own(method: str, headers: Headers) -> bool:
    """Whether the page itself asks, or the person who sits before it."""
    if headers.get("sec-fetch-site") not in (None, "same-origin", "none"):
        return False
    return method in ("GET", "HEAD") or headers.get(HEADER) == "1"


def _bounded(receive: Receive) -> Receive:
    """End a request whose body is longer than it said."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > _MOST else message

    return bounded


def _guarded(send: Send, *, page: bool) -> Send:
    """Add to every answer what keeps the browser from doing more with it than is meant."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            policy = _POLICY.format(_INLINE if page else "")
            MutableHeaders(scope=message).update({**_SAFE, "content-security-policy": policy})
        await send(message)

    return guarded
