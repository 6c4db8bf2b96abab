"""Tables and figures as HTML: every text is escaped, every number is there."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from robustfim.exhibit import Bar, Figure, Mark, Passage, Passages, Series, Table
from robustfim_drawing.exhibits import exhibits_html, exhibits_style

HOSTILE = '<b onclick=1>&"'


def test_no_text_of_an_exhibit_becomes_markup() -> None:
    series = [Series(name=HOSTILE, kind="dots", points=[(0, 0)]), Series(name="b", kind="bars", points=[(0, 1)])]
    figure = Figure(title=HOSTILE, across=HOSTILE, up=HOSTILE, names=[HOSTILE], series=series, notes=[HOSTILE])
    table = Table(title=HOSTILE, header=[HOSTILE], rows=[[HOSTILE]], notes=[HOSTILE])
    html = exhibits_html([table], [figure])
    assert "<b" not in html.replace("<body", "")
    assert html.count("&lt;b onclick=1&gt;") >= 9


@pytest.mark.parametrize("level", [2, 3])
def test_headings_have_the_level_that_the_page_asks_for(level: int) -> None:
    table = Table(title="numbers", header=["a"], rows=[["1"], ["2"]])
    html = exhibits_html([table], [], level=level)
    assert f"<h{level}>numbers</h{level}>" in html
    assert html.count("<td>") == 2


def test_a_legend_stands_where_there_is_more_than_one_series() -> None:
    one = Series(name="one", kind="dots", points=[(0, 0)])
    assert "legend" not in exhibits_html([], [Figure(title="", across="", up="", series=[one])])
    assert 'class="legend"' in exhibits_html([], [Figure(title="", across="", up="", series=[one, one])])


def test_the_style_speaks_of_exhibits_only() -> None:
    rules = [line.strip() for line in exhibits_style().splitlines() if line.strip(" }")]
    assert rules
    assert all(line.startswith((".exhibits ", "@media ")) for line in rules)
    assert "url(" not in exhibits_style()


def test_columns_of_sentences_are_told_from_numbers() -> None:
    html = exhibits_html([Table(title="", header=["a", "b"], rows=[["x", "a sentence"]], texts=[1])], [])
    assert '<th scope="col">a</th><th scope="col" class="sentence">b</th>' in html
    assert '<td>x</td><td class="sentence">a sentence</td>' in html


def test_texts_are_escaped_and_what_matters_in_them_is_marked() -> None:
    pieces: list[tuple[Mark, str]] = [("", HOSTILE), ("del", "old"), ("ins", HOSTILE), ("mark", "cue"), ("ins", "")]
    group = Passages(id="x-1", title=HOSTILE, passages=[Passage(note=HOSTILE, pieces=pieces)])
    html = exhibits_html([], [], passages=[group])
    escaped = "&lt;b onclick=1&gt;&amp;&#34;"
    assert f'<summary>{escaped}</summary>\n<ul id="x-1" tabindex="-1">' in html
    assert f'dir="auto">{escaped}<del>old</del><ins>{escaped}</ins><mark>cue</mark></p>' in html
    assert html.count(escaped) == 4


@pytest.mark.parametrize("id_", ["", "1", "A", "a b", 'a"onclick="x', "<b>"])
def test_the_id_of_texts_is_plain(id_: str) -> None:
    with pytest.raises(ValidationError):
        Passages(id=id_, title="", passages=[])


def test_a_table_draws_a_bar_beside_the_name_of_each_row_on_one_scale() -> None:
    bars = [Bar(rate=0.2, interval=(0.1, 0.3), limit=0.25), Bar()]
    table = Table(title="", header=["check", "rate"], rows=[["a", "20 %"], ["b", "–"]], bars=bars, bars_name="broken")
    html = exhibits_html([table], [])
    first, second = re.findall(r'<td class="bars"><svg class="bar".*?</svg></td>', html)
    end = 0.3  # a round number from the largest mark on
    assert f'width="{100 * 0.2 / end:.2f}%"' in first
    assert f'class="limit" x1="{100 * 0.25 / end:.2f}%"' in first
    assert "fill all" not in second
    assert '<th scope="col" class="bars"><span><span>0</span><span>broken</span><span>30' in html
    assert "bars" not in exhibits_html([table.model_copy(update={"bars": []})], [])
