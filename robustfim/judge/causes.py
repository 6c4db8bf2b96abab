"""Causes: the few kinds of edits that explain most failures. One half of the examples names them, the other tests them.

A rule is a kind of edit, with at most one condition on its context: ``’ for ' in "n't"``. Rules are chosen as SEARs are
(Ribeiro, Singh and Guestrin 2018): greedily, each on the failures that the rules before it do not explain.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from robustfim.record import CauseRecord, Failure, Record
from robustfim.seeds import random_for
from robustfim.statistics.odds import odds_tail
from robustfim.statistics.rate import LEVEL, Rate
from robustfim.words import shared_ends, word_differences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ODDS", "Cause", "EditTrial", "Rule", "TriedEdit", "cause_texts", "find_causes", "rules_command"]

ODDS = 2.0
"""The odds ratio, against the other edits of the check, that the failures of a cause must exceed."""
MOST = 5
"""The most rules that each half of the examples chooses."""
_FEWEST = 2
"""The fewest examples of its half that a chosen rule must break."""
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
    """A kind of edit, and its context.

    Attributes:
        does: The edit in words, such as ``"film" -> "movie"``.
        where: The neighbouring words, or a property of the text; empty for any context.
    """

    does: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.does} {self.where}".rstrip()


class TriedEdit(NamedTuple):
    """An edit with the text around it.

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
        """Split an edit of a text into one edit for each run of words that it changes."""
        before = text[start:end]
        several = before.strip() and " " in before.strip() + after.strip()
        runs = word_differences(before, after) if several else ()
        for place, cut, put in [*islice(runs, _RUNS)] or [(0, before, after)]:
            first, last = start + place, start + place + len(cut)
            yield cls(cut, put, text[max(0, first - _LONG) : first], text[last : last + _LONG])

    def rules(self, facts: Sequence[str] = ()) -> Iterator[Rule]:
        """List the rules that describe the edit, the most specific first.

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
        head, tail = shared_ends(before, after)
        cut, put = before[head : len(before) - tail], after[head : len(after) - tail]
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
    shown = "".join(each if each.isprintable() else f"U+{ord(each):04X}" for each in characters)
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
    elif len(cut) <= 2 and len(put) <= 2 and _ALL.fullmatch(before.strip() or "-"):
        ascii_only = cut.isascii() and put.isascii()
        yield "a letter changed" if ascii_only else "a letter of another alphabet or with an accent"


class EditTrial(NamedTuple):
    """A text that was tried.

    Attributes:
        check: The id of its check.
        unit: The cluster of its example, or the example if it is independent.
        broken: Whether the text failed the check.
        edits: The edits of the text.
        facts: Properties of its source, such as ``of the slice "short"``.
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


@dataclass(frozen=True)
class Cause:
    """A rule that the test confirmed.

    Attributes:
        check: The id of its check.
        rule: The rule.
        inside: Broken examples among those with an edit that follows the rule; one random text per example.
        elsewhere: Broken examples among those with a text whose edits do not follow the rule; one random text each.
        others: Whether ``elsewhere`` is taken from other checks, since nearly all edits of its own follow the rule.
        p_value: The p-value in the half that tests the rule, times the number of rules tested there.
    """

    check: str
    rule: Rule
    inside: Rate
    elsewhere: Rate
    others: bool
    p_value: float


def find_causes(trials: Sequence[EditTrial], *, seed: int = 0, odds: float = ODDS, level: float = LEVEL) -> list[Cause]:
    """Find the rules that explain most failures.

    Each half of the examples chooses at most five rules, one after the other, each on the texts that the earlier rules
    do not cover. The other half tests each rule exactly: does it break examples with more than ``odds`` times the odds
    of the check's other edits? The level is ``level`` / 2 per half, with Holm's correction over the chosen rules. So at
    most ``level`` of runs report a false rule. An example counts once inside and once elsewhere, with one text.

    Args:
        trials: The tried texts of all checks that take part.
        seed: The seed that halves the examples and draws a text of each.
        odds: The odds ratio that a rule must exceed.
        level: The familywise error rate, in (0, 1).

    Returns:
        The confirmed rules, the most certain first; no rule covers half of the failures of another.
    """
    table = _Table(trials, seed)
    held: dict[tuple[str, Rule], float] = {}
    for half in (False, True):
        chosen = table.choose(table.second == half, odds)
        p_values = table.test(chosen, table.second != half, odds)
        order = sorted(range(len(chosen)), key=p_values.__getitem__)
        for place, number in enumerate(order):
            adjusted = p_values[number] * (len(chosen) - place)
            if adjusted > level / 2:
                break
            key = chosen[number]
            held[key] = min(adjusted, held.get(key, 1.0))
    return table.causes(sorted(held.items(), key=lambda each: each[1]))


class _Counts(NamedTuple):
    inside: Rate
    elsewhere: Rate
    others: bool


