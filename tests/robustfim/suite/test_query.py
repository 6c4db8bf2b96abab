from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.suite.query import check_query, run_query

ROWS: list[dict[str, Any]] = [
    {"text": "a good film", "words": 3, "label": "positive", "year": 1999, "note": "old"},
    {"text": "bad", "words": 1, "label": None, "year": None, "note": None},
    {"text": "not a Good one", "words": 4, "label": "negative", "year": 2004, "note": "new"},
]


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("words > 2", [True, False, True]),
        ("words > 2 and label == 'positive'", [True, False, False]),
        ("not (words > 2) or label == 'negative'", [False, True, True]),
        ("words in [1, 4]", [False, True, True]),
        ("label not in ['positive']", [False, True, True]),
        ("1 < words <= 3", [True, False, False]),
        ("words * 2 - 1 == 5", [True, False, False]),
        ("words % 2 == 0", [False, False, True]),
        ("text.str.contains('good')", [True, False, False]),
        ("text.str.contains('good', case=False)", [True, False, True]),
        ("text.str.len() == 3", [False, True, False]),
        ("note.str.startswith('o')", [True, False, False]),
        ("year < 2000", [True, False, False]),
        ("label != label", [False, True, False]),
        ("~(words == 1) & (year > 2000)", [False, False, True]),
    ],
)
def test_a_query_chooses_rows(query: str, chosen: list[bool]) -> None:
    assert run_query(query, ROWS) == chosen


@pytest.mark.parametrize(
    "query",
    [
        "@secret == 1",
        "words > @__builtins__",
        "().__class__",
        "text.__class__",
        "`a column` == 1",
        "text.to_csv('stolen.csv')",
        "text.to_pickle('stolen.pkl')",
        "text.values.tofile('stolen')",
        "text.map(print)",
        "text.apply('upper')",
        "text.str.cat('x')",
        "text.str.decode('x')",
        "text.str.contains",
        "text.str",
        "words.max() > 3",
        "index.map(print)",
        "eval('1')",
        "print(words)",
        "open('x')",
        "text.str.contains(text)",
        "text.str.contains(print('x'))",
        "text[0] == 'a'",
        "lambda: words",
        "[word for word in text]",
        "words ** 9 ** 9 ** 9 > 1",
        "'a' * 1000000000 == text",
        "words if words else words",
        "(words := 3)",
        "f'{words}' == text",
    ],
)
def test_a_query_cannot_reach_python(query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="not allowed in a query"):
        check_query(query)
    with pytest.raises(ValueError, match="not allowed in a query"):
        run_query(query, ROWS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("query", ["", "words >", "words = 3", "import os", "words; words", "words > 1\0", "(" * 500])
def test_what_is_no_expression_is_refused(query: str) -> None:
    with pytest.raises(ValueError, match="is no query; an example of one: words > 20"):
        check_query(query)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("word > 2", "there is no column 'word'. Did you mean 'words'? There are: label, note, text, words, year."),
        ("words > 'a'", "cannot be run: TypeError"),
        ("words", "gives numbers or texts; write a condition"),
        ("1 < 2", "names no column"),
        ("text.str.contains('(')", "cannot be run"),
    ],
)
def test_a_query_that_chooses_nothing_sensible_is_told(query: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        run_query(query, ROWS)
    assert message in str(raised.value)


def test_without_pandas_a_query_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"'query' needs pandas: pip install 'robustfim\[data\]'"):
        run_query("words > 2", ROWS)
