"""Mining: find semantically equivalent adversarial rules for a model on examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.parts import ParaphraserPart
from robustfim.prediction import Prediction, require_one_label
from robustfim.roles import Context, Paraphraser
from robustfim.seeds import random_for
from robustfim.statistics import Rate
from robustfim_sears.mining.equivalence import Equivalence
from robustfim_sears.mining.induction import induce
from robustfim_sears.mining.mined import HELD, Flip, Mined, MinedRule
from robustfim_sears.mining.seas import Sea, find_seas
from robustfim_sears.rule.corpus import Corpus
from robustfim_sears.rule.replacement import Replacement
from robustfim_sears.rule.rule import Rule
from robustfim_sears.rule.tagged_text import tag_texts

__all__ = ["FEWEST", "SPLIT", "at_risk", "measured", "mine"]

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is, and how much there is."""

_BLOCK = 2_048
SPLIT = 600
"""The number of examples from which on one half selects the rules and the other half measures them."""

FEWEST = 100
"""The smallest number of examples for measuring rules on other texts than those that selected them."""

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
    tell: bool = True,
    progress: Progress | None = None,
) -> Mined:
    """Find replacement rules that change a model's labels but not the meaning (SEARs, Ribeiro et al. 2018).

    Paraphrases that change the predicted label (SEAs) give rules. Each rule is applied to its first occurrence in every
    text. If examples have gold labels, only texts with a right prediction are used, as in the paper. A rule is kept if
    it changes the label of enough texts and keeps the meaning of an expected fraction of at least 1 − δ. From these
    rules, a greedy search selects a set that maximises Σ_x max_r S(x, r(x)) · SEA(x, r(x)), where SEA is 1 if rule r
    changes the label of text x and keeps the meaning, else 0.

    A rule is selected for the labels that it changes, so its rate on the selecting texts is too high. With 600 examples
    or more, a random half selects the rules, and the other half measures their rates. With fewer examples, each rule is
    assigned at random to a half that may select it, and the other half measures it (cross-fitting). With fewer than 100
    examples, all examples select, and no rate is measured on other texts.

    Args:
        examples: The examples; each text is a field of one.
        context: The run's context: the model, through which every prediction goes, the tagger and the seed.
        paraphraser: The source of paraphrases and of the score S, which rates whether a paraphrase keeps the meaning.
            Its ``prepare(context)`` is called, if it exists.
        tau: The threshold τ, the smallest score of a text with the same meaning; None for the paraphraser's own.
        delta: δ in [0, 1], the fraction of a rule's applications that may change the meaning.
        rules: The largest number of rules to select.
        min_flips: The smallest number of texts that a rule must flip.
        fields: The fields to read; empty for all.
        tell: Whether some texts only measure the rules; if False, all texts select them.
        progress: Called now and then.

    Returns:
        The selected rules, the other candidates, and counts of the texts and rules left out.

    Raises:
        UsageError: τ or δ lies outside of [0, 1], or the model is a tagger, or decides for several labels.
        DataError: There is no text, or an example lacks a field.
        ModelError: The model gave no usable answer for any text.
        PluginError: The paraphraser raised or answered something else, or there is no tagger.
    """
    told = progress or (lambda stage, done, total: None)
    tau = paraphraser.contract.tau if tau is None else tau
    for name, number in (("tau", tau), ("delta", delta)):
        if not 0 <= number <= 1:
            raise UsageError(f"{name} {number:g} does not lie in [0, 1].")
    require_one_label(context.model, "'mine'")
    ParaphraserPart(paraphraser).prepare(context)
    told("tag", 0, len(examples))
    corpus = Corpus.of(examples, context.tagger, fields)
    answers = _predict(context, [source.example for source in corpus.sources], "predict", told)
    if not any(answers):
        raise ModelError(f"the model gave no finite probabilities for any of {len(answers)} texts.")
    before = at_risk(corpus, answers)
    number = len({source.example.id for source in corpus.sources})
    split = tell and number >= SPLIT
    halves = _halves(corpus, context.seed) if tell and number >= FEWEST else ()
    chooses = _Choosing(halves, split, context.seed)
    chosen = [index for index in range(len(corpus.sources)) if not split or halves[index] != HELD]
    asked = [index for index in chosen if before[index] is not None or answers[index] is None]
    labels = [None if prediction is None else prediction.label for prediction in before]
    seas, counts = find_seas(corpus, labels, paraphraser, context, tau, asked, partial(told, "paraphrase"))
    counts["overlong"] = corpus.overlong
    counts["wrong before"] = sum(map(bool, answers)) - sum(map(bool, before))
    told("learn rules", 0, len(seas))
    learnt = _induced(corpus, seas, context, chooses)
    counts["rules"] = len(learnt)
    found = _flipping(corpus, before, learnt, context, min_flips, chooses, counts, told)
    told("score", 0, len(found))
    candidates = _filtered(found, Equivalence(paraphraser, tau, context.seed), delta, tau, min_flips, chooses, counts)
    mined = Mined(
        tuple(candidates), (), rules, tuple(seas), len(corpus.sources), paraphraser.contract.score, tau, delta,
        context.seed, dict(counts), halves, split, tuple(fields),
    )  # fmt: skip
    return mined.reselected()


