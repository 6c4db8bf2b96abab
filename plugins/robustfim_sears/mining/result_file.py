"""The result of mining as a file: every rule that could be selected, with its texts, to be reviewed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.record import read_versioned
from robustfim.whole_file import write_json
from robustfim_sears.mining.equivalence import Share
from robustfim_sears.mining.mined import Flip, Mined, MinedRule, Told
from robustfim_sears.mining.seas import Sea
from robustfim_sears.rule.rule import Rule

__all__ = ["MineResult", "RuleRow"]

RESULT = 1
"""The version of the format; a reader refuses a newer one."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Example(_Row):
    fields: dict[str, str]
    label: str | None
    meta: dict[str, Any]


class _Flip(_Row):
    source: int
    example: int
    edit: Edit
    score: float
    before: Prediction
    after: Prediction

    @classmethod
    def of(cls, flip: Flip, places: Mapping[int, int]) -> _Flip:
        return cls(
            source=flip.source, example=places[id(flip.candidate.source)], edit=flip.edit, score=flip.score,
            before=flip.before, after=flip.after,
        )  # fmt: skip

    def read(self, examples: Sequence[Example]) -> Flip:
        candidate = Candidate(examples[self.example], (self.edit,))
        return Flip(self.source, candidate, self.score, self.before, self.after)


class RuleRow(_Row):
    """One rule and what it does, but for the examples that it does it to."""

    rule: str
    support: int
    share: Share
    half: int
    told: Told | None
    flips: list[_Flip]
    held: list[_Flip]
    made: dict[int, str]

    @classmethod
    def of(cls, mined: MinedRule, examples: Sequence[Example]) -> RuleRow:
        """Write a rule down."""
        places = {id(each): row for row, each in enumerate(examples)}
        flips, held = ([_Flip.of(each, places) for each in part] for part in (mined.flips, mined.held))
        return cls(
            rule=mined.rule.text, support=mined.support, share=mined.share, half=mined.half, told=mined.told,
            flips=flips, held=held, made=dict(mined.made),
        )  # fmt: skip

    def read(self, examples: Sequence[Example]) -> MinedRule:
        """Return the rule.

        Raises:
            UsageError: It does not parse.
        """
        flips, held = (tuple(each.read(examples) for each in part) for part in (self.flips, self.held))
        return MinedRule(Rule.parse(self.rule), self.support, flips, self.share, held, self.made, self.half, self.told)


class MineResult(_Row):
    """What was mined, from which examples, and where it comes from. It holds the texts."""

    robustfim_mined: int = RESULT
    provenance: dict[str, Any]
    """What stands under ``mined`` in a file of rules."""
    examples: list[_Example]
    candidates: list[RuleRow]
    chosen: tuple[int, ...]
    number: int
    seas: tuple[Sea, ...]
    texts: int
    score_name: str
    tau: float
    delta: float
    seed: int
    counts: dict[str, int]
    halves: tuple[int, ...]
    split: bool
    fields: tuple[str, ...]

    @classmethod
    def of(cls, mined: Mined, examples: Sequence[Example], provenance: Mapping[str, Any]) -> MineResult:
        """Write down what was mined."""
        return cls(
            provenance=dict(provenance),
            examples=[_Example(fields=dict(e.fields), label=e.label, meta=_plain(e.meta)) for e in examples],
            candidates=[RuleRow.of(each, examples) for each in mined.candidates],
            **{name: getattr(mined, name) for name in _SAME},
        )

    @classmethod
    def load(cls, path: Path) -> MineResult:
        """Read the file.

        Raises:
            UsageError: There is none, it is something else, or a newer robustfim wrote it.
        """
        hint = "'robustfim mine SUITE --json FILE' writes one."
        return read_versioned(path, cls, key="robustfim_mined", version=RESULT, what="result of mining", hint=hint)

    def dump(self, path: Path) -> Path:
        """Write the file, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        return write_json(path, self.model_dump(mode="json"))

    def read(self) -> tuple[Mined, list[Example]]:
        """Return what was mined, and the examples that it was mined from.

        Raises:
            UsageError: A rule does not parse, or what it does fits none of the examples.
        """
        examples = [Example(each.fields, each.label, each.meta) for each in self.examples]
        try:
            candidates = tuple(each.read(examples) for each in self.candidates)
        except (ValueError, IndexError) as error:
            raise UsageError(f"the result of mining does not fit its examples: {error}.") from error
        return Mined(candidates=candidates, **{name: getattr(self, name) for name in _SAME}), examples


_SAME = (
    "chosen", "number", "seas", "texts", "score_name", "tau", "delta", "seed", "counts", "halves", "split", "fields",
)  # fmt: skip
"""What the file calls as :class:`Mined` does."""


def _plain(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row that a file can hold."""
    return {key: value for key, value in meta.items() if isinstance(value, str | int | float | bool | None)}
