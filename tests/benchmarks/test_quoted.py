"""Numbers that a page quotes beside a link to a result stand in that result."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from benchmarks.sections import INDEX

LINK = re.compile(r"\]\([./]*benchmarks/results/(?!README)([\w-]+)\.md\)")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
ROOT = INDEX.parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def numbers(text: str) -> set[Decimal]:
    """The numbers of a text but those of one digit, which count what is told as often as what was measured."""
    return {Decimal(each.replace(",", "")) for each in NUMBER.findall(text) if len(each) > 1}


def quoted(text: str) -> list[tuple[str, str]]:
    """Each sentence of a page that links to a result, and the name of the result's file."""
    found = []
    for block in re.split(r"\n\s*\n|\n(?=\s*[-|])", text):
        flat = " ".join(block.split())
        for link in LINK.finditer(flat):
            begin = flat.rfind(". ", 0, link.start()) + 1
            end = re.search(r"[.;](?:\s|$)|$", flat[link.end() :])
            assert end is not None, "the end of the text is one"
            found.append((LINK.sub("]", flat[begin : link.end() + end.start()]), link[1]))
    return found


def stands(number: Decimal, held: set[Decimal]) -> bool:
    """Whether a number is one of a result's, rounded to the places that it has; shares as percentages, too.

    A ratio of 1.03 may be told as 3 % more, one of .76 as 24 % less.
    """
    told = {value for decimal in held for value in (decimal, 100 * decimal, abs(100 * decimal - 100))}
    step = Decimal(1).scaleb(int(number.as_tuple().exponent))
    return any(value.quantize(step, ROUND_HALF_UP) == number for value in told)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_number_beside_a_link_to_a_result_stands_in_it(page: Path) -> None:
    for sentence, name in quoted(page.read_text(encoding="utf-8")):
        held = numbers(INDEX.with_name(f"{name}.md").read_text(encoding="utf-8"))
        missing = sorted(str(number) for number in numbers(sentence) if not stands(number, held))
        assert not missing, f"{', '.join(missing)} of {sentence!r} is not in {name}"


def test_the_pages_quote_many_numbers() -> None:
    told = [numbers(sentence) for page in PAGES for sentence, _ in quoted(page.read_text(encoding="utf-8"))]
    assert sum(map(len, told)) > 50


@pytest.mark.parametrize(("number", "found"), [("0.94", True), ("94", True), ("6", True), ("0.95", False)])
def test_a_number_is_found_as_it_is_rounded(number: str, found: bool) -> None:
    assert stands(Decimal(number), {Decimal("0.9353"), Decimal("0.94")}) is found
