"""Causes: the few kinds of edits that explain most failures, tested against runs whose outcomes are permuted.

A rule is a kind of edit, with at most one condition on its context: ``’ for ' in "n't"``. Rules are chosen greedily,
each on the failures that earlier rules do not explain, like the rules of SEARs (Ribeiro, Singh and Guestrin 2018). All
rules are tested at once (Westfall and Young 1993): permuted outcomes show how small the smallest p-value of all rules,
many of them similar or rare, is by chance.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from robustfim.record import CauseRecord, Failure, Record
from robustfim.seeds import random_for
from robustfim.statistics.odds import odds_tail
from robustfim.statistics.rate import LEVEL, Rate
from robustfim.words import difference, word_differences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ODDS",
    "CauseTable",
    "EditTrial",
    "Rule",
    "TriedEdit",
    "cause_texts",
    "find_causes",
    "rules_command",
]

ODDS = 2.0
"""The odds ratio, against the other edits of the check, that the failures of a cause must exceed."""
MOST = 10
"""The most rules that are named."""
_FEWEST = 3
"""The fewest examples that a named rule must break."""
_PERMUTED = 199
"""The number of runs with permuted outcomes."""
_NEAR = 3
"""The number of rules per permuted run whose p-value is exact: those with the smallest bounds."""
_BLOCK = 500
"""The number of rules whose permuted outcomes are counted at once."""
_ELSEWHERE = 10
"""The fewest examples of the check without the rule; with fewer, the rule is compared with the other checks."""
_LONG = 60
"""The most characters of an edit that a rule quotes."""
_RUNS = 8
"""The most edits per text, and runs of words per edit, that are read."""

_WORD = r"[\w'’-]+"
_LAST, _FIRST, _ALL = re.compile(rf"{_WORD}$"), re.compile(rf"^{_WORD}"), re.compile(_WORD)
_CONTRACTION = re.compile(r"(?:n['’`´]?t|['’`´](?:s|re|ve|ll|d|m))$")
_NEGATION = re.compile(r"^(?:no|not|never|nor|neither|nothing|nobody|none|without|hardly|cannot|\w+n['’]?t)$")
_LINK, _MENTION = re.compile(r"https?:|www\."), re.compile(r"(?<!\S)@\w")
_BESIDE = 3
"""The number of words before an edit in which a negation counts as its context."""


class Rule(NamedTuple):
    """A description of a kind of edit and its context, as a possible cause of failures.

    Attributes:
        does: The edit in words, such as ``"film" -> "movie"``.
        where: The neighbouring words, or a property of the text; empty for any context.
    """

    does: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.does} {self.where}".rstrip()


class TriedEdit(NamedTuple):
    """An edit of a text, with the words around it.

    Attributes:
        before: The text that is replaced.
        after: The text in its place.
        left: The last few words before the edit; empty at the beginning of the text.
        right: The first few words after the edit; empty at the end.
    """

    before: str
    after: str
    left: str = ""
    right: str = ""

    @classmethod
    def of(cls, text: str, start: int, end: int, after: str) -> Iterator[TriedEdit]:
        """Split an edit into several edits, one for each run of adjacent words that changes."""
        before = text[start:end]
        several = before.strip() and " " in before.strip() + after.strip()
        runs = word_differences(before, after) if several else ()
        for place, cut, put in [*islice(runs, _RUNS)] or [(0, before, after)]:
            first, last = start + place, start + place + len(cut)
            yield cls(cut, put, text[max(0, first - _LONG) : first], text[last : last + _LONG])

    def rules(self, facts: Sequence[str] = ()) -> Iterator[Rule]:
        """List the rules (kind of edit, context) that the edit follows, the most specific first.

        Args:
            facts: Properties of the whole text, such as ``of the slice "short"``.
        """
        wheres = [*dict.fromkeys(self._wheres())]
        for does in dict.fromkeys(self._does()):
            yield Rule(does)
            for where in (*wheres, *facts):
                yield Rule(does, where)
        for where in wheres:
            yield Rule("any edit", where)

    def _does(self) -> Iterator[str]:
        before, after = self.before, self.after
        old, new = before.strip().casefold(), after.strip().casefold()
        _, cut, put = difference(before, after)
        if len(cut) <= 2 and len(put) <= 2 and cut != put:
            yield _exchange(cut, put)
        if len(old) <= _LONG and len(new) <= _LONG and old != new:
            yield _exchange(old, new) if old and new else f'+ "{after.strip()}"' if new else f'− "{before.strip()}"'
            if old and new and len(cut) > 2:
                yield f'"{old}" -> …'
                yield f'… -> "{new}"'
        elif new and not old:
            yield f'+ "{" ".join(after.split())[:_LONG]}…"'
        yield from _classes(before, after, cut, put)
        if new and not old:
            if new in (*self.left.casefold().split()[-1:], *self.right.casefold().split()[:1]):
                yield "a word twice"
            if not self.left.strip():
                yield "a text put first"
            elif not self.right.strip():
                yield "a text put last"

    def _wheres(self) -> Iterator[str]:
        first, last = _LAST.search(self.left), _FIRST.search(self.right)
        joined = self.before[:1].isalnum() or self.after[:1].isalnum() or self.before in ("'", "’")
        word = (first[0] if first and joined else "") + self.before + (last[0] if last and joined else "")
        word = word.strip().casefold().replace("’", "'")
        if word and _ALL.fullmatch(word):
            if word != self.before.strip().casefold():
                yield f'in "{word}"'
            if ending := _CONTRACTION.search(word):
                yield f'in "{ending[0]}"'
        beside = [each.casefold() for each in _ALL.findall(self.left)]
        following = _ALL.findall(self.right)
        if beside and self.left[-1:].isspace():
            yield f'after "{beside[-1]}"'
        if following and self.right[:1].isspace():
            yield f'before "{following[0].casefold()}"'
        if any(map(_NEGATION.match, (*beside[-_BESIDE:], word))):
            yield "in or behind a negation"
        if not self.left.strip():
            yield "at the beginning"
        if not self.right.strip(" .!?"):
            yield "at the end"


def _exchange(old: str, new: str) -> str:
    if len(old) > 2 and len(new) > 2:
        return f'"{old}" -> "{new}"'
    if not old or not new:
        return f"{_quoted(old or new)} {'added' if new else 'deleted'}"
    return f"{_quoted(new)} for {_quoted(old)}"


def _quoted(characters: str) -> str:
    shown = "".join(character if character.isprintable() else f"U+{ord(character):04X}" for character in characters)
    return "a blank" if characters == " " else f"`{shown}`"


def _classes(before: str, after: str, cut: str, put: str) -> Iterator[str]:
    """Name the kinds of change that an edit is one of."""
    changed = cut + put
    if before != after and before.casefold() == after.casefold():
        yield "UPPER CASE" if after.isupper() else "lower case" if after.islower() else "another case"
    elif changed and not changed.strip():
        yield "other blanks"
    elif len(put) > 1 and len({*put.casefold()}) == 1 and not cut:
        yield "a letter repeated"
    elif _LINK.search(after) and not _LINK.search(before):
        yield "a link"
    elif _MENTION.search(after) and not _MENTION.search(before):
        yield "a mention"
    elif any(unicodedata.category(each) in ("So", "Cs") for each in put):
        yield "an emoji"
    elif changed and all(unicodedata.category(each)[0] in "PS" for each in changed):
        yield "other punctuation"
    elif any(each.isdigit() for each in changed):
        yield "digits"
    elif _strange(cut) != _strange(put):
        yield f"a letter of another alphabet or with an accent{' replaced' * _strange(cut)}"
    elif len(cut) <= 2 and len(put) <= 2 and _ALL.fullmatch(before.strip() or "-"):
        yield "a letter changed"


def _strange(characters: str) -> bool:
    """Whether any letter is of another alphabet, or has an accent."""
    return any(character.isalpha() and not character.isascii() for character in characters)


class EditTrial(NamedTuple):
    """A perturbed text that was sent to the model, with its edits and whether it failed.

    Attributes:
        check: The id of the check that made the text.
        unit: The cluster (group of dependent examples) of the source example, or the example itself if it is
            independent.
        broken: Whether the text failed the check.
        edits: The edits of the text.
        facts: Properties of the source text, such as ``of the slice "short"``.
    """

    check: str
    unit: str
    broken: bool
    edits: tuple[TriedEdit, ...]
    facts: tuple[str, ...] = ()

    @property
    def rules(self) -> dict[Rule, None]:
        """The rules that describe the text's edits."""
        return dict.fromkeys(rule for edit in self.edits[:_RUNS] for rule in edit.rules(self.facts))


