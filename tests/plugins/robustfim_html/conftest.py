from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robustfim.record import Record
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.synthetic import build

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def record() -> Record:
    return build()


@pytest.fixture(scope="session")
def small() -> Record:
    """A record of the same kinds of failures, fewer of each."""
    return build(examples=150, difficult=30, control=30)


@pytest.fixture(scope="session")
def page(record: Record) -> str:
    return render(record)


@pytest.fixture(scope="session")
def document(page: str) -> Element:
    return parse(page)


WATCH = """
window.seen = {violations: [], ran: 0};
document.addEventListener("securitypolicyviolation", (event) => seen.violations.push(event.violatedDirective));
window.alert = window.confirm = window.prompt = () => { seen.ran++; };
"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a page from disk; at the end nothing was fetched, no rule was broken, and no error was raised."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.add_init_script(WATCH)
    requests: list[str] = []
    errors: list[str] = []
    pages: list[Page] = []

    def open_page(text: str, fragment: str = "", *, ready: bool = True) -> Page:
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(text, encoding="utf-8")
        page = context.new_page()
        pages.append(page)
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri() + fragment)
        if ready:
            page.wait_for_function("() => document.documentElement.dataset.ready")
        return page

    yield open_page
    for each in pages:
        assert each.evaluate("seen") == {"violations": [], "ran": 0}
    own = [each.url.partition("#")[0] for each in pages]
    assert [url for url in requests if url.partition("#")[0] not in own and not url.startswith("blob:")] == []
    assert errors == []
    context.close()
