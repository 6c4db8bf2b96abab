"""The desk: answers all requests of the page, and runs the single thread that calls the models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from robustfim.blame import blame
from robustfim.errors import ModelError, RobustfimError, UsageError, shown
from robustfim.judge import first_failures, ordered_failures
from robustfim.parts import PerturbationPart
from robustfim_explore.answers import Answers
from robustfim_explore.live import LiveModel
from robustfim_explore.people import UserStudy
from robustfim_explore.request import Body, Json, typed
from robustfim_explore.subject import Subject
from robustfim_explore.trial import Trials

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim.record import ExampleRecord, Failure

__all__ = ["Desk"]

_T = TypeVar("_T")

_PAIRS = 100
"""Pairs that the tab *Text* lists."""


class Desk:
    """Answers the requests of the served page ``robustfim explore``: predictions, explanations and reviews.

    Models are loaded and called in one separate thread, one request after the other, so plugins need not be
    thread-safe. A long request is split into parts, and other requests are answered between them.

    Attributes:
        state: ``loading``, ``ready`` or ``off``.
        why: Why the models are off.
        notes: Notes about the models, for example that a model differs from the model of the record.
        gradients: Whether the first model has gradients, once it is ready.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.record = subject.record
        self.answers = Answers(subject.record, subject.review, subject.who)
        self.examples = self.record.example_by_id
        self.failures = {failure.id: failure for failure in self.record.failures}
        self.state, self.why = ("loading", "") if subject.models else ("off", subject.why)
        self.notes: list[str] = []
        self.gradients = False
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="model")
        self.trials = Trials(subject, self.ask)
        self.study = UserStudy(subject, self.ask)

    async def ask(self, question: Callable[..., _T], *given: Any) -> _T:
        """Call a function on the models' thread.

        Raises:
            RobustfimError: The model or a plugin raised. Even ``sys.exit()`` is converted, which would otherwise end
                the server.
        """

        def blamed() -> _T:
            with blame("the model or a plugin", ModelError):
                return question(*given)

        return await asyncio.get_running_loop().run_in_executor(self.thread, blamed)

    async def open(self) -> None:
        """Load the models, and check whether the first model is the model of the record."""
        if self.state != "loading":
            return
        try:
            prints = await self.ask(lambda: [model.fingerprint for model in self.subject.models])
            reasons = await self.ask(lambda: [model.no_gradients for model in self.subject.models])
            for model in self.subject.models:
                await self.ask(model.warm)
        except RobustfimError as error:
            self.state, self.why = "off", str(error)
            return
        recorded, models = self.record.model.fingerprint, self.subject.models
        without = [f"{model.name}: {why}" for model, why in zip(models, reasons, strict=True) if why]
        if recorded in prints:  # the record's own model is shown first
            models.insert(0, models.pop(prints.index(recorded)))
        if recorded not in prints:
            self.notes.append(
                f"The record is of another model ({recorded or 'none'}) than the one that is loaded ({prints[0]}): "
                "what is live need not agree with what the page says of the run."
            )
        self.notes += without
        self.gradients = not models[0].no_gradients
        self.state = "ready"

    def close(self) -> None:
        """End the models' thread and drop waiting requests. No review is lost: each answer is written at once."""
        self.thread.shutdown(wait=False, cancel_futures=True)

    # ---- what is told ----------------------------------------------------------------------------------

    def told(self) -> Json:
        """Return the description of the run for the page."""
        offered = {
            name: offer.owner
            for name, offer in self.subject.manager.offers("perturbations").items()
            if not PerturbationPart(offer.cls).takes_steps
        }
        return {
            "suite": self.record.suite,
            "record": str(self.subject.place),
            "beside": None if self.subject.suite is None else str(self.subject.suite.parent),
            **self.pulse(),
            "why": self.why,
            "notes": self.notes,
            "models": [model.name for model in self.subject.models],
            "fields": self.subject.fields,
            "labels": self.record.model.labels,
            "gradients": self.gradients,
            "pairs": self._pairs(),
            "perturbations": offered,
            "checks": {
                check.name: {key: value for key, value in check.perturbation.items() if value is not None}
                for check in self.record.checks
                if check.perturbation.get("use") in offered
            },
            "scores": [score.name for score in self.record.scores],
            "tested": [example.id for example in self.record.examples if example.arm is not None],
            "gold_of": {
                failure.id: failure.example
                for failure in self.record.failures
                if failure.example in self.examples and self.examples[failure.example].label is not None
            },
            **self.answers.told(),
        }

    def _pairs(self) -> list[dict[str, str]]:
        """Name what the page opens, in the order of the list: the first is open from the start.

        Failing pairs of different source texts, and those of each cause; without one, examples.
        """
        checks = {check.id: check.name for check in self.record.checks}
        causes = {id: cause.sentence for cause in reversed(self.record.causes) for id in cause.failures}
        first = first_failures(self.record, _PAIRS) or ordered_failures(self.record)[:_PAIRS]
        found = {each.id: each for each in first} | {
            id: self.failures[id].shown for id in causes if id in self.failures
        }
        return [
            {
                "id": each.id,
                "group": causes.get(each.id) or checks.get(each.check, each.check),
                "edit": ", ".join(f"{edit.before} → {edit.after}" for edit in each.edits),
            }
            for each in found.values()
        ] or [
            {"id": example.id, "group": "examples", "edit": " ".join(example.fields.values())}
            for example in self.record.examples[:_PAIRS]
        ]

    def pulse(self) -> dict[str, str]:
        """Return the state of the models and of the answer files, for the page, which asks every two seconds."""
        return {"state": self.state, "written": self.answers.written()}

    def source(self, failure: str) -> Json:
        """Return the source and the perturbed text of a failure, or the text of an example.

        Raises:
            UsageError: The run has no failure and no example with this id.
        """
        found: Failure | None = self.failures.get(failure)
        example: ExampleRecord | None = self.examples.get(failure if found is None else found.example)
        if example is None and found is None:
            raise UsageError(f"the run has no failure and no example {shown(failure)}.")
        return {
            "example": None if example is None else example.id,
            "failure": None if found is None else found.id,
            "check": None if found is None else found.check.rpartition("::")[2],
            "label": None if example is None else example.label,
            "before": None if example is None else dict(example.fields),
            "shown": None if found is None or found.step is not None else dict(found.shown.fields),
        }

    # ---- what is asked of the models -------------------------------------------------------------------

    async def look(self, body: Body) -> Json:
        """Return the prediction of each model for a text."""
        self._ready()
        example = typed(body.get("fields"), self.subject.fields)
        return {"models": await self.ask(lambda: [self._said(each, example) for each in self._ready()])}

    async def first(self, question: Callable[..., _T], body: Body, **options: Any) -> _T:
        """Ask the first model about a text.

        Args:
            question: A function of the model and an example.
            body: The text, as ``fields``.
            options: Further arguments of the function.
        """
        self._ready()
        example = typed(body.get("fields"), self.subject.fields)
        return await self.ask(lambda: question(self._ready()[0], example, **options))

    def begin(self, asked: Body) -> Json:
        """Start a trial of a perturbation."""
        return self.trials.begin(self._ready()[0], asked)

    def _ready(self) -> list[LiveModel]:
        if self.state == "loading":
            raise ModelError("the model is being loaded.")
        if self.state == "off":
            raise ModelError(f"there is no live model: {self.why}")
        return self.subject.models

    def _said(self, model: LiveModel, example: Example) -> Json:
        """What one model says; one that fails does not take the others with it."""
        try:
            with blame(f"model {model.name!r}", ModelError):
                return model.look(example)
        except RobustfimError as error:
            return {"model": model.name, "error": str(error)}
