"""Conformance tests for plugin authors: check that an implementation keeps the promises of its role.

There is one class for each role. Subclass the class in a test file and let ``make`` return your object; pytest finds
the tests. Each class calls a function (``check_perturbation`` and so on), which you can also call without a test
runner. The function uses the object as a run would, twice and in another order. If the object breaks a promise, the
function raises an :class:`AssertionError` that names the error and the role in :mod:`robustfim.roles`. Exceptions of
the object also become an AssertionError, except robustfim's own errors, whose messages are already clear.

``texts`` are the texts to try, by default :data:`TEXTS`. ``candidates`` are the candidates to try, by default the texts
with a word left out, replaced or repeated. ``context`` is the argument of ``prepare``. By default it has the texts, and
a small model without gradients if the object needs a model. For an object that reads gradients, pass
``robustfim.context(model, texts)``.
"""

from __future__ import annotations

import inspect
import math
import operator
import pickle
import random as global_random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice, pairwise, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, SupportsFloat, TypeVar

from robustfim.api import context as make_context
from robustfim.api import run
from robustfim.blame import told
from robustfim.candidate import Candidate, Edit
from robustfim.engine.worker import WorkSpec
from robustfim.errors import DataError, ModelError, PluginError, RobustfimError, shown
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.judgement import Judgement
from robustfim.members import check_members
from robustfim.parts import EnginePart, GeometryPart, ModelPart, PerturbationPart, ReportPart, TaggerPart
from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions
from robustfim.prediction import Prediction
from robustfim.record import Record
from robustfim.roles import Context, Paraphrase, Shift, SourcedCheck, TaggedToken
from robustfim.run_options import RunOptions
from robustfim.seeds import random_for
from robustfim.suite.file import SuiteFile
from robustfim.window import windows
from robustfim.words import word_spans

__all__ = [
    "TEXTS",
    "AttributionConformance",
    "ConstraintConformance",
    "DataConformance",
    "EngineConformance",
    "ExpectationConformance",
    "FormatConformance",
    "GeometryConformance",
    "ModelConformance",
    "OrderConformance",
    "ParaphraserConformance",
    "PerturbationConformance",
    "ReducerConformance",
    "ReportConformance",
    "ScorerConformance",
    "SourceConformance",
    "TaggerConformance",
    "TrainerConformance",
    "check_attribution",
    "check_constraint",
    "check_data",
    "check_engine",
    "check_expectation",
    "check_format",
    "check_geometry",
    "check_model",
    "check_order",
    "check_paraphraser",
    "check_perturbation",
    "check_reducer",
    "check_report",
    "check_scorer",
    "check_source",
    "check_tagger",
    "check_trainer",
]

T = TypeVar("T")

TEXTS: tuple[str, ...] = (
    "Nicole Kidman was wonderful in this film, and I didn't notice that it took 2 hours.",
    "The plot is dull. We watched it in Paris with Anna Smith, and nobody liked the awful music!",
    "“Überraschend gut” — she said, 日本語 🙂",
    "",
)
"""The default texts: with names, places, numbers, other scripts, and one without a word."""

_MOST_EDITS = 10_000
_MOST_CANDIDATES = 50
_MOST_EXAMPLES = 1_000
"""How many items are read from a source that may be endless."""
_TOLERANCE = 1e-3
"""The largest difference of two answers to one text. The last digits of an answer depend on the batch."""


def check_perturbation(
    perturbation: Any, texts: Iterable[str | Example] | None = None, *, context: Context | None = None, seed: int = 0
) -> None:
    """Assert that a perturbation keeps the promises of :class:`robustfim.roles.Substitution` or ``Perturbation``.

    - Each edit quotes the text at its place, and each candidate belongs to the example.
    - The perturbation draws random numbers only from the generator that it gets.
    - Its output for an example does not depend on earlier calls.
    - It does not change the example.

    At least one text must be changed. ``seed`` is the seed of the generators.
    """
    _members("perturbations", perturbation)
    part = PerturbationPart(perturbation)
    role = "Substitution.edits" if part.lists_edits else "Perturbation.propose"
    examples = _examples(texts)
    _prepare(perturbation, context, examples, role)

    def made(example: Example) -> list[Any]:
        random = random_for(seed, "conformance", example.id)
        with _told(role):
            if role == "Substitution.edits":
                found = list(islice(perturbation.edits(example, random), _MOST_EDITS))
                combined = perturbation.combine(example, list(found), 1) if part.combines else ()
                return [*found, *islice(combined, _MOST_CANDIDATES)]
            return list(islice(perturbation.propose(example, random), _MOST_CANDIDATES))

    def made_of_all(order: Sequence[Example]) -> dict[str, list[Any]]:
        if hasattr(perturbation, "foresee"):
            with _told(role):
                perturbation.foresee(order)
        return {each.id: made(each) for each in order}

    with _untouched(examples, role):
        first = made_of_all(examples)
        for example in examples:
            for each in first[example.id]:
                _check_made(each, example, role)
        with _no_global_generator(role):
            second = made_of_all(examples[::-1])
    for example in examples:
        _holds(
            first[example.id] == second[example.id],
            f"asked twice about {example.text!r} with equal generators, it made {_few(first[example.id])} and then "
            f"{_few(second[example.id])}: the generator and the example alone may decide",
            role,
        )
    changing = [each for found in first.values() for each in found if _changes(each)]
    idle = not changing and not part.contract.unchanged
    _holds(not idle, f"it changed none of {len(examples)} texts: give some that it applies to, as texts=[…]", role)
    if any(isinstance(each, Candidate) and each.step is not None for each in changing):
        _holds(part.takes_steps, "its candidates are steps, and it predicts none", "StepPerturbation.predict")


def _changes(made: Edit | Candidate) -> bool:
    return made.before != made.after if isinstance(made, Edit) else not made.unchanged


