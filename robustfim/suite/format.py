"""The format of suites, version 1: typed, validated, and independent of every plugin."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)

from robustfim.errors import UsageError, did_you_mean, shown, shown_place, suggestions
from robustfim.suite.arms import LEAST_EXAMPLES, look_at_arms
from robustfim.suite.error_list import Gathering, problems, refusal, without
from robustfim.suite.file import Location, SuiteFile
from robustfim.suite.perturbation_list import composed
from robustfim.suite.slices import SliceSpec
from robustfim.suite.word_share import WordChoice
from robustfim.suite.xfail import Xfail, as_reason

__all__ = [
    "BEST",
    "CHOSEN",
    "ERRORS",
    "LEAST_EXAMPLES",
    "BaselineSpec",
    "CheckSpec",
    "PerturbSpec",
    "SelectSpec",
    "Suite",
    "Use",
    "Xfail",
    "check_name",
    "read_check",
    "read_suite",
    "read_what_is_right",
    "tells_errors",
]

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")
_LONGEST_SUITE = 200
"""The most characters of a suite's name, which is the name of a folder and, with an ending, of another one."""

_WRITTEN = (BaseModel, dict, list, str, int, float, datetime.date, type(None))
"""The types that a file can hold, or that are read from it; anything else is an object of a script."""


_ROUNDS = 5
"""How often wrong parts are removed from a suite, since the rest may then have new mistakes."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _use(value: Any) -> Any:
    """Let a name stand for ``{use: name}``, and so an object that a script gives."""
    return value if isinstance(value, _WRITTEN) and not isinstance(value, str) else {"use": value}


def _object_name(given: Any) -> str:
    """Name an object that a script gives by where it, or its class, is defined: ``critic.judge``."""
    named = given if hasattr(given, "__qualname__") and hasattr(given, "__module__") else type(given)
    return f"{named.__module__}.{named.__qualname__}"


def _one_key(value: Any) -> Any:
    """Let ``{max_changed: 0.2}`` stand for ``{use: max_changed, limit: 0.2}`` where a plugin takes one number."""
    if isinstance(value, dict) and "use" not in value and len(value) == 1:
        (name, options), *_ = value.items()
        return {"use": name, **options} if isinstance(options, dict) else {"use": name, "limit": options}
    return _use(value)


class Use(BaseModel):
    """The name of a plugin's object in a suite, with options; or an object that a script gives instead."""

    model_config = ConfigDict(extra="allow", frozen=True)
    use: str = Field(min_length=1, description="A plugin's name; 'robustfim plugins' lists them.")
    _given: Any = PrivateAttr(None)

    @model_validator(mode="wrap")
    @classmethod
    def _an_object(cls, value: Any, handler: ModelWrapValidatorHandler[Use]) -> Use:
        """Keep an object under ``use``; no file can hold one."""
        given = value.get("use") if isinstance(value, dict) else None
        if isinstance(given, _WRITTEN):
            return handler(value)
        made = handler({**value, "use": _object_name(given)})
        made._given = given
        return made

    @classmethod
    def read(cls, value: Any) -> Self:
        """Convert an entry of a suite: a name, a mapping with ``use``, or an object of a script.

        Raises:
            UsageError: The value names nothing.
        """
        try:
            return cls.model_validate(_use(value))
        except ValidationError:
            message = f"{shown(value)} names nothing: give a name, or a mapping with the name under 'use'."
            raise UsageError(message) from None

    @property
    def given(self) -> Any:
        """The object that a script gave; None for a name."""
        return self._given

    @property
    def options(self) -> dict[str, Any]:
        """All keys except ``use``, as written."""
        return dict(self.model_extra or {})


