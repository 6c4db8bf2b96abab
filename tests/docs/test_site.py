"""The site: every page, every link, and nothing fetched from elsewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from docs.site import BROUGHT, FIRST, build, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser


DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, whose links Zensical has followed."""
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("zensical, which builds the site, is not installed")
    out = tmp_path_factory.mktemp("built") / "site"
    build(out)
    return out


def test_the_navigation_names_every_page_once() -> None:
    named = [name for _, name in pages()]
    brought = [name for name in BROUGHT.values() if not name.startswith("results/")]
    assert sorted(named) == sorted([*(page.name for page in DOCS.glob("*.md")), *brought, "results/index.md"])


def test_the_index_of_results_leads_to_every_experiment(built: Path) -> None:
    index = (built / "results" / "index.html").read_text(encoding="utf-8")
    experiments = [name for name in BROUGHT.values() if name.startswith("results/") and name != "results/index.md"]
    measured = {f"results/{path.name}" for path in (DOCS.parent / "benchmarks/results").glob("*.md")} - {
        "results/README.md"
    }
    assert set(experiments) == measured
    for name in experiments:
        page = name.removeprefix("results/").removesuffix(".md")
        assert f'href="{page}/"' in index
        assert "<h1" in (built / "results" / page / "index.html").read_text(encoding="utf-8")


def test_every_page_of_the_navigation_is_built(built: Path) -> None:
    for _, name in pages():
        page = built / name.removesuffix(".md").removesuffix("index") / "index.html"
        assert "<h1" in page.read_text(encoding="utf-8"), name


def test_no_page_fetches_anything_from_another_host(built: Path) -> None:
    for page in built.rglob("*.html"):
        fetched = re.findall(r"<(?:script|img|iframe|link)\b[^>]*https?://[^>]*>", page.read_text(encoding="utf-8"))
        assert not fetched, page


def test_llms_txt_lists_every_page_with_its_first_sentence(built: Path) -> None:
    lines = [line for line in (built / "llms.txt").read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    assert [re.findall(r"\[(.*?)\]", line)[0] for line in lines] == [title for title, _ in pages()]
    assert all((built / re.findall(r"\]\((.*?)\)", line)[0] / "index.html").is_file() for line in lines)
    assert all(len(line.partition("): ")[2]) > 10 for line in lines)


def test_llms_full_txt_holds_the_text_of_every_page(built: Path) -> None:
    whole = (built / "llms-full.txt").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.read_text(encoding="utf-8").splitlines()[0] in whole


def test_a_link_that_leads_nowhere_stops_the_build(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs.site._moved", lambda page: f"# {page.stem}\n\n[lost](nowhere.md)\n")
    with pytest.raises(RuntimeError, match="page does not exist"):
        build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_no_mark_of_markdown_stands_raw_on_a_page(built: Path) -> None:
    """Outside code: struck-out text, bold text, and a backslash before a mark."""
    for page in built.rglob("*.html"):
        body = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"<[^>]+>", " ", body)
        assert re.findall(r".{0,30}(?:~~|\*\*|\\(?:[.*_~`]|&lt;)).{0,30}", text) == [], page


def test_the_start_page_holds_the_first_report_whose_texts_can_be_tried(built: Path, browser: Browser) -> None:
    shown = browser.new_page()
    shown.goto((built / "index.html").as_uri())
    frame = shown.frame_locator("iframe.first-run")
    card = frame.locator(".live").first
    before = card.locator(".variant.current").inner_text()
    card.locator(".variant.current :is(del, ins)").first.click()
    card.locator(".tried[open]").wait_for()
    assert (built / FIRST).is_file()
    assert card.locator(".variant.current").inner_text() != before
    shown.close()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_start_page_breaks_no_accessibility_rule(
    built: Path, browser: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown.goto((built / "index.html").as_uri())
    shown.wait_for_selector(".md-code__nav[aria-label]", state="attached")
    found = axe.Axe().run(shown, options={"iframes": False}).response["violations"]
    assert [(each["id"], each["nodes"][0]["target"]) for each in found] == []
    shown.close()
