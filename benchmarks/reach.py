"""Reach: to how many texts the perturbations of words, names, numbers and sentences apply, with how many candidates.

``python -m benchmarks.reach --data FOLDER`` writes the result, and the counts into ``reached.tsv``. Texts are of five
kinds: film sentences, news, reviews, a suite of hate speech, web text; those of the half that nobody tuned on, with
their gold labels where the data has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import robustfim
from benchmarks.csv_files import read_rows
from benchmarks.readings import digest
from benchmarks.sections import data_folder, verdict, write_results
from benchmarks.sections import table as markdown
from benchmarks.validity import rows_of
from robustfim.candidate import Candidate
from robustfim.example import Example

__all__ = [
    "NAMES", "OTHERS", "REACHED", "Reached", "drawn", "effective_number", "in_turns", "measured", "reached", "section",
    "table", "texts",
]  # fmt: skip

REACHED = Path(__file__).with_name("reached.tsv")
"""Counts: texts changed and tried, by perturbation and kind of text."""

NAMES = (
    "adverbs", "antonyms", "drop_sentence", "gender", "intensifiers", "nationalities", "near_synonyms", "negation",
    "negative_sentence", "neutral_sentence", "nouns", "numbers", "openers", "organisations", "people", "places",
    "positive_sentence", "religions", "synonyms", "titles",
)  # fmt: skip
OTHERS = (
    "abbreviations", "accents", "ages", "articles", "case", "contractions", "elongations", "homophones", "hyphens",
    "links", "misspellings", "name_origins", "neutral_pronouns", "ocr", "punctuation", "regional_spelling",
    "repeated_words", "slang", "typos", "word_breaks",
)  # fmt: skip
"""Slips, spellings and forms, which the mean leaves out."""
_KINDS = {
    "film": ("rotten_tomatoes/train.csv", "rotten_tomatoes/dev.csv"),
    "news": ("ag_news/train.csv", "ag_news/dev.csv"),
    "review": ("counterfactual_imdb/train.csv", "movie_reviews/train.csv"),
    "suite": ("suites/hatecheck_test_suite_cases.csv",),
    "web": ("ud_english_ewt/train.conllu", "ud_english_ewt/dev.conllu"),
}
_SHORTEST, _LONGEST = 20, 1500
"""Characters of a text."""
_SAMPLE = 200
"""Texts of each kind."""
_MOST = 8
"""Candidates of a text at most, as in a check whose suite says nothing."""

_AIM = 0.37
"""The mean share of texts changed that is aimed at; the first version's was 39 %."""

_HEAD = (
    "# What each perturbation reaches. Columns: perturbation <tab> kind of text <tab> texts changed <tab> tried <tab> "
    "effective number of edits over all kinds."
)

Reach = Mapping[str, Mapping[str, tuple[int, int, int]]]
"""By perturbation and kind of text: texts changed, texts tried, candidates."""


class Reached(NamedTuple):
    """The reach of a perturbation: numbers of changed and tried texts, and the effective number of different edits."""

    changed: int
    tried: int
    edits: float


def texts(data: Path, seed: int = 0, without: Collection[str] = ()) -> dict[str, list[Example]]:
    """Draw texts of each kind, from the half of the texts whose hashes are odd.

    Args:
        data: The folder of the public data sets.
        seed: The seed of the draw.
        without: The digests (``benchmarks.readings.digest``) of texts that must not be drawn.
    """
    found = {}
    for kind, paths in _KINDS.items():
        known = {each.text: each for path in paths for each in _read(data / path)}
        fitting = [
            each
            for text, each in known.items()
            if _SHORTEST < len(text) <= _LONGEST and _odd(text) and digest(text) not in without
        ]
        found[kind] = Random(seed).sample(fitting, min(_SAMPLE, len(fitting)))  # noqa: S311  # reproducible, not secret
    return found


def _odd(text: str) -> bool:
    return int(digest(text), 16) % 2 == 1


def _read(path: Path) -> Iterator[Example]:
    if path.suffix == ".conllu":
        for passage in path.read_text(encoding="utf-8").split("\n# newpar"):
            yield Example({"text": " ".join(map(str.strip, re.findall("^# text = (.*)", passage, re.MULTILINE)))})
    else:
        for row in read_rows(path):
            yield Example({"text": row.get("text") or row["test_case"]}, row.get("label") or row["label_gold"])


def measured(data: Path, names: Sequence[str] = (*NAMES, *OTHERS)) -> tuple[Reach, dict[str, float]]:
    """Measure the reach of perturbations.

    Args:
        data: The folder of the public data sets.
        names: The names of the perturbations.

    Returns:
        For each perturbation and kind of text, the numbers of changed texts, tried texts and candidates; and for each
        perturbation, the effective number of edits.
    """
    known = texts(data)
    found: dict[str, dict[str, tuple[int, int, int]]] = {}
    edits = {}
    for name in names:
        made = []
        for kind, examples in known.items():
            pools = robustfim.perturb(name, examples, candidates=_MOST, seed=0).candidates
            found.setdefault(name, {})[kind] = (sum(map(bool, pools)), len(pools), sum(map(len, pools)))
            made += [candidate for pool in pools for candidate in pool]
        edits[name] = effective_number(made)
    return found, edits


