"""Rules: a few words give way to a few others, as in semantically equivalent adversarial rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import yaml

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError, did_you_mean
from robustfim.example import Example
from robustfim_words.articles import swap
from robustfim_words.casing import like
from robustfim_words.names import caseless
from robustfim_words.options import one_of
from robustfim_words.tagging import check_pipeline, tagger
from robustfim_words.tokens import Token, tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["DEFAULT", "Part", "Rule", "Rules", "read_rules"]

DEFAULT = Path(__file__).with_name("rules") / "default.yaml"
"""The shipped rules, for reviews."""

FORM = "'antecedent -> consequent', such as 'movie -> film', 'what is -> what\\'s' or 'film/NOUN -> movie'"
UPOS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())  # noqa: SIM905  # words read better as a text
OCCURRENCES = ("first", "all")
_ARROW = re.compile(r"\s*(?:->|→)\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """One word or mark of an antecedent.

    Attributes:
        text: The word, case-folded, with straight apostrophes.
        pos: The UPOS it must have, ``""`` for any.
        joined: Whether it follows the part before it without a space.
    """

    text: str
    pos: str = ""
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A replacement rule.

    Attributes:
        parts: The antecedent.
        consequent: What takes its place, in dictionary case.
        text: The rule as written.
    """

    parts: tuple[Part, ...]
    consequent: str
    text: str

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Read a rule.

        Args:
            text: ``"antecedent -> consequent"``; a word of the antecedent may carry a UPOS, ``"film/NOUN"``.

        Raises:
            UsageError: The rule has not this form, names an unknown part of speech, or changes nothing.
        """
        sides = _ARROW.split(text.strip())
        if len(sides) != 2 or not all(sides):
            raise UsageError(f"{text!r} is no rule. The form is {FORM}.")
        parts: list[Part] = []
        for element in sides[0].split():
            word, slash, pos = element.rpartition("/")
            tagged = bool(slash) and pos.isalpha() and pos.isupper() and bool(word)
            if tagged and pos not in UPOS:
                raise UsageError(
                    f"{text!r}: unknown part of speech {pos!r}.{did_you_mean(pos, UPOS)} Known: {', '.join(UPOS)}."
                )
            tokens = tokenise(word if tagged else element)
            if tagged and len(tokens) != 1:
                raise UsageError(
                    f"{text!r}: a part of speech belongs to one word, not to {word!r}. The form is {FORM}."
                )
            parts += [Part(_folded(t.text), pos if tagged else "", place > 0) for place, t in enumerate(tokens)]
        if not any(part.pos for part in parts) and sides[0].casefold() == sides[1].casefold():
            raise UsageError(f"{text!r} changes nothing. The form is {FORM}.")
        return cls(tuple(parts), " ".join(sides[1].split()), text.strip())

    def match(self, text: str, tokens: Sequence[Token], first: int) -> int | None:
        """Match the antecedent from a token on.

        Args:
            text: A text.
            tokens: Its tokens, tagged if the rule names parts of speech.
            first: The index of the first token.

        Returns:
            The index of the last token, or None.
        """
        last = first + len(self.parts) - 1
        if last >= len(tokens):
            return None
        for place, part in enumerate(self.parts):
            token = tokens[first + place]
            if _folded(token.text) != part.text or part.pos not in ("", token.pos):
                return None
            if place:
                gap = text[tokens[first + place - 1].end : token.start]
                near = part.joined or token.kind == "mark"
                if gap.strip(" ") or (not gap and not near) or (gap and part.joined):
                    return None
        return last


def _folded(word: str) -> str:
    return word.casefold().replace("’", "'")


def read_rules(path: Path) -> tuple[Rule, ...]:
    """Read a file of rules.

    Args:
        path: YAML: a list of rules, each a text or ``{rule: …, note: …}``.

    Raises:
        UsageError: The file cannot be read, is no such list, or a rule does not parse; with file and line.
    """
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{path}:{line}: no YAML: {error.problem or error.context}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: not UTF-8 ({error.reason})") from error
    except (OSError, yaml.YAMLError) as error:
        raise UsageError(f"rules {str(path)!r} cannot be read: {error}") from error
    if not isinstance(root, yaml.SequenceNode) or not root.value:
        raise UsageError(f"{path}: not a list of rules. Each item is {FORM}.")
    rules = []
    for node in root.value:
        place = f"{path}:{node.start_mark.line + 1}"
        try:
            rules.append(Rule.parse(_rule_text(node)))
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from None
    return tuple(rules)


def _rule_text(node: yaml.Node) -> str:
    """Return the rule of a list item: the item itself, or what it calls ``rule``."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if not isinstance(node, yaml.MappingNode):
        raise UsageError(f"a list is no rule. The form is {FORM}.")
    cells = {key.value: value for key, value in node.value}
    for key in cells:
        one_of("a rule's key", str(key), ("rule", "note"))
    if not isinstance(cells.get("rule"), yaml.ScalarNode):
        raise UsageError(f"the key 'rule' is missing. Its form is {FORM}.")
    return str(cells["rule"].value)