def _check_made(made: Any, example: Example, role: str) -> None:
    """Check an edit or a candidate of an example."""
    if isinstance(made, Edit):
        try:
            Candidate(example, (made,))
        except (ValueError, TypeError, AttributeError) as error:
            _holds(False, f"of {example.text!r} it made an {error}", role)
        texts = (made.after, made.origin)
        _holds(all(isinstance(text, str) for text in texts), f"{made} holds something else than texts", role)
        return
    _holds(isinstance(made, Candidate), f"it made {shown(made)}, which is neither an edit nor a candidate", role)
    _holds(made.source == example, f"of {example.text!r} it made a candidate of {made.source.text!r}", role)
    _holds(made.label is None or isinstance(made.label, str), f"the label {made.label!r} is not a text", role)


def check_model(model: Any, texts: Iterable[str | Example] | None = None) -> None:
    """Assert that a model keeps the promises of :class:`robustfim.roles.Model`, or of ``AnsweringModel``.

    - Its labels differ, and its fingerprint is a string that does not change.
    - ``predict`` returns probabilities of the right shape that sum to 1.
    - The answer to an example does not depend on the rest of the batch.
    - If the model has ``embed`` and ``logits``, together they give the probabilities of ``predict``.
    - If the model has ``window``, it returns valid windows.
    - If the model has ``foresee`` or ``stream``, the answers are the same with it as without.
    """
    from robustfim.predict.answers import agree, read_answers, read_rows
    from robustfim.predict.labels import is_answering, model_labels
    from robustfim.predict.rating import answering as as_answering

    _members("models", model)
    model = as_answering(model)
    answering = is_answering(model)
    role = "AnsweringModel" if answering else "Model"
    examples = _examples(texts)
    try:
        labels, fingerprint = model_labels(model), model.fingerprint
    except ModelError as error:
        _holds(False, str(error), f"{role}.fingerprint" if "fingerprint" in str(error) else f"{role}.labels")
    _holds(
        bool(fingerprint),
        "its fingerprint is empty, so that nothing tells it from another model",
        f"{role}.fingerprint",
    )

    where = f"{role}.{'answer' if answering else 'predict'}"

    def asked(batch: Sequence[Example]) -> list[Any]:
        with _told(where):
            raw = model.answer(batch) if answering else model.predict(batch)
        return checked(raw, batch, where)

    def checked(raw: Any, batch: Sequence[Example], where: str) -> list[Any]:
        try:
            rows = read_answers(raw, len(batch)) if answering else read_rows(raw, len(batch), labels)
        except ModelError as error:
            _holds(False, str(error), where)
        for example, row in zip(batch, rows, strict=True):
            _holds(row is not None, f"it gave no finite numbers for {example.text!r}", where)
        return rows

    def same(rows: Iterable[Any], others: Iterable[Any], what: str, where: str) -> None:
        for example, row, other in zip(examples, rows, others, strict=True):
            _holds(agree(row, other), f"{what}: of {example.text!r} it said {row} and {other}", where)

    with _untouched(examples, where):
        rows = _steadily(asked, examples, where, agree)
        try:
            windows(model, examples)
        except ModelError as error:
            _holds(False, str(error), f"{role}.window")
        with _told(f"{role} (foresee)"):
            ModelPart(model).foresee(examples)
        same(rows, asked(examples), "foreseen, it answers something else", role)
        if (stream := ModelPart(model).stream) is not None:
            with _told(f"{role} (stream)"):
                pairs = list(stream([[example] for example in examples]))
            places = sorted(place for place, _ in pairs)
            _holds(places == list(range(len(examples))), f"stream answered the batches {places}", role)
            parts = dict(pairs)
            streamed = [checked(parts[at], [example], role)[0] for at, example in enumerate(examples)]
            same(rows, streamed, "stream answers something else", role)
        if hasattr(model, "embed") and hasattr(model, "logits"):
            same(
                rows, _by_embedding(model, examples), "the softmax of its logits is not predict", "DifferentiableModel"
            )
    _holds(model.fingerprint == fingerprint, "its fingerprint changed while it was asked", f"{role}.fingerprint")


def _by_embedding(model: Any, examples: Sequence[Example]) -> list[list[float]]:
    """Check the embeddings of a differentiable model; return the probabilities that it has with them."""
    import numpy as np
    from scipy.special import softmax

    where = "DifferentiableModel.embed"
    with _told(where):
        embedded = model.embed(examples)
    shape = tuple(embedded.embeddings.shape)
    _holds(len(shape) == 3 and shape[0] == len(examples), f"the embeddings have the shape {list(shape)}", where)
    plain = isinstance(embedded.embeddings, np.ndarray)
    _holds(plain or not embedded.embeddings.requires_grad, "the embeddings are not detached", where)
    for name in ("mask", "special"):
        own = tuple(getattr(embedded, name).shape)
        _holds(own == shape[:2], f"{name} has the shape {list(own)}, not {list(shape[:2])}", "Embedded")
    _holds(len(embedded.spans) == len(examples), f"spans are of {len(embedded.spans)} examples", "Embedded")
    for example, spans in zip(examples, embedded.spans, strict=True):
        _holds(len(spans) == shape[1], f"{len(spans)} spans stand beside {shape[1]} tokens", "Embedded")
        for span in filter(None, spans):
            name, start, end = span
            inside = name in example.fields and 0 <= start <= end <= len(example.fields[name])
            _holds(inside, f"the span {span} lies outside of {dict(example.fields)}", "Embedded")
    with _told("DifferentiableModel.logits"):
        logits = model.logits(embedded.embeddings, embedded)
    if plain:
        _jacobian(model, embedded)
    rows: list[list[float]] = softmax(logits if plain else logits.detach().cpu().double().numpy(), axis=-1).tolist()
    return rows


