"""The diagnosis of labels: do the model's labels mean the same as the data's labels?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from robustfim.blame import blame
from robustfim.collect import ModelAndData, Named, predict, read_rows, sample
from robustfim.commands import Chosen
from robustfim.decision import NO_LABEL, DecisionRule
from robustfim.errors import ModelError, RobustfimError, shown
from robustfim.example import Example
from robustfim.labels import match_name
from robustfim.parts import ModelPart
from robustfim.predict import (
    PredictionQueue,
    Store,
    decision_rule,
    gold_names,
    is_answering,
    is_rating,
    known_labels,
    model_labels,
    without_rule,
)
from robustfim.prediction import NO_ANSWER, Prediction
from robustfim.record import AssociationRecord
from robustfim.spans import is_tagger, span_labels
from robustfim.statistics import Association, Rate, wilson
from robustfim_doctor.diagnosis import Diagnosis
from robustfim_doctor.label_mapping import LabelMapping, compare_labels
from robustfim_doctor.label_remedy import label_remedies, likely_wrong

__all__ = ["diagnose_model_and_data"]

_TWICE = 20
"""Texts that the model is asked about twice: with 20, one that flips 10 % of its answers shows with 98 %."""
_LIKELY = {
    "": "",
    "model": " Likely the model's names are in the wrong order: each row of the data says its label in words.",
    "data": " Likely the option 'labels' of the data is wrong: it says which word each label is.",
}
"""What is said of the side that is likely wrong."""


def diagnose_model_and_data(
    pair: ModelAndData, chosen: Chosen, *, number: int, allow_weak: bool = False, cased: Sequence[str] = (),
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Iterator[Diagnosis]:  # fmt: skip
    """Load a model, read the data, and diagnose both: do their labels fit on a sample of examples?

    Args:
        pair: The model, the data, or both.
        chosen: The seed of the sample, the file of the prediction store, and the largest number of texts that may be
            sent to the model.
        number: The largest number of sampled examples.
        allow_weak: Whether answers no better than chance are accepted.
        cased: The suite's checks that find words by their capital letters.
        progress: Called now and then with a name of the work, the number of examples done, and the number of all.

    Yields:
        Diagnoses; an error of a model or data source is one of them.

    Raises:
        UsageError: A name or an option is wrong.
        PluginError: A plugin cannot be constructed.
    """
    with ExitStack() as opened:
        model, data = (None if named is None else named.opened(opened) for named in (pair.model, pair.data))
        for diagnosis in _diagnosed(pair, chosen, model, data, number, allow_weak, cased, progress):
            yield replace(diagnosis, name=f"{diagnosis.name}[{pair.variant}]") if pair.variant else diagnosis


def _diagnosed(
    pair: ModelAndData, chosen: Chosen, model: Any, data: Any, number: int, allow_weak: bool, cased: Sequence[str],
    progress: Callable[[str, int, int], None],
) -> Iterator[Diagnosis]:  # fmt: skip
    seed, store, max_calls = chosen.seed or 0, chosen.store, chosen.max_calls
    labels: tuple[str, ...] = ()
    rule, sets = None, False
    if pair.model is not None:
        try:
            progress("load the model", 0, 0)
            model_labels(model)
            rule, bare = decision_rule(model), without_rule(model)
            sets = rule is not None and (
                rule.several or ModelPart(bare).contract.several
            )  # no likeliest label of its own
            labels = model_labels(model if sets else bare)
            told = _listed(known_labels(bare))
            if is_answering(model):
                told = "gives numbers" if is_rating(model) else "answers in its own words"
                told = "finds spans" if is_tagger(model) else told
            told += "" if rule is None else f"; decides {rule.sentence}"
            yield Diagnosis("model and data", "model", "ok", f"{pair.model.use.use}: {told}")
            yield _device(model)
        except RobustfimError as error:
            yield Diagnosis("model and data", "model", "problem", str(error))
    rows: list[Example] = []
    if pair.data is not None:
        try:
            progress("read the data", 0, 0)
            conflicts: dict[str, tuple[Example, Example]] = {}
            rows = sample(data, pair.data.use.use, number, seed, conflicts)
            if rule is not None and labels and any(len(row.gold) > 1 or row.label == NO_LABEL for row in rows):
                sets = bool(rule.targets)  # texts with several labels, as the model may have
            if sets:
                labels = model_labels(model)
                rows = [replace(row, label=NO_LABEL) if row.label == NO_ANSWER else row for row in rows]
            yield _data(pair.data, rows)
            if conflicts and not is_answering(model):
                yield _conflicts(list(conflicts.values()))
            if cased and rows and all(text.islower() for row in rows for text in row.fields.values() if text):
                yield _lower_case(len(rows), cased)
        except RobustfimError as error:
            yield Diagnosis("model and data", "data", "problem", str(error))
    labelled = [row for row in rows if row.label is not None]
    if rule is not None and sets:
        known = gold_names(model)
        labelled = [_decided(example, rule, known) for example in labelled]
    if not labels or not labelled or pair.model is None or pair.data is None:
        return
    part = pair.data
    try:
        pairs = predict(
            model if sets else without_rule(model), labelled, store, max_calls, partial(progress, "predict")
        )
        mapping = compare_labels([str(example.label) for example, _ in pairs], [got.label for _, got in pairs], labels)
        if sets:  # nobody takes one set of labels for another one
            mapping = replace(mapping, best=mapping.named)
        remedy: tuple[str, ...] = ()
        if mapping.wrong and (mapping.believable or allow_weak) and not sets:
            remedy = label_remedies(
                pair.model, part, mapping, pairs,
                lambda made: sample(made, part.use.use, number, seed),
                lambda made, examples: predict(made, examples, None, max_calls, partial(progress, "relabelled")),
            )  # fmt: skip
    except RobustfimError as error:
        yield Diagnosis("model and data", "predictions", "problem", str(error))
        return
    yield _labels(mapping, labels, remedy, allow_weak, _LIKELY[likely_wrong(part, mapping)], sets=sets)
    if max_calls is None or max_calls >= len(pairs) + _TWICE:
        yield from _noise(model if sets else without_rule(model), pairs[:_TWICE], store)


def _noise(model: Any, pairs: Sequence[tuple[Example, Prediction]], store: Path | None) -> Iterator[Diagnosis]:
    """Ask about a few texts again: whether the model gives one answer to one text."""
    with closing(PredictionQueue(model, Store(store))) as queue:
        again = queue.predict([example for example, _ in pairs], asks=[1] * len(pairs))
    flipped = sum(now is not None and not now.says(was.label) for (_, was), now in zip(pairs, again, strict=True))
    if flipped:
        sentence = f"of {len(pairs)} texts that were asked about twice, {flipped} were answered otherwise"
        remedy = ("repeat: 3   # in the suite, or --repeat 3: checks are held against what the model flips by itself",)
        facts = {"asked": len(pairs), "flipped": flipped}
        yield Diagnosis("model and data", "noise", "note", sentence, remedy, facts)


def _decided(example: Example, rule: DecisionRule, known: Sequence[str]) -> Example:
    """The example with the decision that is right for it, or with the first label that the model does not know."""
    names = {label: match_name(label, known) for label in example.gold}
    unknown = [label for label, name in names.items() if name is None]
    return replace(example, label=(unknown or rule.of_gold([str(name) for name in names.values()]))[0])


def _device(model: Any) -> Diagnosis:
    try:
        with blame("the model", ModelError, did="cannot be loaded:"):
            device = ModelPart(model).device
    except RobustfimError as error:
        return Diagnosis("model and data", "device", "problem", str(error))
    return Diagnosis("model and data", "device", "ok", "the model does not say" if device is None else str(device))


def _data(data: Named, rows: Sequence[Example]) -> Diagnosis:
    use, limit = data.use.use, data.use.options.get("limit")
    gold = sorted({row.label for row in rows if row.label is not None})
    if not rows:
        return Diagnosis("model and data", "data", "problem", f"{use}: no usable example.")
    if not gold:
        message = f"{use}: {len(rows)} examples without labels; accuracy and label mapping cannot be checked."
        return Diagnosis("model and data", "data", "note", message)
    if len(gold) == 1 and limit is not None and _has_more(data, limit):
        message = (
            f"{use}: 'limit: {limit}' leaves rows out, and of the {len(rows):,} read "
            f"{sum(row.label == gold[0] for row in rows):,} have the label {shown(gold[0], 40)}, none another; rows "
            "sorted by label need shuffling, or no 'limit'."
        )
        return Diagnosis("model and data", "data", "note", message)
    spans = span_labels(gold)
    sentence = f"sampled, with spans: {_listed(spans)}" if spans else f"sampled: {_listed(gold)}"
    return Diagnosis("model and data", "data", "ok", f"{use}: {len(rows)} examples {sentence}")


def _has_more(data: Named, limit: int) -> bool:
    more = data.make({**data.use.options, "limit": limit + 1})
    return sum(1 for _ in read_rows(more, data.use.use, data.use.use, limit + 1)) > limit


def _conflicts(pairs: Sequence[tuple[Example, Example]]) -> Diagnosis:
    one, other = pairs[0]
    return Diagnosis(
        "model and data",
        "conflicts",
        "note",
        f"{len(pairs)} text{'s stand' if len(pairs) > 1 else ' stands'} with two gold labels, such as "
        f"{shown(one.text, 60)} ({one.label!r} and {other.label!r}): a run takes the label of the first row.",
        ("on_conflict: drop  # or refuse, as a key of the suite",),
        {"texts": len(pairs)},
    )


def _lower_case(looked_at: int, cased: Sequence[str]) -> Diagnosis:
    return Diagnosis(
        "model and data",
        "case",
        "note",
        f"all {looked_at} examples looked at are in lower case, and names are found by their capital letters: "
        f"{', '.join(cased)} can test few of them or none. Texts as they were written test more.",
    )


def _labels(
    mapping: LabelMapping,
    labels: Sequence[str],
    remedy: tuple[str, ...],
    allow_weak: bool,
    likely: str,
    *,
    sets: bool,
) -> Diagnosis:
    """Say how the labels fit."""
    name, total = "labels", mapping.total
    now = _fit(mapping.right, total, mapping.fits)
    pairs = ", ".join(f"{own} → {label}" for own, label in mapping.best.items())
    facts = {
        "examples": total,
        **({} if mapping.unknown else _facts("", mapping.right, total, mapping.fits)),
        "best": dict(mapping.best),
        **_facts("best_", mapping.best_right, total, mapping.best_fits),
        "unknown": dict(mapping.unknown),
    }

    def say(state: Any, message: str) -> Diagnosis:
        return Diagnosis("model and data", name, state, message, remedy, facts)

    if mapping.wrong:
        unknown = f"the model does not know {_listed(list(mapping.unknown))}"
        begin = unknown if mapping.unknown else f"{now} as they are named"
        left = [own for own in (*mapping.named, *mapping.unknown) if own not in mapping.best]
        if left:
            kinds = f"the data has {len(mapping.best) + len(left)} labels and the model {len(labels)}"
            return say(
                "problem",
                f"{begin}; {kinds}, so none is left for {_listed(left)}. Leave these rows "
                "out, or give them the name of another label.",
            )
        then = _fit(mapping.best_right, total, mapping.best_fits)
        if mapping.believable or allow_weak:
            nowhere = "" if remedy else " Rename them so in the data: no option of the model or the data does it."
            return say("problem", f"{begin}; {then} with {pairs}, on {total} examples.{nowhere}{likely}")
        halves = "" if mapping.settled else "; the two halves of the sample choose different ones"
        return say(
            "problem",
            f"{begin}, and under no assignment do the answers surely go with the labels: {then} at best, on {total} "
            f"examples{halves}. Is the model meant for this data? --allow-weak proposes the assignment all the same.",
        )
    if mapping.only is not None:
        return say("note", f"all {total} examples are {mapping.only!r}, which cannot show a wrong mapping; {now}.")
    if mapping.weak:
        return say(
            "note" if allow_weak else "problem",
            f"{now} on {total} examples: the answers do not go with the labels"
            f"{'' if sets else ', and no other assignment is surely better'}."
            f"{'' if allow_weak else ' --allow-weak accepts such a model.'}",
        )
    if not mapping.sure:
        return say(
            "note",
            f"{now} on {total} examples: not surely do the answers go with the labels; more examples would tell.",
        )
    return say("ok", f"{now} on {total} examples.")


def _fit(right: int, total: int, fits: Association | None) -> str:
    sentence = f"accuracy {Rate(right, total).text}"
    if fits is None:
        return sentence
    return (
        f"{sentence}, Matthews' coefficient {AssociationRecord(coefficient=fits.coefficient, interval=fits.interval)}"
    )


def _facts(prefix: str, right: int, total: int, fits: Association | None) -> dict[str, Any]:
    return {
        f"{prefix}accuracy": right / total,
        f"{prefix}accuracy_interval": wilson(right, total),
        f"{prefix}coefficient": None if fits is None else fits.coefficient,
        f"{prefix}coefficient_interval": None if fits is None else fits.interval,
    }


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:8])
    return f"{shown} and {len(labels) - 8} more" if len(labels) > 8 else shown
