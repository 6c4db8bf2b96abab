"""The guard: addresses, markup and broken characters are found, and ordinary text is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim_texts import GUARDED, checksummed, guarded_spans, touches


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


@pytest.mark.parametrize(
    ("text", "numbers"),
    [  # from the standards, and numbers that card companies publish for tests
        ("Pay 4111 1111 1111 1111, please", ["4111 1111 1111 1111"]),
        ("378282246310005 or 5555-5555-5555-4444.", ["378282246310005", "5555-5555-5555-4444"]),
        ("to GB82 WEST 1234 5698 7654 32 by Monday", ["GB82 WEST 1234 5698 7654 32"]),
        ("TO DE89370400440532013000 NOW", ["DE89370400440532013000"]),
        ("to de89 3704 0044 0532 0130 00 is paid", ["de89 3704 0044 0532 0130 00"]),
        ("IMEI 490154203237518", ["490154203237518"]),
        ("ISBN 978-3-16-148410-0 and ISBN 0-306-40615-2", ["978-3-16-148410-0", "0-306-40615-2"]),
        ("DNI 12345678Z, NIE X1234567L", ["12345678Z", "X1234567L"]),
        ("4111 1111 1111 1112, GB82 WEST 1234 5698 7654 33, 12345678A, ISBN 0-306-40615-3", []),
        ("0000 0000 0000 0000, call 212-555-0123 on 2024-05-06, 1234567890", []),
        ("https://example.org/4111111111111111", ["4111111111111111"]),
    ],
)
def test_numbers_are_guarded_where_their_check_digits_are_right(text: str, numbers: list[str]) -> None:
    assert [text[start:end] for start, end in checksummed(text)] == numbers
    spans = guarded_spans(text)
    assert spans == tuple(sorted(set(spans)))
    assert all(touches(spans, *span) for span in checksummed(text))
