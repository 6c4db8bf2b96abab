"""Trials: try a perturbation or a rule on texts, show the progress, and save failing texts as a suite."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import yaml

from robustfim.collect import flow, named_part
from robustfim.errors import RobustfimError, UsageError, shown
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.parts import ExpectationPart, PerturbationPart
from robustfim.spans import written_spans
from robustfim.statistics import Rate
from robustfim.suite import check_name
from robustfim.whole_file import write_whole
from robustfim_explore.form import entered
from robustfim_explore.request import Body, Json, typed

if TYPE_CHECKING:
    from robustfim.candidate import Candidate
    from robustfim.collect import Named
    from robustfim.prediction import Prediction
    from robustfim.roles import Context
    from robustfim_explore.live import LiveModel
    from robustfim_explore.subject import Subject

__all__ = ["Trial", "Trials"]

_TOGETHER = 16
"""Texts that are perturbed and predicted between two looks at the progress."""

_KEPT = 500
"""Failing pairs that the page is shown."""


@dataclass
class Trial:
    """A perturbation that a person tries on some texts, with the results so far.

    Attributes:
        name: The number of the trial.
        spec: The perturbation as a mapping with ``use`` and options.
        texts: The number of texts on which it is tried.
    """

    name: str
    spec: Json
    texts: int
    done: int = 0
    testable: int = 0
    candidates: int = 0
    failing: set[str] = field(default_factory=set)
    pairs: list[Json] = field(default_factory=list)
    state: str = "running"
    message: str = ""
    task: asyncio.Task[None] | None = None

    def told(self) -> Json:
        """Return the progress and the results so far."""
        rate = Rate(len(self.failing), self.testable)
        return {
            "trial": self.name, "spec": self.spec, "texts": self.texts, "done": self.done, "testable": self.testable,
            "candidates": self.candidates, "failing": len(self.failing), "failures": len(self.pairs),
            "rate": rate.rate, "interval": rate.interval, "pairs": self.pairs[:_KEPT], "state": self.state,
            "message": self.message,
        }  # fmt: skip


class Trials:
    """The perturbations that a person has tried on texts in one session of the page.

    Args:
        subject: The run and its models.
        ask: Calls a function on the models' thread.
    """

    def __init__(self, subject: Subject, ask: Callable[..., Awaitable[Any]]) -> None:
        self._subject, self._ask = subject, ask
        self._numbers = count(1)
        self._all: dict[str, Trial] = {}
        self._examples = subject.record.example_by_id

    def begin(self, model: LiveModel, asked: Body) -> Json:
        """Start to try a perturbation on texts.

        Args:
            model: The model.
            asked: ``perturb`` is a form: a name under ``use``, and the text of each option. The texts are ``examples``,
                a list of ids, or ``fields``, one text. ``candidates`` is the number of candidates of a text.

        Raises:
            UsageError: The perturbation or the texts are wrong.
        """
        given, number = asked.get("perturb"), asked.get("candidates", 8)
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= 100:
            raise UsageError(f"candidates: {number!r} is not a number from 1 to 100.")
        named = flow(entered(model.part.manager, given))
        part = named_part("perturbations", named, model.part.manager, "perturb", perturb=True)
        spec = {**part.file.data["perturbation"]}
        spec.setdefault("candidates", number)
        texts = self._texts(asked)
        trial = Trial(str(next(self._numbers)), spec, len(texts))
        self._all[trial.name] = trial
        trial.task = asyncio.create_task(self._run(trial, model, part, texts))
        return trial.told()

    def find(self, name: str) -> Trial:
        """Return a trial by its number.

        Raises:
            UsageError: There is no such trial.
        """
        if name not in self._all:
            raise UsageError(f"there is no trial {shown(name)}: it belongs to an earlier server. Start a new trial.")
        return self._all[name]

    def stop(self, name: str) -> Json:
        """Stop a trial; its results so far are kept."""
        trial = self.find(name)
        if trial.task is not None and trial.state == "running":
            trial.task.cancel()
            trial.state = "stopped"
        return trial.told()

    def as_check(self, name: str, check: Any) -> Json:
        """Return a trial as a check, to be pasted into a suite."""
        trial = self.find(name)
        return {"yaml": _yaml({"checks": {_check(check): {"perturb": trial.spec}}})}

    def save(self, name: str, check: Any) -> Json:
        """Write a trial's failing texts as data, and a new suite with one check that tests them.

        Both files are written to the folder of the run's suite. Each text is expected to have the gold label of its
        source or, if the source has none, the label that the model gave to the source.

        Raises:
            UsageError: Nothing failed, the run's suite file is missing, or a new file exists already.
        """
        trial, called, suite = self.find(name), _check(check), self._subject.suite
        if suite is None:
            raise UsageError("the suite of this record is missing, and the new file would go beside the suite.")
        if not trial.pairs:
            raise UsageError("nothing failed, so there is nothing to keep.")
        rows, own = suite.with_name(f"{called}.jsonl"), suite.with_name(f"{called}.yaml")
        for path in (rows, own):
            if path.exists():
                raise UsageError(f"{path} exists already: choose another name.")
        lines = [{**pair["after"], "label": pair["expected"], "source": pair["example"]} for pair in trial.pairs]
        fields = list(trial.pairs[0]["after"])
        data: Json = {"use": "jsonl", "path": rows.name, "label": "label"}
        data["text"] = fields[0] if len(fields) == 1 else fields
        file = self._subject.models[0].part.file.data
        kept: Json = {key: file[key] for key in ("plugins", "model") if key in file}
        whole: Json = {
            "suite": called, **kept, "data": data,
            "checks": {called: {"perturb": "itself", "expect": "correct", "limit": 0.0}},
        }  # fmt: skip
        head = f"# What {flow(trial.spec)} broke, found by 'robustfim explore' on {self._subject.record.suite}.\n"
        write_whole(rows, "".join(f"{json.dumps(line, ensure_ascii=True)}\n" for line in lines).encode())
        write_whole(own, (head + _yaml(whole)).encode("utf-8", "backslashreplace"))
        return {"files": [str(own), str(rows)], "texts": len(lines)}

    def _texts(self, asked: Body) -> list[Example]:
        ids = asked.get("examples")
        if ids is None:
            return [typed(asked.get("fields"), self._subject.fields)]
        if not isinstance(ids, list) or not ids or not all(isinstance(each, str) for each in ids):
            raise UsageError("examples: a list of ids is needed, and at least one.")
        if unknown := [each for each in ids if each not in self._examples]:
            raise UsageError(f"the run has no example {unknown[0]!r}.")
        found = [self._examples[each] for each in dict.fromkeys(ids)]
        return [Example(each.fields, each.label) for each in found]

    async def _run(self, trial: Trial, model: LiveModel, part: Named, texts: Sequence[Example]) -> None:
        """Try one part of the texts after the other."""
        try:
            judge = await self._ask(lambda: _expectation(model, part))
            for start in range(0, len(texts), _TOGETHER):
                block = texts[start : start + _TOGETHER]
                judged = await self._ask(lambda block=block: _judged(model, part, trial.spec, judge, block))
                for found in judged:
                    trial.testable += found["tested"] > 0
                    trial.candidates += found["tested"]
                    if found["pairs"]:
                        trial.failing.add(found["example"])
                        trial.pairs += found["pairs"]
                trial.done += len(block)
            trial.state = "done"
        except RobustfimError as error:
            trial.state, trial.message = "error", str(error)


class _ByExample(Wrapper):
    """A context in which each text counts by its own gold label: what a person types has none."""

    labelled = None


def _expectation(model: LiveModel, part: Named) -> ExpectationPart:
    """What the perturbation's candidates should meet: mostly, that the label does not change."""
    expected = json.dumps(PerturbationPart(part.cls).contract.expects)
    made: ExpectationPart = named_part("expectations", expected, model.part.manager, "expect").make()
    made.prepare(cast("Context", _ByExample(model.context)))
    return made


