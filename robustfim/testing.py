"""Conformance: what a plugin's author asserts in a test of their own, that a part keeps what its role promises.

A function for each kind of part that authors write most. Each asks the part as a run would, twice and in another
order, and raises an :class:`AssertionError` whose sentence says what is wrong and which role of :mod:`robustfim.roles`
says so. No test runner is needed. What a part raises itself is such an error, too, but for robustfim's own errors,
which say already what is missing or wrong.
"""

from __future__ import annotations

import math
import pickle
import random as global_random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from robustfim.api import context as make_context
from robustfim.blame import told
from robustfim.candidate import Candidate, Edit
from robustfim.errors import ModelError, PluginError, RobustfimError, shown
from robustfim.example import Example
from robustfim.judgement import Judgement
from robustfim.members import check_members, member
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.seeds import random_for
from robustfim.words import word_spans

__all__ = [
    "TEXTS",
    "check_constraint",
    "check_data",
    "check_expectation",
    "check_model",
    "check_perturbation",
    "check_scorer",
]

T = TypeVar("T")

TEXTS: tuple[str, ...] = (
    "Nicole Kidman was wonderful in this film, and I didn't notice that it took 2 hours.",
    "The plot is dull. We watched it in Paris with Anna Smith, and nobody liked the awful music!",
    "“Überraschend gut” — she said, 日本語 🙂",
    "",
)
"""The texts that are tried where none are given: with names, places, numbers, other scripts, and without a word."""

_MOST_EDITS = 10_000
_MOST_CANDIDATES = 50
_MOST_EXAMPLES = 1_000
"""How many are read of what may have no end."""
_TOLERANCE = 1e-3
"""How far two answers may lie apart: the batch that an example is in changes the last digits."""


def check_perturbation(
    perturbation: Any, texts: Iterable[str | Example] | None = None, *, context: Context | None = None, seed: int = 0
) -> None:
    """Assert that a perturbation keeps the promises of :class:`robustfim.roles.Substitution` or ``Perturbation``.

    Its edits match the text at their place and its candidates are the example's, it draws from the generator that it is
    given and from no other, it makes the same of an example whatever it was asked before, and it changes no example.

    Args:
        perturbation: The perturbation, made.
        texts: What to perturb; :data:`TEXTS` where it is not given. At least one must be changed.
        context: What its ``prepare`` is given; one of the texts without a model where it is not given.
        seed: Decides the generators that it is given.

    Raises:
        AssertionError: It breaks a promise, or makes nothing of all the texts.
    """
    _members("perturbations", perturbation)
    role = "Substitution.edits" if hasattr(perturbation, "edits") else "Perturbation.propose"
    examples = _examples(texts)
    _prepare("perturbations", perturbation, context, examples, role)
    foresee = member("perturbations", perturbation, "foresee")

    def made(example: Example) -> list[Any]:
        random = random_for(seed, "conformance", example.id)
        with _told(role):
            if role == "Substitution.edits":
                found = list(islice(perturbation.edits(example, random), _MOST_EDITS))
                return [*found, *_combined(perturbation, example, found)]
            return list(islice(perturbation.propose(example, random), _MOST_CANDIDATES))

    def made_of_all(order: Sequence[Example]) -> dict[str, list[Any]]:
        if foresee is not None:
            with _told(role):
                foresee(order)
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
    idle = not changing and not member("perturbations", perturbation, "tests_unchanged")
    _holds(not idle, f"it changed none of {len(examples)} texts: give some that it applies to, as texts=[…]", role)
    if any(isinstance(each, Candidate) and each.step is not None for each in changing):
        where = "StepPerturbation.predict"
        _holds(
            callable(getattr(perturbation, "predict", None)), "its candidates are steps, and it predicts none", where
        )


def _changes(made: Edit | Candidate) -> bool:
    return made.before != made.after if isinstance(made, Edit) else not made.unchanged


