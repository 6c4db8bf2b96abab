"""Search for the fewest words that change a text's label when removed, replaced or moved along the eigenvector."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from robustfim.candidate import Candidate, Edit
from robustfim.errors import RobustfimError
from robustfim.spans import refuse_tagger
from robustfim.words import word_spans
from robustfim_explore.request import Json

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim_explore.live import LiveModel

__all__ = ["MOST_WORDS", "smallest_flips"]

_Tries: TypeAlias = "Iterator[tuple[int, list[Candidate]]]"
"""A number of changed words, and candidates with so many; few words first."""

MOST_WORDS = 5
"""Words that are changed at once, at most."""

_TRIED = 24
"""Candidates of each number of words that are asked about."""

_LONGEST = 400
"""Words of a text of which each is left out in turn; of a longer one so many, evenly spaced."""


def smallest_flips(model: LiveModel, example: Example) -> dict[str, list[Json]]:
    """Search in several ways for the fewest word changes that change the predicted label.

    Words are dropped greedily, each time the word whose absence lowers the label's probability most; or replaced in the
    guided order; or moved along the eigenvector, if the model has gradients. The result is the smallest change among
    the texts that were tried, which need not be the smallest of all.

    Returns:
        Under ``ways`` a mapping for each way of the search; successful ways with the fewest words come first. ``way``
        is the name, ``asked`` the number of texts sent to the model. A success has ``words``, ``fields``, ``label`` and
        ``probabilities``, a failure has its reason in ``message``.

    Raises:
        UsageError: The model finds spans.
    """
    refuse_tagger(model.context.model, "the smallest change that flips a text")
    ways: list[tuple[str, Callable[[LiveModel, Example], _Tries]]] = [
        ("words left out", _deleted),
        ("synonyms", lambda model, example: _perturbed(model, example, "synonyms")),
    ]
    if not model.no_gradients:
        ways += [
            ("neighbours in the embedding", lambda model, example: _perturbed(model, example, "neighbours")),
            ("words along the eigenvector", _decoded),
        ]
    found = []
    for name, way in ways:
        try:
            found.append({"way": name, **_first(model, example, way(model, example))})
        except RobustfimError as error:
            found.append({"way": name, "asked": 0, "message": str(error)})
    return {"ways": sorted(found, key=lambda each: each.get("words", MOST_WORDS + 1))}


def _first(model: LiveModel, example: Example, tries: _Tries) -> Json:
    """Ask about candidates, few words first, until one flips; of several the one that is surest of its label."""
    before = model.predicted(example)
    asked = 0
    for words, candidates in tries:
        answers = model.predict([candidate.example for candidate in candidates])
        asked += len(candidates)
        flips = [
            (after.confidence, place)
            for place, after in enumerate(answers)
            if after is not None and not after.says(before.label)
        ]
        if flips:
            _, place = max(flips)
            after = answers[place]
            assert after is not None  # noqa: S101  # it is one of the flips
            fields = dict(candidates[place].example.fields)
            edits = [[edit.before, edit.after] for edit in candidates[place].edits]
            return {"asked": asked, "words": words, "fields": fields, "edits": edits, "label": after.shown}
    return {"asked": asked, "message": f"no change of up to {MOST_WORDS} words that was asked about flips it."}


def _deleted(model: LiveModel, example: Example) -> _Tries:
    """Leave out one word more each time: the one whose absence costs the label most."""
    label = model.predicted(example).label
    every = [_left_out(example, name, *span) for name, text in example.fields.items() for span in word_spans(text)]
    every = every[:: max(1, -(-len(every) // _LONGEST))]
    gone: tuple[Edit, ...] = ()
    for words in range(1, min(MOST_WORDS, len(every) - 1) + 1):
        left = [edit for edit in every if not any(edit.overlaps(each) for each in gone)]
        candidates = [Candidate(example, (*gone, edit)) for edit in left]
        if not candidates:
            return
        yield words, candidates
        answers = model.predict([candidate.example for candidate in candidates])
        worth = [1.0 if answer is None else answer.tilt(label) for answer in answers]
        gone = (*gone, left[worth.index(min(worth))])


def _left_out(example: Example, name: str, start: int, end: int) -> Edit:
    """Leave a word out, with the blank before it, or at the beginning the one behind it."""
    text = example.fields[name]
    if start and text[start - 1] == " ":
        start -= 1
    elif not start and text[end : end + 1] == " ":
        end += 1
    return Edit(name, start, end, text[start:end], "")


def _perturbed(model: LiveModel, example: Example, name: str) -> _Tries:
    """Let a perturbation of words change one word, two, …; the most harmful first where the model has gradients."""
    from robustfim.api import perturb

    order = "random" if model.no_gradients else "guided"
    for words in range(1, MOST_WORDS + 1):
        made = perturb(
            {"use": name, "words": words, "order": order}, [example], candidates=_TRIED, model=model.context.model,
            seed=model.seed, plugins=model.part.manager, offline=model.offline,
        )  # fmt: skip
        (candidates,) = made.candidates
        if not candidates:
            return
        yield words, list(candidates)


def _decoded(model: LiveModel, example: Example) -> _Tries:
    """Replace words so that the embedding moves along the eigenvector."""
    perturbation = model.prepared("decode")
    perturbation.foresee([example])
    edits = list(perturbation.edits(example, model.context.random("explore")))
    for words in range(1, MOST_WORDS + 1):
        candidates = list(perturbation.combine(example, edits, words, _TRIED))
        if not candidates:
            return
        yield words, candidates
