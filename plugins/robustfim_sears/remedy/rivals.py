"""``study rules``: compare experts' rules with mined rules on the same data (Ribeiro, Singh and Guestrin 2018, 5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.exhibit import Table
from robustfim.plugin import PluginManager
from robustfim.record import DataRecord, Study, describe_environment
from robustfim.roles import Model, Paraphraser
from robustfim.statistics import Rate, mcnemar
from robustfim_sears.mining.seas import scores
from robustfim_sears.remedy.augmentation import augment, rules_part
from robustfim_sears.remedy.sensitivity import ask
from robustfim_sears.rule.rule import Rule

__all__ = ["Ruled", "rules_study"]


@dataclass(frozen=True)
class Ruled:
    """The effect of the replacement rules of one file on a set of examples.

    Attributes:
        name: The file.
        rules: How many rules there are.
        touched: Examples changed by some rule.
        flipped: Ids of examples with a prediction changed by some rule.
        equivalent: Texts that keep their meaning (a paraphraser's score is at least the threshold τ), of all texts made
            by the rules.
        both: Ids of the examples whose prediction changes under a text that keeps its meaning.
        minutes: The minutes spent on writing or mining the rules; None if unknown.
    """

    name: str
    rules: int
    touched: int
    flipped: frozenset[str]
    equivalent: Rate
    both: frozenset[str]
    minutes: float | None


def rules_study(
    files: Mapping[str, Sequence[Rule]], minutes: Sequence[float], model: Model, examples: Sequence[Example],
    paraphraser: Paraphraser, manager: PluginManager, *, data: DataRecord, seed: int,
) -> Study:  # fmt: skip
    """Compare the effects of two files of replacement rules on the same examples.

    Args:
        files: The rules of each of the two files, by file name.
        minutes: The minutes of each file, in the order of ``files``; empty if unknown.
        model: The model.
        examples: The examples, each with a gold label.
        paraphraser: The paraphraser whose score, with its threshold τ, decides whether a meaning stays.
        manager: The plugins.
        data: The record of the data.
        seed: The seed of the study.
    """
    made = {
        name: [variant.candidate for variant in augment(examples, [rules_part(rules, manager)], seed=seed).variants]
        for name, rules in files.items()
    }
    pairs = [(name, candidate) for name, own in made.items() for candidate in own]
    similar = scores(paraphraser, *zip(*(_texts(candidate) for _, candidate in pairs), strict=True)) if pairs else []
    same = {
        (name, id(candidate)): score >= paraphraser.contract.tau
        for (name, candidate), score in zip(pairs, similar, strict=True)
    }
    found = []
    for (name, own), took in zip(made.items(), [*minutes, *[None] * len(made)], strict=False):
        variants: dict[str, list[Candidate]] = {}
        for candidate in own:
            variants.setdefault(candidate.source.id, []).append(candidate)
        changed = ask(model, examples, variants).changed
        flips = {
            source: [c for c, flip in zip(variants[source], told, strict=True) if flip]
            for source, told in changed.items()
        }
        found.append(
            Ruled(
                name, len(files[name]), len(variants), frozenset(source for source, flip in flips.items() if flip),
                Rate(sum(same[name, id(candidate)] for candidate in own), len(own)),
                frozenset(source for source, flip in flips.items() if any(same[name, id(c)] for c in flip)), took,
            )
        )  # fmt: skip
    first, second = found
    size = len(examples)
    groups = {
        "flipped by either": (first.flipped | second.flipped, first.both | second.both),
        "flipped by both": (first.flipped & second.flipped, first.both & second.both),
        f"flipped by {first.name} alone": (first.flipped - second.flipped, first.both - second.both),
        f"flipped by {second.name} alone": (second.flipped - first.flipped, second.both - first.both),
    }
    only = [len(one.both - other.both) for one, other in ((first, second), (second, first))]
    p_value = mcnemar(*only)
    return Study(
        study="rules",
        title="What two files of rules change",
        data=data,
        environment=describe_environment(manager.records(), None),
        seed=seed,
        model_calls=size + len(pairs),
        findings=[
            *(f"{ruled.name}: {Rate(len(ruled.flipped), size)} of the predictions changed, {ruled.equivalent} of the "
              f"texts equivalent, {Rate(len(ruled.both), size)} changed by an equivalent text." for ruled in found),
            f"Together {Rate(len(groups['flipped by either'][1]), size)}, by both "
            f"{Rate(len(groups['flipped by both'][1]), size)}; {only[0]} by the first file alone, {only[1]} by the "
            f"second alone (p = {p_value:.2g}, McNemar's exact test).",
        ],
        tables=[_table(found, size), _shared(groups, size)],
        results={
            "examples": size, "p_value": p_value, "tau": paraphraser.contract.tau,
            "score": paraphraser.contract.score,
            "files": [
                {**asdict(ruled), "flipped": len(ruled.flipped), "both": len(ruled.both),
                 "equivalent": [ruled.equivalent.count, ruled.equivalent.tested]} for ruled in found
            ],
            "shared": {name: [len(any_), len(equivalent)] for name, (any_, equivalent) in groups.items()},
        },
    )  # fmt: skip


def _texts(candidate: Candidate) -> tuple[str, str]:
    """The changed field of an example, before and after."""
    before, after = candidate.source.fields, candidate.example.fields
    name = next(name for name in after if after[name] != before[name])
    return before[name], after[name]


def _table(found: Sequence[Ruled], size: int) -> Table:
    return Table(
        title="Two files of rules",
        header=["file", "rules", "changes texts", "changes predictions", "equivalent", "both", "minutes"],
        rows=[
            [ruled.name, str(ruled.rules), str(Rate(ruled.touched, size)), str(Rate(len(ruled.flipped), size)),
             str(ruled.equivalent), str(Rate(len(ruled.both), size)),
             "–" if ruled.minutes is None else f"{ruled.minutes:g}"]
            for ruled in found
        ],
        notes=[
            "Changes predictions: examples whose label some rule of the file changes. Equivalent: texts that the rules "
            "make whose score is at least the paraphraser's τ. Both: examples whose label an equivalent text changes.",
            "In brackets: 95 % Wilson intervals.",
        ],
    )  # fmt: skip


def _shared(shares: Mapping[str, tuple[frozenset[str], frozenset[str]]], size: int) -> Table:
    return Table(
        title="Union and overlap",
        header=["examples", "by any text", "by an equivalent text"],
        rows=[[name, *(str(Rate(len(each), size)) for each in own)] for name, own in shares.items()],
    )