def _jacobian(model: Any, embedded: Any) -> None:
    """Check the derivative of a model of NumPy arrays against the change of its logits at a small step."""
    import numpy as np

    where, jacobian = "DifferentiableModel.jacobian", ModelPart(model).jacobian
    _holds(jacobian is not None, "its embeddings are NumPy arrays, which nothing else differentiates", where)
    assert jacobian is not None  # noqa: S101  # as was held
    x = embedded.embeddings
    step = (1e-3 * np.sin(1 + np.arange(x.size)).reshape(x.shape) * embedded.mask[..., None]).astype(x.dtype)
    with _told(where):
        said = np.einsum("bctd,btd->bc", jacobian(x, embedded), step)
        change = (model.logits(x + step, embedded) - model.logits(x - step, embedded)) / 2
    near = np.allclose(change, said, rtol=0.02, atol=1e-5)
    _holds(near, f"along a small step the logits change by {change.tolist()}, not {said.tolist()} as it says", where)


class _CountedModel:
    """The model under which scores are tried: its words decide, and it notes who asks about a text that it answered."""

    labels = ("negative", "positive")
    fingerprint = "robustfim_testing"

    def __init__(self) -> None:
        self.answered: set[str] = set()
        self.again: str | None = None

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        rows = []
        for example in examples:
            if example.id in self.answered:
                self.again = example.text
            self.answered.add(example.id)
            total = sum(
                int.from_bytes(word.encode("utf-8", "replace"), "big") % 13 - 6 for word in example.text.split()
            )
            positive = 1 / (1 + math.exp(-total / 4))
            rows.append([1 - positive, positive])
        return rows


def check_scorer(scorer: Any, texts: Iterable[str | Example] | None = None, *, context: Context | None = None) -> None:
    """Assert that a score keeps the promises of :class:`robustfim.roles.Scorer`.

    The score returns one number for each example, in the order of the examples. The numbers are the same in a second
    call, in another order and one by one. The score gets predictions from the context, never from the model itself.
    """
    where = "Scorer.score"
    _members("scorers", scorer)
    examples = _examples(texts)
    counted = _CountedModel()
    context = context or make_context(counted, examples, offline=True)
    predicted = context.predict(examples)
    examples = [example for example, prediction in zip(examples, predicted, strict=True) if prediction is not None]
    _holds(bool(examples), "the model of the context predicts none of the texts, so there is nothing to score", where)

    with _untouched(examples, where):
        numbers = _steadily(
            lambda batch: scorer.score(batch, context), examples, where, _near,
            right=lambda each: isinstance(each, SupportsFloat), wanted="numbers",
        )  # fmt: skip
    _holds(not all(map(math.isnan, numbers)), f"no score of {len(examples)} examples is defined", where)
    _holds(counted.again is None, f"it asked the model itself about {counted.again!r}: ask context.predict", "Context")


def check_constraint(
    constraint: Any, candidates: Iterable[Candidate] | None = None, *, context: Context | None = None
) -> None:
    """Assert that a constraint keeps the promises of :class:`robustfim.roles.Constraint`.

    The constraint returns None or a reason on one line, and the same when called again in another order. The constraint
    changes no candidate.
    """
    where = "Constraint.reject"
    _members("constraints", constraint)
    shown_to, sources = _tried(candidates, where)
    _prepare(constraint, context, sources, where)
    with _untouched(sources, where):
        reasons = _steadily(lambda batch: map(constraint.reject, batch), shown_to, where)
    for candidate, reason in zip(shown_to, reasons, strict=True):
        text = candidate.example.text
        said = reason is None or (isinstance(reason, str) and reason.strip() and "\n" not in reason)
        _holds(
            bool(said), f"of {text!r} it said {shown(reason)}, which is neither None nor a reason on one line", where
        )


def _edited() -> Iterator[Candidate]:
    """Leave a word of each text out, replace it, and repeat it."""
    for example in _examples(None):
        for start, end in word_spans(example.text)[:5]:
            word = example.text[start:end]
            for after in ("", "thing", f"{word} {word}"):
                yield Candidate(example, (Edit("text", start, end, word, after, "conformance"),))


def _tried(candidates: Iterable[Candidate] | None, where: str) -> tuple[list[Candidate], list[Example]]:
    """Return the candidates to try, and their sources."""
    tried = list(_edited() if candidates is None else candidates)
    _holds(bool(tried), "there is no candidate to show it", where)
    return tried, list({each.source.id: each.source for each in tried}.values())


def check_order(order: Any, candidates: Iterable[Candidate] | None = None, *, context: Context | None = None) -> None:
    """Assert that an order keeps the promises of :class:`robustfim.roles.Order`.

    An order returns a number for each candidate (perturbed text); candidates with large numbers are tried first. A
    candidate's number is the same in a second call, and if the candidates are shuffled.
    """
    where = "Order.effects"
    _members("orders", order)
    shown_to, sources = _tried(candidates, where)
    around = context or make_context(_CountedModel(), sources, offline=True)
    with _untouched(sources, where):
        _steadily(
            lambda batch: order.effects(batch, around), shown_to, where, _near, singly=False,
            right=lambda each: isinstance(each, SupportsFloat) and not math.isnan(each),
            wanted="numbers by which candidates can be ordered",
        )  # fmt: skip


def check_expectation(
    expectation: Any, pairs: Iterable[tuple[Prediction, Prediction, Candidate]] | None = None, *,
    context: Context | None = None,
) -> None:  # fmt: skip
    """Assert that an expectation keeps the promises of :class:`robustfim.roles.Expectation`.

    The expectation returns a Judgement (passed, failed or not applicable) of each pair, and the same Judgements when
    called again in another order.

    Each of ``pairs`` has the prediction before, the prediction after, and the candidate. By default there are pairs in
    which the label stays, changes, or becomes less sure.
    """
    where = "Expectation.judge"
    _members("expectations", expectation)
    judged = list(_pairs() if pairs is None else pairs)
    _, sources = _tried((candidate for *_, candidate in judged), where)
    _prepare(expectation, context, sources, where)
    with _untouched(sources, where):
        _steadily(
            lambda batch: (expectation.judge(*each) for each in batch), judged, where,
            right=lambda each: isinstance(each, Judgement), wanted="a Judgement",
        )  # fmt: skip


