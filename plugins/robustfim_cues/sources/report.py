"""What is said of sources: sentences, tables and figures of the terminal and of the page, and the record as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.exhibit import Figure, Passage, Passages, Series, Table
from robustfim.statistics import Rate, percent
from robustfim_cues.sources.duplicates import Duplicate
from robustfim_cues.sources.heterogeneity import Shortcut, Tested
from robustfim_cues.sources.reading import Sources
from robustfim_cues.sources.transfer import WAYS, Transfer

__all__ = ["AcrossSources", "accuracy_table", "as_json", "as_page", "duplicates_table", "findings", "shortcuts_table"]

_SHOWN = 10


@dataclass(frozen=True)
class AcrossSources:
    """What was found across the sources of some data."""

    sources: Sources
    alike: float
    pairs: Sequence[Duplicate]
    tested: Tested
    transfers: Sequence[Transfer]
    about: str


def findings(found: AcrossSources) -> list[str]:
    """Say what is lost from a source to the others, how many shortcuts there are, and how many near duplicates."""
    whole = found.transfers[-1]
    lost, ends = whole.lost("other sources")
    told = (
        f"A small classifier is right in {percent(whole.rate('as it is').rate)} of examples of the sources that it "
        f"learns from, and in {percent(whole.rate('other sources').rate)} of sources that it does not: "
        f"{percent(lost, ends, unit='points')} lost."
    )
    cues = (
        f"{len(found.tested.found):,} of {found.tested.cues:,} cues tell something else in one source than in the "
        f"others (of which at most {percent(found.tested.level)} by accident, on the average); without them and "
        f"without near duplicates {percent(*whole.lost('no shortcuts'), unit='points')} are lost within a source."
    )
    between = sum(found.sources.source[each.first] != found.sources.source[each.second] for each in found.pairs)
    other = sum(found.sources.label[each.first] != found.sources.label[each.second] for each in found.pairs)
    doubles = (
        f"{len(found.pairs):,} pairs of texts share {percent(found.alike)} or more of their word trigrams, {between} "
        f"of them between sources, {other} with different labels."
    )
    return [told, cues, doubles]


def accuracy_table(found: AcrossSources) -> Table:
    """List the accuracy in each of the ways of training, source by source."""
    rows = [
        [
            each.source or "all", way, str(each.rate(way)),
            "" if way == "as it is" else percent(*each.lost(way), unit="points"),
        ]
        for each in found.transfers
        for way in WAYS
    ]  # fmt: skip
    notes = [f"{way}: {told}." for way, told in WAYS.items()]
    notes.append(
        "The classifier is a logistic regression of the cues. In brackets: 95 % intervals, Wilson's of accuracies and "
        "Tango's of paired differences, of as many examples as clusters of near duplicates are worth."
    )
    return Table(title="Accuracy", header=["source", "trained", "right", "lost"], rows=rows, notes=notes)


def shortcuts_table(found: AcrossSources, most: int | None = None) -> Table:
    """List the shortcuts, the surest first.

    Args:
        found: What was found.
        most: How many; None for all.
    """
    names, labels = found.sources.names, found.sources.labels
    rows = [
        [
            each.cue, names[each.source], labels[each.label], str(Rate(each.here[0], each.here[1])),
            str(Rate(each.elsewhere[0], each.elsewhere[1])) if each.elsewhere[1] else "–", f"{each.adjusted:.2g}",
        ]
        for each in found.tested.found[:most]
    ]  # fmt: skip
    listed = f", the surest {len(rows)} are listed" if len(rows) < len(found.tested.found) else ""
    notes = [
        f"{len(found.tested.found):,} of {found.tested.cues:,} cues{listed}. Productivity is the share of the label "
        "among the examples with the cue, in the source and in the others, with 95 % Wilson intervals.",
        "The test is exact: Zelen's of one odds ratio in all sources; Fisher's, in the source, of a cue that hardly "
        "stands elsewhere. Corrected by Benjamini and Hochberg.",
    ]
    header = ["cue", "source", "label", "in the source", "in the others", "corrected p"]
    return Table(title="Shortcuts", header=header, rows=rows, notes=notes)


def duplicates_table(found: AcrossSources) -> Table:
    """Count the near duplicates within each source and between each two."""
    counts: Counter[tuple[int, int]] = Counter()
    others: Counter[tuple[int, int]] = Counter()
    for pair in found.pairs:
        low, high = sorted((found.sources.source[pair.first], found.sources.source[pair.second]))
        counts[low, high] += 1
        others[low, high] += found.sources.label[pair.first] != found.sources.label[pair.second]
    names = found.sources.names
    rows = [
        [names[low] if low == high else f"{names[low]} · {names[high]}", str(counts[low, high]), str(others[low, high])]
        for low in range(len(names))
        for high in range(low, len(names))
    ]
    notes = [f"Jaccard similarity of word trigrams of {found.alike:g} or more; all pairs are found, by exact counts."]
    return Table(
        title="Near duplicates", header=["within or between", "pairs", "labels differ"], rows=rows, notes=notes
    )


def as_json(found: AcrossSources) -> str:
    """Write everything as JSON; examples by their ids, without their texts."""
    names, labels, examples = found.sources.names, found.sources.labels, found.sources.examples
    return json.dumps(
        {
            "schema": 1,
            "about": found.about,
            "sources": {name: found.sources.source.count(place) for place, name in enumerate(names)},
            "labels": list(labels),
            "findings": findings(found),
            "accuracy": [
                {
                    "source": each.source,
                    "examples": len(each.clusters),
                    "trained_elsewhere": each.elsewhere,
                    "ways": {way: _way(each, way) for way in WAYS},
                }
                for each in found.transfers
            ],
            "tested": found.tested.cues,
            "level": found.tested.level,
            "shortcuts": [_plain(each, names, labels) for each in found.tested.found],
            "alike": found.alike,
            "duplicates": [
                {"examples": [examples[each.first].id, examples[each.second].id],
                 "sources": [names[found.sources.source[end]] for end in (each.first, each.second)],
                 "labels": [labels[found.sources.label[end]] for end in (each.first, each.second)],
                 "jaccard": each.jaccard}
                for each in found.pairs
            ],
        },
        ensure_ascii=False,
        indent=1,
    )  # fmt: skip


def as_page(found: AcrossSources) -> str:
    """Draw the accuracies and the shortcuts, with the tables and some near duplicates below, in one HTML page."""
    from robustfim.drawing import page

    title = f"Does what is learned in one source hold in another? {', '.join(found.sources.names)}"
    tables = [accuracy_table(found), shortcuts_table(found, 100), duplicates_table(found)]
    figures = [_accuracies(found), *([_here_and_there(found)] if found.tested.found else [])]
    return page(title, findings(found), tables, figures, passages=_doubles(found), about=found.about)


def _accuracies(found: AcrossSources) -> Figure:
    series = [
        Series(
            name=way,
            kind="dots",
            points=[
                (place + (at - 1.5) / 8, each.rate(way).rate, *each.rate(way).ends)
                for place, each in enumerate(found.transfers)
            ],
            labels=[f"{each.source or 'all'}, {way}" for each in found.transfers],
        )
        for at, way in enumerate(WAYS)
    ]
    names = [f"{each.source or 'all'} ({len(each.clusters)})" for each in found.transfers]
    return Figure(title="Accuracy by what was learned from", across="source", up="accuracy", series=series, names=names,
                  shares=True, notes=["Lines through dots: 95 % intervals."])  # fmt: skip


def _here_and_there(found: AcrossSources) -> Figure:
    series = [
        Series(
            name=name, kind="dots", points=[(each.productivity_elsewhere, each.productivity) for each in own],
            labels=[each.cue for each in own],
        )
        for place, name in enumerate(found.sources.names)
        if (own := [each for each in found.tested.found if each.source == place and each.elsewhere[1]])
    ]  # fmt: skip
    return Figure(title="Shortcuts: productivity in a source and in the others", across="productivity in the others",
                  up="productivity in the source", series=series, diagonal=True, shares=True, across_shares=True,
                  notes=["On the line, a cue would tell the same in all sources."])  # fmt: skip


def _doubles(found: AcrossSources) -> list[Passages]:
    pairs = sorted(
        found.pairs, key=lambda each: -(found.sources.source[each.first] != found.sources.source[each.second])
    )
    texts = [
        Passage(note=f"{found.sources.names[found.sources.source[end]]}, {found.sources.examples[end].label}",
                pieces=[("", found.sources.examples[end].text)])
        for each in pairs[:_SHOWN]
        for end in (each.first, each.second)
    ]  # fmt: skip
    title = f"Near duplicates: {len(pairs)} pairs, {len(texts) // 2} of them here, those between sources first"
    return [Passages(id="duplicates", title=title, passages=texts)] if texts else []


def _plain(found: Shortcut, names: Sequence[str], labels: Sequence[str]) -> dict[str, object]:
    return {
        "cue": found.cue,
        "source": names[found.source],
        "label": labels[found.label],
        "here": dict(zip(("hits", "applies", "label", "examples"), found.here, strict=True)),
        "elsewhere": dict(zip(("hits", "applies", "label", "examples"), found.elsewhere, strict=True)),
        "alone": found.alone,
        "productivity": found.productivity,
        "interval": found.interval,
        "productivity_elsewhere": found.productivity_elsewhere,
        "interval_elsewhere": found.interval_elsewhere,
        "p_value": found.p_value,
        "adjusted": found.adjusted,
    }


def _way(found: Transfer, way: str) -> dict[str, object]:
    rate, (lost, ends) = found.rate(way), found.lost(way)
    return {"right": rate.count, "interval": rate.ends, "lost": lost, "lost_interval": ends}
