"""The page is well-formed, self-contained, and complete without its script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from urllib.parse import unquote

import pytest

from robustfim.record import Record
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.hostile import hostile
from tests.plugins.robustfim_html.synthetic import build
from tests.plugins.robustfim_html.unpacked import told


def policy(document: Element) -> dict[str, list[str]]:
    (meta,) = [e for e in document.all("meta") if e.attributes.get("http-equiv") == "Content-Security-Policy"]
    rules = (rule.split() for rule in meta.attributes["content"].split(";"))
    return {name: sources for name, *sources in rules}


def test_every_id_is_given_once_and_every_link_inside_the_page_leads_somewhere(document: Element) -> None:
    ids = Counter(e.attributes["id"] for e in document.walk() if "id" in e.attributes)
    assert max(ids.values()) == 1
    for link in [*document.all("a"), *document.all("use")]:
        target = link.attributes["href"]
        assert target.startswith("#")
        if not target.startswith(("#check=", "#slice=", "#x=")):
            assert unquote(target[1:]) in ids
    for element in document.walk():
        if "aria-labelledby" in element.attributes:
            assert element.attributes["aria-labelledby"] in ids


def test_nothing_on_the_page_is_fetched(page: str, document: Element) -> None:
    words = re.sub(r'id="data">[A-Za-z0-9+/=]*', "", page).replace("// ", "").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|url\(|@import|//[a-z]", words)
    fetching = {"src", "srcset", "action", "formaction", "data", "poster", "background", "ping", "xlink:href"}
    assert not [e for e in document.walk() if fetching & set(e.attributes)]
    assert not any(document.all(tag) for tag in ("link", "img", "iframe", "object", "embed", "base"))


def test_the_policy_allows_exactly_the_inline_style_and_script(document: Element) -> None:
    rules = policy(document)
    assert rules["default-src"] == ["'none'"]
    assert rules["base-uri"] == rules["form-action"] == ["'none'"]
    for name, tag in (("style-src", "style"), ("script-src", "script")):
        (text,) = (document.scripts[0] if tag == "script" else document.one(tag)).content
        assert isinstance(text, str)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[name] == [f"'sha256-{digest}'"]
    assert set(rules) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}


def test_no_attribute_needs_what_the_policy_forbids(document: Element) -> None:
    for element in document.walk():
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]


def test_the_policy_stands_before_what_it_governs(page: str) -> None:
    assert page.index("Content-Security-Policy") < page.index("<style") < page.index("<script")


def test_only_controls_are_hidden_without_a_script(document: Element) -> None:
    for element in document.all(css="js"):
        assert element.tag in {"form", "button", "fieldset", "p", "figure"}
    assert not [e for e in document.all("li") if "hidden" in e.attributes]
    assert not [e for e in document.all("figure") if "hidden" in e.attributes]


def test_every_control_has_a_name(document: Element) -> None:
    for control in [*document.all("input"), *document.all("select")]:
        labels = [e for e in document.all("label") if control in list(e.walk())]
        assert "aria-label" in control.attributes or labels[0].words
    assert all(button.words for button in document.all("button"))


def test_drawings_are_named_or_hidden_from_a_screen_reader(document: Element) -> None:
    hidden = {id(e) for h in document.walk() if h.attributes.get("aria-hidden") == "true" for e in h.walk()}
    for drawing in document.all("svg"):
        named = drawing.attributes.get("role") in ("img", "group") and drawing.attributes.get("aria-label")
        assert named or id(drawing) in hidden


def test_two_renderings_of_a_record_are_the_same(record: Record, page: str) -> None:
    assert render(record) == page


RUNS: dict[str, Callable[[], Record]] = {
    "hostile": hostile,
    "no selection": lambda: build(difficult=0, control=0, examples=60),
    "errors only": lambda: build(keep=("neighbours", "nouns")),
    "no examples": lambda: build(keep=("people",)).model_copy(update={"failures": [], "examples": [], "scores": []}),
    "no checks": lambda: build(keep=("people",)).model_copy(update={"failures": [], "checks": []}),
    "failures without their examples": lambda: build(examples=80, difficult=20, control=20).model_copy(
        update={"examples": []}
    ),
}


@pytest.mark.parametrize("kind", RUNS)
def test_every_kind_of_run_makes_a_well_formed_page(kind: str) -> None:
    other = RUNS[kind]()
    document = parse(render(other))
    ids = [e.attributes["id"] for e in document.walk() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    if other.failures:
        assert sorted(each.id for each in told(render(other))) == sorted(failure.id for failure in other.failures)
