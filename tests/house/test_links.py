"""What a page points to exists: files, headings, suites and plugins."""

from __future__ import annotations

import re
from pathlib import Path

from robustfim import hookspecs
from tests.house.tree import CORE, ROOT, SHARED, plugin_folders, prose, shown

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def text_of(path: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_relative_link_leads_to_a_file_and_a_heading() -> None:
    broken = []
    for page in prose():
        for target in LINK.findall(text_of(page)):
            if "://" in target:
                continue
            place, _, anchor = target.partition("#")
            path = page.parent / place if place else page
            if not path.exists() or (anchor and anchor not in anchors(path)):
                broken.append(f"{shown(page)}: {target}")
    assert not broken


def unknown(text: str) -> set[str]:
    """The suites, plugins and modules that a page names and that do not exist."""
    known = {folder.name for folder in (*plugin_folders(), *SHARED)} | set(vars(hookspecs))
    missing = set(re.findall(r"\brobustfim_[a-z_]+\b", text)) - known
    missing |= {name for name in re.findall(r"\bsuites/[\w/-]+\.yaml", text) if not (ROOT / name).is_file()}
    missing |= {name for name in re.findall(r"\brobustfim/\w+\.py", text) if not (ROOT / name).is_file()}
    missing |= {name for name in re.findall(r"\btests/[\w/]+(?:\.py|/)", text) if not (ROOT / name).exists()}
    missing |= {
        f"robustfim.{name}"
        for name in re.findall(r"`robustfim\.([a-z_]+)\.", text)
        if not (CORE / f"{name}.py").is_file() and not (CORE / name).is_dir()
    }
    return missing


def test_the_suites_plugins_and_modules_that_a_page_names_exist() -> None:
    named = {shown(page): unknown(page.read_text(encoding="utf-8")) for page in prose()}
    assert {page: missing for page, missing in named.items() if missing} == {}
