"""Perturbations in which a chat model rewrites the text of an example."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar

from pydantic import NonNegativeFloat, PositiveInt

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import ModelError, UsageError, shown, suggestions
from robustfim.example import Example
from robustfim_blackbox.chat.service import Chat
from robustfim_blackbox.chat.writer import Writer
from robustfim_blackbox.template import fill, places

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["PROMPT_ATTACKS", "Instruct", "PromptAttack"]

_PROMPT = """\
Rewrite the text. Instruction: {instruction}
Answer with the rewritten text and nothing else.

Text: {text}
Rewritten text:"""

PROMPT_ATTACKS: Mapping[str, str] = {
    "typos": "Pick one or two words of the sentence and misspell them.",
    "letters": "Change one or two letters of the sentence.",
    "extra_characters": "Put one or two needless characters at the end of the sentence.",
    "synonyms": "Replace one or two words of the sentence by synonyms.",
    "deleted_words": "Delete one or two words that add nothing to the meaning of the sentence.",
    "added_words": "Add one or two words to the sentence that leave its meaning as it is.",
    "handle": "Put a short random handle without meaning behind the sentence, such as @k3vra.",
    "paraphrase": "Say the sentence in other words.",
    "syntax": "Change how the sentence is built.",
}
"""The guidance of PromptAttack's nine perturbations (Xu et al. 2024, table 1), in our words: three of characters, three
of words, three of the sentence."""

_OBJECTIVE = """\
{given}
Write a new sentence that means the same{and_target}.
Do it in this way: {guidance}
Answer with the new sentence and nothing else.

Sentence: {text}
New sentence:"""


class _Rewriting(Writer, ABC):
    """What perturbations by instruction share: requests in blocks, answers into candidates."""

    libraries: ClassVar = {"httpx": "robustfim[http]"}

    def __init__(self, chat: Chat, field: str | None, answers: int, temperature: float | None) -> None:
        super().__init__(chat, answers, temperature)
        self._field = field
        self._found: dict[str, list[Candidate]] = {}
        self._left: Counter[str] = Counter()

    @property
    def skipped(self) -> dict[str, int]:
        """Texts of which no answer could be used, by the reason of the first."""
        return {f"no usable answer of the writer ({why})": number for why, number in self._left.items()}

    def resources(self) -> dict[str, str]:
        """Name the model that writes."""
        return {"writer": self.version}

    def foresee(self, examples: Sequence[Example]) -> None:
        """Ask about a block of examples at once."""
        asked = [
            (example, field, origin, prompt)
            for example in examples
            for field in self._fields(example)
            for origin, prompt in self._prompts(example, field)
        ]
        said = self.write([e.fields[field] for e, field, _, _ in asked], [each[3] for each in asked])
        self._found = {example.id: [] for example in examples}
        why: dict[str, str] = {}
        for (example, field, origin, _), answers in zip(asked, said, strict=True):
            for text, reason in answers:
                if text:
                    self._found[example.id].append(
                        Candidate.replacing(example, {field: text}, origin=origin, by_words=True)
                    )
                else:
                    why.setdefault(example.id, reason)
        self._left.update(reason for example, reason in why.items() if not self._found[example])

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Propose what was written of an example."""
        if example.id not in self._found:
            self.foresee([example])
        return self._found[example.id]

    def _fields(self, example: Example) -> list[str]:
        if self._field is None:
            return [name for name, text in example.fields.items() if text.strip()]
        if self._field not in example.fields:
            raise UsageError(
                f"no field {self._field!r} to rewrite.{suggestions(self._field, example.fields, 'The example has')}"
            )
        return [self._field]

    @abstractmethod
    def _prompts(self, example: Example, field: str) -> Iterable[tuple[str, str]]:
        """The origin and the prompt of each rewriting of one field."""


