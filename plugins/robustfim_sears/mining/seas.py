"""Semantically equivalent adversaries (SEAs): paraphrases that change the model's prediction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from robustfim.blame import blame
from robustfim.errors import PluginError
from robustfim.parts import ParaphraserPart
from robustfim.roles import Context, Paraphrase, Paraphraser
from robustfim_sears.rule.corpus import Corpus

__all__ = ["Sea", "find_seas", "scores"]

_BLOCK = 64
"""Texts that are paraphrased between two looks at what is done."""


@dataclass(frozen=True)
class Sea:
    """A paraphrase that keeps a text's meaning but changes the model's label (Ribeiro, Singh and Guestrin 2018).

    Attributes:
        source: The index of the text x in its corpus.
        text: The paraphrase x′.
        score: The paraphraser's score S(x, x′) that the meaning stays, at least the threshold τ.
        before: The model's label of x.
        after: The model's label of x′.
    """

    source: int
    text: str
    score: float
    before: str
    after: str


def find_seas(
    corpus: Corpus,
    labels: Sequence[str | None],
    paraphraser: Paraphraser,
    context: Context,
    tau: float,
    choosing: Collection[int],
    told: Callable[[int, int], None] = lambda *_: None,
) -> tuple[list[Sea], Counter[str]]:
    """Find the adversaries of every text: paraphrases that keep the meaning but change the model's label.

    Args:
        corpus: The texts, ``[texts]``.
        labels: The model's label for each text; None for a text without a label.
        paraphraser: The source of paraphrases.
        context: The model's queue, and the seed.
        tau: The threshold τ, the smallest score of a paraphrase with the same meaning.
        choosing: The indices of the texts to paraphrase.
        told: Called with the number of paraphrased texts, and the number of all texts to paraphrase.

    Returns:
        The adversaries in the order of the texts, the highest score of a text first. Then counts of paraphrases:
        ``paraphrases``, ``same`` (as the text), ``below tau``, ``unpredicted``, ``flipped``; of texts ``without
        paraphrases``; and the paraphraser's own counts, ``skipped, …``.

    Raises:
        PluginError: The paraphraser raised, or returned something else than paraphrases.
    """
    counts: Counter[str] = Counter()
    kept: list[tuple[int, Paraphrase]] = []
    asked = sorted(choosing)
    answers: list[list[Paraphrase]] = []
    for start in range(0, len(asked), _BLOCK):
        told(start, len(asked))
        texts = [corpus.sources[index].text.text for index in asked[start : start + _BLOCK]]
        answers += _paraphrases(paraphraser, texts, context.seed)
    counts.update({f"skipped, {reason}": n for reason, n in ParaphraserPart(paraphraser).skipped.items()})
    for index, found in zip(asked, answers, strict=True):
        old = corpus.sources[index].text.text
        distinct = {paraphrase.text: paraphrase for paraphrase in sorted(found, key=lambda each: each.score)}
        counts["paraphrases"] += len(distinct)
        counts["same"] += distinct.pop(old, None) is not None
        counts["without paraphrases"] += not distinct
        sure = [paraphrase for paraphrase in distinct.values() if paraphrase.score >= tau]
        counts["below tau"] += len(distinct) - len(sure)
        kept += [(index, paraphrase) for paraphrase in sorted(sure, key=lambda each: (-each.score, each.text))]
    predictions = context.predict([corpus.sources[index].having(paraphrase.text) for index, paraphrase in kept])
    seas = []
    for (index, paraphrase), prediction in zip(kept, predictions, strict=True):
        before = labels[index]
        if prediction is None or before is None:
            counts["unpredicted"] += 1
        elif prediction.label != before:
            seas.append(Sea(index, paraphrase.text, paraphrase.score, before, prediction.label))
    counts["flipped"] = len(seas)
    return seas, counts


def scores(paraphraser: Paraphraser, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
    """Return a paraphraser's scores, which rate whether two texts mean the same, of pairs of texts.

    Args:
        paraphraser: The paraphraser.
        texts: The texts x, ``[pairs]``.
        candidates: The changed texts x′, ``[pairs]``.

    Returns:
        S(x, x′) in [0, 1] of each pair.

    Raises:
        PluginError: The paraphraser raised, or returned something else than such scores.
    """
    if not texts:
        return []
    name = type(paraphraser).__name__
    with blame(f"paraphraser {name}: score"):
        found = [float(each) for each in paraphraser.score(texts, candidates)]
    if len(found) != len(texts):
        raise PluginError(f"paraphraser {name}: score gave {len(found)} numbers for {len(texts)} pairs.")
    for each in found:
        if not 0 <= each <= 1:
            raise PluginError(f"paraphraser {name}: the score {each} does not lie in [0, 1].")
    return found


def _paraphrases(paraphraser: Paraphraser, texts: Sequence[str], seed: int) -> list[list[Paraphrase]]:
    """Ask a paraphraser, and check its answer."""
    name = type(paraphraser).__name__
    with blame(f"paraphraser {name}"):
        answers = [list(each) for each in paraphraser.paraphrase(texts, seed=seed)]
    if len(answers) != len(texts):
        raise PluginError(f"paraphraser {name} answered {len(answers)} lists for {len(texts)} texts.")
    for each in (paraphrase for found in answers for paraphrase in found):
        if not isinstance(each, Paraphrase) or not isinstance(each.text, str):
            raise PluginError(f"paraphraser {name} answered {each!r}, which is not a Paraphrase.")
        if not (math.isfinite(each.score) and 0 < each.score <= 1):
            raise PluginError(f"paraphraser {name}: the score {each.score} of {each.text!r} does not lie in (0, 1].")
    return answers
