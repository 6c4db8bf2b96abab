"""Nothing that a data set, a plugin or a suite says can act on the page or hide in it."""

from __future__ import annotations

import pytest

from robustfim_html.page import render
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.hostile import HOSTILE, hostile


@pytest.fixture(scope="module")
def source() -> str:
    return render(hostile())


@pytest.fixture(scope="module")
def document(source: str) -> Element:
    return parse(source)


def test_no_element_comes_from_data(document: Element) -> None:
    assert len(document.scripts) == len(document.all("style")) == 1
    assert len(document.all("script")) == 2
    assert len(document.one("head").all("title")) == 1
    assert not document.all("img")
    assert {e.tag for e in document.walk()}.isdisjoint({"iframe", "object", "template", "math", "raw"})
    assert not [e for e in document.walk() if any(name.startswith("on") for name in e.attributes)]


def test_the_script_is_the_plugins_own(document: Element) -> None:
    (script,) = document.scripts[0].content
    assert isinstance(script, str)
    assert "alert(" not in script
    assert "innerHTML" not in script


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_text_is_shown_as_it_is(document: Element, number: int) -> None:
    text = HOSTILE[number]
    shown = document.by_id(f"failure-bad{number}").all(css="text")[0].without("ins", "span")
    for name in "\u202e\u202c\u200b\x00":
        text = text.replace(name, "")
    assert shown == text.replace("\r\n", "\n")


def test_what_cannot_be_seen_is_named(source: str, document: Element) -> None:
    for character in "\u202e\u202c\u200b\x00\r":
        assert character not in source
    labels = [e.text for e in document.by_id("failure-bad4").all("span", "ctl")]
    assert labels[:4] == ["RLO", "PDF", "ZWSP", "U+0000"]
    assert "safe ⟨RLO⟩evil⟨PDF⟩ text⟨ZWSP⟩" in document.one(css="meta").text


def test_half_of_a_surrogate_pair_does_not_stop_the_page() -> None:
    record = hostile()
    record = record.model_copy(update={"suite": "cut \ud83d", "seed": 7})
    example = record.examples[-1].model_copy(update={"fields": {"text": "cut \ud83d emoji"}})
    record = record.model_copy(update={"examples": [*record.examples[:-1], example]})
    page = render(record)
    page.encode("utf-8")
    document = parse(page)
    assert document.one(css="eyebrow").all("bdi")[0].text == "cut ⟨U+D83D⟩"
    assert [e.text for e in document.by_id("failure-bad8").all("span", "ctl")] == ["U+D83D"]


def test_an_attribute_keeps_data_inside_its_quotes(document: Element) -> None:
    options = document.by_id("by-check").all("option")
    assert HOSTILE[2] + "synonyms" in {option.attributes.get("data-name") for option in options}
    changes = document.by_id("by-change").all("option")
    assert f"positive → {HOSTILE[1]}" in {option.attributes["value"] for option in changes}


def test_text_is_marked_for_its_own_direction(document: Element) -> None:
    assert {e.attributes.get("dir") for e in document.all("div", "text")} == {"auto"}
