"""Languages: how natural a changed text is and how many texts change, language by language.

``python -m benchmarks.languages`` writes the table of docs/languages.md, and the cards of the plugin, from
``languages.tsv``, pairs that were read, and ``languages_reach.tsv``, counts of the texts that change.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import robustfim_languages
from robustfim.record import Card
from robustfim.statistics import wilson

__all__ = ["CARDS", "PAGE", "cards", "replaced", "table"]

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "languages.md"
CARDS = Path(robustfim_languages.__file__).with_name("cards.json")
"""The cards of the plugin of languages."""
READER = "a language model that had changed nothing, in German, Spanish and French,"
AUTHOR = "a language model that had written the rules, in German, Spanish and French,"
_HEAD = (
    "| perturbation | language | pairs | a person could have written it | as the source | asked | holds | HateCheck | "
    "sayings |"
)


def _rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _share(count: int, of: int) -> str:
    """A share in per cent with Wilson's interval."""
    interval = wilson(count, of)
    return "–" if interval is None else f"{count / of:.0%} [{interval[0]:.0%}, {interval[1]:.0%}]"


def table() -> str:
    """Write the table, a line for each perturbation and language."""
    pairs = _rows("languages.tsv")
    lines = [_HEAD, "|" + " --- |" * 9]
    for code, name, *counts in sorted(_rows("languages_reach.tsv"), key=lambda row: (row[1], row[0])):
        read = [int(row[3]) for row in pairs if row[:2] == [code, name]]
        answers = [sum(natural >= least for natural in read) for least in (1, 2)]
        hate, of_hate, said, of_said = map(int, counts)
        asked = [int(row[4]) for row in pairs if row[:2] == [code, name] and row[4] != "-"]
        cells = [name, code, str(len(read)), *(_share(answer, len(read)) for answer in answers)]
        cells += [str(len(asked)), _share(sum(asked), len(asked))]
        reached = [f"{hate / of_hate:.1%}", f"{said / of_said:.1%}" if of_said else "–"]
        lines.append("| " + " | ".join(cells + reached) + " |")
    return "\n".join(lines)


def cards() -> dict[str, Card]:
    """Count what was found of each perturbation that was read, over all languages.

    Texts that change are counted on HateCheck's cases. Where a reader that had changed nothing has read pairs, they
    alone count; the other one was not asked whether an expectation holds.
    """
    dealt, pairs, reach = {}, _rows("languages.tsv"), _rows("languages_reach.tsv")
    for name in sorted({row[1] for row in pairs}):
        its = [row for row in pairs if row[1] == name]
        asked = [row for row in its if row[4] != "-"]
        grades = Counter(int(row[3]) for row in asked or its)
        changed, tried = (sum(int(row[place]) for row in reach if row[1] == name) for place in (2, 3))
        dealt[f"languages/{name}"] = Card(
            natural=(grades[0], grades[1], grades[2]), changed=changed, tried=tried, by=READER if asked else AUTHOR,
            holds=sum(row[4] == "1" for row in asked) if asked else None,
            sound=sum(row[3] != "0" and row[4] == "1" for row in asked) if asked else None,
        )  # fmt: skip
    return dealt


def replaced(text: str) -> str:
    """Put the table in the place of the one that a page has.

    Args:
        text: The page.

    Raises:
        ValueError: The page has no such table.
    """
    start = text.find(_HEAD)
    if start < 0:
        raise ValueError(f"{PAGE} has no table that begins with {_HEAD}")
    end = text.find("\n\n", start)
    return text[:start] + table() + text[end:]


if __name__ == "__main__":
    from benchmarks.readings import written

    CARDS.write_text(written(cards()), encoding="utf-8")
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
