"""Augmentation: add variants to training data, made by rules or other perturbations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from robustfim.api import perturb
from robustfim.candidate import Candidate
from robustfim.collect import Named
from robustfim.errors import DataError, ModelError, SkipCheck, UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginManager
from robustfim.seeds import random_for
from robustfim.suite import PerturbSpec, SuiteFile
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.rule.rule import Rule

__all__ = ["Augmented", "Variant", "augment", "rules_part"]

_ALL = 10_000
"""Candidates of an example at most: every rule gives its own."""

_ASKS = "asks a model, and training data is augmented without one."


@dataclass(frozen=True)
class Variant:
    """A training example changed by a perturbation.

    Attributes:
        candidate: The example with its edits, and with the source's label or a label of its own.
        perturbation: The perturbation's name.
    """

    candidate: Candidate
    perturbation: str

    @property
    def example(self) -> Example:
        """Return the changed example, to train on."""
        return self.candidate.example


@dataclass(frozen=True)
class Augmented:
    """Training data with variants: copies of the examples changed by perturbations.

    Attributes:
        originals: The unchanged training examples.
        variants: The variants, in the order of their originals.
        counts: The number of candidates ``proposed``, and of candidates left out, by reason.
    """

    originals: tuple[Example, ...]
    variants: tuple[Variant, ...]
    counts: Mapping[str, int]

    @property
    def examples(self) -> list[Example]:
        """Return all examples, first the originals, then the variants."""
        return [*self.originals, *(variant.example for variant in self.variants)]

    def told(self) -> Iterator[str]:
        """Yield lines that count variants and their examples for each perturbation, and the candidates left out."""
        for name in dict.fromkeys(variant.perturbation for variant in self.variants):
            own = [variant.candidate.source.id for variant in self.variants if variant.perturbation == name]
            yield f"{name}: {_number(len(own), 'variant')} of {_number(len(set(own)), 'example')}"
        left_out = [f"{number:,} {reason}" for reason, number in self.counts.items() if reason != "proposed"]
        ending = f"; left out: {', '.join(left_out)}" if left_out else ""
        yield f"{_number(self.counts.get('proposed', 0), 'candidate')}{ending}"


def augment(
    examples: Sequence[Example],
    perturbations: Sequence[Named],
    *,
    seed: int,
    per_example: int | None = None,
    share: float = 1.0,
    gating: Gating | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Augmented:
    """Augment training data with variants: examples changed by perturbations.

    A variant has the label of its source, or the label of its candidate. A variant is left out if its text is already
    among the originals, the earlier variants or the gating data (data by which a model is tested before release).

    Args:
        examples: The training examples, each with a gold label.
        perturbations: Perturbations whose ``use`` is a :class:`~robustfim.suite.format.PerturbSpec`.
        seed: The seed. The variants of an example depend on its texts and the seed, not on other examples.
        per_example: The largest number of variants of an example, drawn at random; None for all.
        share: The fraction of the examples changed by a perturbation of which variants are made, in [0, 1].
        gating: Texts that no variant may have.
        progress: Called now and then with a name of the work, the number of examples done, and the number of all.

    Raises:
        DataError: An example has no gold label.
        UsageError: A perturbation may change the label, needs a model, or cannot run.
        PluginError: A perturbation raised, or returned something else than candidates.
    """
    bare = [example for example in examples if example.label is None]
    if bare:
        raise DataError(
            f"{len(bare)} training examples have no gold label, such as {bare[0].id}. Label the training "
            "examples, or leave those out."
        )
    pools: list[list[Variant]] = [[] for _ in examples]
    counts: Counter[str] = Counter()
    for part in perturbations:
        for pool, candidates in zip(pools, _candidates(part, examples, seed, counts, progress), strict=True):
            pool += [Variant(candidate, part.use.use) for candidate in candidates]
    seen = {example.id for example in examples}
    usable = []
    for pool in pools:
        kept = []
        for each in pool:
            if each.example.id in seen:
                counts["there already"] += 1
            elif gating is not None and each.example in gating:
                counts["used for gating"] += 1
            else:
                kept.append(each)
                seen.add(each.example.id)
        usable.append(_drawn(kept, per_example, seed))
        counts["not drawn"] += len(kept) - len(usable[-1])
    chosen = _chosen([pool[0].candidate.source.id for pool in usable if pool], share, seed)
    variants = [variant for pool in usable for variant in pool if variant.candidate.source.id in chosen]
    counts["not drawn"] += sum(map(len, usable)) - len(variants)
    return Augmented(tuple(examples), tuple(variants), {key: value for key, value in counts.items() if value})


def rules_part(rules: Sequence[Rule], manager: PluginManager) -> Named:
    """Return a perturbation that applies replacement rules, each to the first match in a text."""
    use = PerturbSpec.model_validate({"use": "rules", "rules": [rule.text for rule in rules], "candidates": _ALL})
    return Named("perturbations", use, SuiteFile(Path("the command line"), {}), manager)


def _number(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _drawn(pool: list[Variant], most: int | None, seed: int) -> list[Variant]:
    """Draw some variants of an example, and leave them in their order."""
    if most is None or len(pool) <= most:
        return pool
    places = random_for(seed, "variants", pool[0].candidate.source.id).sample(range(len(pool)), most)
    return [pool[place] for place in sorted(places)]


def _chosen(ids: Sequence[str], share: float, seed: int) -> frozenset[str]:
    """Draw a share of the examples."""
    distinct = sorted(set(ids), key=lambda each: (random_for(seed, "share", each).random(), each))
    return frozenset(distinct[: round(share * len(distinct))])


def _candidates(
    part: Named, examples: Sequence[Example], seed: int, counts: Counter[str], progress: Callable[[str, int, int], None]
) -> list[tuple[Candidate, ...]]:
    """Ask one perturbation, as a check of a suite does, and count what it gave."""
    spec, name = part.use, part.use.use
    assert isinstance(spec, PerturbSpec)  # noqa: S101  # as the caller made it
    if PerturbationPart(part.cls).contract.keeps != "label":
        raise UsageError(
            f"the perturbation {name!r} may change the gold label, and does not name the new label. Leave the "
            "perturbation out, or let its candidates name their label."
        )
    if part.make().takes_steps:
        raise UsageError(
            f"the perturbation {name!r} steps in embedding space, and gives no text to train on. Leave the "
            "perturbation out."
        )
    if spec.order.use != "random":
        raise UsageError(
            f"'order: {spec.order.use}' of the perturbation {name!r} needs a model, and 'augment' has none."
        )
    # A seed of its own: the texts to train on are drawn apart from those that a suite tests.
    own = random_for(seed, "augment").getrandbits(31)
    written = part.use.model_dump(exclude_unset=True)
    try:
        found = perturb(written, list(examples), seed=own, plugins=part.manager, progress=partial(progress, name))
    except SkipCheck as error:
        raise UsageError(f"the perturbation {name!r} cannot run here: {error}") from error
    except ModelError as error:
        raise UsageError(f"the perturbation {name!r} {_ASKS}") from error
    counts.update(found.counts)
    return list(found)
