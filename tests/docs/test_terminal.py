"""The picture of the terminal: what was printed is in it as text, and nothing is fetched."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest

from docs.terminal import TARGET, picture, taken
from tests.docs.page import Page


def texts(drawn: str) -> str:
    return unescape(" ".join(re.findall(r"<text[^>]*>(.*?)</text>", drawn))).replace("\xa0", " ")


def test_a_picture_holds_the_words_in_their_colours_up_to_the_first_checks_failures() -> None:
    drawn = picture("one \x1b[1;31mFAILED\x1b[0m 3 < 4\n… and 2 more\nnever shown\n", "robustfim run")
    ET.fromstring(drawn)  # noqa: S314  # our own text
    assert "FAILED" in texts(drawn)
    assert "3 < 4" in texts(drawn)
    assert "never shown" not in drawn
    assert not re.search(r"url\(\s*[\"']?http|@font-face|@import", drawn)


def test_the_readmes_picture_is_one_of_a_whole_run() -> None:
    shown = texts(TARGET.read_text(encoding="utf-8"))
    assert "robustfim session starts" in shown
    assert "collected 480 examples" in shown
    assert "--example" in shown
    assert "ERROR" not in shown


@pytest.mark.slow
def test_the_readmes_picture_is_what_the_run_prints_today() -> None:
    Page("pictures/terminal.svg", {}).check_text(TARGET.read_text(encoding="utf-8"), taken(), "python -m docs.terminal")
