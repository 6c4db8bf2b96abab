"""A causal language model that chooses among alternatives by their likelihood."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Unpack

from robustfim.example import Example
from robustfim_huggingface.causal.completion import Answers, Completion, Normalise
from robustfim_huggingface.causal.model import CausalModel
from robustfim_huggingface.causal.prompt import FilledPrompt
from robustfim_huggingface.checkpoint.saved_model import Loading
from robustfim_huggingface.choice.choice import Alternatives

__all__ = ["CausalChoice"]

CONNECTIVES = {"cause": "because", "effect": "so"}
"""What COPA's questions become in the middle of a sentence, as in Holtzman et al. (2021)."""

_NAME = re.compile(r"I\b|\w+[A-Z]")


class CausalChoice(Alternatives, CausalModel):
    """A language model that chooses the likeliest alternative, from a folder or from the hub.

    Every architecture of ``AutoModelForCausalLM`` with safetensors weights works; code of a model is never run. The
    logit of an alternative is its log-likelihood after the prompt. The labels are the numbers of the alternatives, from
    ``1``. The input for gradients has the tokens of the prompt and of each alternative, each once. The gradient at a
    token of an alternative covers only its effect on later tokens. If the prompt is too long, the end of a field is cut
    off; alternatives are never cut. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        choices: The fields of the alternatives, two or more.
        prompt: The text before an alternative (a blank is added), with the names of fields in braces.
        words: A mapping from texts of a field to the words that the prompt uses instead.
        sentence: Whether prompt and alternative become one sentence: a field loses its full stop, and an alternative
            its capital, unless it begins with "I" or a word such as "TV".
        normalise: ``none`` (the sum over an alternative's tokens), or by ``tokens`` (their mean), or ``pmi`` (minus the
            alternative's log-likelihood behind ``neutral``).
        neutral: For ``pmi``, a prompt without the example's own text; it may use ``words``.
    """

    def __init__(
        self,
        path: Path | str,
        choices: list[str] | None = None,
        prompt: str = "{premise} {question}",
        words: dict[str, str] | None = None,
        sentence: bool = True,
        normalise: Normalise = "none",
        neutral: str = "{question}",
        **loading: Unpack[Loading],
    ) -> None:
        self._choices = tuple(choices or ("choice1", "choice2"))
        self._words, self._sentence = CONNECTIVES if words is None else words, sentence
        super().__init__(path, prompt=prompt, neutral=neutral, normalise=normalise, **loading)
        self._require_apart(dict.fromkeys(self._prompt.fields), "prompt")

    def _deciding(self) -> list[object]:
        own = [self._choices, sorted(self._words.items()), self._sentence]
        return ["huggingface/causal-choice", *super()._deciding(), *own]

    def _answers(self) -> Answers:
        groups = tuple((number,) for number in range(len(self._choices)))
        return Answers(anchor=self._prompt.anchor, groups=groups, normalise=self._normalise)

    def _completion(self, example: Example) -> Completion:
        texts = self._texts(example)
        replaced = {name for name, text in texts.items() if text in self._words and name not in self._choices}
        context = {
            name: self._words[text] if name in replaced else self._open(text)
            for name, text in texts.items()
            if name not in self._choices
        }
        return Completion(
            self._prompt.fill(context, replaced),
            tuple(FilledPrompt((("", " "), (name, self._continued(texts[name])))) for name in self._choices),
            None if self._baseline is None else self._baseline.fill(context, replaced),
        )

    def _open(self, text: str) -> str:
        """Take the full stop away, for the sentence goes on; no other character changes its place."""
        stripped = text.rstrip()
        return stripped[:-1] if self._sentence and stripped.endswith(".") else text

    def _continued(self, text: str) -> str:
        """Take the capital away, for the sentence went on."""
        small = text[:1].lower()
        return small + text[1:] if self._sentence and len(small) == 1 and not _NAME.match(text) else text
