"""Languages: whether what is expected holds, how natural a changed text is and how many texts change, one by one.

``python -m benchmarks.languages make FILE --data FOLDER --sayings FOLDER`` counts the texts that each perturbation
changes into ``languages_reach.tsv`` and draws pairs for readers, of HateCheck's cases and of sayings, files of texts
with lines of ``%`` between them below a folder of the language's code (Debian's fortunes-de, -es and -it). ``… keep
FILE ANSWERS ANSWERS`` puts what two readers answered into ``languages.tsv``; ``… write`` writes the result and the
cards of the plugin.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from random import Random

import robustfim
import robustfim_words
from benchmarks.csv_files import read_rows
from benchmarks.reach import in_turns
from benchmarks.readings import QUESTIONS, READERS, answered, ask, digest, main, marked, pair_of, share, written
from benchmarks.sections import write_results
from benchmarks.validity import rows_of
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.record import Card

__all__ = ["CARDS", "RATINGS", "cards", "table"]

HERE = Path(__file__).parent
_CHANGED = frozenset(("ages", "numbers"))
"""Perturbations of which a rule changed after their pairs were read."""
CARDS = Path(robustfim_words.__file__).parent / "languages" / "cards.json"
"""The cards of the plugin of languages."""
RATINGS = """\
## Ratings by language

Written by `python -m benchmarks.languages write`. Two language models rated 16 pairs of each perturbation and
language, or 50 pairs of names, `negation` and added sentences. The lower of the two ratings counts. The models had
changed nothing in robustfim, and did not know the perturbation. The texts are cases of HateCheck in German (de),
Spanish (es) and French (fr), and sayings in German, Spanish and Italian (it).

| column | meaning |
| --- | --- |
| expectation holds | a careful annotator would give the changed text the expected label |
| valid | the expectation holds, and a person could have written the text |
| as the source | the changed text reads as naturally as the source |
| HateCheck, sayings | the share of texts of each kind that the perturbation can change |

Names, places, dates and nationalities in sayings were often rated not valid, because a joke or proverb needs its own
name. In reviews they are not measured, and French texts had too few of them. `articles` makes a learner's mistake, so
many changed texts read oddly. `people` and `ages` were rated before robustfim also found titles and further forms of
ages.
"""
"""The text above the table of ratings."""
_HATECHECK = {"de": "hatecheck_german.csv", "es": "hatecheck_spanish_half.csv", "fr": "hatecheck_french_half.csv"}
_CODES = ("de", "es", "fr", "it")
_SHORTEST, _LONGEST = 20, 500
"""Characters of a text."""
_TEXTS, _PAIRS, _MOST = 1000, 16, 4
"""Texts of a language and kind, pairs of a language and perturbation, candidates of a text, at most."""
_NAMED = ("people", "name_origins", "name_gender", "negation")
_RARE, _MORE = (*_NAMED, "ages", "countries", "dates", "nationalities", "places", "religions"), 20_000
"""Perturbations that few texts have a place for, and the texts that they are tried on."""
_CLOSELY, _FIFTY = (*_NAMED, "neutral_sentence", "positive_sentence", "negative_sentence"), 50
"""Perturbations that are read more closely, and the pairs of each."""
_OPTIONS = {"negation": {"praise": ["non-hateful"], "blame": ["hateful"]}}
"""What a perturbation must be told of HateCheck."""
_ABOUT = (
    "# Pairs that two readers had before them who had changed nothing. Columns: language <tab> perturbation <tab> the\n"
    "# first 12 digits of the SHA-256 of text, tab and result <tab> of each reader: what is expected holds (1 or 0)\n"
    "# <tab> natural: 2 as the source, 1 odd but a person could have written it, 0 nobody would.\n"
)
_REACH = (
    "# How many texts a perturbation changes. Columns: language <tab> perturbation <tab> changed <tab> of so many\n"
    "# cases of HateCheck <tab> changed <tab> of so many sayings.\n"
)
_HEAD = "| perturbation | language | pairs | expectation holds | valid | as the source | HateCheck | sayings |"


def _pairs() -> dict[tuple[str, str], list[tuple[bool, int]]]:
    """By language and perturbation, of each pair whether it holds and how natural it is, for the less kind reader."""
    found: dict[tuple[str, str], list[tuple[bool, int]]] = {}
    for code, name, _, *said in rows_of(HERE / "languages.tsv"):
        found.setdefault((code, name), []).append(("0" not in said[::2], min(map(int, said[1::2]))))
    return found


def table() -> str:
    """Write the table of ratings in Markdown, with a row for each perturbation and language."""
    pairs = _pairs()
    lines = [_HEAD, "|" + " --- |" * 8]
    for code, name, *counts in sorted(rows_of(HERE / "languages_reach.tsv"), key=lambda row: (row[1], row[0])):
        read = pairs.get((code, name), [])
        hate, of_hate, said, of_said = map(int, counts)
        cells = [
            name, code, str(len(read)), share(sum(holds for holds, _ in read), len(read)),
            share(sum(holds and natural > 0 for holds, natural in read), len(read)),
            share(sum(natural > 1 for _, natural in read), len(read)),
            f"{hate / of_hate:.1%}" if of_hate else "–", f"{said / of_said:.1%}" if of_said else "–",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cards() -> dict[str, Card]:
    """Make the card of each rated perturbation: counts of ratings and of changed texts over all languages."""
    dealt, pairs = {}, _pairs()
    for name in sorted({name for _, name in pairs}):
        its = [pair for (_, known), read in pairs.items() if known == name for pair in read]
        grades = Counter(natural for _, natural in its)
        reach = [[int(each) for each in row[2:]] for row in rows_of(HERE / "languages_reach.tsv") if row[1] == name]
        dealt[f"languages/{name}"] = Card(
            natural=(grades[0], grades[1], grades[2]), holds=sum(holds for holds, _ in its),
            sound=sum(holds and natural > 0 for holds, natural in its),
            by=f"{READERS}, before a rule of it changed," if name in _CHANGED else READERS,
            changed=sum(row[0] + row[2] for row in reach), tried=sum(row[1] + row[3] for row in reach),
            whatever=("language",),
        )  # fmt: skip
    return dealt


def _texts(code: str, data: Path, sayings: Path) -> dict[str, list[Example]]:
    """Draw a language's texts of both kinds; of one that is not there, none."""
    found: dict[str, list[Example]] = {"hatecheck": [], "saying": []}
    if code in _HATECHECK:
        cases = read_rows(data / "suites" / _HATECHECK[code])
        found["hatecheck"] = [Example({"text": row["test_case"]}, row["label_gold"]) for row in cases]
    for path in sorted((sayings / code).rglob("*")):
        if path.is_file() and path.suffix in ("", ".fortunes"):
            parts = path.read_text(encoding="utf-8", errors="replace").split("\n%\n")
            found["saying"] += [Example({"text": " ".join(part.split())}) for part in parts]
    return {
        kind: Random(0).sample(fitting, min(_MORE, len(fitting)))  # noqa: S311  # reproducible, not secret
        for kind, examples in found.items()
        for fitting in [[example for example in examples if _SHORTEST < len(example.text) <= _LONGEST]]
    }