class Rules:
    """Applies replacement rules, one a candidate, to the first or to every match.

    A rule matches whole words in any case, its parts of speech by the tagger; its consequent takes the case of
    what it replaces, and the article before it agrees. After Ribeiro, Singh and Guestrin 2018, "Semantically
    Equivalent Adversarial Rules for Debugging NLP Models".

    Args:
        rules: Rules as texts.
        path: A YAML file of rules. Without it and ``rules``, the shipped ones for reviews.
        occurrences: ``first``, as in the paper, or ``all``: matches a rule replaces in a field.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A rule does not parse, or an option is unknown.
    """

    def __init__(
        self,
        *,
        rules: list[str] | None = None,
        path: Path | None = None,
        occurrences: str = "first",
        pipeline: Path | str | None = None,
    ) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        self._occurrences = one_of("occurrences", occurrences, OCCURRENCES)
        if rules is not None and not rules:
            raise UsageError(f"rules: the list is empty. Each item is {FORM}.")
        own = tuple(Rule.parse(text) for text in rules or ())
        self.rules = own + (read_rules(path) if path else () if own else read_rules(DEFAULT))
        self._tagged = any(part.pos for rule in self.rules for part in rule.parts)

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches, if a rule names a part of speech."""
        if self._tagged:
            tagger(self._pipeline).prepare(context)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose a candidate for each rule that matches, in the order of the rules.

        Args:
            example: The source example.
            random: Not used: nothing is drawn.
        """
        read = tagger(self._pipeline).tag if self._tagged else tokenise
        tokens = {field: read(text) for field, text in example.fields.items()}
        present = {_folded(token.text) for field in tokens.values() for token in field}
        for rule in self.rules:
            if rule.parts[0].text not in present:
                continue
            edits = [
                edit
                for field, text in example.fields.items()
                for edit in self._apply(rule, field, text, tokens[field])
                if edit.before != edit.after
            ]
            if edits and self._occurrences == "all":
                yield Candidate(example, tuple(edits))
            elif edits:
                yield from (Candidate(example, (edit,)) for edit in edits)

    def _apply(self, rule: Rule, field: str, text: str, tokens: Sequence[Token]) -> Iterator[Edit]:
        """Replace the first or every match in one field."""
        index = 0
        while index < len(tokens):
            last = rule.match(text, tokens, index)
            if last is None:
                index += 1
                continue
            new = rule.consequent.replace("'", "’") if "’" in text else rule.consequent
            new = new.lower() if caseless(text) else new
            yield swap(field, text, tokens, index, new, f"rule: {rule.text}", end=tokens[last].end, case=like)
            if self._occurrences == "first":
                return
            index = last + 1
