"""The guard: addresses, markup and broken characters are found, and ordinary text is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.guard import GUARDED, guarded_spans, touches


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("See https://example.org/a?b=1, or not.", ["https://example.org/a?b=1"]),
        ("Write to jo.morgan@example.com.", ["jo.morgan@example.com"]),
        ("Thanks @robin_k, #lovely!", ["@robin_k", "#lovely"]),
        ("It ends.<br /><br />It begins &amp; goes.", ["<br />", "<br />", "&amp;"]),
        ("The town #39;s mayor doesn #39;t know.", ["#39;s", "doesn #39;t"]),
        (
            '&lt;A HREF="http://example.org/x"&gt;TOY.N&lt;/A&gt;',
            ['&lt;A HREF="http://example.org/x"&gt;', "&lt;/A&gt;"],
        ),
        ("A cafÃ© in spring", ["cafÃ©"]),
        ("I read example.co.uk daily", ["example.co.uk"]),
        ("It is #1, no. 2, and 3 < 4 > 2.", []),
        ("Plain words, well-made; 8/10 & more!", []),
    ],
)
def test_what_is_no_language_is_found_and_nothing_else(text: str, guarded: list[str]) -> None:
    assert [text[start:end] for start, end in guarded_spans(text)] == guarded


_PIECES = (
    *("https", "ftp", "www", "com", "co", "uk", "lt", "gt", "39", "x", "n", "t", "amp", "quot", "a", "é", "1"),
    *("://", ".", "@", "#", "&", ";", "<", ">", "/", " ", "\n", "-", "Ã", "\u0083", "\ufffd", "â", "€", "Â", "\u00a0"),
)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_the_signs_that_are_looked_for_first_hide_nothing_that_the_pattern_finds(text: str) -> None:
    assert guarded_spans(text) == tuple(match.span() for match in re.finditer(GUARDED, text))


def test_a_change_beside_a_guarded_span_does_not_touch_it() -> None:
    spans = [(4, 10)]
    assert touches(spans, 3, 5)
    assert touches(spans, 5, 5)
    assert not touches(spans, 0, 4)
    assert not touches(spans, 4, 4)
    assert not touches(spans, 10, 12)
