"""Text with ``...`` for anything: whether it fits what was shown, and what it becomes where it does not."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Sequence

__all__ = ["fits", "renewed"]

ANYTHING = "..."
TOKEN = re.compile(r"\.\.\.|\s+|\d+|[^\W\d]+|[^\w\s]")
TERMINAL = 80
"""Columns, beyond which a line is broken."""
SWALLOWED = 0.01
"""What it costs that ``...`` stands for one line or token more: little, so that it goes on standing for what it did."""

Alike = Callable[[str], str]


def fits(text: str, shown: str, alike: Alike = str) -> bool:
    """Compare as doctest does, ``...`` standing for anything; blanks at the end of lines do not count.

    Where lines end does not count, either: the edge of the terminal breaks them.

    Args:
        text: What a page says.
        shown: What a command showed.
        alike: Brings both into the form that is compared, as one that leaves their numbers out.

    Returns:
        Whether the page is right.
    """
    wanted, got = ("".join(f"{line.rstrip()}\n" for line in alike(each).splitlines()) for each in (text, shown))
    check = doctest.OutputChecker().check_output
    if check(wanted, got, doctest.ELLIPSIS):
        return True
    wanted, got = (" ".join(map(str.strip, each.splitlines())) for each in (wanted, got))
    return check(wanted, got, doctest.ELLIPSIS)


def renewed(text: str, shown: str, alike: Alike = str) -> str:
    """Write a text anew that no longer fits: what fits stays as it is, and ``...`` where it can.

    The cheapest way from the text to what was shown, line by line, and token by token within a line that changed: a
    line is kept, changed into a similar one, dropped or added, and ``...`` swallows what it can (Needleman & Wunsch,
    1970).

    Args:
        text: What a page says.
        shown: What a command showed.
        alike: Brings lines into the form that is compared.

    Returns:
        A text that fits what was shown; the text itself where it does already.
    """
    if fits(text, shown, alike):
        return text
    lines, _ = _aligned(
        text.splitlines(),
        _unbroken([line.rstrip() for line in shown.splitlines()], text.splitlines()),
        fits=lambda old, new: fits(old, new, alike),
        change=lambda old, new: _line(old, new)[1],
        changed=lambda old, new: _line(old, new)[0],
        weight=lambda _: 1,
        added=1,
        empty=False,  # a line of its own is one line at least
    )
    return "".join(f"{line}\n" for line in lines)


def _unbroken(shown: Sequence[str], text: Sequence[str]) -> list[str]:
    """Join what the terminal broke, indented from the second line on, where the page has it on one line."""
    whole = {tuple(line.split()[1:2]) for line in text if len(line) > TERMINAL}
    made: list[str] = []
    for line in shown:
        if made and line[:1].isspace() and tuple(made[-1].split()[1:2]) in whole:
            made[-1] += f" {line.strip()}"
        else:
            made.append(line)
    return made


def _line(text: str, shown: str) -> tuple[str, float]:
    """A line written anew, and what that costs: from 0 to 2, where nothing of it is left."""
    old, new = TOKEN.findall(text), TOKEN.findall(shown)
    tokens, cost = _aligned(
        old,
        new,
        fits=lambda old, new: old in (ANYTHING, new),
        change=lambda old, new: 2 if old.isspace() != new.isspace() else _weight(old),
        changed=lambda _, new: new,
        weight=_weight,
        added=0.1,  # with a column more it is still the line that it was
        empty=True,
    )
    made = "".join(tokens)
    words = sum(not each.isspace() and each != ANYTHING for each in old)
    return made if fits(made, shown) else shown, 2 * cost / max(1, words)  # a point beside "..." is read as part of it


def _weight(token: str) -> float:
    return 0.01 if token.isspace() else 1


def _aligned(
    old: Sequence[str],
    new: Sequence[str],
    *,
    fits: Callable[[str, str], bool],
    change: Callable[[str, str], float],
    changed: Callable[[str, str], str],
    weight: Callable[[str], float],
    added: float,
    empty: bool,
) -> tuple[list[str], float]:
    """The cheapest way from ``old`` to what fits ``new``, and its cost."""
    costs = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    moves = [[""] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) + 1):
        for j in range(len(new) + 1):
            ways: list[tuple[float, str]] = [] if i or j else [(0, "")]
            if i and j:
                cost = 0 if fits(old[i - 1], new[j - 1]) else change(old[i - 1], new[j - 1])
                ways.append((costs[i - 1][j - 1] + cost, "change" if cost else "keep"))
            if i and empty and old[i - 1] == ANYTHING:
                ways.append((costs[i - 1][j], "keep alone"))
            if i:
                ways.append((costs[i - 1][j] + weight(old[i - 1]), "drop"))
            if i and j and old[i - 1] == ANYTHING:
                ways.append((costs[i][j - 1] + SWALLOWED * weight(new[j - 1]), "swallow"))
            if j:
                ways.append((costs[i][j - 1] + added * weight(new[j - 1]), "add"))
            costs[i][j], moves[i][j] = min(ways, key=lambda way: way[0])
    return _followed(old, new, moves, changed), costs[-1][-1]


def _followed(
    old: Sequence[str], new: Sequence[str], moves: Sequence[Sequence[str]], changed: Callable[[str, str], str]
) -> list[str]:
    """Follow the moves back from the end."""
    made: list[str] = []
    i, j = len(old), len(new)
    while i or j:
        move = moves[i][j]
        if move in ("keep", "keep alone"):
            made.append(old[i - 1])
        elif move == "change":
            made.append(changed(old[i - 1], new[j - 1]))
        elif move == "add":
            made.append(new[j - 1])
        i -= move in ("keep", "keep alone", "change", "drop")
        j -= move in ("keep", "change", "add", "swallow")
    return made[::-1]