def find_causes(
    trials: Sequence[EditTrial], *, seed: int = 0, odds: float = ODDS, level: float = LEVEL
) -> list[CauseRecord]:
    """Find the rules (kinds of edit with a context) that explain most failures.

    An exact test asks whether edits that follow a rule break examples with more than ``odds`` times the odds of the
    check's other edits. Each example gives at most one text whose edits follow the rule, and one whose edits do not. A
    permutation test corrects for the number of rules: if edits do not matter, at most a fraction ``level`` of runs
    names any rule.

    Args:
        trials: The perturbed texts of all checks that take part.
        seed: The seed that draws a text of each example and permutes outcomes.
        odds: The odds ratio that a rule must exceed.
        level: The familywise error rate, in (0, 1).

    Returns:
        The confirmed rules, the most certain first. Each is also confirmed on the texts that earlier rules do not
        cover.
    """
    return CauseTable(trials, seed).named(odds, level)


class _Tested(NamedTuple):
    """A rule of a check, and the places of its trials, of its drawn texts and of the drawn texts elsewhere."""

    check: str
    rule: Rule
    members: NDArray[np.int64]
    inside: NDArray[np.int64]
    elsewhere: NDArray[np.int64]
    others: bool


class CauseTable:
    """A table of perturbed texts, their edits and results, for the search for causes of failures.

    The order is random, so that the first text of an example is a random text of it.

    Args:
        trials: The perturbed texts of all checks that take part.
        seed: The seed of the order, and of permuted outcomes.
    """

    def __init__(self, trials: Sequence[EditTrial], seed: int) -> None:
        import numpy as np

        drawn = random_for(seed, "causes").sample(trials, len(trials))
        units = {unit: number for number, unit in enumerate(dict.fromkeys(trial.unit for trial in drawn))}
        self.unit = np.array([units[trial.unit] for trial in drawn], dtype=int)
        self.broken = np.array([trial.broken for trial in drawn], dtype=bool)
        checks = np.array([trial.check for trial in drawn], dtype=object)
        self._places = {check: (checks == check).nonzero()[0] for check in dict.fromkeys(checks)}
        self._drawn, self._seed = drawn, seed

    def permuted(self, seed: int) -> CauseTable:
        """Return a copy of the table with randomly permuted results, as if edits had no influence on failures."""
        import numpy as np

        table = copy(self)
        table.broken, table._seed = np.random.default_rng(seed).permutation(self.broken), seed
        return table

    @cached_property
    def rules(self) -> list[_Tested]:
        """The rules (kinds of edit) that enough examples follow; of rules that describe the same texts, the first."""
        import numpy as np

        places: dict[tuple[str, Rule], list[int]] = {}
        for place, trial in enumerate(self._drawn):
            for rule in trial.rules:
                places.setdefault((trial.check, rule), []).append(place)
        named: dict[tuple[str, bytes], tuple[Rule, NDArray[np.int64]]] = {}
        for (check, rule), its in sorted(places.items()):
            if len(its) >= _FEWEST:
                members = np.array(its)
                named.setdefault((check, members.tobytes()), (rule, members))
        left = np.ones(len(self.unit), dtype=bool)
        tested = (self._tested(check, rule, members, left) for (check, _), (rule, members) in named.items())
        return [each for each in tested if len(each.inside) >= _FEWEST]

    def named(self, odds: float = ODDS, level: float = LEVEL) -> list[CauseRecord]:
        """Return the confirmed rules; see :func:`find_causes`."""
        return [] if not self.rules else [*islice(self.causes(self.bound(level, odds), odds), MOST)]

    def bound(self, level: float, odds: float) -> float:
        """Return the p-value below which a rule is significant, corrected for the number of rules by permutation.

        Args:
            level: The fraction of permuted tables in which some rule falls below the bound, in (0, 1).
            odds: The odds ratio that a rule must exceed.
        """
        import numpy as np

        random = np.random.default_rng(random_for(self._seed, "permuted").getrandbits(64))
        permuted = np.stack([random.permutation(self.broken) for _ in range(_PERMUTED)], axis=1).astype(np.int32)
        blocks = [self.rules[start : start + _BLOCK] for start in range(0, len(self.rules), _BLOCK)]
        counts = [self._counted(block, permuted) for block in blocks]
        x, n, y, m = (np.concatenate(each) for each in zip(*counts, strict=True))
        bounds = _bounds(x, n, y, m, odds)
        smallest = []
        for run in range(_PERMUTED):
            near = np.argsort(bounds[:, run])[:_NEAR]
            tables = zip(x[near, run], n[near, 0], y[near, run], m[near, 0], strict=True)
            smallest.append(min(_p_value(*map(int, table), odds=odds) for table in tables))
        return min(level, sorted(smallest)[max(0, int(level * (_PERMUTED + 1)) - 1)])

    def _counted(self, rules: Sequence[_Tested], outcomes: NDArray[np.int32]) -> tuple[NDArray[np.int64], ...]:
        """Count broken and tested examples inside and elsewhere, ``[rules, runs]`` and ``[rules, 1]``."""
        import numpy as np
        from scipy.sparse import csr_array

        counts = []
        for drawn in ([rule.inside for rule in rules], [rule.elsewhere for rule in rules]):
            sizes = np.array([len(array) for array in drawn])
            ends = np.concatenate([[0], sizes.cumsum()])
            ones = np.ones(ends[-1], dtype=np.int32)
            picked = csr_array((ones, np.concatenate(drawn), ends), shape=(len(rules), len(outcomes)))
            counts += [picked @ outcomes, sizes[:, None]]
        return tuple(counts)

    def causes(self, bound: float, odds: float) -> Iterator[CauseRecord]:
        """Yield the significant rules, the smallest p-value first, each tested on texts that earlier rules leave."""
        import numpy as np

        x, n, y, m = (array[:, 0] for array in self._counted(self.rules, self.broken[:, None].astype(np.int32)))
        p_values = [_p_value(*map(int, table), odds=odds) for table in zip(x, n, y, m, strict=True)]
        longer = [
            1.5 if tested.rule.where else 1.0 for tested in self.rules
        ]  # the shorter of two that say much the same
        order = sorted(range(len(p_values)), key=lambda number: p_values[number] * longer[number])
        left = np.ones(len(self.unit), dtype=bool)
        for number in order:
            if p_values[number] >= bound:
                continue
            check, rule, members, *_ = self.rules[number]
            broken = self.broken[members]
            if 2 * (broken & left[members]).sum() <= broken.sum():
                continue
            now = self._tested(check, rule, members, left)
            inside, rest = self._rate(now.inside), self._rate(now.elsewhere)
            if _p_value(inside.count, inside.tested, rest.count, rest.tested, odds=odds) < bound:
                left[members] = False
                yield CauseRecord(
                    check=check, edit=rule.does, where=rule.where, inside=inside, elsewhere=rest, others=now.others,
                    p_value=p_values[number],
                )  # fmt: skip

    def _tested(self, check: str, rule: Rule, members: NDArray[np.int64], left: NDArray[np.bool_]) -> _Tested:
        """Draw a text per example that follows a rule, and one that does not, among the texts that are left."""
        import numpy as np

        places = self._places[check]
        rest = np.setdiff1d(places[left[places]], members, assume_unique=True)
        elsewhere = self._first(rest)
        others = len(elsewhere) < _ELSEWHERE
        if others:
            rest = left.copy()
            rest[places] = False
            elsewhere = self._first(rest.nonzero()[0])
        return _Tested(check, rule, members, self._first(members[left[members]]), elsewhere, others)

    def _rate(self, places: NDArray[np.int64]) -> Rate:
        return Rate(int(self.broken[places].sum()), len(places))

    def _first(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The first text of each example in the drawn order."""
        import numpy as np

        return places[np.unique(self.unit[places], return_index=True)[1]]


def _p_value(x: int, n: int, y: int, m: int, *, odds: float) -> float:
    return odds_tail((x, n), (y, m), odds) if x >= _FEWEST and x * m > y * n else 1.0


def _bounds(
    x: NDArray[np.int64], n: NDArray[np.int64], y: NDArray[np.int64], m: NDArray[np.int64], odds: float
) -> NDArray[np.float64]:
    """Approximate p-values by binomial tails, at ``odds`` times the odds elsewhere."""
    import numpy as np
    from scipy.special import bdtrc

    share = (y + 0.5) / (m + 1)
    tails = bdtrc(np.maximum(x, 1) - 1, np.broadcast_to(n, x.shape), odds * share / (1 - share + odds * share))
    return np.where(x >= _FEWEST, tails, 1.0)


def cause_texts(record: Record, cause: CauseRecord, number: int = 2) -> tuple[list[Failure], str]:
    """Return the failing texts to read first for a cause of failures, and the command that tests them again.

    Args:
        record: The run.
        cause: One of the run's causes.
        number: The most failures; they come from different examples if there are enough.
    """
    known = {failure.id: failure.shown for failure in record.failures}
    by_text = {known[id].example: known[id] for id in reversed(cause.failures) if id in known}
    texts = sorted(by_text.values(), key=lambda failure: cause.failures.index(failure.id))[:number]
    if not texts:
        return [], ""
    first, ids = texts[0], [text.example for text in texts]
    options = " ".join(f"--example {id}" for id in ids)
    command = first.reproduce.replace(f"--example {first.example}", options)
    return texts, command.replace(f"[{first.example!r}]", repr(ids))


def rules_command(record: Record) -> str:
    """Return the command that writes causes which replace words as a file of rules; empty if there are none."""
    if record.file is None or not any(cause.pair for cause in record.causes):
        return ""
    return f"robustfim mine {shlex.quote(record.file.as_posix())} --out rules.yaml"
