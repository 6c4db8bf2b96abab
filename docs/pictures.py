"""``python -m docs.pictures PAGE``: the pictures of docs/report.md and docs/explore.md, taken in Chromium.

PAGE is the report of ``robustfim run suites/sentiment.yaml``: reports/sentiment/report.html where it is not given.
It may be the link that ``robustfim explore reports/sentiment`` prints, and then the pictures are those of the explorer;
or ``NAME=PAGE``, as often as there are pages, and then ``page-NAME.png`` of docs/pages.md is its first screen.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent / "pictures"
COLOURS = 128
"""Enough for a page, and a third of the bytes."""
_HIGH, _GAP = 560, 16
"""Pixels of a first screen, and between two."""


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


def first_screens(pages: dict[str, Path]) -> None:
    """Take the first screen of pages: on a wide screen in light colours, and on a phone in dark ones.

    Args:
        pages: Pages that a command wrote, by the names of their pictures.
    """
    from PIL import Image
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser)
        for name, page in pages.items():
            screens = []
            for width, height in ((1440, 900), (390, 844)):
                scheme: Literal["light", "dark"] = "light" if width > height else "dark"
                shown = running.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                shown.goto(page.resolve().as_uri())
                shown.wait_for_function("() => !document.getElementById('data')")  # a report has unpacked its failures
                screen = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
                screens.append(screen.resize((round(width * _HIGH / height), _HIGH), Image.Resampling.LANCZOS))
                shown.close()
            joined = Image.new("RGB", (sum(each.width for each in screens) + _GAP, _HIGH), "white")
            joined.paste(screens[0], (0, 0))
            joined.paste(screens[1], (screens[0].width + _GAP, 0))
            out = io.BytesIO()
            joined.save(out, "png")
            _keep(out.getvalue(), f"page-{name}.png", 64)
        running.close()


def _keep(picture: bytes, name: str, colours: int = COLOURS) -> None:
    from PIL import Image

    path = HERE / name
    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    few = whole.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)  # no hue is lost
    few.save(path, optimize=True)
    print(f"wrote {path.relative_to(HERE.parent.parent)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else "reports/sentiment/report.html"
    if "=" in given and not given.startswith("http://"):
        first_screens({name: Path(page) for name, _, page in (each.partition("=") for each in sys.argv[1:])})
    elif given.startswith("http://"):
        explorer(given)
    else:
        main(Path(given))
