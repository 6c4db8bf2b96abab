from __future__ import annotations

import io

from rich.console import Console

from robustfim.terminal.tables import print_table


def printed_table(width: int) -> list[str]:
    file = io.StringIO()
    heads = ["score", "Spearman", "examples"]
    rows = [["fisher", "0.71 [0.60, 0.80]", "200"], ["gradient_norm", "0.3", "9"]]
    print_table(Console(file=file, width=width, highlight=False), heads, rows)
    return file.getvalue().splitlines()


def test_a_table_that_fits_is_aligned() -> None:
    assert printed_table(60) == [
        "score                   Spearman  examples",
        "─" * 42,
        "fisher         0.71 [0.60, 0.80]       200",
        "gradient_norm                0.3         9",
    ]


def test_a_table_that_is_too_wide_is_a_paragraph_a_row_and_cuts_no_word() -> None:
    assert printed_table(30) == [
        "fisher",
        "    Spearman 0.71 [0.60, 0.80]",
        "    · examples 200",
        "gradient_norm",
        "    Spearman 0.3 · examples 9",
    ]