def _combined(perturbation: Any, example: Example, edits: Sequence[Edit]) -> list[Any]:
    combine = member("perturbations", perturbation, "combine")
    return [] if combine is None else list(islice(combine(example, list(edits), 1), _MOST_CANDIDATES))


def _check_made(each: Any, example: Example, role: str) -> None:
    """Check an edit or a candidate of an example."""
    if isinstance(each, Edit):
        try:
            Candidate(example, (each,))
        except (ValueError, TypeError, AttributeError) as error:
            _holds(False, f"of {example.text!r} it made an {error}", role)
        texts = (each.after, each.origin)
        _holds(all(isinstance(text, str) for text in texts), f"{each} holds something else than texts", role)
        return
    _holds(isinstance(each, Candidate), f"it made {shown(each)}, which is neither an edit nor a candidate", role)
    _holds(each.source == example, f"of {example.text!r} it made a candidate of {each.source.text!r}", role)
    _holds(each.label is None or isinstance(each.label, str), f"the label {each.label!r} is no text", role)


def check_model(model: Any, texts: Iterable[str | Example] | None = None) -> None:
    """Assert that a model keeps the promises of :class:`robustfim.roles.Model`, or of ``AnsweringModel``.

    Its labels differ, its fingerprint is a text that stays, its answers are probabilities of the right shape that sum
    to 1, and each answer is its example's own, whatever stands beside it in the batch. A model with ``embed`` and
    ``logits`` gives with them what ``predict`` gives; ``overlong`` and ``stream`` are held to the same.

    Args:
        model: The model, made.
        texts: What to predict, at least one; :data:`TEXTS` where it is not given.

    Raises:
        AssertionError: It breaks a promise.
    """
    from robustfim.predict.answers import agree, read_answers, read_rows
    from robustfim.predict.labels import is_answering, model_labels

    _members("models", model)
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
        rows = asked(examples)
        same(rows, asked(examples), "it does not say the same twice", where)
        same(rows, asked(examples[::-1])[::-1], "a batch in another order has other answers", where)
        same(rows, [asked([each])[0] for each in examples], "alone and in a batch its answers differ", where)
        if (overlong := member("models", model, "overlong")) is not None:
            marks = list(overlong(examples))
            right = len(marks) == len(examples) and all(type(each).__name__ in ("bool", "bool_") for each in marks)
            _holds(right, f"overlong gave {shown(marks)}, not True or False for each of {len(examples)} examples", role)
        if (stream := member("models", model, "stream")) is not None:
            with _told(f"{role} (stream)"):
                pairs = list(stream([[each] for each in examples]))
            places = sorted(place for place, _ in pairs)
            _holds(places == list(range(len(examples))), f"stream answered the batches {places}", role)
            parts = dict(pairs)
            streamed = [checked(parts[at], [each], role)[0] for at, each in enumerate(examples)]
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

    where, jacobian = "DifferentiableModel.jacobian", member("models", model, "jacobian")
    _holds(jacobian is not None, "its embeddings are NumPy arrays, which nothing else differentiates", where)
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
    fingerprint = "robustfim.testing"

    def __init__(self) -> None:
        self.answered: set[str] = set()
        self.again: str | None = None

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        rows = []
        for each in examples:
            if each.id in self.answered:
                self.again = each.text
            self.answered.add(each.id)
            total = sum(int.from_bytes(word.encode("utf-8", "replace"), "big") % 13 - 6 for word in each.text.split())
            positive = 1 / (1 + math.exp(-total / 4))
            rows.append([1 - positive, positive])
        return rows


