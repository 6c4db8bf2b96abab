"""Every kind of page in a real browser: no accessibility rule is broken, nothing is wider than the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from robustfim.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MODEL = "--model use=reference/fasttext --data use=reviews --data limit=60"
GAUSSIANS = Path(__file__).parents[1] / "examples" / "two_gaussians.py"
COMMANDS = {
    "report": "run s.yaml --html report.html",
    "scan": f"scan {MODEL} --examples 20",
    "compare": "compare reports/s/results.json other/s/results.json --html compare.html",
    "plan": "plan s.yaml --html plan.html",
    "perturb": "perturb typos --data use=reviews --data limit=10 --html perturb.html",
    "mine": "mine s.yaml --rules 1 --html mine.html",
    "study": f"-p {GAUSSIANS} study gaussians --points 60",
    "scorers": "study scorers s.yaml --examples 20",
    "cues": "cues table copa --html cues.html",
}
PAGES = {
    "scan": "reports/scan-reviews/report.html",
    "study": "reports/study-gaussians.html",
    "scorers": "reports/s/study-scorers.html",
}
SUITE = """\
suite: s
model: reference/fasttext
data: {use: reviews, limit: 60}
scores: [fisher]
select: {by: fisher, difficult: 15, control: 15}
slices: {short: {words: [0, 20]}}
checks:
  typos: {perturb: {use: typos, candidates: 4}, limit: 0.1}
  synonyms: {perturb: {use: synonyms, candidates: 4}, limit: 0.1}
  eigenvector: {perturb: eigenvector}
"""


def ran(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(command.split())
    assert ended.value.code in (0, 1, 6), command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which a suite has run with two models."""
    here = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        Path("s.yaml").write_text(SUITE, encoding="utf-8")
        ran("run s.yaml -q")
        ran("run s.yaml -q --model use=reference/cnn --reports other")
        yield here


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize(
    ("width", "scheme"),
    [(width, scheme) for width in (390, 1024, 1440) for scheme in ("light", "dark")],
)
def test_no_accessibility_rule_is_broken_and_nothing_is_wider_than_the_screen(
    folder: Path, browser: Browser, kind: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    path = folder / PAGES.get(kind, f"{kind}.html")
    if not path.exists():
        ran(COMMANDS[kind])
    said: list[Any] = []
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    if kind in ("report", "scan", "compare"):
        page.wait_for_function("() => document.documentElement.dataset.ready")
    found = [
        (violation["id"], violation["nodes"][0]["target"]) for violation in axe.Axe().run(page).response["violations"]
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    page.close()
    assert (found, wide, said) == ([], 0, [])


def test_a_page_links_to_the_others_of_its_folder_by_their_titles(folder: Path, browser: Browser) -> None:
    (folder / "reports" / "s" / "foreign.html").write_text("<title>not of this harness</title>", encoding="utf-8")
    ran(COMMANDS["scorers"])
    page = browser.new_page()
    page.goto((folder / PAGES["scorers"]).as_uri())
    links = page.locator(".others a")
    title = links.first.inner_text()
    assert links.count() == 1
    links.first.click()
    page.wait_for_url("**/report.html")
    assert page.title() in (title, f"{title}.")  # a link ends no sentence
    page.close()