class PerturbSpec(Use):
    """The perturbation of a check in a suite, and how its edits are combined into texts.

    Keys that are not listed here are the perturbation's own options.
    """

    fields: list[str] | None = Field(None, description="The fields that may change; all of them by default.")
    words: WordChoice = Field(
        1,
        description="How many words a candidate changes: 2 words, or 0.3 for 30 % of them; {important: 0.3} "
        "changes the words that matter most.",
    )
    candidates: int = Field(8, strict=True, ge=1, le=10_000, description="The most candidates of an example.")
    order: Annotated[Use, BeforeValidator(_use)] = Field(
        Use(use="random"), description="Which candidates to try first: 'random', or 'guided' by gradients."
    )
    search: Annotated[Use | None, BeforeValidator(lambda value: None if value is None else _use(value))] = Field(
        None, description="Combine edits until the example fails: 'greedy' or 'beam'."
    )

    @model_validator(mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        return composed(value, cls.model_fields)


CHOSEN = ("difficult", "easiest")
"""The arms that a score chooses; each represents its own examples only."""

BEST = "best"
"""The value of ``select: {by: best}``: the score that best predicts failures in a pilot of the run."""


class SelectSpec(_Strict):
    """The choice of the examples to test."""

    by: str | None = Field(
        None,
        description="The score that ranks examples by difficulty. 'best' compares the scores of the suite on a pilot "
        "and takes the best predictor of failures.",
    )
    pilot: int = Field(
        100, ge=20, description="Random examples on which 'best' compares the scores; the checks do not test them."
    )
    difficult: int = Field(100, ge=0, description="Examples in the difficult arm.")
    easiest: int = Field(0, ge=0, description="Examples in the easiest arm, at the other end of the score.")
    control: int = Field(100, ge=0, description="Examples in the control arm, drawn at random from the rest.")
    testable: int | None = Field(
        None,
        ge=1,
        description="In place of 'control': each check draws random examples until it could test this many.",
    )
    examples: int | None = Field(
        None,
        ge=LEAST_EXAMPLES,
        description="In place of both arms: the number of examples to draw, hard ones more often than easy ones. The "
        "estimate corrects for the draw.",
    )

    @property
    def scored(self) -> bool:
        """Whether the selection uses a score."""
        return bool(self.chosen or self.examples)

    @property
    def chosen(self) -> dict[str, int]:
        """The sizes of the groups of examples (arms) that a difficulty score chooses, without empty groups."""
        return {arm: size for arm in CHOSEN if (size := getattr(self, arm))}

    @property
    def uneven(self) -> bool:
        """Whether the tested examples represent the data unequally, so that they must be weighted."""
        return self.examples is not None or len(self.chosen) + bool(self.chosen and self.control) > 1

    @model_validator(mode="before")
    @classmethod
    def _testable_ones(cls, value: Any) -> Any:
        """Let ``testable`` alone be a plain random sample, and ``examples`` a stratified one."""
        if isinstance(value, dict) and value.get("examples") is not None:
            if arms := sorted({"difficult", "easiest", "control", "testable"} & value.keys()):
                raise ValueError(f"'examples' and {arms[0]!r} exclude each other: leave one of the two out")
            return {"difficult": 0, "control": 0, **value}
        if isinstance(value, dict) and value.get("testable") is not None:
            if "control" in value:
                raise ValueError("'testable' and 'control' exclude each other: leave one of the two out")
            return {"difficult": 0, **value}
        return value

    @model_validator(mode="after")
    def _something(self) -> SelectSpec:
        if not (self.scored or self.control):
            raise ValueError("difficult and control are both 0: nothing would be tested")
        if "pilot" in self.model_fields_set and self.by != BEST:
            raise ValueError("'pilot' works with 'by: best' only, which chooses the score on the pilot")
        return self


def check_name(value: str) -> str:
    """Return the name of a check; a ValueError lists the allowed characters."""
    if not _NAME.fullmatch(value):
        raise ValueError(f"{shown(value)} cannot name a check: use letters, digits, '_', '-' and '.'")
    return value


Fraction = Annotated[float, Field(ge=0, le=1)]
"""A number in [0, 1], as an option of a suite or of a plugin."""
_Limited = Literal["difficult", "control", "easiest", "valid", "missed", "false_alarm"]
_UseOne = Annotated[Use, BeforeValidator(_one_key)]


ERRORS = frozenset(("missed", "false_alarm"))
"""The two kinds of error of a decision for or against a label."""


def tells_errors(expect: str | None, fails: str) -> bool:
    """Return whether a check can count false negatives and false positives, from its ``expect`` and ``fails``."""
    return expect in ("invariant", "correct", "found") and fails == "any"


class CheckSpec(_Strict):
    """One check."""

    perturb: Annotated[PerturbSpec, BeforeValidator(_use)]
    constrain: list[_UseOne] = Field([], description="Rules that reject candidates.")
    expect: Annotated[Use, BeforeValidator(_use)] = Field(
        Use(use="invariant"),
        description="The rule for the model's answer to a candidate. Some perturbations have a default of their own.",
    )
    fails: _UseOne = Field(
        Use(use="any"),
        description="When an example fails: if 'any' candidate fails, if 'all' fail, or if more than {at_most: 1} or "
        "{share: 0.5} of them fail. With 'mean' the limit applies to the mean share of failing candidates.",
    )
    limit: Fraction | dict[_Limited, Fraction] | None = Field(
        None,
        description="The tolerated share of failing examples, for all or for each arm. {valid: 0.1} limits the "
        "failures people call valid, {missed: 0.05, false_alarm: 0.01} false negatives and false positives, "
        "{missed: 0.05} the spans a tagger misses. Without a limit the check cannot fail.",
    )
    of: Literal["population", "file"] | None = Field(None, description="The same key of the suite, for this check.")
    marks: list[str] = Field([], description="Words by which '-m' selects the check.")
    budget: int | None = Field(
        None,
        ge=1,
        description="Draw examples until the verdict is certain, but at most this many. By default the check tests "
        "all selected examples.",
    )
    xfail: Annotated[Xfail, BeforeValidator(as_reason)] | None = Field(
        None,
        description="The check is known to fail, for this reason; {reason: …, until: 2027-01-31} excuses it up to "
        "this day only.",
    )
    timeout: float | None = Field(
        None,
        gt=0,
        le=1e9,  # more is no time that a clock can wait
        strict=False,
        description="Seconds after which the check ends as an error.",
    )
    skip: str | None = Field(None, description="The reason why this check does not run.")
    capability: str | None = Field(
        None,
        description="A skill that the model needs. The report has a matrix with a row for each capability.",
    )
    type: Literal["MFT", "INV", "DIR"] | None = Field(
        None, description="The column of this matrix: minimum functionality, invariance or directional test."
    )

    @field_validator("limit", mode="before")
    @classmethod
    def _a_rate(cls, value: Any) -> Any:
        if value is None:
            return None
        values = list(value.values()) if isinstance(value, dict) else [value]
        for rate in values:
            if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
                written = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%?", str(rate))
                points = float(written[1]) if written else 0.0
                way = f": {points:g} % is {points / 100:g}" if 0 < points <= 100 else ""
                raise ValueError(f"{shown(rate)} is not a rate between 0 and 1{way}")
        if not isinstance(value, dict):
            return value
        if len(value) > 1 and "valid" in value:
            raise ValueError(
                "the limit for 'valid' holds for all tested examples together: write no other limit beside 'valid'"
            )
        if not value or not any(set(value) <= parts for parts in ({*CHOSEN, "control"}, {"valid"}, ERRORS)):
            said = ", ".join(map(shown, value)) or "nothing"
            raise ValueError(
                "limits are for 'difficult', 'control' and 'easiest', for 'missed' and 'false_alarm', or for 'valid', "
                f"not {said}"
            )
        return value

    @property
    def limits(self) -> float | dict[str, float] | None:
        """The tolerated failure rate of a check: one number, or one for each group (arm); None without a limit."""
        if self.limit is None or isinstance(self.limit, float):
            return self.limit
        return self.limit["valid"] if "valid" in self.limit else {str(arm): rate for arm, rate in self.limit.items()}

    @property
    def limit_of_errors(self) -> bool:
        """Whether the limit is for false negatives and false positives."""
        return isinstance(self.limit, dict) and not ERRORS.isdisjoint(self.limit)

    @property
    def limit_of_valid(self) -> bool:
        """Whether the limit is for the failures that people call valid."""
        return isinstance(self.limit, dict) and "valid" in self.limit

    @field_validator("marks")
    @classmethod
    def _words(cls, value: list[str]) -> list[str]:
        for mark in value:
            if not mark.isidentifier():
                raise ValueError(f"{shown(mark)} is not a word that '-m' could name (letters, digits, underscores)")
        return value


class BaselineSpec(_Strict):
    """The requirements that a comparison with a baseline has to prove."""

    margin: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The tolerated loss of accuracy and of robust accuracy, 0.02 for 2 points.",
    )
    churn: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The share of examples an equally good model answers differently, half of them worse. Only "
        "'robustfim plan' uses this number.",
    )


