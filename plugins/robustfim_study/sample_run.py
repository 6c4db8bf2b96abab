"""A sample run: run a suite's checks on a random sample of its data, and keep the answers to each example."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from robustfim.builtin import Invariant
from robustfim.candidate import Candidate
from robustfim.collect import Check, Collection
from robustfim.commands import Chosen, print_line, progress_bar
from robustfim.errors import ModelError, UsageError
from robustfim.hookspecs import hookimpl
from robustfim.judgement import Judgement, Verdict
from robustfim.members import Wrapper
from robustfim.outcome import Outcome
from robustfim.plugin import load_plugins
from robustfim.prediction import Prediction, require_one_label
from robustfim.record import CheckRecord, Record, ScoreRecord
from robustfim.roles import Expectation
from robustfim.session import open_session
from robustfim.suite import Location, RunConfig, SuiteFile

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Answer", "Answers", "SampleRun", "clusters_of", "known_scores", "run_sample"]

_STUDY = "robustfim study"
"""What messages name for what the study itself says of the suite."""


@dataclass(frozen=True)
class Answer:
    """The model's answer to one candidate (a perturbed text, or a step in embedding space).

    Attributes:
        right: Whether the predicted label is the gold label of the candidate; None without a gold label.
        failed: Whether the candidate fails its check.
        flipped: Whether the predicted label differs from that of the source, whether or not the check allows this.
        norm: The signed length of the candidate's step in embedding space; None for a text.
    """

    right: bool | None
    failed: bool = False
    flipped: bool = False
    norm: float | None = None


Answers = dict[tuple[str, str], list[Answer]]
"""The answers to the candidates that a check judged passed or failed, by the check's name and the example's id."""


@dataclass(frozen=True)
class SampleRun:
    """A finished run on a random sample.

    Attributes:
        record: The run record; its examples have their scores.
        answers: The answers to the candidates of each tested example.
        checks: The names of the checks that tested a candidate, in the suite's order.
    """

    record: Record
    answers: Answers
    checks: tuple[str, ...]

    def of(self, check: str, example: str) -> list[Answer]:
        """Return the answers to the candidates of an example under a check; empty if none was tested."""
        return self.answers.get((check, example), [])


class _Noted(Wrapper):
    """An expectation that notes each answer it judges."""

    def __init__(self, expectation: Expectation, check: str, answers: Answers) -> None:
        super().__init__(expectation)
        self._check, self._answers = check, answers
        self._noted: set[Any] = set()

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge one candidate, and note the answer."""
        judgement: Judgement = self.wrapped.judge(before, after, candidate)
        key = self._check, candidate.source.id
        content = key, tuple(candidate.example.fields.items()), candidate.step
        if judgement.verdict is not Verdict.NOT_APPLICABLE and content not in self._noted:  # each is judged twice
            self._noted.add(content)
            norm = None if candidate.step is None else candidate.step.norm
            right, flipped = after.right(candidate.example.gold), before.label != after.label
            self._answers.setdefault(key, []).append(Answer(right, judgement.failed, flipped, norm))
        return judgement


def _of_changes(expectation: Expectation) -> Expectation:
    """Count changes, as Datta et al. do, of right answers and of wrong ones."""
    return Invariant(expectation.tolerance, "changes") if isinstance(expectation, Invariant) else expectation


class _Watch:
    """Notes the answers that every check of a run judges, and prints a line for each check."""

    def __init__(
        self, answers: Answers, console: Console, study: str, *, steps: bool, gold: bool, needs: Sequence[str]
    ) -> None:
        self._answers, self._console, self._study = answers, console, study
        self._steps, self._gold, self._needs = steps, gold, needs

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """If the study needs gold labels, refuse data without any before the model is asked."""
        if self._gold and not any(example.label is not None for example in collection.examples):
            raise UsageError(f"{self._study} needs gold labels, and no example of the data has one.")

    @hookimpl
    def robustfim_selection_finish(self, scores: Sequence[ScoreRecord]) -> None:
        """Raise an error if a needed score cannot be computed, before the checks ask the model."""
        for score in scores:
            if score.name in self._needs and score.message:
                raise ModelError(f"{self._study} needs the score {score.name!r}: {score.message}")

    @hookimpl
    def robustfim_collection_modifyitems(self, config: RunConfig, checks: list[Check]) -> None:
        """Note what each expectation judges, and drop steps in embedding space unless the study needs them."""
        checks[:] = [
            replace(
                check,
                expectation=replace(
                    check.expectation, made=_Noted(_of_changes(check.expectation.made), check.name, self._answers)
                ),
            )
            for check in checks
            if self._steps or not check.perturbation.takes_steps
        ]

    @hookimpl
    def robustfim_check_finish(self, check: Check, result: CheckRecord) -> None:
        """Print the failure rate of the check, or why there is none."""
        untested = result.outcome in (Outcome.ERROR, Outcome.SKIPPED)
        said = result.message if untested else f"{result.failing} of {result.tested} examples {result.verb}"
        print_line(self._console, f"{check.name}: {said}")