class _Table:
    """The trials as columns, in random order, so that the first text of an example is a random one."""

    def __init__(self, trials: Sequence[EditTrial], seed: int) -> None:
        import numpy as np

        drawn = random_for(seed, "causes").sample(trials, len(trials))
        halves = {unit: random_for(seed, "half", unit).random() < 0.5 for unit in {each.unit for each in drawn}}
        units = {unit: number for number, unit in enumerate(halves)}
        self.unit = np.array([units[each.unit] for each in drawn], dtype=int)
        self.broken = np.array([each.broken for each in drawn], dtype=bool)
        self.second = np.array([halves[each.unit] for each in drawn], dtype=bool)
        self.check = np.array([each.check for each in drawn], dtype=object)
        self._drawn = drawn

    @cached_property
    def members(self) -> Mapping[tuple[str, Rule], NDArray[np.int64]]:
        """The places of the trials that follow each rule, for rules that any broken trial follows."""
        import numpy as np

        rules = [each.rules for each in self._drawn]
        broken = {(own.check, rule) for own, its in zip(self._drawn, rules, strict=True) if own.broken for rule in its}
        places_of: dict[tuple[str, Rule], list[int]] = {key: [] for key in broken}
        for place, (own, its) in enumerate(zip(self._drawn, rules, strict=True)):
            for rule in its:
                if (own.check, rule) in places_of:
                    places_of[own.check, rule].append(place)
        return {key: np.array(places) for key, places in sorted(places_of.items())}

    def choose(self, rows: NDArray[np.bool_], odds: float) -> list[tuple[str, Rule]]:
        """Choose the rules that most exceed the odds, each on the failures that earlier rules do not explain."""
        import numpy as np
        from scipy.special import bdtrc

        left, chosen = rows.copy(), list[tuple[str, Rule]]()
        keys = [*self.members]
        longer = np.array([1.5 if key[1].where else 1.0 for key in keys])  # the shorter of two that say much the same
        while len(chosen) < MOST:
            checks = {check: self._rate(left & (self.check == check)) for check in {key[0] for key in keys}}
            everything, counted = self._rate(left), np.zeros((4, len(keys)))
            for number, key in enumerate(keys):
                members = self.members[key][left[self.members[key]]]
                broken = int(self.broken[members].sum())
                inside = self._drawn_rate(members) if broken >= _FEWEST else Rate(0, 0)
                whole = checks[key[0]]
                whole = everything if whole.tested - len(members) < _ELSEWHERE else whole
                counted[:, number] = inside.count, inside.tested, whole.count - broken, whole.tested - len(members)
            x, n, y, m = counted
            share = (y + 0.5) / (m + 1)
            # A bound for the choice alone, by the rate of the rest text by text; the other half tests exactly.
            chances = bdtrc(np.maximum(x, 1) - 1, n.astype(int), odds * share / (1 - share + odds * share)) * longer
            chances[x < _FEWEST] = 1.0
            if not keys or chances.min() > LEVEL / 2:
                break
            chosen.append(keys[int(chances.argmin())])
            left[self.members[chosen[-1]]] = False
            keep = x >= _FEWEST
            keys, longer = [key for key, kept in zip(keys, keep, strict=True) if kept], longer[keep]
        return chosen

    def test(self, chosen: Sequence[tuple[str, Rule]], rows: NDArray[np.bool_], odds: float) -> list[float]:
        """Test rules in order, each on the rows that earlier rules do not cover."""
        left, named = rows.copy(), []
        for key in chosen:
            counts = self._counts(key, left)
            inside, elsewhere = counts.inside, counts.elsewhere
            named.append(odds_tail((inside.count, inside.tested), (elsewhere.count, elsewhere.tested), odds))
            left[self.members[key]] = False
        return named

    def causes(self, held: Iterable[tuple[tuple[str, Rule], float]]) -> list[Cause]:
        """Count the confirmed rules in both halves together, without rules that others cover."""
        import numpy as np

        left, named = np.ones(len(self.unit), dtype=bool), []
        for key, p_value in held:
            members = self.members[key]
            broken = self.broken[members]
            if 2 * (broken & left[members]).sum() <= broken.sum():
                continue
            counts = self._counts(key, left)
            left[members] = False
            named.append(Cause(*key, counts.inside, counts.elsewhere, counts.others, p_value))
        return named

    def _counts(self, key: tuple[str, Rule], left: NDArray[np.bool_]) -> _Counts:
        members = self.members[key]
        follows = left & False
        follows[members] = True
        same = left & (self.check == key[0])
        rest = self._drawn_rate((same & ~follows).nonzero()[0])
        others = rest.tested < _ELSEWHERE
        if others:
            rest = self._drawn_rate((left & ~follows & (self.check != key[0])).nonzero()[0])
        return _Counts(self._drawn_rate((same & follows).nonzero()[0]), rest, others)

    def _rate(self, rows: NDArray[np.bool_]) -> Rate:
        return Rate(int(self.broken[rows].sum()), int(rows.sum()))

    def _drawn_rate(self, places: NDArray[np.int64]) -> Rate:
        """The rate of one text of each example: the first in the drawn order."""
        import numpy as np

        _, first = np.unique(self.unit[places], return_index=True)
        return Rate(int(self.broken[places[first]].sum()), len(first))


def cause_texts(record: Record, cause: CauseRecord, number: int = 2) -> tuple[list[Failure], str]:
    """Return the failures of a cause to read first, and the command line, or the call of a script, that repeats them.

    Args:
        record: The run.
        cause: One of its causes.
        number: The most failures; they come from different examples if there are enough.
    """
    known = {each.id: each.shown for each in record.failures}
    by_text = {known[id].example: known[id] for id in reversed(cause.failures) if id in known}
    texts = sorted(by_text.values(), key=lambda each: cause.failures.index(each.id))[:number]
    if not texts:
        return [], ""
    first, ids = texts[0], [each.example for each in texts]
    options = " ".join(f"--example {id}" for id in ids)
    command = first.reproduce.replace(f"--example {first.example}", options)
    return texts, command.replace(f"[{first.example!r}]", repr(ids))


def rules_command(record: Record) -> str:
    """Return the command line that writes the causes that replace words as a file of rules; empty without any."""
    if record.file is None or not any(each.pair for each in record.causes):
        return ""
    return f"robustfim mine {shlex.quote(record.file.as_posix())} --out rules.yaml"
