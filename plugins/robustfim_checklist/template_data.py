"""The data source ``templates``: sentences from templates and lexicons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from robustfim.example import Example
from robustfim_checklist.lexicons import read_lexicons
from robustfim_checklist.template import Template
from robustfim_checklist.template_set import MOST, fill_all

__all__ = ["LabelledTemplate", "TemplateData"]


class LabelledTemplate(BaseModel):
    """A template with the gold label of its sentences."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str = Field(min_length=1, description="The template.")
    label: str | None = Field(None, description="The gold label of its sentences.")


class TemplateData:
    """Sentences made of templates: "{name} is {a:adj} guest." with every name and adjective.

    Args:
        templates: The templates: a text, or {text: …, label: …}.
        lexicons: Lists of words by name, for the slots.
        path: A file or folder of further lexicons: YAML or JSON (name: [words]), or text (a word a line).
        label: The gold label of sentences whose template has no label.
        sample: The number of sentences drawn from each template; by default all.
        seed: Seed of the sample.
        most: The largest number of sentences in total.
    """

    def __init__(
        self,
        templates: Annotated[list[str | LabelledTemplate], Field(min_length=1)],
        lexicons: dict[str, list[str]] | None = None,
        path: Path | None = None,
        label: str | None = None,
        sample: Annotated[int, Field(ge=1)] | None = None,
        seed: int = 0,
        most: int = MOST,
    ) -> None:
        self._templates: Sequence[LabelledTemplate] = [
            LabelledTemplate(text=template, label=label)
            if isinstance(template, str)
            else template.model_copy(update={"label": template.label or label})
            for template in templates
        ]
        self._lexicons, self._path = lexicons, path
        self._sample, self._seed, self._most = sample, seed, most

    def load(self) -> Iterator[Example]:
        """Return the filled sentences, with the template and the words of its slots as columns.

        Raises:
            DataError: A lexicon is unknown or malformed, or there would be too many sentences.
        """
        lexicons = read_lexicons(self._path, self._lexicons)
        templates = [Template(template.text, lexicons) for template in self._templates]
        for index, filled in fill_all(templates, sample=self._sample, most=self._most, seed=self._seed):
            given = self._templates[index]
            yield Example(
                {"text": filled.text}, given.label, {"template": given.text, "cluster": given.text, **filled.slots}
            )