def measured(
    rules: Sequence[Rule], mined: Mined, examples: Sequence[Example], context: Context, paraphraser: Paraphraser
) -> list[MinedRule]:
    """Measure the effects of rules that a person wrote, in the same way as :func:`mine` does for rules it finds.

    Args:
        rules: The rules.
        mined: An earlier result of mining, whose threshold τ, seed and halves of the texts are used.
        examples: The examples of the earlier mining.
        context: The model's queue and the tagger.
        paraphraser: The source of the score S.

    Returns:
        One MinedRule for each rule whose effect differs from that of all rules before, even if it flips no text.

    Raises:
        RobustfimError: As for :func:`mine`.
    """
    ParaphraserPart(paraphraser).prepare(context)
    corpus, counts = Corpus.of(examples, context.tagger, mined.fields), Counter[str]()
    before = at_risk(corpus, context.predict([source.example for source in corpus.sources]))
    chooses = _Choosing(mined.halves, mined.split, mined.seed)
    found = _flipping(corpus, before, rules, context, 0, chooses, counts, lambda *_: None)
    return _filtered(found, Equivalence(paraphraser, mined.tau, mined.seed), 1.0, mined.tau, 0, chooses, counts)


@dataclass(frozen=True)
class _Choosing:
    """Which texts may choose a rule."""

    halves: Sequence[int]
    split: bool
    seed: int

    def half(self, rule: Rule) -> int:
        """Return the half that may select a rule.

        In a split it is always the first half, otherwise a half drawn at random.
        """
        if self.split or not self.halves:
            return 1 - HELD
        return random_for(self.seed, "mining coin", rule.text).randrange(2)

    def __call__(self, rule: Rule, text: int) -> bool:
        """Whether a text may choose a rule."""
        return not self.halves or self.halves[text] == self.half(rule)


@dataclass
class _Flipping:
    """A rule, the texts that it flips, and what it makes of all that it changes."""

    rule: Rule
    flips: list[Flip] = field(default_factory=list)
    made: dict[int, tuple[str, str]] = field(default_factory=dict)


def _halves(corpus: Corpus, seed: int) -> tuple[int, ...]:
    """Give each text a half at random; texts of one example have the same, whatever other examples there are."""
    return tuple(random_for(seed, "mining half", source.example.id).randrange(2) for source in corpus.sources)


def at_risk(corpus: Corpus, answers: Sequence[Prediction | None]) -> list[Prediction | None]:
    """Keep the predictions that a rule could break: the right predictions if there are gold labels, otherwise all."""
    if not any(source.example.gold for source in corpus.sources):
        return [*answers]
    return [
        answer if answer is not None and answer.right(source.example.gold) else None
        for source, answer in zip(corpus.sources, answers, strict=True)
    ]


def _predict(context: Context, examples: Sequence[Example], stage: str, told: Progress) -> list[Prediction | None]:
    """Predict in large blocks, so that progress can be told."""
    found: list[Prediction | None] = []
    for start in range(0, len(examples), _BLOCK):
        told(stage, start, len(examples))
        found += context.predict(examples[start : start + _BLOCK])
    return found


