"""Proposals: the accepted candidates of one check, and the counts of rejected ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from robustfim.builtin.composed import Composed, unite
from robustfim.candidate import Candidate, Edit
from robustfim.collect.check import Check
from robustfim.collect.resources import resources
from robustfim.collect.spool import Examples
from robustfim.errors import UsageError, shown
from robustfim.example import Example
from robustfim.parts import ConstraintPart, PerturbationPart
from robustfim.predict.context import RunContext
from robustfim.propose.candidate_counts import RunningCounts
from robustfim.propose.composition import characters_to_change, compose_guided, compose_random, words_to_change
from robustfim.propose.effects import effects_of
from robustfim.propose.stored_series import StoredSeries
from robustfim.roles import Opening
from robustfim.select.lock import LockFile
from robustfim.suite.word_share import Ranked, important_edits, words_that_change, words_that_may_change
from robustfim.window import Window

__all__ = ["Proposer"]

_UNIMPORTANT = "words: not important"
_UNREAD = "outside of what the model reads"
_MOST_EDITS = 10_000
"""The most edits that are read per example."""

_TRIES = 6
"""Proposals per wanted candidate after which an example is given up."""


class Proposer:
    """A maker of a check's perturbed texts (candidates), which the check's constraints accept or reject.

    Args:
        check: The check.
        context: The run's context.
        lock: A lock file whose stored texts replace the perturbation; None without one.
    """

    def __init__(self, check: Check, context: RunContext, lock: LockFile | None = None) -> None:
        self.check, self._context = check, context
        self._lock = lock if check.made_beforehand else None
        self._kept = StoredSeries(check, context)
        self.counts = RunningCounts()
        self._windows: dict[str, Window | None] = {}
        self._tests_unchanged = check.perturbation.contract.unchanged
        self._per_edit = [constraint for constraint in check.constraints if constraint.contract.per_edit]
        singly = check.perturbation.lists_edits
        self._whole = [constraint for constraint in check.constraints if not (singly and constraint in self._per_edit)]

    def prepare(self) -> None:
        """Give the check's perturbation, constraints and order the run's context before the first example.

        Raises:
            PluginError: One of these objects raised an error.
            UsageError: The suite names a field that no example has.
        """
        wanted = self.check.spec.perturb.fields
        known = Examples.of(self._context.examples).spool.fields if wanted else ()
        for name in wanted or ():
            if name not in known:
                raise UsageError(f"no example has a field {shown(name)}; there are: {', '.join(sorted(known))}.")
        for part in self.check.parts:
            part.prepare(self._context)

    def unordered(self) -> Proposer:
        """Return a copy that ranks candidates at random and counts separately, for use without the model."""
        return Proposer(self.check.unordered, self._context, self._lock)

    def resources(self) -> Mapping[str, str]:
        """Return versions of the resources, such as word lists, from which the texts are made.

        For texts from a lock file, the versions when the file was written.
        """
        if self._lock is not None and self.check.name in self._lock.checks:
            return self._lock.checks[self.check.name].resources
        return resources(self.check)

    def candidates(self, examples: Sequence[Example]) -> list[list[Candidate]]:
        """Return the perturbed texts to test for each example of a block.

        Returns:
            At most as many accepted candidates (perturbed texts) per example as the suite sets under ``candidates``,
            ``[examples][candidates]``, distinct in text.

        Raises:
            PluginError: The perturbation, a constraint or the order raised an error or returned a wrong type.
            ModelError: A guided order needs gradients, and the model has none.
            UsageError: The check uses a search; call :meth:`openings` instead.
        """
        if self.check.search is not None:
            raise UsageError(
                "a search asks the model about every text, so robustfim cannot list its candidates without a run. "
                "Run the suite."
            )
        self._look_at(examples)
        if self._lock is not None:
            return [self._locked(self._lock, example) for example in examples]
        pools = self._pools(examples, self.check.perturbation)
        pools = self._prefetched(pools)
        accepted = [self._accept(pool) for pool in pools]
        self._kept.keep()
        return accepted

    def openings(self, examples: Sequence[Example]) -> list[Opening]:
        """Return the possible single edits of each example of a block, from which a search starts.

        Returns:
            One opening (start of a search) per example, with the example's edits in the order in which to try them; the
            order is random if the suite names none.

        Raises:
            PluginError: As for ``candidates``.
            ModelError: As for ``candidates``.
        """
        self._look_at(examples)
        lists, counts = self._single_edits(examples, self.check.perturbation)
        self._kept.keep()
        lists = [list(dict.fromkeys(edits)) for edits in lists]
        if self.check.order is None:
            for example, edits in zip(examples, lists, strict=True):
                self._random(example, "search").shuffle(edits)
            return [Opening(*each) for each in zip(examples, lists, counts, strict=True)]
        effects = effects_of(self.check, _singles(examples, lists), self._context)
        return [Opening(*each).by_effect() for each in zip(examples, lists, counts, effects, strict=True)]

    def acceptors(self, examples: Sequence[Example]) -> list[Callable[[Candidate], bool]]:
        """Return, for each example of a block, a function that decides whether a perturbed text may be tested.

        Raises:
            ModelError: The model cannot report which part of a text it reads.
        """
        self._look_at(examples)
        return [self.consent() for _ in examples]

    def _locked(self, lock: LockFile, example: Example) -> list[Candidate]:
        found = lock.candidates(self.check.name, self.check.settings, example)
        self.counts.proposed += len(found)
        return [candidate for candidate in found if not self._outside(candidate)]

    def _look_at(self, examples: Sequence[Example]) -> None:
        """Ask the model what it reads of examples."""
        self._windows = dict(zip((example.id for example in examples), self._context.windows(examples), strict=True))

    def _outside(self, candidate: Candidate) -> bool:
        """Tell of a candidate whether it changes nothing that the model reads, and count it."""
        window = self._windows.get(candidate.source.id)
        if window is None or candidate.step is not None or not candidate.edits or window.touches(candidate.edits):
            return False
        self.counts.not_applicable += 1
        self.counts.outside += 1
        return True

    # ---- the kinds of perturbation --------------------------------------------------------------------

    def _pools(
        self, examples: Sequence[Example], perturbation: PerturbationPart, *part: str
    ) -> list[Iterator[Candidate]]:
        """What a perturbation proposes for each example; ``part`` says which part of a composed one it is."""
        if isinstance(perturbation.made, Composed):
            if not part:
                perturbation.foresee(examples)
            return self._composed(examples, perturbation.made, *part)
        if perturbation.lists_edits:
            return self._from_edits(examples, perturbation, *part)
        return self._whole_candidates(examples, perturbation, *part)

    def _composed(self, examples: Sequence[Example], perturbation: Composed, *part: str) -> list[Iterator[Candidate]]:
        """One candidate of every part, where they touch nothing in common."""
        wanted = self.check.spec.perturb.candidates * _TRIES
        pools = [
            self._pools(examples, perturbation_part, *part, str(index))
            for index, perturbation_part in enumerate(perturbation.of)
        ]
        united = []
        for index, example in enumerate(examples):
            by_part: list[list[Candidate]] = []
            for pool in pools:
                by_part.append([candidate for candidate in islice(pool[index], wanted) if not candidate.unchanged])
                if not by_part[-1]:
                    break
            random = self._random(example, *part, "united")
            found = unite(by_part, wanted, None if self.check.order else random) if by_part[-1] else []
            united.append(iter(found))
        return united

    def _from_edits(
        self, examples: Sequence[Example], perturbation: PerturbationPart, *part: str
    ) -> list[Iterator[Candidate]]:
        lists, counts = self._single_edits(examples, perturbation, *part)
        if self.check.order is None and perturbation.combines:
            most = self.check.spec.perturb.candidates * _TRIES
            combined = [perturbation.combine(*each, most) for each in zip(examples, lists, counts, strict=True)]
            return [map(self._in_fields, pool) for pool in combined]
        if self.check.order is None:
            draws = [self._random(example, *part, "compose") for example in examples]
            return list(map(compose_random, examples, lists, counts, draws))
        effects = effects_of(self.check, _singles(examples, lists), self._context)
        return [compose_guided(*each) for each in zip(examples, lists, counts, effects, strict=True)]

    def _single_edits(
        self, examples: Sequence[Example], perturbation: PerturbationPart, *part: str
    ) -> tuple[list[list[Edit]], list[int]]:
        """List the accepted edits of each example, and how many of them a candidate has."""
        spec = self.check.spec.perturb
        lists: list[list[Edit]] = []
        for example, series in zip(examples, self._made(examples, perturbation, _MOST_EDITS + 1, *part), strict=True):
            found = self._edits(series)
            self.counts.edits += len(found)
            if (window := self._windows.get(example.id)) is not None:
                read = [edit for edit in found if window.holds(edit)]
                self.counts.edits_rejected += Counter({_UNREAD: len(found) - len(read)})  # of 0 it keeps nothing
                found = read
            lists.append(found)
        if (ranked := words_that_may_change(spec.words)) is not None:
            lists = self._important(examples, lists, ranked)
        if self._per_edit:
            lists = self._accepted_edits(examples, lists)
        rate = perturbation.contract.per_character
        counts = [
            words_to_change(source, words_that_change(spec.words), spec.fields)
            if rate is None
            else characters_to_change(source, rate, spec.fields)
            for source in map(self._read, examples)
        ]
        return lists, counts

    def _read(self, example: Example) -> Example:
        """An example as far as the model reads it."""
        window = self._windows.get(example.id)
        return example if window is None else window.cut(example)

    def _made(
        self, examples: Sequence[Example], perturbation: PerturbationPart, most: int, *part: str
    ) -> Iterable[Iterable[Any]]:
        """What a perturbation makes of each example, edits or candidates, at most so many; kept where it can be."""

        def make(example: Example) -> Iterator[Any]:
            ask = perturbation.edits if perturbation.lists_edits else perturbation.propose
            return iter(ask(example, self._random(example, *part), most))

        if self._kept.keeps:
            return self._kept.of(examples, make, most)
        if not part:
            perturbation.foresee(examples)
        return map(make, examples)

    def _edits(self, series: Iterable[Edit]) -> list[Edit]:
        """Read an example's edits of the suite's fields, a bounded number of them: a generator may have no end."""
        edits = list(series)
        if len(edits) > _MOST_EDITS:
            self.counts.edits_rejected[f"beyond the first {_MOST_EDITS:,} of an example"] += 1
        fields = self.check.spec.perturb.fields
        return [
            edit
            for edit in edits[:_MOST_EDITS]
            if edit.before != edit.after and (fields is None or edit.field in fields)
        ]

    def _important(self, examples: Sequence[Example], lists: Sequence[list[Edit]], ranked: Ranked) -> list[list[Edit]]:
        """Keep the edits of important words; an example without any edit costs no gradient."""
        edited = [(example, edits) for example, edits in zip(examples, lists, strict=True) if edits]
        known = self._context.attributions.of([example for example, _ in edited])
        fields = self.check.spec.perturb.fields
        important = {
            example.id: important_edits(example, edits, importance, ranked, fields)
            for (example, edits), importance in zip(edited, known, strict=True)
        }
        refused = sum(map(len, lists)) - sum(map(len, important.values()))
        self.counts.edits_rejected += Counter({_UNIMPORTANT: refused})
        return [important.get(example.id, []) for example in examples]

    def _whole_candidates(
        self, examples: Sequence[Example], perturbation: PerturbationPart, *part: str
    ) -> list[Iterator[Candidate]]:
        wanted = self.check.spec.perturb.candidates * _TRIES
        lazy: list[Iterator[Candidate]] = [
            map(self._in_fields, series) for series in self._made(examples, perturbation, wanted, *part)
        ]
        if self.check.order is None:
            return lazy
        pools, ranked = [list(each) for each in lazy], []
        found = effects_of(self.check, pools, self._context)
        for pool, effects in zip(pools, found, strict=True):
            order = sorted(range(len(pool)), key=lambda index, e=effects: (-e[index], index))  # type: ignore[misc]  # a default binds the loop variable
            ranked.append(iter([pool[index] for index in order]))
        return ranked

    def _in_fields(self, candidate: Candidate) -> Candidate:
        """A candidate without its edits of fields that the suite does not name."""
        fields = self.check.spec.perturb.fields
        if fields is None or candidate.step is not None:
            return candidate
        return candidate.with_edits(edit for edit in candidate.edits if edit.field in fields)

    # ---- constraints ----------------------------------------------------------------------------------

    def _accepted_edits(self, examples: Sequence[Example], lists: Sequence[Sequence[Edit]]) -> list[list[Edit]]:
        """Ask the constraints that judge single edits, or the store what they said of them."""
        accepted = []
        said = self._kept.reasons(examples, lists, self._per_edit, self._reasons)
        for edits, reasons in zip(lists, said, strict=True):
            self.counts.edits_rejected.update(reason for reason in reasons if reason is not None)
            accepted.append([edit for edit, reason in zip(edits, reasons, strict=True) if reason is None])
        return accepted

    def _reasons(self, examples: Sequence[Example], lists: Sequence[Sequence[Edit]]) -> list[list[str | None]]:
        """Why single edits are rejected; constraints that can look at all edits of the block do so before."""
        singles = _singles(examples, lists)
        for part in self._per_edit:
            part.foresee([single for own in singles for single in own])
        return [[self._rejection(single, self._per_edit) for single in own] for own in singles]

    def _accept(self, pool: Iterable[Candidate]) -> list[Candidate]:
        wanted = self.check.spec.perturb.candidates
        accepts = self.consent()
        return list(islice(filter(accepts, islice(pool, wanted * _TRIES)), wanted))

    def consent(self) -> Callable[[Candidate], bool]:
        """Return a function that decides whether a perturbed text of one example may be tested."""
        seen: set[Any] = set()

        def accepts(candidate: Candidate) -> bool:
            self.counts.proposed += 1
            content = (tuple(candidate.example.fields.items()), candidate.step)
            accepted = False
            if candidate.unchanged and not self._tests_unchanged:
                self.counts.unchanged += 1
            elif self._outside(candidate):
                pass
            elif content in seen:
                self.counts.duplicate += 1
            elif not candidate.example.text.strip():
                self.counts.rejected["empty text"] += 1
            elif reason := self._rejection(candidate, self._whole):
                self.counts.rejected[reason] += 1
            else:
                accepted = True
            seen.add(content)
            return accepted

        return accepts

    def _rejection(self, candidate: Candidate, constraints: Sequence[ConstraintPart]) -> str | None:
        for constraint in constraints:
            if (reason := constraint.reject(candidate)) is not None:
                return f"{constraint.use}: {reason}"
        return None

    def _prefetched(self, pools: list[Iterator[Candidate]]) -> list[Iterator[Candidate]]:
        """Show constraints the first candidates of a block's examples, of which those before them reject none."""
        wanted = self.check.spec.perturb.candidates
        for place, constraint in enumerate(self._whole):
            if not constraint.foresees or constraint.contract.per_edit:
                continue
            held = [list(islice(pool, wanted * _TRIES)) for pool in pools]
            asked = [one for pool in held for one in pool[:wanted] if one.example.text.strip() and not one.unchanged]
            constraint.foresee([one for one in asked if self._rejection(one, self._whole[:place]) is None])
            pools = [iter(pool) for pool in held]
        return pools

    def _random(self, example: Example, *part: str) -> Random:
        """What draws for an example; ``part`` says for which part of a composed perturbation, and for what."""
        return self._context.random(self.check.purpose, example.id, *part)


def _singles(examples: Sequence[Example], lists: Sequence[Sequence[Edit]]) -> list[list[Candidate]]:
    """Candidates of one edit each."""
    return [[Candidate(example, (edit,)) for edit in edits] for example, edits in zip(examples, lists, strict=True)]
