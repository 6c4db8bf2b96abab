"""Rules that are reviewed on a page: the same functions as on a terminal, and the same file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

import robustfim
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.plugin import PluginManager
from robustfim.record import read_versioned
from robustfim.roles import Context, Paraphraser
from robustfim.whole_file import write_json
from robustfim_sears.mining.mined import Mined, MinedRule
from robustfim_sears.mining.mining import measured
from robustfim_sears.mining.parts import PARAPHRASER, data_hash, paraphraser_part
from robustfim_sears.mining.result_file import MineResult, RuleRow
from robustfim_sears.mining.reviewing import Reviewing
from robustfim_sears.rule.file import read_rules, write_rules
from robustfim_sears.rule.rule import Rule

__all__ = ["RuleReview"]

ANSWERS = 1
"""The version of the file of answers; a reader refuses a newer one."""

_NO_MODEL = "what a rule does is asked of the model, and there is no live one."

_MOST = 100
"""Flips of a rule that the page is told."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: str
    answer: Literal["accept", "reject", "edit"]
    text: str = ""


class _Answers(BaseModel):
    """What was answered so far, in order, with what the edited rules do."""

    model_config = ConfigDict(extra="forbid")

    robustfim_rule_answers: int = ANSWERS
    of: str
    answers: list[_Answer] = []
    edited: dict[str, RuleRow] = {}


