"""Review on a terminal: shows a pair of texts, and reads one key."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from robustfim.commands import print_line
from robustfim.judge import Pair
from robustfim.record import Answer, ReviewFile
from robustfim_drawing import inline_diff

__all__ = ["Reviewer"]

_KEYS: dict[str, Answer] = {"v": "valid", "n": "invalid", "u": "unsure"}
_HELP = "v valid · n not valid · u unsure · b back · q quit. Valid: people might write this, and the label still fits."


@dataclass
class Reviewer:
    """Asks a person in the terminal whether failing pairs of texts are valid, and writes each answer at once.

    Attributes:
        console: Where pairs are shown.
        ask: Waits for one key; "" and EOFError end the review.
        file: All answers so far.
        path: The path of the file.
        who: The name of the person, if they wish to be named.
        clock: Returns the time in seconds, to measure how long an answer takes.
    """

    console: Console
    ask: Callable[[], str]
    file: ReviewFile
    path: Path
    who: str | None = None
    clock: Callable[[], float] = time.monotonic

    def run(self, next_pair: Callable[[dict[str, Answer]], Pair | None]) -> int:
        """Show pairs of texts and ask about them, until none is left or the person stops.

        Args:
            next_pair: Returns the next pair, given all answers so far; None if none is left.

        Returns:
            The number of answers that were given and not withdrawn.
        """
        given = 0
        print_line(self.console, _HELP)
        while (pair := next_pair(self.file.by_pair)) is not None:
            self._show(pair)
            shown = self.clock()
            key = self._key()
            seconds = round(self.clock() - shown, 1)
            if key == "q":
                break
            if key == "b":
                if given:
                    self.file.answers.pop()
                    given -= 1
                    self.file.save(self.path)
                else:
                    print_line(self.console, "there is no answer of today to take back.")
                continue
            self.file.add(pair.hash, _KEYS[key], check=pair.failure.check, who=self.who, seconds=seconds)
            self.file.save(self.path)
            given += 1
        else:
            print_line(self.console, "no pair is left to look at.")
        return given

    def _show(self, pair: Pair) -> None:
        self.console.print()
        label = "no gold label" if pair.source.label is None else f"gold {pair.source.label}"
        print_line(self.console, f"{pair.failure.check}  ({label})", style="dim")
        for field, text in pair.source.fields.items():
            edits = [edit for edit in pair.failure.edits if edit.field == field]
            head = Text(f"{field}: ", style="dim") if len(pair.source.fields) > 1 else Text()
            after = pair.failure.fields.get(field, "")
            if edits or after == text:
                print_line(self.console, head.append_text(inline_diff(text, edits, whole=True)))
            else:
                print_line(self.console, f"{head.plain}{text}")
                print_line(self.console, f"{head.plain}→ {after}")

    def _key(self) -> str:
        while True:
            try:
                key = self.ask().strip().lower()[:1] or "q"
            except (EOFError, KeyboardInterrupt):
                key = "q"
            if key in (*_KEYS, "b", "q"):
                return key
            print_line(self.console, _HELP)