def _pairs() -> Iterator[tuple[Prediction, Prediction, Candidate]]:
    labels = ("negative", "positive")
    for candidate in _edited():
        for before, after in ((0.9, 0.8), (0.9, 0.2), (0.1, 0.3), (0.6, 0.6)):
            yield Prediction.of((1 - before, before), labels), Prediction.of((1 - after, after), labels), candidate


def check_reducer(reducer: Any, most: int = 12) -> None:
    """Assert that a reducer keeps the promises of :class:`robustfim.roles.Reducer`.

    A reducer decides from the number of failing candidates whether an example fails.

    - It always returns True or False, or always a number in [0, 1], and the same in a second call.
    - One more failing candidate never makes an example fail less.
    - One more passing candidate never makes an example fail more.
    - Some counts make an example fail, and some make it pass.

    ``most`` is the largest number of candidates of an example to try.
    """
    where = "Reducer.fails"
    _members("reducers", reducer)
    counts = [(failed, tested) for tested in range(1, most + 1) for failed in range(tested + 1)]

    answers = _steadily(lambda batch: (reducer.fails(*each) for each in batch), counts, where)
    for (failed, tested), one in zip(counts, answers, strict=True):
        what = f"of {failed} of {tested} failing candidates"
        known = isinstance(one, type(answers[0])) and isinstance(one, (bool, float)) and 0 <= one <= 1
        _holds(known, f"{what} it said {shown(one)}, not True or False, nor always a number from 0.0 to 1.0", where)
    said = dict(zip(counts, answers, strict=True))
    for (failed, tested), fails in said.items():
        for more, others in ((failed + 1, tested + 1), (failed + 1, tested)):
            what = f"it fails {failed} of {tested}, and not {more} of {others}, or less"
            _holds(fails <= said.get((more, others), 1), what, where)
        what = f"it fails {failed} of {tested + 1}, and not {failed} of {tested}, or less"
        _holds(said.get((failed, tested + 1), 0) <= fails, what, where)
    _holds(any(answers), f"no example of up to {most} candidates can fail", where)
    _holds(not any(said[0, tested] for tested in range(1, most + 1)), "it fails an example without a failure", where)


def check_data(source: Any) -> None:
    """Assert that a data source keeps the promises of :class:`robustfim.roles.DataSource`.

    The source returns examples with at least one field, and the same examples in the same order when read again. The
    function reads at most 1,000 examples, so the source may be endless.
    """
    where = "DataSource.load"
    _members("data", source)

    def read() -> list[Any]:
        with _told(where):
            return list(islice(source.load(), _MOST_EXAMPLES))

    loaded = read()
    _holds(bool(loaded), "it gave no example; data that are empty are a DataError", where)
    for each in loaded:
        _holds(isinstance(each, Example), f"it gave {shown(each)}, which is not an Example", where)
        _holds(bool(each.fields), "it gave an example without a field", where)
    again = read()
    _holds(len(again) == len(loaded), f"it gave {len(loaded)} examples and then {len(again)}", where)
    for place, (one, other) in enumerate(zip(loaded, again, strict=True)):
        same = (dict(one.fields), one.gold) == (dict(other.fields), other.gold)
        _holds(same, f"example {place} was {one.text!r} and then {other.text!r}: the order must be stable", where)
    skipped = getattr(source, "skipped", {})
    counts = isinstance(skipped, Mapping) and all(
        isinstance(reason, str) and isinstance(number, int) and number >= 0 for reason, number in skipped.items()
    )
    _holds(counts, f"skipped is {shown(skipped)}, not a count by reason", "DataSource")


def check_report(report: Any, record: Record | None = None) -> None:
    """Assert that a report keeps the promises of :class:`robustfim.roles.Report`.

    The report writes a file into the folder or a subfolder, and does not change the record. The file is not empty, and
    its name ends with the report's ``suffix``.

    ``record`` is the record to write, by default the record of a small run with a passed and a failed check.
    """
    where = "Report.write"
    _members("reports", report)
    record = _record() if record is None else record
    before = record.model_dump_json()
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        with _told(where):
            path = report.write(record, folder)
        _holds(isinstance(path, Path), f"it returned {shown(path)}, not the path of its file", where)
        inside = path.is_file() and path.resolve().is_relative_to(folder)
        _holds(inside, f"it returned {path}, which is not a file in the folder that it was given", where)
        _holds(path.stat().st_size > 0, f"it wrote nothing into {path.name}", where)
        suffix = ReportPart(report).contract.suffix
        _holds(path.name.endswith(suffix), f"{path.name} does not end with its suffix {suffix!r}", where)
    _holds(record.model_dump_json() == before, "it changed the record that it was given", where)