def _judged(model: LiveModel, part: Named, spec: Body, judge: ExpectationPart, block: Sequence[Example]) -> list[Json]:
    """Perturb, predict and judge those of some texts that can fail."""
    from robustfim.api import perturb

    known = zip(block, model.predict(block), strict=True)
    block = [each for each, was in known if was is not None and judge.at_risk(was, each)]
    if not block:
        return []
    made = perturb(
        spec, list(block), candidates=int(spec["candidates"]), model=model.context.model, seed=model.seed,
        plugins=model.part.manager, offline=model.offline,
    )  # fmt: skip
    steps = [each for pool in made for each in pool if each.step is not None]
    if steps:
        raise UsageError(
            "this perturbation makes steps in embedding space, not texts. Use the slider in the tab Text for steps."
        )
    before = model.predict(made.examples)
    carries = PerturbationPart(part.make()).contract.carries
    pools = [[replace(each, carries=each.carries or carries) for each in pool] for pool in made]
    flat = [each for pool in pools for each in pool]
    answers = iter(model.predict([each.example for each in flat]))
    found = []
    for source, was, pool in zip(made.examples, before, pools, strict=True):
        tested, pairs = 0, []
        for candidate in pool:
            now = next(answers)
            if was is None or now is None:
                continue
            judgement = judge.judge(was, now, candidate)
            if judgement.verdict == "not applicable":
                continue
            tested += 1
            if judgement.failed:
                pairs.append(_pair(source, candidate, was, now, judgement.reason))
        found.append({"example": source.id, "tested": tested, "pairs": pairs})
    return found


def _pair(source: Example, candidate: Candidate, was: Prediction, now: Prediction, reason: str) -> Json:
    expected = candidate.example.label
    if expected is None and was.spans is not None:
        expected = written_spans(span.bare for span in candidate.projected(was.label).spans)
    return {
        "example": source.id, "before": dict(source.fields), "after": dict(candidate.example.fields),
        "label": was.shown, "probability": was.confidence, "now": now.shown, "now_probability": now.confidence,
        "expected": was.label if expected is None else expected, "reason": reason,
        "edits": [[edit.before, edit.after, edit.origin] for edit in candidate.edits],
    }  # fmt: skip


def _check(name: Any) -> str:
    try:
        return check_name(name if isinstance(name, str) else "")
    except ValueError as error:
        raise UsageError(f"{error}.") from None


def _yaml(value: Body) -> str:
    from robustfim.suite import as_plain

    return str(yaml.safe_dump(as_plain(value), sort_keys=False, width=120, allow_unicode=True))
