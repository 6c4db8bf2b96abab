"""The source of checks ``templates``: minimum functionality and invariance tests from templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from robustfim.builtin import Equals, InOtherLabels, Invariant
from robustfim.candidate import Candidate
from robustfim.errors import DataError, did_you_mean, shown
from robustfim.example import Example
from robustfim.roles import Context, SourcedCheck
from robustfim.suite import Fraction
from robustfim_checklist.lexicons import Lexicons, read_lexicons, read_yaml
from robustfim_checklist.lines import made_of
from robustfim_checklist.naming import SENTIMENT
from robustfim_checklist.reading import Reading
from robustfim_checklist.source import plain_name, sourced
from robustfim_checklist.template import Filled, Template
from robustfim_checklist.template_set import MOST, fill_all
from robustfim_texts import one_edit

__all__ = ["TemplateTest", "TemplateTests"]


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class TemplateTest(BaseModel):
    """A test made of templates, with the required label or with the slot whose word must not change the label."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    templates: Annotated[list[str], BeforeValidator(_several), Field(min_length=1)]
    label: str | None = Field(None, description="The label that every sentence must get: an MFT.")
    vary: str | None = Field(None, description="A slot whose word must not change the label: an INV.")
    capability: str = Field("General", min_length=1)
    sample: int | None = Field(None, ge=1, description="Sentences (or groups of them) drawn of each template.")
    limit: Fraction | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> TemplateTest:
        if (self.label is None) == (self.vary is None):
            raise ValueError(
                "a test needs either 'label' (an MFT) or 'vary', the slot to change (an INV); give exactly one"
            )
        return self

    @property
    def type(self) -> Literal["MFT", "INV"]:
        """``MFT`` (minimum functionality test) if the test has a label, else ``INV`` (invariance test)."""
        return "INV" if self.label is None else "MFT"


@dataclass
class _Filed:
    """The content of a file of tests."""

    tests: dict[str, TemplateTest]
    lexicons: dict[str, list[str]] | None = None


class TemplateTests:
    """Tests made of templates and lexicons, in the suite or in a file: "{name} is {adj}." must be positive.

    Args:
        tests: The tests by name: {templates: …, label: …} if a label is required (MFT), {templates: …, vary: slot} if
            the label must stay whatever the word in a slot (INV).
        lexicons: Lists of words by name, for the slots.
        path: A YAML or JSON file with ``tests`` and ``lexicons``, or a file or folder of lexicons alone.
        sample: The number of sentences drawn from each template, unless a test sets it; by default all.
        seed: Seed of the samples.
        neutral: Whether a positive probability between 1/3 and 2/3 of a two-class model counts as neutral, if a test
            requires neutral.
        limit: Tolerated fraction of failing sentences, in [0, 1]. Without a limit, a test can neither pass nor fail.
        most: The largest number of sentences of one test.
    """

    def __init__(
        self,
        tests: dict[str, TemplateTest] | None = None,
        lexicons: dict[str, list[str]] | None = None,
        path: Path | None = None,
        sample: Annotated[int, Field(ge=1)] | None = None,
        seed: int = 0,
        neutral: bool = True,
        limit: Fraction | None = None,
        most: int = MOST,
    ) -> None:
        self._tests, self._lexicons, self._path = tests or {}, lexicons, path
        self._sample, self._seed, self._most = sample, seed, most
        self._neutral, self._limit = neutral, limit
        self._reading: Reading | None = None

    def checks(self) -> Iterable[SourcedCheck]:
        """Fill the templates, and return the tests as checks.

        Raises:
            DataError: There is no test; a template, lexicon or test is malformed; or a test has more than ``most``
                sentences.
        """
        tests, lexicons = self._read()
        if not tests:
            raise DataError(
                "there is no test. List tests under 'tests', in the suite or in the file that 'path' names."
            )
        used = {test.label: f"test {name!r}" for name, test in reversed(tests.items()) if test.label is not None}
        names = SENTIMENT if any(label.casefold() == "neutral" for label in used) else None
        self._reading = Reading(names, used, neutral=self._neutral)
        return [self._check(name, test, lexicons, self._reading) for name, test in tests.items()]

    def prepare(self, context: Context) -> None:
        """Match the labels of the tests with the model's labels."""
        if self._reading is not None:
            self._reading.bind(context.model.labels)

    def _read(self) -> tuple[dict[str, TemplateTest], Lexicons]:
        """All tests and lexicons, of the file and of the suite."""
        data = read_yaml(self._path) if self._path and self._path.suffix in (".yaml", ".yml", ".json") else None
        if self._path is None or not isinstance(data, dict) or "tests" not in data:
            return self._tests, read_lexicons(self._path, self._lexicons)
        filed: _Filed = made_of(_Filed, data, str(self._path))
        return filed.tests | self._tests, read_lexicons(None, (filed.lexicons or {}) | (self._lexicons or {}))

    def _check(self, name: str, test: TemplateTest, lexicons: Lexicons, reading: Reading) -> SourcedCheck:
        place = f"test {name!r}"
        try:
            cases = list(self._cases(test, lexicons))
        except DataError as error:
            raise DataError(f"{place}: {error}") from error
        if not cases:
            raise DataError(f"{place} is empty: its templates make no sentence to test.")
        told = {"use": "invariant"} if test.label is None else {"use": "equals", "label": test.label}
        expectation = InOtherLabels(Invariant(counts="changes") if test.label is None else Equals(), reading)
        limit = self._limit if test.limit is None else test.limit
        return sourced(plain_name(name, place), test.type, test.capability, cases, expectation, told, limit)

    def _cases(self, test: TemplateTest, lexicons: Lexicons) -> Iterator[Sequence[Candidate]]:
        templates = [Template(template, lexicons) for template in test.templates]
        sample = test.sample or self._sample
        if test.vary is None:
            for index, filled in fill_all(templates, sample=sample, most=self._most, seed=self._seed):
                yield [Candidate(_example(filled, templates[index]), label=test.label)]
            return
        yield from self._groups(templates, test.vary, sample)

    def _groups(self, templates: Sequence[Template], vary: str, sample: int | None) -> Iterator[Sequence[Candidate]]:
        """Sentences that differ in one slot alone: the first is the source of the others."""
        for template in templates:
            if vary not in template.slots:
                slots = ", ".join(template.slots) or "none"
                raise DataError(
                    f"the template {template.pattern!r} has no slot {shown(vary)} to vary."
                    f"{did_you_mean(vary, template.slots)} Its slots: {slots}."
                )
        words = [each.lexicons[each.slots[vary]] for each in templates]
        fixed = [Template(each.pattern, {**each.lexicons, vary: [""]}) for each in templates]
        times = max(map(len, words))
        for index, filled in fill_all(fixed, sample=sample, most=self._most, seed=self._seed, times=times):
            template = templates[index]
            group = [{**filled.slots, vary: word} for word in words[index]]
            first, *others = [_filled(template, each) for each in group]
            source = _example(first, template)
            edits = [one_edit(source, {"text": each.text}, each.slots[vary]) for each in others]
            if others:
                yield [Candidate(source, (edit,)) for edit in edits if edit is not None]


def _filled(template: Template, slots: Mapping[str, str]) -> Filled:
    """Fill every slot with a given word."""
    return next(Template(template.pattern, {slot: [word] for slot, word in slots.items()}).all())


def _example(filled: Filled, template: Template) -> Example:
    return Example({"text": filled.text}, None, {"cluster": template.pattern, **filled.slots})
