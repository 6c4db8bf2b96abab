"""Checks from the rows of a released file: texts with labels, and pairs of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from robustfim.builtin import Changes, Equals, Invariant
from robustfim.candidate import Candidate
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction
from robustfim.roles import Expectation, SourcedCheck

__all__ = ["BothRight", "Pair", "label_of", "labelled", "pair_checks", "paired", "plain_name"]

Pair = tuple[Example, Example]
"""An original and what it was rewritten into, each with its label in ``meta["gold"]``."""


class BothRight:
    """Requires right labels for both the original and the rewritten text (Gardner et al. 2020)."""

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge a pair as failed if the original or the rewritten text gets a wrong label."""
        wrong = [
            f"{what} {prediction.shown}, not {label}"
            for what, prediction, label in (
                ("original", before, str(candidate.source.meta["gold"])),
                ("rewritten", after, str(candidate.label)),
            )
            if not prediction.says(label)
        ]
        return Judgement(Verdict.FAILED, 1.0, "; ".join(wrong)) if wrong else Judgement(Verdict.PASSED, -1.0)


def labelled(
    name: str, examples: Sequence[Example], *, capability: str | None = None, marks_label: bool = False
) -> SourcedCheck:
    """Create a check that each text gets the label in its ``meta["gold"]``.

    Args:
        name: The check's name.
        examples: The texts, at least one.
        capability: The tested capability of the model.
        marks_label: Whether the check can be selected by the first text's label with the option ``-m``.

    Returns:
        A minimum functionality test: each text must get its label.
    """
    cases = [[Candidate(example, label=str(example.meta["gold"]))] for example in examples]
    return SourcedCheck(
        name=name,
        cases=cases,
        expectation=Equals(),
        expect={"use": "equals"},
        tests_unchanged=True,
        marks=["MFT", *([plain_name(str(cases[0][0].label)).replace("-", "_")] if marks_label else [])],
        capability=capability,
        type="MFT",
    )


def paired(
    name: str, pairs: Iterable[Pair], use: Literal["changes", "consistency", "invariant"], *,
    capability: str | None = None, marks: Sequence[str] = (),
) -> SourcedCheck:  # fmt: skip
    """Create a check of pairs of an original and a rewritten text.

    Args:
        name: The check's name.
        pairs: Pairs of an original and a rewritten text.
        use: ``changes``: the label must change. ``invariant``: the label must stay. ``consistency``: both labels must
            be right.
        capability: The tested capability of the model.
        marks: Words by which the option ``-m`` selects the check.

    Returns:
        The check. All rewritten texts of an original form one case.
    """
    expectation: Expectation = BothRight()
    if use != "consistency":
        expectation = Changes() if use == "changes" else Invariant(counts="changes")  # as the papers count
    kind: Literal["MFT", "INV", "DIR"] = {"changes": "DIR", "consistency": "MFT", "invariant": "INV"}[use]  # type: ignore[assignment]  # mypy widens the values
    cases: dict[str, list[Candidate]] = {}
    for before, after in pairs:
        edits = Candidate.replacing(before, after.fields).edits
        cases.setdefault(before.id, []).append(Candidate(before, edits, label=str(after.meta["gold"])))
    return SourcedCheck(
        name=name,
        cases=list(cases.values()),
        expectation=expectation,
        expect={"use": use},
        tests_unchanged=use == "consistency",  # an original that was rewritten into itself is still one of a pair
        marks=[kind, *marks],
        capability=capability,
        type=kind,
    )


def pair_checks(pairs: Sequence[Pair]) -> list[SourcedCheck]:
    """Create the checks of a set of pairs.

    Returns:
        Up to five checks. ``original`` and ``rewritten`` require the right label for each text. ``changes`` has the
        pairs with different labels, ``invariant`` the pairs with equal labels; a check without pairs is left out.
        ``consistency`` requires both labels of a pair to be right.
    """
    originals = {before.id: before for before, _ in pairs}
    differ = [pair for pair in pairs if pair[0].meta["gold"] != pair[1].meta["gold"]]
    same = [pair for pair in pairs if pair[0].meta["gold"] == pair[1].meta["gold"]]
    made = [
        labelled("original", [*originals.values()]),
        labelled("rewritten", [after for _, after in pairs]),
    ]
    made += [paired("changes", differ, "changes")] if differ else []
    made += [paired("invariant", same, "invariant")] if same else []
    return [*made, paired("consistency", pairs, "consistency")]


def label_of(value: Any, names: Mapping[str, str], place: str) -> str:
    """Return the suite's name of a label in the file.

    Raises:
        DataError: The value is not a label of the suite.
    """
    if (name := names.get(str(value).strip())) is None:
        raise DataError(f"{place}: the label {value!r} is none of {', '.join(names)}.")
    return name


def plain_name(text: str) -> str:
    """Return any text as the name of a check or slice: ``Black people`` becomes ``Black_people``."""
    return re.sub(r"[^A-Za-z0-9_.\-]+", "_", text).strip("_.-") or "none"
