"""Requests to a chat model for new texts, and the check that its answers are usable."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robustfim.errors import UsageError
from robustfim_blackbox.chat.service import Asked, Chat, ChatPart

__all__ = ["Writer", "usable"]

_REFUSAL = re.compile(
    r"(i['’]?m|i am) (very |so )?(sorry|unable|not able|afraid i can)|sorry,|as an ai\b|"
    r"i (cannot|can['’]?t|can not|won['’]?t|must decline)\b",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("«", "»"), ("`", "`"))


class Writer(ChatPart):
    """Asks a chat model for new texts, and marks unusable answers.

    Args:
        chat: The address, options and budget of the model.
        answers: The number of answers to each request, at least 1.
        temperature: The temperature of the answers. None means 0 for one answer, and 1 for several.

    Raises:
        UsageError: An option has no usable value.
    """

    def __init__(self, chat: Chat, answers: int = 1, temperature: float | None = None) -> None:
        if answers > 1 and temperature == 0:
            raise UsageError(f"{answers} answers at temperature 0 would all be the same: raise 'temperature'.")
        super().__init__(chat)
        self._answers = answers
        self._temperature = float(answers > 1) if temperature is None else temperature

    def write(self, texts: Sequence[str], prompts: Sequence[str], *, first: int = 0) -> list[list[tuple[str, str]]]:
        """Ask a chat model for new texts in place of old ones.

        Args:
            texts: The old texts, ``[requests]``.
            prompts: The prompts, ``[requests]``.
            first: The index of the first answer. A different index asks for new answers instead of stored ones.

        Returns:
            ``[requests][answers]``: a new text and ``""``, or ``""`` and the reason why the answer is unusable.

        Raises:
            ModelError: The endpoint failed too often.
            CallLimitReached: The budget is used up. Earlier answers are kept.
        """
        service, context = self.joined
        numbers = range(first, first + self._answers)
        asked = [Asked(prompt, self._temperature, number) for prompt in prompts for number in numbers]
        said = iter(service.complete(asked, context))
        found = []
        for text in texts:
            own = []
            for answer in (next(said) for _ in numbers):
                new, why = ("", answer.unusable) if answer.unusable else usable(text, answer.text)
                service.unusable.update([why] if why else [])
                own.append((new, why))
            found.append(own)
        return found


def usable(before: str, said: str) -> tuple[str, str]:
    """Return the new text in a chat model's answer, or the reason why the answer cannot be used.

    Quotes around the new text are removed, and the blanks around the old text are restored.

    Returns:
        The new text and ``""``; or ``""`` and a reason: ``empty``, ``the text as it was``, ``refused``, or ``more than
        a text`` for several lines if the old text has one.
    """
    old, text = before.strip(), said.strip()
    for left, right in _QUOTES:
        if len(text) > 1 and text[0] == left and text[-1] == right and not (old[:1] == left and old[-1:] == right):
            text = text[1:-1].strip()
            break
    if not text:
        return "", "empty"
    if text == old:
        return "", "the text as it was"
    if _REFUSAL.match(text) and not _REFUSAL.match(old):
        return "", "refused"
    if "\n" in text and "\n" not in old:
        return "", "more than a text"
    if not old:
        return text, ""
    return before.replace(old, text), ""
