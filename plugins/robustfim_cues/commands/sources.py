"""``robustfim cues sources``: what is learned in one source of data that does not hold in the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.commands import Chosen, print_line, print_table, printable, progress_bar
from robustfim_cues.commands.arguments import FILE, MINIMUM, OPTION, SEED, write

__all__ = ["sources"]


@click.command(epilog="Example: robustfim cues sources first.csv second.csv --html sources.html")
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@OPTION
@click.option("--by", "column", metavar="COLUMN", help="The column that names the source; else each DATA is one.")
@click.option("--ngrams", type=click.IntRange(1, 5), default=2, show_default=True, help="Largest n of n-grams.")
@MINIMUM
@click.option("--alike", type=click.FloatRange(0, 1, min_open=True), default=0.7, show_default=True,
              help="Jaccard similarity of word trigrams from which texts are near duplicates.")  # fmt: skip
@click.option("--fdr", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True,
              help="Share of wrong ones among the shortcuts, on the average.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Folds within a source.")
@SEED
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Shortcuts to print.")
@click.option("--json", "json_path", type=FILE, help="File to write everything to, as JSON, without texts.")
@click.option("--html", "html_path", type=FILE, help="File to draw everything in.")
def sources(
    data: Sequence[str], options: Sequence[str], column: str | None, ngrams: int, minimum: int, alike: float,
    fdr: float, folds: int, seed: int, top: int, json_path: Path | None, html_path: Path | None,
) -> None:  # fmt: skip
    """Find what a classifier learns in one source of DATA that does not hold in the others.

    Each DATA is a source, or --by names a column that tells it. A small classifier is trained within each source and
    on the others; cues (words, lengths, punctuation, formats) that tell something else in one source than in the
    others are found, and near duplicates within and between sources.
    """
    import numpy as np

    from robustfim_cues.sources.cues import occurring
    from robustfim_cues.sources.duplicates import clusters, near_duplicates
    from robustfim_cues.sources.heterogeneity import shortcuts
    from robustfim_cues.sources.reading import read_sources
    from robustfim_cues.sources.report import (
        AcrossSources,
        accuracy_table,
        as_json,
        as_page,
        duplicates_table,
        findings,
        shortcuts_table,
    )
    from robustfim_cues.sources.transfer import transfers

    console = Chosen().console()
    with progress_bar(console) as progress:
        progress("read", 0, 0)
        given = read_sources(data, options, column)
        progress("find near duplicates", 0, 0)
        pairs = near_duplicates([each.text for each in given.examples], alike)
        progress("find shortcuts", 0, 0)
        cues = occurring(given.examples, longest=ngrams, minimum=minimum)
        source, label = np.array(given.source), np.array(given.label)
        counts = cues.counts(source, label, np.ones(len(source), dtype=bool))
        tested = shortcuts(cues.names, *counts, minimum=minimum, level=fdr)
        accuracies = transfers(
            given, cues, clusters(len(source), pairs), folds=folds, minimum=minimum, level=fdr, seed=seed,
            progress=progress,
        )  # fmt: skip
    about = f"{', '.join(Path(each).name for each in data)} · seed {seed}"
    found = AcrossSources(given, alike, pairs, tested, accuracies, about)
    for table, left_out in ((accuracy_table(found), 0), (shortcuts_table(found, top), 1), (duplicates_table(found), 0)):
        if table.rows:
            columns = len(table.header) - left_out  # the p-values of shortcuts are for page and record
            cells = [[printable(cell) for cell in row[:columns]] for row in table.rows]
            print_table(console, table.header[:columns], cells)
            print_line(console, "")
    for line in findings(found):
        print_line(console, line)
    if json_path is not None:
        print_line(console, f"wrote {write(json_path, as_json(found))}")
    if html_path is not None:
        print_line(console, f"wrote {write(html_path, as_page(found), page=True)}")
