"""Tokenization of prompts and answers; the fields of a prompt are truncated so that prompt and answer fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from robustfim.errors import ModelError, UsageError
from robustfim_huggingface.causal.branching import Passage
from robustfim_huggingface.causal.prompt import FilledPrompt

__all__ = ["PromptReading"]


class _Token(NamedTuple):
    """A token's number and its place in the text; −1 for one that the tokenizer adds."""

    number: int
    start: int
    end: int


class PromptReading:
    """A fast tokenizer, with the largest number of tokens that its model reads.

    Args:
        tokenizer: A transformers tokenizer.
        limit: The largest number of tokens; None for no limit.
        name: The model's name in messages.

    Raises:
        ModelError: The tokenizer does not report the character positions of its tokens.
    """

    def __init__(self, tokenizer: Any, limit: int | None, name: str) -> None:
        if not tokenizer.is_fast:
            raise ModelError(
                f"model {name} has only a slow tokenizer ({type(tokenizer).__name__}), which does not report where "
                "its tokens are. Save a fast tokenizer (tokenizer.json) beside the model."
            )
        self._tokenizer, self._limit, self._name = tokenizer, limit, name

    def stems(self, prompts: Sequence[FilledPrompt], behind: Sequence[int]) -> list[Passage]:
        """Tokenize prompts. If a prompt is too long, the ends of its longest fields are cut, never the template.

        Args:
            prompts: The prompts.
            behind: For each prompt, the number of tokens that the model also reads after it.

        Raises:
            UsageError: The template is so long that no token of a field fits.
        """
        passages = []
        for prompt, tokens, more in zip(prompts, self._encode(prompts), behind, strict=True):
            while (over := self._over(tokens, more)) > 0:
                prompt = self._shortened(prompt, tokens, over)
                (tokens,) = self._encode([prompt])
            passages.append(_passage(prompt, tokens))
        return passages

    def overlong(self, prompts: Sequence[FilledPrompt], behind: Sequence[int]) -> list[bool]:
        """Return for each prompt whether it is truncated when ``behind`` more tokens follow it."""
        return [self._over(each, more) > 0 for each, more in zip(self._encode(prompts), behind, strict=True)]

    def answer(self, answer: FilledPrompt, anchor: str) -> Passage:
        """Tokenize an answer as the continuation of a prompt.

        Raises:
            UsageError: The answer has no token, or its first token would include the end of the prompt.
        """
        whole = FilledPrompt((("", anchor), *answer.pieces))
        (tokens,) = self._encode([whole], special=False)
        behind = [token for token in tokens if token.end > len(anchor)]
        if not behind:
            raise UsageError(f"model {self._name}: its tokenizer makes no token of the answer {answer.text!r}.")
        if behind[0].start < len(anchor):
            raise UsageError(
                f"model {self._name}: its tokenizer reads the end of the prompt and the beginning of the answer "
                f"{answer.text!r} as one token. Begin the answer with a blank, or end the prompt otherwise."
            )
        return _passage(whole, behind)

    def _over(self, tokens: Sequence[_Token], more: int) -> int:
        return 0 if self._limit is None else len(tokens) + more - self._limit

    def _encode(self, prompts: Sequence[FilledPrompt], *, special: bool = True) -> list[list[_Token]]:
        """Tokenize prompts, without the special tokens that end a text: it goes on."""
        encoding = self._tokenizer(
            [prompt.text for prompt in prompts],
            add_special_tokens=special,
            return_offsets_mapping=True,
            verbose=False,
        )
        found = []
        for row, (ids, offsets) in enumerate(zip(encoding["input_ids"], encoding["offset_mapping"], strict=True)):
            own = [source is not None for source in encoding.sequence_ids(row)]
            tokens = [
                _Token(number, *(place if mine else (-1, -1)))
                for number, place, mine in zip(ids, offsets, own, strict=True)
            ]
            found.append(tokens[: len(tokens) - self._closing] if special else tokens)
        return found

    @cached_property
    def _closing(self) -> int:
        """How many special tokens the tokenizer adds at the end of a text."""
        sources = self._tokenizer("a").sequence_ids(0)
        return (
            len(sources) - 1 - max((number for number, source in enumerate(sources) if source is not None), default=-1)
        )

    def _shortened(self, prompt: FilledPrompt, tokens: Sequence[_Token], over: int) -> FilledPrompt:
        """Cut the longest field, at most to the length of the next."""
        places = [prompt.find(token.start, token.end) for token in tokens]
        counts = Counter(number for number, _ in places if number >= 0).most_common(2)
        if not counts:
            raise UsageError(
                f"model {self._name} reads {self._limit} tokens, and the prompt without its fields, with the answer, "
                f"has {over} more. Shorten the prompt, or raise 'max_length' where the model allows it."
            )
        (longest, count), *others = counts
        drop = min(over, max(count - others[0][1], 1) if others else count)
        starts = [span[1] for number, span in places if number == longest and span is not None]
        return prompt.cut(longest, starts[-drop])


def _passage(prompt: FilledPrompt, tokens: Sequence[_Token]) -> Passage:
    spans = (prompt.find(token.start, token.end)[1] for token in tokens)
    return Passage(tuple(token.number for token in tokens), tuple(spans))
