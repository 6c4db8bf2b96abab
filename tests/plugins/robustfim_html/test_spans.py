"""Spans on the page: marked in both texts, whatever these hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example
from robustfim.spans import Span, written_spans
from robustfim_html.spans import decision, marked_spans


@pytest.mark.parametrize(
    ("label", "shown"),
    [("positive", "positive"), ("⟦⟧", "0 spans"), ("⟦0:3 a⟧", "1 span"), ("⟦0:3@0.5 a⟧ ⟦4:5 b⟧", "2 spans")],
)
def test_a_decision_is_a_label_or_a_number_of_spans(label: str, shown: str) -> None:
    assert decision(label) == shown


def test_spans_are_marked_and_all_text_is_escaped() -> None:
    label = written_spans([Span(0, 3, "<b>", 0.5), Span(2, 9, "hidden"), Span(10, 13, "mail"), Span(12, 40, "outside")])
    expected = (
        '<mark class="span">&lt;i&gt;<small> &lt;b&gt; 0.500</small></mark> &amp; Ann '
        '<mark class="span">Bob<small> mail</small></mark>.'
    )
    assert marked_spans("<i> & Ann Bob.", label) == expected


class Capitals:
    """Calls every word in capitals a name."""

    fingerprint = "capitals of the page"

    def tag(self, examples: Sequence[Example]) -> list[Any]:
        return [[(*found.span(), "name") for found in re.finditer(r"\b[A-Z]{2,}\b", each.text)] for each in examples]


def test_a_page_marks_gold_and_found_spans_in_both_texts(tmp_path: Path) -> None:
    run = robustfim.run(
        model=Capitals(),
        data=[Example({"text": "ANN & BOB <met>."}, "⟦0:3 name⟧")],
        checks={"lower": {"perturb": {"use": "case", "kinds": ["lower"]}}},
    )
    run.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    ann, bob = (f'<mark class="span">{name}<small> name</small></mark>' for name in ("ANN", "BOB"))
    assert f"{ann} &amp; BOB &lt;met&gt;." in page  # gold
    assert f"{ann} &amp; {bob} &lt;met&gt;." in page  # before
    assert '<div class="text" dir="auto">ann &amp; bob &lt;met&gt;.</div>' in page  # after
    assert "2 spans" in page
    assert "⟦" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
