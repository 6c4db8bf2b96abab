"""The perturbation ``rules``: replaces words by words of the same meaning."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import PluginError, UsageError
from robustfim.example import Example
from robustfim.parts import TaggerPart
from robustfim.roles import Context, Tagger
from robustfim_sears.rule.file import read_rules
from robustfim_sears.rule.matching import find
from robustfim_sears.rule.replacement import replace
from robustfim_sears.rule.rule import FORM, Rule
from robustfim_sears.rule.tagged_text import TaggedText, tag_texts

if TYPE_CHECKING:
    pass

__all__ = ["DEFAULT", "Rules"]

DEFAULT = Path(__file__).parents[1] / "rules" / "default.yaml"
"""The shipped rules, for reviews."""


class Rules:
    """Applies replacement rules to the first or to every match, one rule in each candidate.

    A rule such as ``what NOUN → which NOUN`` matches whole words, in any case, and parts of speech. New words take the
    case of the old words. After Ribeiro, Singh and Guestrin 2018, "Semantically Equivalent Adversarial Rules for
    Debugging NLP Models". ``robustfim mine`` finds rules for a model.

    Args:
        rules: Rules as texts.
        path: A YAML file of rules. Without ``path`` and ``rules``, the shipped rules for reviews are used.
        occurrences: The matches in a field that a rule replaces: ``first``, as in the paper, or ``all``.

    Raises:
        UsageError: A rule does not parse, or there are no rules.
    """

    contract = Contract(separable="edits")

    def __init__(
        self,
        *,
        rules: list[str] | None = None,
        path: Path | None = None,
        occurrences: Literal["first", "all"] = "first",
    ) -> None:
        if rules is not None and not rules:
            raise UsageError(f"rules: the list is empty. Each item is {FORM}.")
        own = tuple(Rule.parse(text) for text in rules or ())
        self.rules = own + (read_rules(path) if path else () if own else read_rules(DEFAULT))
        self._occurrences = occurrences
        self._tagger: Tagger | None = None

    def prepare(self, context: Context) -> None:
        """Store the run's tagger."""
        self._tagger = context.tagger

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        if self._tagger is not None:
            self._tagger.tag([text for example in examples for text in example.fields.values()])

    def resources(self) -> dict[str, str]:
        """Return a hash of the rules, and the tagger's resources."""
        rules = hashlib.sha256("\n".join(rule.text for rule in self.rules).encode()).hexdigest()[:12]
        return {"rules": f"{len(self.rules)} rules {rules}"} | TaggerPart(self._tagger).resources()

    @property
    def fallback(self) -> str:
        """Return which tagger replaces a missing one, and why; empty if none is missing."""
        return TaggerPart(self._tagger or _own_tagger()).fallback

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose a candidate for each rule and each field with a match, in the order of the rules."""
        if self._tagger is None:
            self._tagger = _own_tagger()
        tagged = dict(zip(example.fields, tag_texts(self._tagger, [*example.fields.values()]), strict=True))
        for rule in self.rules:
            edits = [edit for field, text in tagged.items() for edit in self._edits(rule, field, text)]
            if edits and self._occurrences == "all":
                yield Candidate(example, tuple(edits))
            else:
                yield from (Candidate(example, (edit,)) for edit in edits)

    def _edits(self, rule: Rule, field: str, text: TaggedText) -> Iterator[Edit]:
        """Replace the first or every match in one field."""
        index, done = 0, 0
        while (match := find(rule, text, index)) is not None:
            made = replace(rule, text, match)
            if made is not None and made.start >= done:
                yield Edit(field, made.start, made.end, text.text[made.start : made.end], made.after, rule.text)
                done = made.end + 1  # an edit must not touch the next
            if self._occurrences == "first":
                return
            index = match.last[-1] + 1


@cache
def _own_tagger() -> Tagger:
    """The tagger of the installed plugins, for a perturbation that is used without a run."""
    from robustfim.plugin import PluginOptions, load_plugins

    cls = load_plugins(PluginOptions()).shared("tagger")
    if cls is None:
        raise PluginError("no plugin tags parts of speech. Install robustfim_words.")
    tagger: Tagger = cls()
    return tagger