class _Ending:
    """Ends each text with another word."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        yield Edit("text", len(example.text), len(example.text), "", " indeed", origin="ending")


def _record() -> Record:
    """Run a check and its opposite, so that what one of them bears the other does not."""
    model = _CountedModel()
    rows = [Example({"text": text}, model.labels[place % 2]) for place, text in enumerate(TEXTS)]
    checks = {
        expect: {"perturb": {"use": _Ending()}, "expect": expect, "limit": 0.1} for expect in ("invariant", "changes")
    }
    return run(name="conformance", model=model, data=rows, checks=checks, offline=True).record


def check_tagger(tagger: Any, texts: Iterable[str] | None = None, *, context: Context | None = None) -> None:
    """Assert that a tagger keeps the promises of :class:`robustfim.roles.Tagger`.

    Each token stands at its stated place, the tokens are in order, and only white space stands between them. A text has
    the same tokens alone, in a batch and in another order. The places that ``fixed`` returns lie inside the text.
    """
    where = "Tagger.tag"
    _members("tagger", tagger)
    given = list(TEXTS if texts is None else texts)
    _prepare(tagger, context, _examples(given), where)

    tagged = _steadily(lambda batch: map(list, tagger.tag(batch)), given, where)
    for text, tokens in zip(given, tagged, strict=True):
        end = 0
        for token in tokens:
            _holds(isinstance(token, TaggedToken), f"it gave {shown(token)}, which is not a TaggedToken", where)
            right = end <= token.start < token.end <= len(text) and token.text == text[token.start : token.end]
            _holds(right, f"of {text!r} it gave {token}, which does not stand there", where)
            _holds(not text[end : token.start].strip(), f"it left {text[end : token.start]!r} of {text!r} out", where)
            end = token.end
        _holds(not text[end:].strip(), f"it left {text[end:]!r} of {text!r} out", where)
    if (fixed := TaggerPart(tagger).fixed) is not None:
        with _told("Tagger (fixed)"):
            places = [list(each) for each in fixed(given)]
        _holds(len(places) == len(given), f"fixed gave the places of {len(places)} of {len(given)} texts", "Tagger")
        for text, spans in zip(given, places, strict=True):
            inside = all(0 <= start < end <= len(text) for start, end in spans)
            _holds(inside, f"fixed gave {spans} of {text!r}, which lie outside", "Tagger")


def check_trainer(
    trainer: Any, examples: Iterable[Example] | None = None, dev: Iterable[Example] | None = None, *,
    plugins: Sequence[str] = (),
) -> None:  # fmt: skip
    """Assert that a trainer keeps the promises of :class:`robustfim.roles.Trainer`.

    - It writes a model into the folder, and returns how a suite names this model.
    - The model predicts the labels of the examples.
    - The same examples and seed give the same predictions.
    - Examples without labels, or with one label only, are refused.

    ``examples`` are the training data, by default 40 short examples with two labels. ``dev`` decides when to stop; by
    default the first quarter of ``examples``. ``plugins`` are loaded if the trained model belongs to one of them.
    """
    from robustfim.predict.answers import agree

    where = "Trainer.train"
    _members("trainers", trainer)
    rows = list(_lessons() if examples is None else examples)
    held = rows[: max(2, len(rows) // 4)] if dev is None else list(dev)
    gold = {row.label for row in rows}
    with TemporaryDirectory() as name:

        def trained(place: str, rows: Sequence[Example], held: Sequence[Example]) -> Any:
            lines: list[Any] = []
            with _told(where):
                spec = trainer.train(rows, held, Path(name, place), seed=0, report=lines.append)
            _holds(all(isinstance(line, str) for line in lines), f"it reported {shown(lines)}, not lines", where)
            return spec

        def predicted(place: str) -> list[Prediction | None]:
            spec = trained(place, rows, held)
            use = isinstance(spec, Mapping) and isinstance(spec.get("use"), str)
            _holds(use, f"it returned {shown(spec)}, not {{'use': NAME, …}} of a suite", where)
            _holds(any(Path(name, place).rglob("*")), "it wrote nothing into its folder", where)
            return list(make_context(dict(spec), rows, plugins=plugins, offline=True).predict(rows))

        with _untouched([*rows, *held], where):
            first, again = predicted("first"), predicted("again")
        for example, one, other in zip(rows, first, again, strict=True):
            _holds(one is not None and one.label in gold, f"what it trained says {one} of {example.text!r}", where)
            same = one is not None and other is not None and agree(one.probabilities, other.probabilities)
            _holds(same, f"trained twice with one seed, it says {one} and {other} of {example.text!r}", where)
        one_label = [row for row in rows if row.label == rows[0].label]
        for place, wrong in (("unlabelled", [Example(rows[0].fields), *rows[1:]]), ("one_label", one_label)):
            try:
                trained(place, wrong, held[:1])
            except DataError:
                continue
            _holds(False, f"examples that are {place.replace('_', ' ')} are not a DataError", where)


def _lessons() -> Iterator[Example]:
    """Texts whose label stands in a word."""
    for place in range(20):
        yield Example({"text": f"a good film, and number {place} of them"}, "positive")
        yield Example({"text": f"a dull film, and number {place} of them"}, "negative")


def check_format(format: Any, path: Path) -> None:  # it is what the role is called
    """Assert that a format keeps the promises of :class:`robustfim.roles.SuiteFormat` or ``ResultFormat``.

    A suite file gives the same checks each time. Each check has a unique name, examples and candidates. A result file
    gives the same record each time. A missing file raises a DataError.

    ``path`` is a file in this format.
    """
    where = "ResultFormat.record" if hasattr(format, "record") else "SuiteFormat.read"
    _members("suite_formats", format)

    def read(path: Path) -> Any:
        with _told(where):
            if where == "ResultFormat.record":
                return format.record(path).model_dump(mode="json", exclude={"started", "finished"})
            return list(format.read(path))

    first, again = read(path), read(path)
    if isinstance(first, list):
        _sourced(first, again, where)
    else:
        _holds(first == again, "it made another record of the same file", where)
    missing = path.with_name(f"{path.name}.missing")
    try:
        read(missing)
    except DataError:
        return
    _holds(False, f"a file that is not there, {missing.name}, is not a DataError", where)


def check_source(source: Any, *, context: Context | None = None) -> None:
    """Assert that a source of checks keeps the promises of :class:`robustfim.roles.CheckSource`.

    The source returns the same checks each time. Each check has a unique name, examples and candidates.
    """
    where = "CheckSource.checks"
    _members("checks", source)
    _prepare(source, context or make_context(_CountedModel(), _examples(None), offline=True), (), where)

    def read() -> list[Any]:
        with _told(where):
            return list(islice(source.checks(), _MOST_EXAMPLES))

    _sourced(read(), read(), where)


def _sourced(checks: Sequence[Any], again: Sequence[Any], where: str) -> None:
    """Hold that what was read twice are the same checks, each one of its own."""
    _holds(bool(checks), "it read no check", where)
    for check in checks:
        _holds(isinstance(check, SourcedCheck), f"it read {shown(check)}, which is not a SourcedCheck", where)
        candidates = [candidate for case in check.cases for candidate in case]
        sound = bool(candidates) and all(isinstance(candidate, Candidate) for candidate in candidates)
        _holds(sound, f"the check {check.name!r} has no candidates, or others than Candidates", where)
    names = [check.name for check in checks]
    _holds(len(set(names)) == len(names), f"the names of its checks are not each its own: {shown(names)}", where)
    _holds(names == [each.name for each in again], "it read other checks, or in another order, twice", where)


def check_attribution(attribution: Any, model: Any, texts: Iterable[str | Example] | None = None) -> None:
    """Assert that an attribution keeps the promises of :class:`robustfim.roles.Attribution`.

    The attribution returns an Importance of each example, and the same in a second call. The words of an Importance
    stand in the example. The values of the words add up to ``change`` + ``delta``. ``calls`` grows with each call.

    ``model`` is a model that the attribution can explain.
    """
    where = "Attribution.explain"
    _members("attribution", attribution)
    examples = _examples(texts)

    def asked(batch: Sequence[Example]) -> list[Any]:
        before = attribution.calls
        given = list(attribution.explain(batch, model))
        _holds(attribution.calls > before, "it counted no calls", "Attribution.calls")
        return given

    def same(one: Importance, other: Importance) -> bool:
        pairs = list(zip_longest(one.words, other.words, fillvalue=WordImportance("", 0, 0, math.nan)))
        return all(replace(a, value=b.value) == b and _near(a.value, b.value, 1e-4) for a, b in pairs)

    with _untouched(examples, where):
        explained = _steadily(
            asked, examples, where, same, right=lambda each: isinstance(each, Importance), wanted="an Importance each"
        )
    for example, importance in zip(examples, explained, strict=True):
        for word in importance.words:
            inside = 0 <= word.start < word.end <= len(example.fields.get(word.field, ""))
            _holds(inside, f"{word} lies outside of its text", where)
        total, whole = math.fsum(word.value for word in importance.words), importance.change + importance.delta
        near = math.isnan(whole) or _near(total, whole, 1e-3)
        _holds(near, f"the words of {example.text!r} add up to {total}, not to change + delta, {whole}", where)


def check_paraphraser(paraphraser: Any, texts: Iterable[str] | None = None, *, context: Context | None = None) -> None:
    """Assert that a paraphraser keeps the promises of :class:`robustfim.roles.Paraphraser`.

    The paraphrases of a text have scores in (0, 1], the highest first, and depend on the text and the seed only. The
    score of any pair of texts lies in [0, 1]. Paraphrases and scores are the same in a second call, in another order
    and one by one.
    """
    where = "Paraphraser.paraphrase"
    _members("paraphrasers", paraphraser)
    given = list(dict.fromkeys(TEXTS if texts is None else texts))
    _prepare(paraphraser, context, _examples(given), where)

    def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
        pairs = list(zip_longest(one, other, fillvalue=Paraphrase("", math.nan)))
        return all(a.text == b.text and _near(a.score, b.score, _LAST_DIGITS) for a, b in pairs)

    lists = _steadily(
        lambda batch: map(list, paraphraser.paraphrase(batch, seed=0)), given, where, same,
        right=lambda each: all(isinstance(one, Paraphrase) and 0 < one.score <= 1 for one in each),
        wanted="Paraphrases with scores in (0, 1]",
    )  # fmt: skip
    for text, paraphrases in zip(given, lists, strict=True):
        ordered = all(one.score >= other.score for one, other in pairwise(paraphrases))
        _holds(ordered, f"of {text!r} it gave {shown(paraphrases)}, not the surest first", where)
    _holds(any(lists), f"it has no paraphrase of {len(given)} texts", where)
    pairs = [
        (text, paraphrase.text)
        for text, paraphrases in zip(given, lists, strict=True)
        for paraphrase in paraphrases[:2]
    ]
    _steadily(
        lambda batch: paraphraser.score(*map(list, zip(*batch, strict=True))), pairs, "Paraphraser.score",
        lambda one, other: _near(one, other, _LAST_DIGITS),
        right=lambda score: 0 <= score <= 1, wanted="a number in [0, 1] a pair",
    )  # fmt: skip


def check_geometry(geometry: Any, texts: Iterable[str | Example] | None = None) -> None:
    """Assert that a geometry keeps the promises of :class:`robustfim.roles.Geometry`.

    - It returns a Point for each example. λmax (the largest eigenvalue of the Fisher information), the distance to the
      decision boundary and the margin of the Point are at least 0.
    - The eigenvector has length 1, or length 0 if λmax is 0.
    - A Point that was computed before is not counted again.
    - ``apart()`` returns a geometry that has computed nothing.
    """
    where = "Geometry.at"
    _members("geometry", geometry)
    examples = _examples(texts)

    def same(one: Any, other: Any) -> bool:
        names = ("lambda_max", "distance", "margin")
        return all(_near(getattr(one, name), getattr(other, name), _LAST_DIGITS) for name in names)

    with _untouched(examples, where):
        points = _steadily(geometry.at, examples, where, same)
    calls = geometry.calls
    _holds(0 < calls <= len(examples), f"it counted {calls} calls for {len(examples)} examples", "Geometry.calls")
    known = [point for point in points if not math.isnan(point.lambda_max)]
    _holds(bool(known), f"no point of {len(examples)} examples is defined", where)
    for point in known:
        _holds(min(point.lambda_max, point.distance, point.margin) >= 0, f"{point} has a number below 0", "Point")
        length = math.sqrt(float((point.eigenvector**2).sum()))
        unit = _near(length, 1.0, 1e-3) or (point.lambda_max == 0 and length == 0)
        _holds(unit, f"an eigenvector has the length {length}", "Point.eigenvector")
        alike = point.eigenvector.ndim == 2 and point.eigenvector.shape == point.margin_gradient.shape
        _holds(alike, "the eigenvector and the gradient are not both [tokens, dims]", "Point.margin_gradient")
    part = GeometryPart(geometry)
    if part.apart is not geometry:
        _holds(geometry.calls == calls, "one apart counts calls before it is asked", "Geometry (apart)")
    still = [Candidate(example) for example in examples]
    if (shifts := part.shifts(still)) is not None:
        none = all(isinstance(shift, Shift) and not shift.norm > _LAST_DIGITS for shift in shifts)  # or undefined
        _holds(none, f"it gave {shown(shifts)} of texts that are unchanged", "Geometry (shifts)")


_LAST_DIGITS = 1e-4
"""As much as a batch may change of a number near 1."""


def check_engine(engine: Any) -> None:
    """Assert that an engine keeps the promises of :class:`robustfim.roles.Engine`.

    An engine runs tasks in worker processes. Each worker answers its tasks in their order, is returned by ``wait`` as
    soon as an answer is there, has a unique name, and can be stopped. No worker knows the tasks of this test, so no
    worker loads a model or a suite.

    For an engine without workers, the function checks only the names of the members.
    """
    _members("engines", engine)
    spec = pickle.dumps(WorkSpec(SuiteFile.of({}), RunOptions(), PluginOptions()))
    links: list[Any] = []
    try:
        for number in range(engine.contract.workers):
            with _told("Engine.start"):
                links.append(engine.start(spec))
                for task in range(_TASKS):
                    links[-1].send(pickle.dumps((f"task {number}.{task}",)))
        _holds(len({link.name for link in links}) == len(links), "two of its workers have one name", "Link.name")
        answers: dict[int, list[str]] = {id(link): [] for link in links}
        while waiting := [link for link in links if len(answers[id(link)]) < _TASKS]:
            with _told("Engine.wait"):
                ready = list(engine.wait(waiting))
            right = bool(ready) and all(any(one is link for link in waiting) for one in ready)
            _holds(right, f"of {len(waiting)} workers at work it gave {shown(ready)}", "Engine.wait")
            for link in ready:
                with _told("Link.receive"):
                    answers[id(link)].append(pickle.loads(link.receive())[1])  # noqa: S301  # of a worker started here
        for number, link in enumerate(links):
            given = answers[id(link)]
            right = all(f"task {number}.{task}'" in str(answer) for task, answer in enumerate(given))
            _holds(right, f"worker {number} answered {shown(given)}, not its own tasks in their order", "Link.receive")
    finally:
        with _told("Link.stop"):
            for link in links:
                link.stop()
        EnginePart(engine).close()


_TASKS = 3


class _Conformance:
    """What is asked of a part of any role: subclasses name its kind, its function, and what that takes beside it."""

    kind: ClassVar[str]
    _promises: ClassVar[Callable[..., None]]
    texts: Iterable[Any] | None = None
    candidates: Iterable[Candidate] | None = None

    def __init_subclass__(cls, kind: str = "", promises: Callable[..., None] | None = None) -> None:
        """Name the kind of the role, and its function."""
        if promises is not None:
            cls.kind, cls._promises = kind, promises

    def make(self) -> Any:
        """Return a new object to test. Your subclass defines this method."""
        raise NotImplementedError(f"{type(self).__name__} must define make(), which returns the object to test.")

    def context(self) -> Context | None:
        """Return the context for ``prepare``; None for the default context of the role's function."""
        return None

    def test_its_members_are_those_of_its_role(self) -> None:
        """The object has all required members of its role, and no misspelled ones."""
        _members(self.kind, self.make())

    def test_its_class_says_in_a_sentence_what_it_is(self) -> None:
        """The docstring of the class begins with a sentence, which ``robustfim plugins`` prints."""
        cls = type(self.make())
        line = (inspect.getdoc(cls) or "").partition("\n")[0]
        if not line.endswith("."):
            raise AssertionError(f"the docstring of {cls.__name__} begins with {line!r}, which is not a sentence.")

    def test_its_options_can_be_checked(self) -> None:
        """The annotations of the class allow robustfim to check the options in a suite."""
        cls = type(self.make())
        try:
            options_model(cls, cls.__module__)
        except PluginError as error:
            raise AssertionError(str(error)) from None

    def test_it_keeps_the_promises_of_its_role(self) -> None:
        """The object passes the function of its role, such as :func:`check_perturbation`."""
        promises = type(self)._promises
        made, names = self.make(), [*inspect.signature(promises).parameters][1:]
        found = {name: getattr(self, name) for name in names if hasattr(self, name)}
        promises(made, **{name: value() if inspect.ismethod(value) else value for name, value in found.items()})


