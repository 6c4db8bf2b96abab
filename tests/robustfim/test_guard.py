"""The guard: addresses, markup and broken characters are found, and ordinary text is not."""

from __future__ import annotations

import pytest

from robustfim.guard import guarded_spans, touches


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


def test_a_change_beside_a_guarded_span_does_not_touch_it() -> None:
    spans = [(4, 10)]
    assert touches(spans, 3, 5)
    assert touches(spans, 5, 5)
    assert not touches(spans, 0, 4)
    assert not touches(spans, 4, 4)
    assert not touches(spans, 10, 12)
