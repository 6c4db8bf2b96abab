"""The page of the user study: people search for adversaries of the run's texts, and rate other people's adversaries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from robustfim.collect import named_part
from robustfim.errors import ModelError, UsageError, shown
from robustfim.example import Example
from robustfim.parts import ParaphraserPart
from robustfim_explore.adversaries import ARMS, Adversaries, Task, add, rating, read, surest, unrated
from robustfim_explore.request import Body, Json

if TYPE_CHECKING:
    from robustfim_explore.live import LiveModel
    from robustfim_explore.subject import Subject

__all__ = ["UserStudy"]


class UserStudy:
    """Answers the requests of the user study's page ``/study``, and writes each person's answer at once.

    Args:
        subject: The run, with its models.
        ask: Calls a function on the models' thread.

    Attributes:
        path: The file of answers, in the folder of the review file.
    """

    def __init__(self, subject: Subject, ask: Callable[..., Awaitable[Any]]) -> None:
        self._subject, self._ask = subject, ask
        self._tasks: dict[str, Task] = {}
        self._look: Adversaries | None = None
        self.path = subject.review.with_suffix(".adversaries.jsonl")

    async def next(self, body: Body) -> Json:
        """Return the next text for a person, or ``done`` if none is left.

        In the arm ``sea``, in which only a paraphraser seeks adversaries, the task ends at once.

        Raises:
            UsageError: The arm (who seeks the adversary) or the person's name is missing.
            ModelError: There is no model.
        """
        arm, who = body.get("arm"), _who(body)
        rows = read(self.path)
        if arm == "rater":
            pair = next(iter(unrated(rows, who)), None)
            return {"done": True} if pair is None else {"before": pair[0], "after": pair[1]}
        if arm not in ARMS:
            raise UsageError(f"{shown(arm)} is none of {', '.join(ARMS)}, rater.")
        seen = {row["example"] for row in rows if row.get("arm") == arm and row["who"] == who}
        task = await self._ask(self._begun, arm, seen)
        if task is None:
            return {"done": True}
        self._tasks[who] = task
        if arm == "sea":
            self.end({**body, "place": min(1, len(task.found))})
        return {"text": task.text, "label": task.label, "left": task.left, "found": task.found}

    async def attempt(self, body: Body) -> Json:
        """Return the model's label for a person's attempt at an adversary, and the adversaries found so far.

        Raises:
            UsageError: No text was shown, no attempt is left, or the attempt is empty.
        """
        task, text = self._task(_who(body)), body.get("text")
        if not isinstance(text, str) or not text.strip():
            raise UsageError("the text is empty.")
        label = await self._ask(self._looking().attempt, task, text)
        return {"label": label, "changed": label != task.label, "left": task.left, "found": task.found}

    def end(self, body: Body) -> Json:
        """Record which adversary a person considers closest in meaning to the text.

        Raises:
            UsageError: No text was shown, or there is no such adversary.
        """
        who, place = _who(body), body.get("place")
        row = self._looking().end(self._task(who), place, who)  # type: ignore[arg-type]  # it is looked at there
        del self._tasks[who]
        add(self.path, row)
        return row

    def rate(self, body: Body) -> Json:
        """Record a person's rating of the similarity of two texts.

        Raises:
            UsageError: This person has no such pair to rate, or the rating is not from 1 to 5.
        """
        who, pair = _who(body), (body.get("before"), body.get("after"))
        if pair not in unrated(read(self.path), who):
            raise UsageError("you cannot rate this pair: you rated or found it already, or no person found it.")
        row = rating(str(pair[0]), str(pair[1]), body.get("similarity"), who)  # type: ignore[arg-type]  # likewise
        add(self.path, row)
        return row

    def _begun(self, arm: str, seen: set[str]) -> Task | None:
        model = self._model()
        return next(self._looking().tasks(arm, model.examples, model.seed, seen), None)

    def _model(self) -> LiveModel:
        if not self._subject.models:
            raise ModelError(f"the study needs the model: {self._subject.why}")
        return self._subject.models[0]

    def _looking(self) -> Adversaries:
        """Make what looks for adversaries, once."""
        if self._look is None:
            model, (name, *_) = self._model(), self._subject.fields
            part = named_part("paraphrasers", self._subject.paraphraser, self._subject.manager, "--paraphraser")
            paraphraser = part.make()
            ParaphraserPart(paraphraser).prepare(model.context)

            def predict(texts: Sequence[str]) -> list[str]:
                found = model.predict([Example({name: text}) for text in texts])
                return ["" if prediction is None else prediction.label for prediction in found]

            self._look = Adversaries(predict, lambda text: surest(paraphraser, text, model.seed))
        return self._look

    def _task(self, who: str) -> Task:
        if who not in self._tasks:
            raise UsageError("no text was shown: ask for the next one first.")
        return self._tasks[who]


def _who(body: Body) -> str:
    who = body.get("who")
    if not isinstance(who, str) or not who.strip():
        raise UsageError("give your name, so that you do not rate pairs that you found.")
    return who.strip()