class PerturbationConformance(_Conformance, kind="perturbations", promises=check_perturbation):
    """Tests of a perturbation: :func:`check_perturbation` with ``texts`` and ``context``."""


class ModelConformance(_Conformance, kind="models", promises=check_model):
    """Tests of a model: :func:`check_model` with ``texts``."""


class ScorerConformance(_Conformance, kind="scorers", promises=check_scorer):
    """Tests of a score: :func:`check_scorer` with ``texts`` and ``context``."""


class ConstraintConformance(_Conformance, kind="constraints", promises=check_constraint):
    """Tests of a constraint: :func:`check_constraint` with ``candidates``."""


class OrderConformance(_Conformance, kind="orders", promises=check_order):
    """Tests of an order: :func:`check_order` with ``candidates`` and ``context``."""


class ExpectationConformance(_Conformance, kind="expectations", promises=check_expectation):
    """Tests of an expectation: :func:`check_expectation` with ``pairs``."""

    pairs: Iterable[tuple[Prediction, Prediction, Candidate]] | None = None


class ReducerConformance(_Conformance, kind="reducers", promises=check_reducer):
    """Tests of a reducer: :func:`check_reducer` with ``most``."""

    most: int = 12


class DataConformance(_Conformance, kind="data", promises=check_data):
    """Tests of a data source: :func:`check_data`."""