class Suite(_Strict):
    """A suite: a model, data and checks, with scores, a selection of examples and reports if you like."""

    suite: str = Field(description="The suite's name; reports go to reports/<name>.")
    seed: int = Field(0, ge=-(2**63), lt=2**63, description="The seed of every random choice.")
    cluster: str | None = Field(
        None,
        description="A field or column. Examples with the same value depend on each other, such as sentences of one "
        "document.",
    )
    of: Literal["population", "file"] = Field(
        "population",
        description="Apply limits to the population the data were drawn from, or to the rows of the file alone.",
    )
    plugins: list[str] = Field([], description="Plugin files, relative to the suite, or modules.")
    model: Annotated[Use, BeforeValidator(_use)]
    data: Annotated[Use | None, BeforeValidator(_use)] = Field(
        None, description="The source of the examples. Leave the key out if a source of checks brings its own."
    )
    scores: list[Annotated[Use, BeforeValidator(_use)]] = Field([], description="Difficulty scores to compute.")
    select: SelectSpec | None = Field(None, description="Which examples are tested; all of them by default.")
    lock: str | None = Field(
        None, description="A lock file, relative to the suite. The run tests the examples and changed texts in it."
    )
    baseline: BaselineSpec = Field(
        BaselineSpec(margin=None, churn=None), description="The requirements of a comparison with '--baseline'."
    )
    longest: int = Field(
        50_000, ge=1, description="The most characters of a text. Examples with a longer text are left out."
    )
    most: int = Field(10_000_000, ge=1, description="The most rows of the data. The run refuses more.")
    on_conflict: Literal["first", "drop", "refuse"] = Field(
        "first",
        description="If a text has two gold labels: keep its first row, drop the text, or refuse the data.",
    )
    budget: int | None = Field(None, ge=1, description="The budget of every check without a budget of its own.")
    engine: Annotated[Use, BeforeValidator(_use)] = Field(
        Use(use="inline"), description="The place to compute predictions and gradients: 'inline', 'processes' or 'ray'."
    )
    review: str | None = Field(
        None,
        description="A file that 'robustfim review' writes, relative to the suite, with people's answers about "
        "failures.",
    )
    natural: Literal[0, 1, 2] | None = Field(
        None,
        description="Skip checks with less natural texts, by the ratings of their perturbation: 2 keeps those whose "
        "texts mostly read as naturally as the original, 1 those whose texts a person might mostly write, 0 "
        "all. Checks without ratings are skipped.",
    )
    cards: str | None = Field(
        None,
        description="A file of readers' ratings, relative to the suite, by the name of a check or perturbation.",
    )
    allow_weak: bool = Field(
        False, description="Test a model even if it is not proved better than chance on the gold labels."
    )
    repeat: int = Field(
        0,
        ge=0,
        le=100,
        description="Ask about each unchanged text this many more times. Limits then apply to the failures beyond "
        "the noise of the model.",
    )
    one_label: bool = Field(
        False,
        description="Accept data with one gold label, or a model that gives one label to all examples.",
    )
    fallbacks: bool = Field(
        True,
        description="Let a check use a fallback for a missing library, such as a dictionary tagger without spaCy.",
    )
    attribution: bool | dict[str, Any] = Field(
        False, description="Show how much each word of a failing text speaks for the label: true, or options."
    )
    slices: dict[str, SliceSpec] = Field(
        {}, description="Named parts of the data. The report shows a rate for each; a slice may have a limit."
    )
    checks: dict[Annotated[str, AfterValidator(check_name)], CheckSpec] = Field(
        {}, description="The checks, or a source of many checks: {use: checklist, path: tests.jsonl}."
    )
    source: Use | None = Field(None, alias="checks of a source")
    reports: list[Annotated[Use, BeforeValidator(_use)]] = Field([Use(use="json")])

    @property
    def slice_limits(self) -> dict[str, float]:
        """The limits of slices, by name."""
        return {name: slice_spec.limit for name, slice_spec in self.slices.items() if slice_spec.limit is not None}

    @model_validator(mode="before")
    @classmethod
    def _checks_or_their_source(cls, value: Any) -> Any:
        checks = value.get("checks") if isinstance(value, dict) else None
        if not isinstance(checks, dict) or not isinstance(checks.get("use"), str):
            return value
        # A key that no suite writes: ``source`` is what ``checks`` says when it names one.
        return {key: item for key, item in value.items() if key != "checks"} | {"checks of a source": checks}

    @field_validator("scores")
    @classmethod
    def _once_each(cls, value: list[Use]) -> list[Use]:
        for name, number in Counter(use.use for use in value).items():
            if number > 1:
                raise ValueError(f"the list names the score {shown(name)} {number} times; name each score once")
        return value

    @field_validator("suite")
    @classmethod
    def _file_name(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            raise ValueError(f"{shown(value)} cannot name a folder: use letters, digits, '_', '-' and '.'")
        if len(value) > _LONGEST_SUITE:
            raise ValueError(
                f"{shown(value, 40)} has {len(value):,} characters; the name of a suite is also the name of a "
                f"folder and has at most {_LONGEST_SUITE}"
            )
        return value


def read_check(file: SuiteFile, name: str) -> CheckSpec:
    """Validate one check of a suite that may be incomplete.

    Raises:
        SuiteError: The mistakes of the check, each with its line.
    """
    with _told(file, ("checks", name)):
        return CheckSpec.model_validate(file.data["checks"][name])


def read_suite(file: SuiteFile) -> Suite:
    """Validate a suite file.

    Raises:
        SuiteError: The mistakes, each with its line and, for a misspelled key, the nearest known one.
    """
    with _told(file):
        suite = Suite.model_validate(file.data)
    mistakes = Gathering()
    with mistakes.step():
        _require_parts(suite, file)
    look_at_arms(suite, file, mistakes)
    mistakes.tell()
    return suite


def read_what_is_right(file: SuiteFile) -> tuple[Suite, SuiteFile] | None:
    """Read the correct parts of a suite with mistakes, so that further mistakes can be found in them.

    Returns:
        The suite without the wrong parts, and its data; None if too little is left for a suite.
    """
    for _ in range(_ROUNDS):
        try:
            return Suite.model_validate(file.data), file
        except ValidationError as error:
            file = without(file, [place for _, place in problems(error, file.data)])
    return None


@contextmanager
def _told(file: SuiteFile, at: Location = ()) -> Iterator[None]:
    """Tell what pydantic refuses of a part of a suite as errors with their places."""
    try:
        yield
    except ValidationError as error:
        mistakes = Gathering()
        for problem, place in problems(error, file.data, at):
            mistakes.add(file.error(_message(problem, place, file), place))
        raise mistakes.error() from None


def _require_parts(suite: Suite, file: SuiteFile) -> None:
    """Refuse a suite without checks, and one whose checks or scores lack data."""
    if "checks" not in file.data:
        raise file.error("the key 'checks' is missing. 'checks: {typos: {perturb: typos}}' is one check.", ("checks",))
    if not suite.checks and suite.source is None:
        raise file.error("checks is empty: nothing would be tested.", ("checks",))
    if suite.data is None:
        if suite.source is None:
            raise file.error("the key 'data' is missing. Write 'data: {use: csv, path: …}', or --data FILE.", ("data",))
        for key in ("scores", "select"):
            if getattr(suite, key):
                raise file.error(
                    f"{key!r} needs 'data', which the suite lacks; checks of a source are tested on all examples of "
                    "the source.",
                    (key,),
                )


def _message(problem: Any, location: Location, file: SuiteFile) -> str:
    where = shown_place(location)
    if problem["type"] == "extra_forbidden":
        key, known = str(location[-1]), _keys_at(location[:-1])
        return f"unknown key {shown(key)}{_inside(location[:-1])}.{suggestions(key, known, 'Known')}"
    if problem["type"] == "missing":
        near = ""
        if len(location) == 3 and location[0] == "checks":  # perhaps another check is meant, as with -o
            near = did_you_mean(str(location[1]), [str(name) for name in file.data["checks"] if name != location[1]])
        return f"the key {shown(str(location[-1]))} is missing{_inside(location[:-1])}.{near}"
    if problem["type"] == "too_short":
        return f"{where} is empty: nothing would be tested."
    return refusal(problem, where)


def _inside(location: Location) -> str:
    return f" in {shown_place(location)!r}" if location else ""


def _keys_at(location: Location) -> list[str]:
    owner: type[BaseModel] = Suite
    match location:
        case ("select",):
            owner = SelectSpec
        case ("checks", _):
            owner = CheckSpec
        case ("baseline",):
            owner = BaselineSpec
        case ("slices", _):
            owner = SliceSpec
    return [name for name in owner.model_fields if name != "source"]
