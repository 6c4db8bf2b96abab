"""Rules from a run's record: causes of failures that replace words become rules, without a call to the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from robustfim.errors import UsageError
from robustfim.judge import cause_texts
from robustfim.record import Record
from robustfim_sears.rule.file import entry
from robustfim_sears.rule.rule import Rule

__all__ = ["recorded_rules"]

_BESIDE = re.compile(r'(?:after "(?P<left>.+)"|before "(?P<right>.+)")')


def recorded_rules(record: Record) -> Iterator[tuple[str, dict[str, Any]]]:
    """Convert a run's causes of failures (edits that explain many of them) into replacement rules.

    Causes that concern characters, case, insertions or a place in the text are left out.

    Yields:
        The text of the cause, and its entry in a file of rules.
    """
    sources = {example.id: example.fields for example in record.examples}
    for cause in record.causes:
        if cause.pair is None:
            continue
        beside = _BESIDE.fullmatch(cause.where)
        left, right = (beside["left"], beside["right"]) if beside else (None, None)
        try:
            rule = Rule.parse(" → ".join(" ".join(filter(None, (left, words, right))) for words in cause.pair))
        except UsageError:  # words that a rule cannot hold, such as an arrow
            continue
        examples = (
            (
                sources[failure.example][edit.field],
                failure.fields[edit.field],
                f"{failure.before.label} → {failure.after.label}",
            )
            for failure in cause_texts(record, cause)[0]
            for edit in failure.edits[:1]
        )
        yield cause.sentence, entry(rule, cause.inside, examples)