class RuleReview:
    """Takes answers about rules, and writes those that were accepted after each, as ``mine --review`` does at its end.

    Not safe to be asked by several threads. The file of answers is read again before each, so that two pages keep one
    another's; it is there to go on from, and the file of accepted rules is the one to use.

    Args:
        path: A result of mining, which ends in ``.json``, or a file of rules, whose rules are measured on the run's
            examples when they are first looked at.
        out: The file of accepted rules; by default ``NAME.accepted.yaml`` beside what is reviewed.
        examples: The run's examples.
        manager: The plugins.

    Raises:
        UsageError: The file cannot be read, or ``out`` was written by something else.
    """

    def __init__(self, path: Path, *, out: Path | None, examples: Sequence[Example], manager: PluginManager) -> None:
        self.path, self.manager = path, manager
        self.out = out or path.with_name(f"{path.stem}.accepted.yaml")
        self._log = self.out.with_suffix(".answers.json")
        self._mined: Mined | None = None
        self._examples: Sequence[Example] = examples
        self._provenance: dict[str, Any] = {}
        self._rules: Sequence[Rule] = ()
        if path.suffix == ".json":
            result = MineResult.load(path)
            self._mined, self._examples = result.read()
            self._provenance = result.provenance
            names = [each.rule for each in result.candidates]
        else:
            self._rules = read_rules(path)
            names = [each.text for each in self._rules]
            self._provenance = {"paraphraser": _paraphraser(path)}
        self._of = hashlib.blake2b("\n".join(names).encode(), digest_size=8).hexdigest()
        self._going: Reviewing | None = None
        self._done: list[_Answer] = []
        if self.out.exists() and not self._log.exists():
            raise UsageError(f"{self.out} is there already, and no review wrote it. Name another with --rules-out.")
        self._load()

    def told(self, context: Context | None) -> dict[str, Any]:
        """Tell the page which rules were accepted, which are asked about, and every text that each flips.

        Args:
            context: The live model; None where there is none.

        Raises:
            ModelError: A file of rules cannot be measured without a model.
            UsageError: The file of answers is another review's.
        """
        going = self._opened(context)
        mined = going.mined
        silent = [each.rule.text for each in mined.candidates if not each.flips] if self._rules else []
        return {
            "file": str(self.path), "out": str(self.out), "number": mined.number, "score": mined.score_name,
            "tau": mined.tau, "answers": len(self._done), "silent": silent,
            "why": "" if context is not None else "without a live model no rule can be edited.",
            "accepted": [_told(mined.candidates[each]) for each in going.accepted],
            "proposed": [_told(mined.candidates[each]) for each in going.proposed],
            "rejected": [mined.candidates[each].rule.text for each in going.refused],
        }  # fmt: skip

    def answer(self, asked: Mapping[str, Any], context: Context | None) -> dict[str, Any]:
        """Take one answer, write it down, and tell what follows.

        Args:
            asked: ``rule``, and ``answer``: ``accept``, ``reject``, ``edit`` with the other rule as ``text``, or
                ``back`` to take the last one back.
            context: The live model; None where there is none.

        Raises:
            UsageError: There is no such answer, or the rule is not asked about.
            ModelError: A rule cannot be edited without the model that it was mined from.
            OSError: A file cannot be written; the answer is not taken.
        """
        going, file = self._opened(context), self._load()
        if asked.get("answer") == "back":
            if not going.take_back():
                raise UsageError("there is no answer to take back.")
            file.answers.pop()
        else:
            try:
                given = _Answer.model_validate(asked)
            except ValidationError as error:
                first = error.errors()[0]
                raise UsageError(f"that is no answer: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from None
            self._take(going, given, file, context)
            file.answers.append(given)
        self._going = None  # until it is written
        write_json(self._log, file.model_dump(mode="json"))
        self._going, self._done = going, list(file.answers)
        if rules := going.result.rules:
            write_rules(self.out, rules, self._provenance)
        else:
            self.out.unlink(missing_ok=True)
        return self.told(context)

    def _opened(self, context: Context | None) -> Reviewing:
        """The review as the file of answers has it."""
        file = self._load()
        if self._mined is None:
            self._mined = self._of_rules(context)
        if self._going is None or file.answers != self._done:
            going = Reviewing(self._mined)
            for each in file.answers:
                self._take(going, each, file, context)
            self._going, self._done = going, list(file.answers)
        return self._going

    def _take(self, going: Reviewing, given: _Answer, file: _Answers, context: Context | None) -> None:
        """Give the review one answer; what an edited rule does is kept in the file."""

        def measure(rule: Rule) -> MinedRule:
            if rule.text not in file.edited:
                found = self._measured(rule, going.mined, context)
                file.edited[rule.text] = RuleRow.of(found, self._examples)
            return file.edited[rule.text].read(self._examples)

        asked = {going.mined.candidates[each].rule.text: each for each in going.proposed}
        if given.rule not in asked:
            raise UsageError(f"{given.rule!r} is not asked about: it was answered, or an answer has made it needless.")
        if given.answer == "accept":
            going.accept(asked[given.rule])
        elif given.answer == "reject":
            going.reject(asked[given.rule])
        else:
            going.edit(asked[given.rule], given.text, measure)

    def _load(self) -> _Answers:
        if not self._log.exists():
            return _Answers(of=self._of)
        found = read_versioned(
            self._log, _Answers, key="robustfim_rule_answers", version=ANSWERS, what="file of answers",
            hint="'robustfim explore --rules' writes one.",
        )  # fmt: skip
        if found.of != self._of:
            raise UsageError(
                f"{self._log} has answers about other rules than those of {self.path}: "
                "name another file with --rules-out, or take that one away."
            )
        return found

    def _of_rules(self, context: Context | None) -> Mined:
        """What the rules of a file do to the examples of the run."""
        if context is None:
            raise ModelError(_NO_MODEL)
        score, seed = self._paraphraser(context), context.seed
        empty = Mined(
            (), (), len(self._rules), (), len(self._examples), score.contract.score, score.contract.tau, 0.1, seed, {}
        )
        found = measured(self._rules, empty, self._examples, context, score)
        self._provenance |= {
            "read from": self.path.name, "model": {"fingerprint": context.model.fingerprint},
            "data": {"sampled": len(self._examples), "hash": data_hash(self._examples)},
            "score": score.contract.score, "tau": score.contract.tau, "told": "by no text", "seed": seed,
            "robustfim": robustfim.__version__,
        }  # fmt: skip
        return replace(empty, candidates=tuple(found))

    def _measured(self, rule: Rule, mined: Mined, context: Context | None) -> MinedRule:
        """Ask the model what a rule does."""
        if context is None:
            raise ModelError(_NO_MODEL)
        mined_from = self._provenance.get("model", {}).get("fingerprint")
        if mined_from not in (None, context.model.fingerprint):
            raise ModelError(
                f"the rules were mined from another model ({mined_from}) than the one that is loaded "
                f"({context.model.fingerprint}), so that a rule that is edited cannot be measured beside them."
            )
        return measured([rule], mined, self._examples, context, self._paraphraser(context))[0]

    def _paraphraser(self, context: Context) -> Paraphraser:
        named = {key: value for key, value in self._provenance["paraphraser"].items() if key != "identity"}
        options = [f"{key}={json.dumps(value)}" for key, value in named.items()]
        made: Paraphraser = paraphraser_part(options, self.manager, context.offline).make()
        return made


def _paraphraser(path: Path) -> dict[str, Any]:
    """Which paraphraser a file of rules names; the usual one where it names none."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    mined = content.get("mined") if isinstance(content, dict) else None
    named = mined.get("paraphraser") if isinstance(mined, dict) else None
    return named if isinstance(named, dict) and "use" in named else {"use": PARAPHRASER}


def _told(rule: MinedRule) -> dict[str, Any]:
    """What the page says of one rule."""
    flips = [*((each, False) for each in rule.held), *((each, True) for each in rule.flips)]
    return {
        "rule": rule.rule.text, "flips": rule.rate.count, "of": rule.rate.tested, "rate": rule.rate.rate,
        "interval": rule.rate.interval, "chosen": [len(rule.flips), rule.support], "same": list(rule.share),
        "pairs": [
            {
                "before": flip.texts[0], "after": flip.texts[1], "chose": chose,
                "was": flip.before.shown, "was_probability": flip.before.confidence,
                "now": flip.after.shown, "now_probability": flip.after.confidence,
            }
            for flip, chose in flips[:_MOST]
        ],
        "more": max(0, len(flips) - _MOST),
    }  # fmt: skip
