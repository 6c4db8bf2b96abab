"""The web application: the page, its files, and the requests of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from robustfim.blame import blame, told
from robustfim.errors import RobustfimError, UsageError
from robustfim.parts import ReportPart
from robustfim.whole_file import defined
from robustfim_drawing import closed, page_style, part
from robustfim_explore.desk import Desk
from robustfim_explore.flip import smallest_flips
from robustfim_explore.form import form
from robustfim_explore.gate import Gate
from robustfim_explore.live import LiveModel
from robustfim_explore.request import Json

__all__ = ["application"]

_SCRIPTS = ("ask.js", "text.js", "review.js", "trial.js", "explore.js")
_JSON = "application/json"

Answer = Callable[[Request], Awaitable[Response]]


def _part(name: str) -> str:
    return part(f"template/{name}", "robustfim_explore")


def _json(value: Any, status: int = 200) -> Response:
    text = json.dumps(defined(value), ensure_ascii=True, allow_nan=False, default=str)
    return Response(text, status, media_type=_JSON)


def _telling(answer: Callable[..., Any]) -> Answer:
    """Make an answer of what a function returns; what is wrong is told as a message and never as a traceback."""

    async def answered(request: Request) -> Response:
        try:
            given = () if request.method in ("GET", "DELETE") else (await _body(request),)
            found = answer(*request.path_params.values(), *given)
            return _json(await found if asyncio.iscoroutine(found) else found)
        except UsageError as error:
            return _json({"error": str(error)}, 400)
        except RobustfimError as error:
            return _json({"error": str(error)}, 409)
        except OSError as error:
            return _json({"error": f"a file cannot be written or read: {error}"}, 409)
        except ClientDisconnect:
            return Response(status_code=400)
        except (Exception, SystemExit) as error:  # a plugin that is imported for it may raise anything, or leave
            return _json({"error": told(error)}, 500)

    return answered


async def _body(request: Request) -> Json:
    """Read a JSON object.

    Raises:
        UsageError: It is none.
    """
    raw = await request.body()
    try:
        found = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the request is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise UsageError("the request is not a JSON object.")
    return found


def _page(desk: Desk) -> str:
    """The report's page with the explorer's own style and script.

    Raises:
        UsageError: No loaded plugin has a page.
        PluginError: The one that has raised.
    """
    for name, offer in desk.subject.manager.offers("reports").items():
        with blame(f"report {name!r}"):
            report = ReportPart(offer.cls(), name, offer.owner)
        if report.serves:
            return report.serve(desk.answers.reviewed(), ["/explore.css"], ["/explore.js"])
    raise UsageError("no loaded plugin has a report for the explorer: robustfim_html is blocked or not installed.")


def application(desk: Desk, *, token: str, host: str, port: int) -> Gate:
    """Make the web application, behind a gate that refuses other origins."""

    async def page(request: Request) -> Response:
        try:
            return Response(await asyncio.to_thread(_page, desk), media_type="text/html")
        except RobustfimError as error:
            return Response(str(error), 500, media_type="text/plain")

    def fixed(text: str, kind: str) -> Answer:
        async def answered(request: Request) -> Response:
            return Response(text, media_type=f"text/{kind}")

        return answered

    async def icon(request: Request) -> Response:
        return Response(status_code=204)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = asyncio.create_task(desk.open())
        yield
        opening.cancel()
        desk.close()

    def route(path: str, method: str, answer: Callable[..., Any]) -> Route:
        return Route(f"/api/{path}", _telling(answer), methods=[method])

    answers, trials = desk.answers, desk.trials
    routes = [
        Route("/", page),
        Route("/favicon.ico", icon),
        Route("/explore.css", fixed(_part("explore.css"), "css")),
        Route("/explore.js", fixed(closed(*map(_part, _SCRIPTS)), "javascript")),
        Route("/study", fixed(_part("study.html"), "html")),
        Route("/study.css", fixed(page_style() + _part("study.css"), "css")),
        Route("/study.js", fixed(closed(_part("ask.js"), _part("study.js")), "javascript")),
        route("state", "GET", desk.told),
        route("pulse", "GET", desk.pulse),
        route("source/{id:path}", "GET", desk.source),
        route("form/{name:path}", "GET", lambda name: form(desk.subject.manager, name)),
        route("labels", "GET", lambda: {"rows": answers.export()}),
        route("look", "POST", desk.look),
        route("steps", "POST", lambda body: desk.first(LiveModel.steps, body)),
        route("flips", "POST", lambda body: desk.first(smallest_flips, body)),
        route("explain", "POST", lambda body: desk.first(LiveModel.explain, body, fine=bool(body.get("fine")))),
        route("review", "POST", lambda body: answers.answer(*map(body.get, ("failure", "answer", "seconds")))),
        route("label", "POST", lambda body: answers.mark(body.get("example"), body.get("wrong"))),
        *(route(f"study/{name}", "POST", getattr(desk.study, name)) for name in ("next", "attempt", "end", "rate")),
        route("trials", "POST", desk.begin),
        route("trials/{name}", "GET", lambda name: trials.find(name).told()),
        route("trials/{name}", "DELETE", trials.stop),
        route("trials/{name}/check", "POST", lambda name, body: trials.as_check(name, body.get("check"))),
        route("trials/{name}/save", "POST", lambda name, body: trials.save(name, body.get("check"))),
    ]
    return Gate(Starlette(routes=routes, lifespan=lifespan), token, host, port)