def run_sample(
    chosen: Chosen,
    path: Path,
    *,
    scores: Sequence[str],
    examples: int,
    console: Console,
    check_options: Mapping[str, Any] | None = None,
    checks: Mapping[str, Any] | None = None,
    added: Mapping[str, Any] | None = None,
    steps: bool = False,
    needs: Sequence[str] = (),
    gold: bool = False,
    study: str = "'study'",
) -> SampleRun:
    """Run a suite's checks on a random sample of the data, and return the record and the answers.

    No score affects which examples are drawn, so all scores can be evaluated on the sample.

    Args:
        chosen: The options of the command; the run writes no reports.
        path: The suite file.
        scores: Scores to compute besides the suite's own; names that no plugin offers are refused.
        examples: The largest size of the sample.
        console: Where each check's rate is printed.
        check_options: Options to change in every ``perturb`` that has them: ``{"order": "random"}``.
        checks: Checks to run instead of the suite's own, as mappings like in a suite file.
        added: Checks to run in addition, as mappings like in a suite file.
        steps: Whether to run checks whose candidates are steps in embedding space, which some scores measure
            themselves.
        needs: Scores that the study needs; an error is raised before the checks run if one cannot be computed.
        gold: Whether the study needs gold labels; data without any is refused before the model is asked.
        study: The name of the study in error messages.

    Raises:
        UsageError: The suite is wrong, or has no data or no checks of its own, or its model is a tagger or
            decides for several labels, or the data have no gold label that the study needs.
        ModelError: The model does not allow a needed score, or gave no usable answer, or no check could test anything.
    """
    suite = chosen.suite(path)
    own = suite.data.get("checks") if checks is None else dict(checks)
    if checks is not None or (added and _listed(own)):
        suite.override(("checks",), {**(own or {}), **(added or {})}, _STUDY)
    _sampled(suite, scores, examples, check_options or {})
    answers: Answers = {}
    session = open_session(suite, plugins=chosen.plugin_options, options=chosen.options)
    require_one_label(session.collection.model, "'study'")
    session.require_scores(needs, study)
    watch = _Watch(answers, console, study, steps=steps, gold=gold, needs=needs)
    session.manager.register(watch, "robustfim.study")
    with progress_bar(console) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.configure()
        record, _ = session.run()
    if record.message:
        raise ModelError(record.message)
    tested = {check for check, _ in answers}
    names = tuple(check.name for check in record.checks if check.name in tested)
    if not names:
        sentence = "; ".join(f"{check.name}: {check.message.rstrip('.')}" for check in record.checks)
        raise ModelError(f"no check of {path} tested anything, so nothing can be learnt from it ({sentence}).")
    return SampleRun(record, answers, names)


def clusters_of(ids: Iterable[str], clusters: Mapping[str, str | None]) -> list[Hashable]:
    """Return the cluster of each example; an example without a cluster is a separate cluster."""
    named = [(each, clusters.get(each)) for each in ids]
    return [(cluster is None, cluster or id) for id, cluster in named]


def known_scores(chosen: Chosen, path: Path, wanted: Sequence[str]) -> list[str]:
    """Return those of the wanted scores that a loaded plugin offers."""
    suite = chosen.suite(path)
    offered = load_plugins(chosen.plugin_options, suite.data.get("plugins") or (), suite.folder).offers("scorers")
    return [name for name in wanted if name in offered]


def _listed(checks: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a suite lists its checks, rather than naming a source of them."""
    return isinstance(checks, dict) and not isinstance(checks.get("use"), str)


def _sampled(suite: SuiteFile, scores: Sequence[str], examples: int, check_options: Mapping[str, Any]) -> None:
    """Change a suite so that its checks test a random sample and its scores are all computed."""
    checks = suite.data.get("checks")
    if not _listed(checks) or not suite.data.get("data"):
        raise UsageError(f"{suite.path}: a study needs a suite with 'data' and with checks of its own.")
    own = [score if isinstance(score, dict) else {"use": score} for score in suite.data.get("scores") or ()]
    named = [each.get("use") for each in own]
    changes: dict[Location, Any] = {
        ("scores",): [*own, *({"use": name} for name in scores if name not in named)],
        ("select",): {"difficult": 0, "control": examples},
        ("reports",): [],
        ("budget",): None,
        ("lock",): None,
    }
    for name, check in checks.items():
        if not isinstance(check, dict):
            continue
        if isinstance(check.get("limit"), dict):  # a limit for an arm that the sample does not have
            changes["checks", name, "limit"] = 1.0
        if check.get("budget") is not None:
            changes["checks", name, "budget"] = None
        perturb = check.get("perturb")
        for option, value in check_options.items():
            if isinstance(perturb, dict) and option in perturb:
                changes["checks", name, "perturb", option] = value
    for location, value in changes.items():
        suite.override(location, value, _STUDY)