def effective_number(candidates: Sequence[Candidate]) -> float:
    """Compute the effective number of different edits, 1 / Σ p², where p is the fraction of candidates with an edit.

    If all edits are equally common, this is the number of edits.

    Args:
        candidates: At least one candidate. Candidates that replace the same words by the same words have the same edit.
    """
    kinds = Counter(
        tuple(sorted({(edit.before.lower(), edit.after.lower()) for edit in candidate.edits}))
        for candidate in candidates
    )
    return len(candidates) ** 2 / sum(count**2 for count in kinds.values())


def drawn(
    data: Path, sample: int, names: Sequence[str], without: Collection[str]
) -> Iterator[tuple[str, str, Candidate]]:
    """Draw candidates for readers, at most one for each text, taking the kinds of texts in turn.

    Args:
        data: The folder of the public data sets.
        sample: The largest number of candidates of each perturbation.
        names: The names of the perturbations.
        without: The digests of texts that must not be drawn, such as those that somebody has read.

    Yields:
        The perturbation's name, the kind of text, and the candidate.
    """
    known = texts(data, without=without)
    for name in names:
        by_kind = {}
        for kind, examples in known.items():
            made = robustfim.perturb(name, examples, candidates=_MOST, seed=0).candidates
            own = [Random(each[0].source.text).choice(each) for each in made if each]  # noqa: S311  # as above
            Random(1).shuffle(own)  # noqa: S311  # as above
            by_kind[kind] = own
        yield from ((name, kind, each) for kind, each in in_turns(by_kind, sample))


def in_turns(by_kind: Mapping[str, Sequence[Candidate]], most: int) -> Iterator[tuple[str, Candidate]]:
    """Take candidates of each kind of text in turn, until none are left or there are enough.

    Args:
        by_kind: The candidates of each kind of text.
        most: The largest number of candidates.
    """
    turns = ((kind, its[place]) for place in range(most) for kind, its in by_kind.items() if place < len(its))
    return islice(turns, most)


def reached(path: Path = REACHED) -> dict[str, Reached]:
    """Read the reach of each perturbation from a table.

    Args:
        path: The path of the table.
    """
    found: dict[str, Reached] = {}
    for name, _, changed, tried, edits in rows_of(path):
        known = found.get(name, (0, 0))
        found[name] = Reached(known[0] + int(changed), known[1] + int(tried), float(edits))
    return found


def table(reach: Reach, edits: Mapping[str, float]) -> str:
    """Write a table of the reach and of the candidates per text.

    Args:
        reach: The reach of each perturbation.
        edits: For each perturbation, the effective number of edits.
    """
    kinds = list(next(iter(reach.values())))
    rows = []
    for name in (*reach, ""):
        its = [reach[name]] if name else list(reach.values())
        flat = [row[kind] for row in its for kind in kinds]
        shares = [_share([row[kind] for row in its]) for kind in kinds]
        rows.append(
            [
                f"`{name}`" if name else "**mean**", *(f"{share:.0%}" for share in shares), f"{_share(flat):.0%}",
                f"{sum(each[2] for each in flat) / sum(each[1] for each in flat):.2f}",
                f"{edits[name]:,.0f}" if name else "",
            ]
        )  # fmt: skip
    return markdown(["perturbation", *kinds, "all five", "candidates a text", "edits in effect"], rows)


def _share(counts: Sequence[tuple[int, int, int]]) -> float:
    return sum(count[0] for count in counts) / sum(count[1] for count in counts)


def section(reach: Reach, edits: Mapping[str, float]) -> str:
    """Write the results as a section of Markdown.

    Args:
        reach: The reach of each perturbation.
        edits: For each perturbation, the effective number of edits.
    """
    counted, others = ({name: reach[name] for name in names if name in reach} for names in (NAMES, OTHERS))
    mean = _share([kind for kinds in counted.values() for kind in kinds.values()])
    slips = "Slips, spellings and forms, which take no part in that mean:"
    return "\n".join(
        [
            "## Reach of perturbations",
            "",
            "Measured by `python -m benchmarks.reach --data FOLDER`.",
            "",
            f"The share of texts that a perturbation changes, and the candidates a text (at most {_MOST}): {_SAMPLE} "
            "texts of each kind, with their gold labels where the data has them. A share of 200 texts has a 95 % "
            "interval of up to 7 points to either side. *Edits in effect*: 1 / Σ p², p the share of candidates that an "
            f"edit makes. The aim, a mean of 37 %, is {verdict(mean >= _AIM)}.",
            "",
            table(counted, edits),
            "",
            *([slips, "", table(others, edits), ""] if others else []),
        ]
    )


if __name__ == "__main__":
    now, kinds_of_edits = measured(data_folder(__doc__))
    rows = [
        f"{name}\t{kind}\t{row[0]}\t{row[1]}\t{kinds_of_edits[name]:.1f}"
        for name, kinds in now.items()
        for kind, row in kinds.items()
    ]
    REACHED.write_text("\n".join([_HEAD, *rows, ""]), encoding="utf-8")
    write_results(section(now, kinds_of_edits))