def check_scorer(
    scorer: Any, texts: Iterable[str | Example] | None = None, *, context: Context | None = None
) -> None:  # fmt: skip
    """Assert that a score keeps the promises of :class:`robustfim.roles.Scorer`.

    One number an example, in their order, the same when it is asked again, in another order or one by one; and
    predictions come from the context, never from the model itself.

    Args:
        scorer: The score, made.
        texts: What to score; :data:`TEXTS` where it is not given.
        context: The run's context, with the model; where it is not given, one with a small model without gradients. A
            score that reads gradients needs one: ``robustfim.context(model, texts)``.

    Raises:
        AssertionError: It breaks a promise, or no number of all examples is defined.
    """
    where = "Scorer.score"
    _members("scorers", scorer)
    ends = ("highest", "lowest")
    _holds(scorer.hardest in ends, f"hardest is {scorer.hardest!r}, not 'highest' or 'lowest'", "Scorer.hardest")
    examples = _examples(texts)
    counted = _CountedModel()
    context = context or make_context(counted, examples, offline=True)
    predicted = context.predict(examples)
    examples = [each for each, prediction in zip(examples, predicted, strict=True) if prediction is not None]
    _holds(bool(examples), "the model of the context predicts none of the texts, so there is nothing to score", where)

    def asked(batch: Sequence[Example]) -> list[float]:
        with _told(where):
            raw = list(scorer.score(batch, context))
        _holds(len(raw) == len(batch), f"it gave {len(raw)} numbers for {len(batch)} examples", where)
        try:
            return [float(each) for each in raw]
        except (TypeError, ValueError):
            _holds(False, f"it gave {shown(raw)}, not numbers", where)
            raise

    with _untouched(examples, where):
        numbers = asked(examples)
        for what, others in (
            ("twice", asked(examples)),
            ("in another order", asked(examples[::-1])[::-1]),
            ("one by one", [asked([each])[0] for each in examples]),
        ):
            for example, number, other in zip(examples, numbers, others, strict=True):
                same = number == other or math.isclose(number, other, rel_tol=_TOLERANCE, abs_tol=1e-9)
                same = same or (math.isnan(number) and math.isnan(other))
                _holds(same, f"asked {what}, it scored {example.text!r} as {number} and as {other}", where)
    defined = [each for each in numbers if not math.isnan(each)]
    _holds(bool(defined), f"no score of {len(examples)} examples is defined", where)
    direct = counted.again
    _holds(direct is None, f"it asked the model itself about {direct!r}: ask context.predict", "Context.model")


def check_constraint(
    constraint: Any, candidates: Iterable[Candidate] | None = None, *, context: Context | None = None
) -> None:
    """Assert that a constraint keeps the promises of :class:`robustfim.roles.Constraint`.

    It says None or a reason on one line, says the same when it is asked again in another order, and changes nothing.

    Args:
        constraint: The constraint, made.
        candidates: What to show it; where it is not given, :data:`TEXTS` with a word left out, replaced or repeated.
        context: What its ``prepare`` is given; one of the candidates' sources without a model where it is not given.

    Raises:
        AssertionError: It breaks a promise.
    """
    where = "Constraint.reject"
    _members("constraints", constraint)
    shown_to = list(_edited() if candidates is None else candidates)
    _holds(bool(shown_to), "there is no candidate to show it", where)
    sources = list({each.source.id: each.source for each in shown_to}.values())
    _prepare("constraints", constraint, context, sources, where)

    def asked(order: Sequence[Candidate]) -> list[Any]:
        with _told(where):
            return [constraint.reject(each) for each in order]

    with _untouched(sources, where):
        reasons = asked(shown_to)
        again = asked(shown_to[::-1])[::-1]
    for candidate, reason, other in zip(shown_to, reasons, again, strict=True):
        text = candidate.example.text
        said = reason is None or (isinstance(reason, str) and reason.strip() and "\n" not in reason)
        _holds(
            bool(said), f"of {text!r} it said {shown(reason)}, which is neither None nor a reason on one line", where
        )
        _holds(reason == other, f"of {text!r} it said {reason!r} and then {other!r}", where)


def _edited() -> Iterator[Candidate]:
    """Leave a word of each text out, replace it, and repeat it."""
    for example in _examples(None):
        for start, end in word_spans(example.text)[:5]:
            word = example.text[start:end]
            for after in ("", "thing", f"{word} {word}"):
                yield Candidate(example, (Edit("text", start, end, word, after, "conformance"),))


