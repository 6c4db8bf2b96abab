"""Mining: from examples and a model to semantically equivalent adversarial rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.members import member
from robustfim.prediction import Prediction
from robustfim.roles import Context, Paraphraser
from robustfim_sears.mining.equivalence import Equivalence
from robustfim_sears.mining.induction import induce
from robustfim_sears.mining.mined import Flip, Mined, MinedRule
from robustfim_sears.mining.seas import Sea, find_seas
from robustfim_sears.mining.selection import select
from robustfim_sears.rule.corpus import Corpus
from robustfim_sears.rule.replacement import Replacement
from robustfim_sears.rule.rule import Rule
from robustfim_sears.rule.tagged_text import tag_texts

__all__ = ["mine"]

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is, and how much there is."""

_BLOCK = 2_048
_MOST = 5_000
"""Rules that are tried at most, those that explain most adversaries first."""


def mine(
    examples: Sequence[Example],
    context: Context,
    paraphraser: Paraphraser,
    *,
    tau: float | None = None,
    delta: float = 0.1,
    rules: int = 10,
    min_flips: int = 2,
    fields: Sequence[str] = (),
    progress: Progress | None = None,
) -> Mined:
    """Mine semantically equivalent adversarial rules (SEARs, Ribeiro, Singh and Guestrin 2018).

    Paraphrases that flip the label (SEAs) give rules; each rule is applied to the first occurrence in every text; those
    are kept that flip enough texts and keep the meaning, E[SemEq] ≥ 1 − δ; of these the ones are selected that
    together flip most texts, Σ_x max_r S(x, r(x)) · SEA(x, r(x)), greedily.

    Args:
        examples: The examples; each text is a field of one.
        context: The model's queue, the tagger and the seed; every prediction goes through it.
        paraphraser: Where paraphrases and the score S come from. Its ``prepare(context)`` is called, if it has one.
        tau: τ; the paraphraser's own where it is None.
        delta: δ in [0, 1], the share of a rule's applications that may mean something else.
        rules: The most rules to select.
        min_flips: The fewest texts that a rule must flip.
        fields: The fields to read; all where none is named.
        progress: Called now and then.

    Returns:
        The rules, those that could take their place, and what became of everything else.

    Raises:
        UsageError: τ or δ lies outside of [0, 1].
        DataError: There is no text, or an example lacks a field.
        ModelError: The model gave no usable answer for any text.
        PluginError: The paraphraser raised or answered something else, or there is no tagger.
    """
    told = progress or (lambda stage, done, total: None)
    tau = paraphraser.tau if tau is None else tau
    for name, number in (("tau", tau), ("delta", delta)):
        if not 0 <= number <= 1:
            raise UsageError(f"{name} {number:g} does not lie in [0, 1].")
    if (prepare := member("paraphrasers", paraphraser, "prepare")) is not None:
        prepare(context)
    told("tag", 0, len(examples))
    corpus = Corpus.of(examples, context.tagger, fields)
    before = _predict(context, [source.example for source in corpus.sources], "predict", told)
    if not any(before):
        raise ModelError(f"the model gave no finite probabilities for any of {len(before)} texts.")
    told("paraphrase", 0, len(corpus.sources))
    labels = [None if each is None else each.label for each in before]
    seas, counts = find_seas(corpus, labels, paraphraser, context, tau)
    counts["overlong"] = corpus.overlong
    told("learn rules", 0, len(seas))
    found = _flipping(corpus, before, _induced(corpus, seas, context, counts), context, min_flips, counts, told)
    told("score", 0, len(found))
    candidates = _filtered(found, Equivalence(paraphraser, tau, context.seed), delta, tau, min_flips, counts)
    chosen = select([each.cover for each in candidates], rules)
    return Mined(
        tuple(candidates), tuple(chosen), rules, tuple(seas), len(corpus.sources), paraphraser.score_name, tau, delta,
        context.seed, dict(counts),
    )  # fmt: skip


@dataclass
class _Flipping:
    """A rule, the texts that it flips, and (text, changed text) of all that it changes."""

    rule: Rule
    flips: list[Flip] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)


def _predict(context: Context, examples: Sequence[Example], stage: str, told: Progress) -> list[Prediction | None]:
    """Predict in large blocks, so that progress can be told."""
    found: list[Prediction | None] = []
    for start in range(0, len(examples), _BLOCK):
        told(stage, start, len(examples))
        found += context.predict(examples[start : start + _BLOCK])
    return found


def _induced(corpus: Corpus, seas: Sequence[Sea], context: Context, counts: Counter[str]) -> list[Rule]:
    """Learn rules from adversaries."""
    tagged = tag_texts(context.tagger, [sea.text for sea in seas])
    pairs = ((corpus.sources[sea.source].text, text) for sea, text in zip(seas, tagged, strict=True))
    rules = induce(pairs, _MOST)
    counts["rules"] = len(rules)
    return rules


def _flipping(
    corpus: Corpus, before: Sequence[Prediction | None], rules: Sequence[Rule], context: Context, min_flips: int,
    counts: Counter[str], told: Progress,
) -> list[_Flipping]:  # fmt: skip
    """Apply rules to all texts, and keep those that flip enough.

    Of rules that do the same to all texts the first is kept: rules come with the shortest first.
    """
    applied: dict[tuple[tuple[int, Replacement], ...], Rule] = {}
    for number, rule in enumerate(rules):
        if not number % 100:
            told("apply rules", number, len(rules))
        changes = tuple(each for each in corpus.applications(rule) if before[each[0]] is not None)
        if len(changes) >= min_flips:
            applied.setdefault(changes, rule)
    counts["distinct rules"] = len(applied)
    texts = list(dict.fromkeys(each for changes in applied for each in changes))
    changed = [corpus.sources[index].having(made.of(corpus.sources[index].text.text)) for index, made in texts]
    after = dict(zip(texts, _predict(context, changed, "predict what rules make", told), strict=True))
    found = []
    for changes, rule in applied.items():
        flipping = _Flipping(rule)
        for index, made in changes:
            old, new, source = before[index], after[index, made], corpus.sources[index]
            if old is not None and new is not None:
                flipping.pairs.append((source.text.text, made.of(source.text.text)))
                if old.label != new.label:
                    flipping.flips.append(Flip(index, source.edit(made, rule.text), 0.0, old, new))
        if len(flipping.flips) >= min_flips:
            found.append(flipping)
    counts["flipping rules"] = len(found)
    return found


def _filtered(
    found: Sequence[_Flipping], equivalence: Equivalence, delta: float, tau: float, min_flips: int,
    counts: Counter[str],
) -> list[MinedRule]:  # fmt: skip
    """Keep the rules that keep the meaning, and of their flips those that do."""
    shares = equivalence.shares([(each.rule.text, each.pairs) for each in found], delta)
    kept = [(each, share) for each, share in zip(found, shares, strict=True) if share is not None]
    equivalence.score([flip.texts for each, _ in kept for flip in each.flips])
    rules = []
    for each, share in kept:
        scored = zip(each.flips, equivalence.score([flip.texts for flip in each.flips]), strict=True)
        sure = tuple(replace(flip, score=score) for flip, score in scored if score >= tau)
        if len(sure) >= min_flips:
            rules.append(MinedRule(each.rule, len(each.pairs), sure, share))
    counts["equivalent rules"] = len(rules)
    return rules
