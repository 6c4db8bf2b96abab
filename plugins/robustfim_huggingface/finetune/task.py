"""Tasks of fine-tuning: classification and multiple choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.errors import DataError, suggestions
from robustfim.example import Example
from robustfim_huggingface.choice.model import MultipleChoice
from robustfim_huggingface.classifier.model import SequenceClassifier

__all__ = [
    "TASKS",
    "Choosing",
    "Task",
    "numbered",
    "require_gold",
    "task_of",
]


class Task:
    """A task for which a model can be fine-tuned: here that of predicting a label for a text or a pair of texts.

    Attributes:
        use: The name under which a suite uses the trained model.
        auto: The class of transformers that knows the architectures.
        model: The class of this plugin that reads the model's folder.
    """

    use = "huggingface"
    auto = "AutoModelForSequenceClassification"
    model: type[SequenceClassifier | MultipleChoice] = SequenceClassifier

    def labels(self, examples: Sequence[Example], config: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
        """Return the labels of the data, sorted, or in the base model's order if that model has the same labels."""
        found = sorted({str(example.label) for example in examples})
        if len(found) < 2:
            raise DataError(f"the training data has one label only, {found[0]!r}; a classifier needs two or more.")
        names = {int(number): str(name) for number, name in (config.get("id2label") or {}).items()}
        own = [names[number] for number in sorted(names)]
        return own if sorted(own) == found else found

    def configured(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return the entries of ``config.json`` that name the classes, with one label for each text."""
        numbers = {name: number for number, name in enumerate(labels)}
        return {
            "id2label": {number: name for name, number in numbers.items()},
            "label2id": numbers,
            "problem_type": "single_label_classification",
        }


class Choosing(Task):
    """The task of choosing one of several suggestions, whose numbers are the labels."""

    use = "huggingface/choice"
    auto = "AutoModelForMultipleChoice"
    model = MultipleChoice

    def labels(self, examples: Sequence[Example], config: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
        """Return the numbers of the suggestions, from ``1``."""
        numbers = [str(number + 1) for number in range(len(options.get("choices") or "12"))]
        for example in examples:
            if example.label not in numbers:
                raise DataError(
                    f"example {example.id} has the label {example.label!r}, which is not the number of an alternative "
                    f"({', '.join(numbers)}). If these labels are of texts, choose the task classification."
                )
        return numbers

    def configured(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return no entries, because suggestions have no names."""
        return {}


TASKS = {"choice": Choosing(), "classification": Task()}
"""The tasks by name."""


def task_of(examples: Sequence[Example]) -> str:
    """Return the task that fits the fields of the data: ``choice`` for suggestions, else ``classification``."""
    return "choice" if {"choice1", "choice2"} <= set(examples[0].fields) else "classification"


def numbered(examples: Sequence[Example], labels: Sequence[str], name: str) -> list[tuple[Example, int]]:
    """Return labelled examples, each with the index of its class.

    Args:
        examples: Labelled examples.
        labels: The labels, in the order of the model's outputs.
        name: The name of the data in messages.

    Raises:
        DataError: An example has no label, or a label that is not in ``labels``.
    """
    found = []
    for example in require_gold(examples, name):
        if example.label not in labels:
            raise DataError(
                f"{name}: label {example.label!r} is not in the training data.{suggestions(str(example.label), labels)}"
            )
        found.append((example, labels.index(example.label)))
    return found


def require_gold(examples: Sequence[Example], name: str) -> Sequence[Example]:
    """Refuse data without examples or without gold labels.

    Raises:
        DataError: There is no example, or an example has no gold label.
    """
    if not examples:
        raise DataError(f"{name}: there is no example.")
    if bare := [example for example in examples if example.label is None]:
        raise DataError(f"{name}: {len(bare)} of {len(examples)} examples have no gold label, such as {bare[0].id}.")
    return examples
