"""``python -m docs.pictures PAGE``: the pictures of docs/report.md and docs/explore.md, taken in Chromium.

PAGE is the report of ``robustfim run suites/sentiment.yaml``: reports/sentiment/report.html where it is not given.
It may be the link that ``robustfim explore reports/sentiment`` prints, and then the pictures are those of the explorer;
or ``NAME=PAGE``, as often as there are pages, and then ``page-NAME.png`` of docs/pages.md is its first screen.
``python -m docs.pictures sampling`` draws those of docs/sampling.md, without a browser, and ``python -m docs.pictures
beside FILE`` that of docs/other-tools.md.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from robustfim.exhibit import Figure

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
        shown.evaluate("() => document.querySelector('.plot-figure').scrollIntoView()")
        shown.wait_for_timeout(300)
        _keep(shown.screenshot(), "report-plot.png")
        shown.evaluate("() => document.getElementById('failures').scrollIntoView()")
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


def sampling() -> None:
    """Draw the strata of a score, and the evidence of one simulated check that draws from them."""
    import numpy as np
    from scipy.special import ndtr

    from robustfim.exhibit import Figure, Series
    from robustfim.outcome import Outcome
    from robustfim.statistics import allocation, next_block
    from robustfim.statistics.sequential import Watch

    parts = allocation(10_000, 1200)
    sizes, drawn = (np.array(part) for part in zip(*parts, strict=True))
    names = ["hardest", *[""] * (len(parts) - 2), "easiest"]
    fractions = [
        Series(name=name, kind="bars", points=[(place, float(share), None, None) for place, share in enumerate(part)])
        for name, part in (("share of the data", sizes / sizes.sum()), ("share of the draw", drawn / drawn.sum()))
    ]
    keep_drawing(
        "strata.svg",
        Figure(title="Strata of a score", across="strata", up="share", series=fractions, names=names, shares=True),
    )
    random = np.random.default_rng(3)
    scores = random.normal(size=10_000)
    fails = random.random(10_000) < ndtr(1.8 * scores - 5.2)  # 0.6 %, with an AUROC of .99
    strata = np.split(fails[np.argsort(-scores)], np.cumsum(sizes)[:-1])
    pools, taken = [random.permutation(stratum) for stratum in strata], np.zeros(len(parts), int)
    watch, steps = Watch(0.02, sizes=tuple(sizes.tolist())), [(0.0, 0.0)]
    while watch.tail.side is not Outcome.PASSED and taken.sum() < 1200:
        block = np.array(next_block(drawn.tolist(), taken.tolist(), int(1200 - taken.sum())))
        bad = [pool[start : start + more].sum() for pool, start, more in zip(pools, taken, block, strict=True)]
        watch.take(np.array([block, block, bad], float))
        taken = taken + block
        steps.append((float(taken.sum()), watch.evidence[1]))
    plain, whole, looks = random.permutation(fails), Watch(0.02, planned=1200), [(0.0, 0.0)]
    for tested in range(32, 1201, 32):
        certain = whole.look(int(plain[:tested].sum()), tested)
        side, fraction = whole.evidence
        looks.append((float(tested), fraction * (side is Outcome.PASSED)))
        if certain:
            break
    lines = [
        Series(name=name, kind="line", points=points) for name, points in (("strata", steps), ("a plain draw", looks))
    ]
    keep_drawing(
        "evidence.svg",
        Figure(
            title="Evidence that less than 2 % fail", across="tested examples", up="evidence for passed", series=lines,
            level=1.0, level_name="certain", shares=True,
        ),
    )  # fmt: skip


def keep_drawing(name: str, figure: Figure) -> None:
    """Draw a figure that stands by itself, without a page and its style.

    Args:
        name: The file, beside the other pictures.
        figure: What is drawn.
    """
    import re

    from robustfim_drawing.exhibits import exhibits_style
    from robustfim_drawing.figure import draw

    colours = "--muted:#5c616c;--line:#e3e3de;--strong:#b9bcc2;--ink:#1b1d22;--surface:#fff"
    rules = re.findall(r"^\.exhibits (\.(?:s\d|bar|axis|grid|level)\b.*|svg text.*)$", exhibits_style(), re.M)
    style = f"svg{{{colours};background:#fff;font-family:sans-serif}}" + "".join(rules)
    drawn = str(draw(figure)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    head, _, body = drawn.partition(">")
    legend = "".join(
        f'<text x="{150 + 150 * row}" y="14" class="name s{row}">{each.name}</text>'
        for row, each in enumerate(figure.series)
        if each.kind == "bars"
    )
    (HERE / name).write_text(f"{head}><style>{style}</style>{legend}{body}\n", encoding="utf-8")
    print(f"wrote {name}")


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
    elif given == "beside":
        from benchmarks.rivals.beside import counted, figure

        keep_drawing("beside.svg", figure(counted(Path(sys.argv[2]))))
    elif given == "sampling":
        sampling()
    elif given.startswith("http://"):
        explorer(given)
    else:
        main(Path(given))