class ReportConformance(_Conformance, kind="reports", promises=check_report):
    """Tests of a report: :func:`check_report`."""


class TaggerConformance(_Conformance, kind="tagger", promises=check_tagger):
    """Tests of a tagger: :func:`check_tagger` with ``texts``."""


class TrainerConformance(_Conformance, kind="trainers", promises=check_trainer):
    """Tests of a trainer: :func:`check_trainer` with ``examples`` and ``plugins``."""

    examples: Iterable[Example] | None = None
    plugins: Sequence[str] = ()


class FormatConformance(_Conformance, kind="suite_formats", promises=check_format):
    """Tests of a format: :func:`check_format` with the file that ``path`` returns."""

    def path(self) -> Path:
        """Return the path of a file in the format. Your subclass defines this method."""
        raise NotImplementedError(f"{type(self).__name__} must have path(), which returns a file of the format.")


class SourceConformance(_Conformance, kind="checks", promises=check_source):
    """Tests of a source of checks: :func:`check_source` with ``context``."""


class AttributionConformance(_Conformance, kind="attribution", promises=check_attribution):
    """Tests of an attribution: :func:`check_attribution` with ``texts`` and the model that ``model`` returns."""

    def model(self) -> Any:
        """Return a model that the attribution can explain. Your subclass defines this method."""
        raise NotImplementedError(f"{type(self).__name__} must define model(), which returns the model to explain.")


