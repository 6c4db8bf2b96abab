"""The count of words literal in code, and the limits that the plugin of English words keeps."""

from __future__ import annotations

from pathlib import Path

from benchmarks.lexical import lines, literal_words, refusing_entries

_MODULE = '''
"""Words of a docstring."""
import re
__all__ = ["film"]
_LIST = frozenset("good bad".split())
_FORM = re.compile(r"(?P<word>never|house) ago")
_TAGS = ("NN", "house_name", "lexicon.tsv")

class Case:
    _known: ClassVar = {"tree": lambda text: text}

def told(kind):
    one_of("kind", kind, ("table", "chair"))
    raise ValueError("wrong tree")

MESSAGE = "this is a sentence"
'''


def test_words_of_lists_and_patterns_count_and_what_is_told_or_named_does_not(tmp_path: Path) -> None:
    module = tmp_path / "text" / "module.py"
    module.parent.mkdir()
    module.write_text(_MODULE, encoding="utf-8")
    assert literal_words(tmp_path) == {module: {"good", "bad", "never", "house", "ago"}}
    assert lines(tmp_path) == len(_MODULE.splitlines())


def test_the_plugin_of_english_words_writes_a_hundred_words_into_code_and_refuses_for_six_hundred_entries() -> None:
    assert sum(map(len, literal_words().values())) <= 100
    assert refusing_entries() <= 600