def _make(given: argparse.Namespace) -> None:
    rows, reach = [], []
    for code in _CODES:
        known = _texts(code, given.data, given.sayings)
        offered = robustfim_words.robustfim_offers()["perturbations"]
        for full in sorted(name for name in offered if name.startswith("languages/")):
            name, made, counts = full.partition("/")[2], dict[str, list[Candidate]](), []
            for kind, texts in known.items():
                examples = texts[: _MORE if name in _RARE else _TEXTS]
                spec = {"use": full, "language": code} | _OPTIONS.get(name, {})
                found = robustfim.perturb(spec, examples, candidates=_MOST, seed=0).candidates if examples else []
                made[kind] = [Random(each[0].source.text).choice(each) for each in found if each]  # noqa: S311  # as above
                counts += [len(made[kind]), len(examples)]
            reach.append("\t".join([code, name, *map(str, counts)]))
            for kind, candidate in in_turns(made, _FIFTY if name in _CLOSELY else _PAIRS):
                pair = pair_of(name, kind, candidate)
                about = f"{code} | {kind} | gold {candidate.source.label or '-'} | {QUESTIONS.get(name, 'same')}"
                asked = f"{about} | {marked(pair)}"
                rows.append({"code": code, "name": name, "texts": f"{pair.source}\t{pair.result}", "asked": asked})
    (HERE / "languages_reach.tsv").write_text(_REACH + "".join(f"{row}\n" for row in reach), encoding="utf-8")
    ask(given.file, rows)


def _keep(given: argparse.Namespace) -> None:
    lines = [
        "\t".join([row["code"], row["name"], digest(row["texts"])[:12], *(f"{a}\t{b}" for a, b in said)])
        for row, said in answered(given.file, given.answers)
    ]
    (HERE / "languages.tsv").write_text(_ABOUT + "".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def _write(_: argparse.Namespace) -> None:
    CARDS.write_text(written(cards()), encoding="utf-8")
    write_results(f"{RATINGS}\n{table()}\n")


if __name__ == "__main__":
    main(__doc__, _make, _keep, _write, ("data", "sayings"))
