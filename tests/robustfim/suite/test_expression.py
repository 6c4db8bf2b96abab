from __future__ import annotations

import doctest
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.errors import UsageError
from robustfim.suite import expression
from robustfim.suite.expression import compile_expression

WORDS = ("ape", "bee", "cat")

nodes = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        inner.map(lambda text: f"not ({text})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) and ({pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]} or {pair[1]}"),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]} and {pair[1]}"),
        inner.map(lambda text: f"not {text}"),
    ),
    max_leaves=8,
)


@given(nodes)
def test_an_expression_means_what_it_means_in_python(text: str) -> None:
    compiled = compile_expression(text, "-k")
    for values in product([False, True], repeat=len(WORDS)):
        truth = dict(zip(WORDS, values, strict=True))
        # Python's own reading, with each word replaced by its truth value.
        literal = re.sub("|".join(WORDS), lambda match, truth=truth: str(truth[match[0]]), text)  # type: ignore[misc]  # a default binds the loop variable
        assert compiled(truth.__getitem__) is eval(literal)  # noqa: S307  # words and operators made above


@pytest.mark.parametrize(
    ("text", "has", "expected"),
    [
        ("lexical", {"lexical"}, True),
        ("a or b and c", {"a"}, True),
        ("(a or b) and c", {"a"}, False),
        ("not a and b", {"b"}, True),
        ("not not a", {"a"}, True),
        ("(a)and(b)", {"a", "b"}, True),
        ("same-length or x.y", {"x.y"}, True),
    ],
)
def test_not_binds_tightest_then_and_then_or(text: str, has: set[str], expected: bool) -> None:
    assert compile_expression(text, "-m")(has.__contains__) is expected


@pytest.mark.parametrize(
    "text", ["", "  ", "a b", "and", "a and", "or a", "not", "(a", "a)", "()", "a and or b", "a not b"]
)
def test_a_malformed_expression_is_a_usage_error_that_shows_it(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"-k {text!r}: write words joined by and, or, not and ().")):
        compile_expression(text, "-k")


def test_a_word_is_only_ever_asked_for_never_evaluated() -> None:
    asked: list[str] = []

    def has(word: str) -> bool:
        asked.append(word)
        return False

    assert compile_expression("__import__ or 1/0 or os.abort", "-k")(has) is False
    assert asked == ["__import__", "1/0", "os.abort"]


def test_the_example_in_the_docstring_holds() -> None:
    results = doctest.testmod(expression)
    assert results.attempted > 0
    assert results.failed == 0