class ParaphraserConformance(_Conformance, kind="paraphrasers", promises=check_paraphraser):
    """Tests of a paraphraser: :func:`check_paraphraser` with ``texts`` and ``context``."""


class GeometryConformance(_Conformance, kind="geometry", promises=check_geometry):
    """Tests of a geometry: :func:`check_geometry` with ``texts``."""


class EngineConformance(_Conformance, kind="engines", promises=check_engine):
    """Tests of an engine: :func:`check_engine`."""


def _holds(promise: bool, sentence: str, where: str) -> None:
    """Say which promise is broken, and where it stands."""
    if not promise:
        raise AssertionError(f"{sentence.rstrip('.')} (see robustfim.roles.{where}).")


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Let robustfim's own errors pass, and say of all others where a plugin raised them."""
    try:
        yield
    except (AssertionError, RobustfimError):
        raise
    except (Exception, SystemExit) as error:  # a plugin may raise anything, or leave
        raise AssertionError(f"it raised {told(error)} (see robustfim.roles.{where}).") from error


def _members(kind: str, part: Any) -> None:
    try:
        check_members(kind, part, type(part).__module__)
    except PluginError as error:
        raise AssertionError(f"{error} (see robustfim.members.ROLES[{kind!r}])") from None


def _examples(texts: Iterable[str | Example] | None) -> list[Example]:
    """Make distinct examples, with something that could be changed by mistake."""
    given = TEXTS if texts is None else texts
    made = [
        Example({"text": each}, None, {"tags": ["conformance"]}) if isinstance(each, str) else each for each in given
    ]
    if not made:
        raise ValueError("there are no texts to check with.")
    return list({each.id: each for each in made}.values())


def _prepare(part: Any, context: Context | None, examples: Sequence[Example], where: str) -> None:
    prepare: Callable[[Context], Any] | None = getattr(part, "prepare", None)
    if prepare is not None:
        around = context or make_context(data=list(examples), offline=True)
        with _told(where):
            prepare(around)


@contextmanager
def _untouched(examples: Sequence[Example], where: str) -> Iterator[None]:
    """Hold that the examples are afterwards what they were."""
    before = [pickle.dumps(example) for example in examples]
    yield
    for example, was in zip(examples, before, strict=True):
        _holds(pickle.dumps(example) == was, f"it changed the example {example.text!r} that it was given", where)


@contextmanager
def _no_global_generator(where: str) -> Iterator[None]:
    """Hold that Python's and NumPy's global generators are not drawn from."""
    import numpy as np

    def state() -> tuple[Any, str]:
        return global_random.getstate(), repr([*map(repr, np.random.get_state())])

    before = state()
    yield
    _holds(state() == before, "it drew from a global generator: draw from the one that it is given", where)


def _near(one: float, other: float, within: float = 1e-9) -> bool:
    """Whether two numbers are the same but for the last digits, or both undefined."""
    alike = one == other or math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=within)
    return alike or (math.isnan(one) and math.isnan(other))


def _steadily(
    ask: Callable[[list[T]], Iterable[Any]], given: list[T], where: str,
    same: Callable[[Any, Any], bool] = operator.eq, *,
    right: Callable[[Any], bool] = lambda _: True, wanted: str = "", singly: bool = True,
) -> list[Any]:  # fmt: skip
    """Ask about a batch, again, in another order and one by one, and hold that the answers are right and the same."""

    def asked(batch: list[T]) -> list[Any]:
        with _told(where):
            answers = list(ask(batch))
        _holds(len(answers) == len(batch), f"it gave {len(answers)} answers for {len(batch)}", where)
        _holds(all(map(right, answers)), f"it gave {shown(answers)}, not {wanted}", where)
        return answers

    answers = asked(given)
    others = {"twice": asked(given), "in another order": asked(given[::-1])[::-1]}
    if singly:
        others["one by one"] = [asked([each])[0] for each in given]
    for what, again in others.items():
        for each, one, other in zip(given, answers, again, strict=True):
            text = getattr(getattr(each, "example", each), "text", each)
            _holds(same(one, other), f"asked {what}, it gave {shown(text)} {shown(one)} and {shown(other)}", where)
    return answers


def _few(found: Sequence[Any]) -> str:
    return shown([each.after if isinstance(each, Edit) else each.example.text for each in found[:3]])
