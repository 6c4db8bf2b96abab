"""``python -m docs.pictures PAGE``: the pictures of docs/report.md and docs/explore.md, taken in Chromium.

PAGE is the report of ``robustfim run suites/sentiment.yaml``: reports/sentiment/report.html where it is not given.
It may be the link that ``robustfim explore reports/sentiment`` prints, and then the pictures are those of the explorer.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent / "pictures"
COLOURS = 128
"""Enough for a page, and a third of the bytes."""


def main(page: Path) -> None:
    """Take the pictures.

    Args:
        page: A report.

    Raises:
        SystemExit: There is no such report, or no browser.
    """
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None or not page.is_file():
        sys.exit("no Chromium on the path" if browser is None else f"no report at {page}: run the suite first")
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser)
        shown = running.new_page(viewport={"width": 1180, "height": 720})
        shown.goto(page.resolve().as_uri())
        shown.wait_for_function("() => document.documentElement.dataset.ready")
        _keep(shown.screenshot(), "report-head.png")
        shown.evaluate("() => document.getElementById('failures').scrollIntoView()")
        shown.wait_for_timeout(300)
        _keep(shown.screenshot(), "report-plot.png")
        shown.keyboard.press("j")
        shown.keyboard.press("j")
        shown.wait_for_timeout(300)
        _keep(shown.screenshot(), "report-list.png")
        running.close()


def explorer(link: str) -> None:
    """Take the pictures of the explorer.

    Args:
        link: What ``robustfim explore`` prints.
    """
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser)
        shown = running.new_page(viewport={"width": 1360, "height": 760})
        shown.goto(link)
        shown.wait_for_selector("html[data-explorer=ready][data-ready]", timeout=120_000)
        shown.evaluate("() => document.getElementById('list').scrollIntoView()")
        shown.click("#list .desk-bar .open")
        shown.wait_for_selector("#panel-text .trail li:nth-child(2)")
        shown.click("#flip")
        shown.wait_for_selector("#panel-text .ways li", timeout=120_000)
        _keep(shown.screenshot(), "explore-text.png")
        shown.click("#tab-map")
        shown.wait_for_selector("#desk canvas", timeout=120_000)
        shown.wait_for_timeout(500)
        _keep(shown.locator("#desk").screenshot(), "explore-map.png")
        running.close()


def _keep(picture: bytes, name: str) -> None:
    from PIL import Image

    path = HERE / name
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"wrote {path.relative_to(HERE.parent.parent)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else "reports/sentiment/report.html"
    if given.startswith("http://"):
        explorer(given)
    else:
        main(Path(given))