def _induced(corpus: Corpus, seas: Sequence[Sea], context: Context, chooses: _Choosing) -> list[Rule]:
    """Learn rules from adversaries, each from those of the half that may choose it."""
    tagged = tag_texts(context.tagger, [sea.text for sea in seas])
    pairs = [(sea.source, (corpus.sources[sea.source].text, text)) for sea, text in zip(seas, tagged, strict=True)]
    if not chooses.halves or chooses.split:
        return induce((pair for _, pair in pairs), _MOST)
    found: list[Rule] = []
    for half in (0, 1):
        own = induce((pair for source, pair in pairs if chooses.halves[source] == half), _MOST)
        found += [rule for rule in own if chooses.half(rule) == half]
    return found


def _flipping(
    corpus: Corpus, before: Sequence[Prediction | None], rules: Sequence[Rule], context: Context, min_flips: int,
    chooses: _Choosing, counts: Counter[str], told: Progress,
) -> list[_Flipping]:  # fmt: skip
    """Apply rules to all texts, and keep those that flip enough.

    Of rules that do the same to all texts the first is kept: rules come with the shortest first.
    """
    applied: dict[tuple[int, tuple[tuple[int, Replacement], ...]], Rule] = {}
    for number, rule in enumerate(rules):
        if not number % 100:
            told("apply rules", number, len(rules))
        changes = tuple(application for application in corpus.applications(rule) if before[application[0]] is not None)
        if sum(chooses(rule, index) for index, _ in changes) >= min_flips:
            applied.setdefault((chooses.half(rule), changes), rule)
    counts["distinct rules"] = len(applied)
    texts = list(dict.fromkeys(change for _, changes in applied for change in changes))
    changed = [corpus.sources[index].having(made.of(corpus.sources[index].text.text)) for index, made in texts]
    after = dict(zip(texts, _predict(context, changed, "predict what rules make", told), strict=True))
    found = []
    for (_, changes), rule in applied.items():
        flipping = _Flipping(rule)
        for index, made in changes:
            old, new, source = before[index], after[index, made], corpus.sources[index]
            if old is not None and new is not None:
                flipping.made[index] = source.text.text, made.of(source.text.text)
                if old.label != new.label:
                    flipping.flips.append(Flip(index, source.edit(made, rule.text), 0.0, old, new))
        if sum(chooses(rule, flip.source) for flip in flipping.flips) >= min_flips:
            found.append(flipping)
    counts["flipping rules"] = len(found)
    return found


def _filtered(
    found: Sequence[_Flipping], equivalence: Equivalence, delta: float, tau: float, min_flips: int,
    chooses: _Choosing, counts: Counter[str],
) -> list[MinedRule]:  # fmt: skip
    """Keep the rules that keep the meaning, and of their flips those that do."""
    own = [[pair for index, pair in flipping.made.items() if chooses(flipping.rule, index)] for flipping in found]
    fractions = equivalence.shares(
        [(flipping.rule.text, pairs) for flipping, pairs in zip(found, own, strict=True)], delta
    )
    kept = [
        (flipping, share, len(pairs))
        for flipping, share, pairs in zip(found, fractions, own, strict=True)
        if share is not None
    ]
    equivalence.score([flip.texts for flipping, _, _ in kept for flip in flipping.flips])
    rules = []
    for flipping, fraction, support in kept:
        scored = zip(flipping.flips, equivalence.score([flip.texts for flip in flipping.flips]), strict=True)
        sure = [replace(flip, score=score) for flip, score in scored if score >= tau]
        flips = tuple(flip for flip in sure if chooses(flipping.rule, flip.source))
        held_out = tuple(flip for flip in sure if not chooses(flipping.rule, flip.source))
        if len(flips) >= min_flips:
            made = {index: text for index, (_, text) in flipping.made.items()}
            others = Rate(len(held_out), len(made) - support) if chooses.halves else Rate(0, 0)
            rules.append(
                MinedRule(flipping.rule, support, flips, fraction, held_out, made, chooses.half(flipping.rule), others)
            )
    counts["equivalent rules"] = len(rules)
    return rules
