"""Text and numbers as the page writes them."""

from __future__ import annotations

import pytest

from robustfim_drawing import number
from robustfim_html.visible import plain, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("<b>&\"'", "&lt;b&gt;&amp;&#34;&#39;"),
        ("a\u202eb", 'a<span class="ctl" title="U+202E RIGHT-TO-LEFT OVERRIDE">RLO</span>b'),
        ("a\u200bb", 'a<span class="ctl" title="U+200B ZERO WIDTH SPACE">ZWSP</span>b'),
        ("bell\x07", 'bell<span class="ctl" title="U+0007">U+0007</span>'),
        ("one\r\ntwo\tthree", "one\ntwo\tthree"),
        ("👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"),
    ],
)
def test_hidden_characters_are_named_and_the_rest_is_escaped(text: str, shown: str) -> None:
    assert str(visible(text)) == shown


@pytest.mark.parametrize(
    ("text", "label"), [("a\u200db", "ZWJ"), ("a\xa0b", "U+00A0"), ("  ", "␣␣"), ("\n", "↵\n"), ("a\tb", "U+0009")]
)
def test_a_change_that_only_spaces_and_joiners_make_is_visible(text: str, label: str) -> None:
    assert f">{label}</span>" in str(visible(text, change=True))


def test_names_in_attributes_hold_no_markup() -> None:
    assert plain("a\u202eb\x00") == "a⟨RLO⟩b⟨U+0000⟩"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (4.1234, "4.12"),
        (-0.03125, "−0.0312"),
        (12345.6, "12,346"),
        (1.25e-7, "1.2×10⁻⁷"),
        (3e9, "3.0×10⁹"),
        (None, "–"),
        (float("inf"), "–"),
        (float("nan"), "–"),
    ],
)
def test_numbers_of_any_size_take_three_digits(value: float | None, text: str) -> None:
    assert number.decimal(value) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0, "0 %"), (0.0004, "0.1 %"), (0.004, "0.4 %"), (0.21, "21 %"), (0.9996, "99.9 %"), (1, "100 %")],
)
def test_some_is_never_rounded_to_none_or_all(rate: float, text: str) -> None:
    assert number.share(rate).replace("\xa0", " ") == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (0.01, "< 0.1 s"), (9.96, "10.0 s"), (42.4, "42 s"), (252, "4 min 12 s"), (3780, "1 h 03 min")],
)
def test_time_spans_are_written_for_people(seconds: float, text: str) -> None:
    assert number.duration(seconds).replace("\xa0", " ") == text


@pytest.mark.parametrize(
    ("iso", "text"),
    [
        ("2026-11-20T21:03:07Z", "20 November 2026, 21:03 UTC"),
        ("2026-11-20T22:03:07+01:00", "20 November 2026, 21:03 UTC"),
        ("2026-11-20T21:03", "20 November 2026, 21:03"),
        ("yesterday", "yesterday"),
    ],
)
def test_moments_are_written_in_utc(iso: str, text: str) -> None:
    assert number.moment(iso) == text


def test_an_interval_without_ends_is_a_dash() -> None:
    assert number.interval(None) == number.percent(None) == number.count(None) == "–"
    assert number.interval((0.171, 0.302)) == "17.1–30.2\xa0%"
