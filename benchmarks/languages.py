"""Languages: how natural a changed text is and how many texts change, language by language.

``python -m benchmarks.languages`` writes the table of docs/languages.md from ``languages.tsv``, pairs that were read,
and ``languages_reach.tsv``, counts of the texts that change.
"""

from __future__ import annotations

from pathlib import Path

from robustfim.statistics import wilson

__all__ = ["PAGE", "replaced", "table"]

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "languages.md"
_HEAD = "| perturbation | language | pairs | a person could have written it | as the source | HateCheck | sayings |"


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
    lines = [_HEAD, "|" + " --- |" * 7]
    for code, name, *counts in sorted(_rows("languages_reach.tsv"), key=lambda row: (row[1], row[0])):
        read = [int(row[3]) for row in pairs if row[:2] == [code, name]]
        answers = [sum(natural >= least for natural in read) for least in (1, 2)]
        hate, of_hate, said, of_said = map(int, counts)
        cells = [name, code, str(len(read)), *(_share(answer, len(read)) for answer in answers)]
        reached = [f"{hate / of_hate:.1%}", f"{said / of_said:.1%}" if of_said else "–"]
        lines.append("| " + " | ".join(cells + reached) + " |")
    return "\n".join(lines)


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
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