def check_expectation(
    expectation: Any, pairs: Iterable[tuple[Prediction, Prediction, Candidate]] | None = None, *,
    context: Context | None = None,
) -> None:  # fmt: skip
    """Assert that an expectation keeps the promises of :class:`robustfim.roles.Expectation`.

    It gives a Judgement of each pair, and the same when it is asked again in another order.

    Args:
        expectation: The expectation, made.
        pairs: Predictions before and after, and the candidate; where it is not given, pairs in which the label stays,
            changes, and becomes less sure.
        context: What its ``prepare`` is given; one of the sources without a model where it is not given.

    Raises:
        AssertionError: It breaks a promise.
    """
    where = "Expectation.judge"
    _members("expectations", expectation)
    judged = list(_pairs() if pairs is None else pairs)
    _holds(bool(judged), "there is no pair to judge", where)
    sources = list({each.source.id: each.source for _, _, each in judged}.values())
    _prepare("expectations", expectation, context, sources, where)

    def asked(order: Sequence[tuple[Prediction, Prediction, Candidate]]) -> list[Any]:
        with _told(where):
            return [expectation.judge(*each) for each in order]

    with _untouched(sources, where):
        found = asked(judged)
        again = asked(judged[::-1])[::-1]
    for (before, after, _), one, other in zip(judged, found, again, strict=True):
        what = f"of {before.label} -> {after.label}"
        _holds(isinstance(one, Judgement), f"{what} it said {shown(one)}, not a Judgement", where)
        _holds(one == other, f"{what} it said {one} and then {other}", where)


def _pairs() -> Iterator[tuple[Prediction, Prediction, Candidate]]:
    labels = ("negative", "positive")
    for candidate in _edited():
        for before, after in ((0.9, 0.8), (0.9, 0.2), (0.1, 0.3), (0.6, 0.6)):
            yield Prediction.of((1 - before, before), labels), Prediction.of((1 - after, after), labels), candidate


def check_data(source: Any) -> None:
    """Assert that a data source keeps the promises of :class:`robustfim.roles.DataSource`.

    It gives examples with at least one field, and the same ones in the same order when it is read again.

    Args:
        source: The source, made; of one without an end its first 1,000 examples are read.

    Raises:
        AssertionError: It breaks a promise, or gives no example.
    """
    where = "DataSource.load"
    _members("data", source)

    def read() -> list[Any]:
        with _told(where):
            return list(islice(source.load(), _MOST_EXAMPLES))

    found = read()
    _holds(bool(found), "it gave no example; data that are empty are a DataError", where)
    for each in found:
        _holds(isinstance(each, Example), f"it gave {shown(each)}, which is no Example", where)
        _holds(bool(each.fields), "it gave an example without a field", where)
    again = read()
    _holds(len(again) == len(found), f"it gave {len(found)} examples and then {len(again)}", where)
    for place, (one, other) in enumerate(zip(found, again, strict=True)):
        same = (dict(one.fields), one.gold) == (dict(other.fields), other.gold)
        _holds(same, f"example {place} was {one.text!r} and then {other.text!r}: the order must be stable", where)
    skipped = member("data", source, "skipped")
    counts = isinstance(skipped, Mapping) and all(
        isinstance(reason, str) and isinstance(number, int) and number >= 0 for reason, number in skipped.items()
    )
    _holds(counts, f"skipped is {shown(skipped)}, not a count by reason", "DataSource")


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


def _prepare(kind: str, part: Any, context: Context | None, examples: Sequence[Example], where: str) -> None:
    prepare: Callable[[Context], Any] | None = member(kind, part, "prepare")
    if prepare is not None:
        around = context or make_context(data=list(examples), offline=True)
        with _told(where):
            prepare(around)


@contextmanager
def _untouched(examples: Sequence[Example], where: str) -> Iterator[None]:
    """Hold that the examples are afterwards what they were."""
    before = [pickle.dumps(each) for each in examples]
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


def _few(found: Sequence[Any]) -> str:
    return shown([each.after if isinstance(each, Edit) else each.example.text for each in found[:3]])