class Instruct(_Rewriting):
    """Rewrites a text with a chat model that follows your instruction; the answer is the candidate.

    Unusable answers are counted by reason and give no candidate: empty answers, unchanged texts, refusals, and answers
    of several lines to a text of one line. Make sure that your instruction keeps the meaning, or filter the candidates
    with constraints. Needs ``pip install 'robustfim[http]'``.

    Args:
        chat: The chat model: {url: …, model: …}, with prices, budget, token_env, max_tokens, extra, headers,
            concurrency, retries, backoff, rate, timeout and version. Parts of a suite with the same ``chat`` share its
            budget.
        instruction: The instruction, such as "Make it more formal."
        field: The field to rewrite; null rewrites each field, in separate candidates.
        answers: The number of answers to each text.
        temperature: The temperature of the answers; null means 0 for one answer, and 1 for several.
        prompt: The prompt, with {instruction}, {text}, and optionally {label} for the gold label.
        keeps_label: Whether the new text has the label of its source.
    """

    def __init__(
        self,
        *,
        chat: Chat,
        instruction: str,
        field: str | None = None,
        answers: PositiveInt = 1,
        temperature: NonNegativeFloat | None = None,
        prompt: str = _PROMPT,
        keeps_label: bool = True,
    ) -> None:
        if not instruction.strip():
            raise UsageError("'instruction' says nothing.")
        if not {"instruction", "text"} <= places(prompt) <= {"instruction", "text", "label"}:
            raise UsageError("'prompt' must contain the places {instruction} and {text}, and may contain {label}.")
        super().__init__(chat, field, answers, temperature)
        self._instruction, self._prompt = instruction.strip(), prompt
        self.contract = Contract(keeps="label" if keeps_label else "nothing")

    def _prompts(self, example: Example, field: str) -> Iterable[tuple[str, str]]:
        values = {"instruction": self._instruction, "text": example.fields[field], "label": example.label or ""}
        yield "instruct", str(fill(self._prompt, values))


class PromptAttack(_Rewriting):
    """Rewrites a text by PromptAttack's nine instructions, which ask for a text that the model mislabels.

    The paper's prompt has three parts: the text and its label, the aim (the same meaning, but another label), and the
    way to get there (Xu, Kong, Liu, Cui, Wang, Zhang and Kankanhalli, "An LLM can fool itself: a prompt-based
    adversarial attack", ICLR 2024). The instructions are reworded here. Without a gold label, or in a run without a
    model, the prompt omits the label. The paper's few-shot variant and its filter by BERTScore are not implemented;
    filter with ``constrain``. Unusable answers are the same as for ``instruct``. Needs ``pip install
    'robustfim[http]'``.

    Args:
        chat: The chat model, as for ``instruct``.
        by: The instructions: typos, letters, extra_characters; synonyms, deleted_words, added_words; handle,
            paraphrase, syntax. Name one or several, with a request for each; null for all nine.
        field: The field to rewrite; null rewrites each field, in separate candidates.
        answers: The number of answers to each request.
        temperature: The temperature of the answers; null means 0 for one answer, and 1 for several.
    """

    def __init__(
        self,
        *,
        chat: Chat,
        by: str | list[str] | None = None,
        field: str | None = None,
        answers: PositiveInt = 1,
        temperature: NonNegativeFloat | None = None,
    ) -> None:
        super().__init__(chat, field, answers, temperature)
        self._by = list(PROMPT_ATTACKS) if by is None else [by] if isinstance(by, str) else by
        for name in self._by or [""]:
            if name not in PROMPT_ATTACKS:
                raise UsageError(
                    f"'by': there is no instruction {shown(name)}.{suggestions(name, PROMPT_ATTACKS, 'Known')}"
                )
        self._labels: tuple[str, ...] = ()

    def prepare(self, context: Context) -> None:
        """Read the model's labels, if there is a model."""
        super().prepare(context)
        try:
            self._labels = tuple(getattr(context.model, "labels", ()))
        except ModelError:
            self._labels = ()

    def _prompts(self, example: Example, field: str) -> Iterable[tuple[str, str]]:
        others = [label for label in self._labels if label != example.label]
        aimed = example.label is not None and bool(others)
        values = {
            "given": f"The sentence below has the label {example.label!r}." if aimed else "Look at the sentence below.",
            "and_target": f", but that a classifier would give the label {' or '.join(map(repr, others))}"
            if aimed
            else "",
            "text": example.fields[field],
        }
        for name in self._by:
            yield f"promptattack: {name}", str(fill(_OBJECTIVE, {**values, "guidance": PROMPT_ATTACKS[name]}))
