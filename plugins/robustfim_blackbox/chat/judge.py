"""A chat model as a judge of whether two texts have the same meaning or the same label."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, PositiveInt, TypeAdapter

from robustfim.candidate import Candidate
from robustfim.suite import Fraction
from robustfim_blackbox.chat.label_words import LabelWords
from robustfim_blackbox.chat.labeller import Labeller
from robustfim_blackbox.chat.service import Chat, ChatPart, ChatService, filtered
from robustfim_blackbox.chat.tally import Tally
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Malformed, Refused, Send

if TYPE_CHECKING:
    from robustfim.example import Example

__all__ = ["ChatJudge", "Judge"]

_Share = Annotated[float, Field(ge=-1, le=1)]
"""The stored probability of "yes"; -1 for no verdict."""
_WORDS = {"yes": "yes", "no": "no"}
_MEANING = """\
Do both texts mean the same, apart from how it is said? Answer yes or no and nothing else.

Text A: {before}
Text B: {after}
Answer:"""
_LABEL = """\
Text A was changed into text B. {given} Answer yes or no and nothing else.

Text A: {before}
Text B: {after}
Answer:"""
_NATURAL = "Could a person have written text B in earnest, slips and all?"
_FITS = "Text A has the label {label!r}. Does this label fit text B as well?"
_ALIKE = "Would a careful reader give both the same label?"


class Judge(ChatPart):
    """Asks a chat model whether two texts mean the same, and caches the answers in the run's store.

    Args:
        chat: The address, options and budget of the model.
        votes: The number of answers sampled for each pair if the endpoint gives no log-probabilities. The temperature
            is 0 for one answer and 1 for several.

    Raises:
        UsageError: An option has no usable value.
    """

    who: ClassVar = "the judge"

    def __init__(self, chat: Chat, votes: int = 1) -> None:
        super().__init__(chat)
        self._votes = votes

    def same(self, pairs: Sequence[tuple[str, str]], givens: Sequence[str] | None = None) -> list[float]:
        """Ask whether the two texts of each pair have the same meaning or the same label.

        Args:
            pairs: The pairs of texts, ``[pairs]``.
            givens: For each pair the question about labels that is asked; None to ask about the meaning.

        Returns:
            The probability of "yes" for each pair, in [0, 1]; NaN if the model gives no verdict.

        Raises:
            ModelError: The endpoint failed too often.
            CallLimitReached: The budget is used up. Earlier answers are kept.
        """
        service, context = self.joined
        prompt = _MEANING if givens is None else _LABEL
        labeller = self._labeller(service, prompt)
        texts = [
            {"before": before, "after": after, "given": given}
            for (before, after), given in zip(pairs, givens or [""] * len(pairs), strict=True)
        ]
        keys = [json.dumps([*text.values()]) for text in texts]
        asked = dict(zip(keys, texts, strict=True))
        jobs = {key: partial(_verdict, labeller, values) for key, values in asked.items()}
        what = f"verdict {digest(service.identity, prompt, self._votes)}"
        with labeller.resuming(context, what, asked.values()):
            known = service.known(what, jobs, TypeAdapter(_Share).validate_python, context)
        found = {key: nan if fraction is None or fraction < 0 else fraction for key, fraction in known.items()}
        service.unusable.update("no verdict" for share in found.values() if isnan(share))
        return [found[key] for key in keys]

    def _labeller(self, service: ChatService, prompt: str) -> Labeller:
        temperature = float(self._votes > 1)
        tally = Tally(1, service.account)
        return Labeller(service, LabelWords(_WORDS), prompt, tally, votes=self._votes, temperature=temperature)


class ChatJudge(Judge):
    """Rejects a perturbed text if a chat model finds its meaning or label changed, or the text unnatural.

    The model is asked a question with the answers yes and no. The probability of "yes" comes from log-probabilities if
    the endpoint gives them, else from ``votes`` answers. If the model answers neither yes nor no, the text is rejected,
    and counted as without a verdict. Needs ``pip install 'robustfim[http]'``.

    Args:
        chat: The chat model, as for the perturbation ``instruct``.
        asks: The question. ``meaning`` asks whether both texts mean the same. ``label`` asks whether the gold label
            still fits; without a gold label, whether a careful reader would give both texts the same label. ``natural``
            asks whether a person could have written the perturbed text.
        least: The smallest probability of "yes" that is accepted, in [0, 1].
        votes: The number of answers sampled for each pair if there are no log-probabilities.
    """

    libraries: ClassVar = {"httpx": "robustfim[http]"}

    def __init__(
        self,
        *,
        chat: Chat,
        asks: Literal["meaning", "label", "natural"] = "meaning",
        least: Fraction = 0.5,
        votes: PositiveInt = 1,
    ) -> None:
        super().__init__(chat, votes)
        self._asks, self._least = asks, least
        self._known: dict[tuple[str, str, str], float] = {}

    def resources(self) -> dict[str, str]:
        """Return the identity of the judge, for the record."""
        return {"judge": self.version}

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        """Ask about a block of candidates at once, so that later verdicts are ready."""
        asked = list(dict.fromkeys(self._question(candidate) for candidate in candidates))
        givens = None if self._asks == "meaning" else [given for _, _, given in asked]
        fractions = self.same([(before, after) for before, after, _ in asked], givens)
        self._known = dict(zip(asked, fractions, strict=True))

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a candidate if the chat model does not say "yes" with enough probability."""
        fraction = self.numbers([candidate])[0]
        if fraction == -inf:
            return "no verdict"
        if fraction >= self._least:
            return None
        return "not natural" if self._asks == "natural" else f"another {self._asks}"

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the chat model's probability of "yes" for each candidate; −inf if the model gives no verdict."""
        questions = [self._question(candidate) for candidate in candidates]
        if not self._known.keys() >= {*questions}:
            self.foresee(candidates)
        return [-inf if isnan(fraction := self._known[question]) else fraction for question in questions]

    def _question(self, candidate: Candidate) -> tuple[str, str, str]:
        label = candidate.label or candidate.source.label
        asked = {"meaning": "", "natural": _NATURAL, "label": _ALIKE if label is None else _FITS.format(label=label)}
        given = asked[self._asks]
        return _shown(candidate.source), _shown(candidate.example), given


async def _verdict(labeller: Labeller, values: dict[str, str], send: Send) -> float | None:
    """The probability of "yes"; -1 for no verdict, None for an answer that may be better the next time."""
    try:
        fraction = (await labeller.probabilities(values, send))[0]
    except Malformed:
        return None
    except Refused as error:
        if not filtered(error):
            raise
        return -1.0
    return -1.0 if isnan(fraction) else fraction


def _shown(example: Example) -> str:
    """The text of an example; of several fields, a line each with its name."""
    if len(example.fields) == 1:
        return example.text
    return "\n".join(f"{name}: {text}" for name, text in example.fields.items())
