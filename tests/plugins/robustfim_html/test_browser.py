"""The page in a real browser: its filters, its links to one pair, its policy."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim_html.page import render
from tests.plugins.robustfim_html.hostile import hostile

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")


FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=3000",
    "--dump-dom",
)


def opened(folder: Path, page: str, fragment: str = "") -> tuple[str, str]:
    """Return the document after its script ran, and what the browser's console said."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}", path.as_uri() + fragment]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    console = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    return done.stdout.decode(), "\n".join(console)


def cards(document: str) -> list[tuple[bool, str]]:
    """Return whether each card is shown, and its check's index and arm."""
    found = re.findall(r'<li data-check="(\d+)" data-arm="(\w+)" data-keys="[^"]*"( hidden="")?>', document)
    return [(not hidden, f"{check} {arm}") for check, arm, hidden in found]


def status(document: str) -> str:
    (text,) = re.findall(r'<p class="shown" role="status" id="shown">(.*?)</p>', document)
    return re.sub("<.*?>", "", text)


def test_an_address_with_filters_and_a_search_shows_what_fits(tmp_path: Path, record: Record, page: str) -> None:
    document, console = opened(tmp_path, page, "#check=synonyms&arm=difficult&q=A+NICE+surprise")
    assert console == ""
    (number,) = [i for i, check in enumerate(record.checks) if check.name == "synonyms"]
    sources = {example.id: example.fields["text"] for example in record.examples}
    members: dict[str, list[str]] = {}
    for failure in record.failures:
        if failure.check.endswith("::synonyms") and failure.arm == "difficult":
            members.setdefault(failure.example, [sources[failure.example]]).append(failure.fields["text"])
    fitting = [texts for texts in members.values() if any("a nice surprise" in text.lower() for text in texts)]
    pairs = sum(len(texts) - 1 for texts in fitting)
    assert [kind for visible, kind in cards(document) if visible] == [f"{number} difficult"] * len(fitting)
    assert 0 < len(fitting) < len(members)
    assert status(document).startswith(f"{pairs} failing pairs of {len(record.failures)} in {len(fitting)} groups")


def test_only_the_first_hundred_cards_are_laid_out(tmp_path: Path, record: Record, page: str) -> None:
    document, _ = opened(tmp_path, page)
    found = cards(document)
    assert [visible for visible, _ in found] == [True] * 100 + [False] * (len(found) - 100)
    assert status(document).endswith("the first 100 groups are shown")


def test_a_link_to_a_folded_pair_unfolds_it(tmp_path: Path, page: str) -> None:
    folded = re.findall(r'<details class="siblings">.*?<article class="pair" id="(failure-\w+)"', page, re.DOTALL)
    document, _ = opened(tmp_path, page, f"#{folded[-1]}")
    at = document.index(f'id="{folded[-1]}"')
    assert '<details class="siblings" open="">' in document[document.rindex("<li ", 0, at) : at]
    assert document[document.rindex("<article", 0, at) : at].startswith('<article class="pair target"')
    assert ' hidden=""' not in document[document.rindex("<li ", 0, at) :].split(">", 1)[0]


def test_a_hostile_record_runs_nothing_and_breaks_no_rule(tmp_path: Path) -> None:
    document, console = opened(tmp_path, render(hostile()), "#q=<script>alert(1)</script>")
    assert console == ""
    assert '<html lang="en" class="js">' in document
    assert "<img" not in document
