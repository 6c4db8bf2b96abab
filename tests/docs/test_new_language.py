"""docs/new-language.md: every key of a language's file that it names stands in one that ships."""

from __future__ import annotations

import re
from importlib import resources

import yaml

from robustfim_words.languages.language import known_languages
from tests.docs.page import DOCS

TEXT = (DOCS / "new-language.md").read_text(encoding="utf-8")
TABLES = resources.files("robustfim_words.languages") / "tables"


def keys(value: object) -> set[str]:
    """All keys of nested mappings."""
    if not isinstance(value, dict):
        return set()
    return {str(key) for key in value} | {key for below in value.values() for key in keys(below)}


def test_the_keys_of_the_page_are_those_of_a_language() -> None:
    files = [TABLES / code / "language.yaml" for code in known_languages()]
    known = {key for file in files for key in keys(yaml.safe_load(file.read_text(encoding="utf-8")))}
    named = set(re.findall(r"`([a-z_]+)`", TEXT)) & known
    assert {"name", "home", "keyboard", "nouns_capital", "elided", "onsets", "countries", "paradigms"} <= named
