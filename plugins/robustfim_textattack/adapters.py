"""robustfim's models, perturbations and examples for TextAttack's own attacks.

Importing this module imports TextAttack. :class:`ModelWrapper` and :class:`Transformation` wrap any model and
perturbation of robustfim's plugins as a TextAttack class of the same name. :func:`dataset` converts examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from robustfim.api import context
from robustfim.candidate import Candidate
from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginOptions, load_plugins
from robustfim.plugin.options import build
from robustfim.roles import Model, Perturbation, Substitution
from robustfim.seeds import random_for
from robustfim.suite import SuiteFile
from robustfim_textattack.attacked import perturbed, word_places
from robustfim_textattack.library import textattack
from robustfim_textattack.victim import Victim

__all__ = ["ModelWrapper", "Transformation", "dataset"]

_textattack = textattack()
_WrapperBase: Any = _textattack.models.wrappers.ModelWrapper
_WordSwap: Any = _textattack.transformations.WordSwap


class ModelWrapper(Victim, _WrapperBase):  # type: ignore[misc]  # TextAttack is untyped
    """A robustfim model as TextAttack's ``ModelWrapper``.

    Texts are deduplicated and batched as in a run, and no text is predicted twice.

    Args:
        model: A model, or the name of one, such as ``"reference/fasttext"``.
        fields: The names of the fields that the model reads, in the order of TextAttack's columns.
        options: The options of the model, if it is given by name.

    Attributes:
        labels: The model's labels; TextAttack's class 0 is the first.
        queue: The prediction queue; ``queue.sent`` counts the texts.

    Raises:
        UsageError: No plugin offers the model, or an option is wrong.
    """

    def __init__(self, model: Model | str, *, fields: Sequence[str] = ("text",), **options: Any) -> None:
        made: Model = _offered("models", model, options)
        self.queue = context(made).queue
        super().__init__(made, self.queue.predict, fields)


class Transformation(_WordSwap):  # type: ignore[misc]  # TextAttack is untyped
    """A robustfim perturbation as TextAttack's ``Transformation``.

    The transformation counts as a word swap, so every search and constraint of TextAttack accepts it. To TextAttack, an
    edit of several words is a change of the first word, and an insertion a change of the word before. Random choices
    depend on the seed and the text only, so a text always has the same transformations.

    Args:
        perturbation: A perturbation, or the name of one, such as ``"synonyms"`` or ``"rules"``.
        model: The model, for perturbations that need a model.
        examples: The examples, for perturbations that look at them all.
        seed: The seed.
        candidates: The largest number of texts from a perturbation that makes whole candidates, at least 1.
        options: The options of the perturbation, if it is given by name.

    Raises:
        UsageError: No plugin offers the perturbation, an option is wrong, it needs a model and there is none, or it
            takes steps in embedding space.
        ModelError: The model lacks something that the perturbation needs.
    """

    def __init__(
        self,
        perturbation: Substitution | Perturbation | str,
        *,
        model: Model | ModelWrapper | None = None,
        examples: Sequence[Example] = (),
        seed: int = 0,
        candidates: int = 50,
        **options: Any,
    ) -> None:
        super().__init__()
        if candidates < 1:
            raise UsageError(f"candidates: {candidates} is below 1")
        self._perturbation = PerturbationPart(_offered("perturbations", perturbation, options))
        if self._perturbation.takes_steps:
            raise UsageError(f"{perturbation!r} takes steps in embedding space, which are not texts.")
        self._seed, self._candidates = seed, candidates
        try:
            asked = model.model if isinstance(model, ModelWrapper) else model
            self._perturbation.prepare(context(asked, examples, seed=seed))
        except ModelError as error:
            if model is None:
                raise UsageError(f"{perturbation!r} queries the model: pass 'model' to Transformation.") from error
            raise

    def _get_transformations(self, current_text: Any, indices_to_modify: set[int]) -> list[Any]:
        example = Example(dict(current_text._text_input))
        places = word_places(current_text)
        found: dict[str, Any] = {}
        for candidate in self._made(example):
            if _words(candidate, places) <= indices_to_modify:
                after = perturbed(current_text, candidate.example.fields, self)
                found.setdefault(after.text, after)
        return list(found.values())

    def _made(self, example: Example) -> Iterator[Candidate]:
        random = random_for(self._seed, "textattack", example.id)
        self._perturbation.foresee([example])
        if self._perturbation.lists_edits:
            yield from (Candidate(example, (edit,)) for edit in self._perturbation.edits(example, random))
        else:
            yield from self._perturbation.propose(example, random, self._candidates)

    @property
    def deterministic(self) -> bool:
        """Whether a text always has the same transformations: True."""
        return True


def dataset(examples: Sequence[Example], model: Model | ModelWrapper) -> Any:
    """Convert labelled examples to TextAttack's ``Dataset``.

    Args:
        examples: Examples with the same fields, at least one.
        model: The model, whose order of labels gives the numbers of TextAttack's classes.

    Raises:
        DataError: There is no example, the examples have different fields, or a gold label is not a label of the model.
    """
    if not examples:
        raise DataError("there are no examples.")
    columns, labels = tuple(examples[0].fields), tuple(model.labels)
    rows = []
    for example in examples:
        if tuple(example.fields) != columns:
            raise DataError(
                f"example {example.id} has the fields {list(example.fields)}, the first example has {list(columns)}. "
                "Give all examples the same fields."
            )
        if example.label not in labels:
            raise DataError(f"example {example.id} has the label {example.label!r}; the model knows {list(labels)}.")
        texts = tuple(example.fields.values())
        rows.append((texts[0] if len(texts) == 1 else texts, labels.index(example.label)))
    return _textattack.datasets.Dataset(rows, input_columns=list(columns), label_names=list(labels))


def _offered(kind: str, wanted: Any, options: dict[str, Any]) -> Any:
    """Make what a plugin offers under a name; anything else stands for itself."""
    if not isinstance(wanted, str):
        if options:
            raise UsageError(
                f"the options {', '.join(options)} need the name of a plugin's offer, not a "
                f"{type(wanted).__name__} object."
            )
        return wanted
    offer = load_plugins(PluginOptions()).get(kind, wanted)
    return build(offer.cls, options, offer.owner, SuiteFile(Path(wanted.replace("/", "-")), {}), ())


def _words(candidate: Candidate, places: Sequence[tuple[str, int, int]]) -> set[int]:
    """Number the word to which each edit belongs; -1 where a text has no words."""
    found = set()
    for edit in candidate.edits:
        own = [index for index, place in enumerate(places) if place[0] == edit.field]
        touched = [index for index in own if places[index][1] < edit.end and edit.start < places[index][2]]
        before = [index for index in own if places[index][2] <= edit.start]
        found.add(touched[0] if touched else before[-1] if before else own[0] if own else -1)
    return found
