"""A list of the mistakes of a suite, so that all are reported at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from robustfim.errors import Mistakes, UsageError, shown, shown_bare
from robustfim.suite.file import Location, SuiteFile, copied, written

__all__ = ["UNKNOWN", "Gathering", "problems", "refusal", "without"]

UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""The types of pydantic's errors for an unknown key, of a model or a dataclass in it."""


class Gathering:
    """A collector of mistakes in a suite, so that all are reported at once.

    Attributes:
        found: The mistakes, without repeats.
    """

    def __init__(self) -> None:
        self.found: list[UsageError] = []

    @contextmanager
    def step(self) -> Iterator[None]:
        """A context manager for one step of validation: its first mistake ends the step and is collected."""
        try:
            yield
        except UsageError as error:
            self.add(error)

    def add(self, error: UsageError) -> None:
        """Add a mistake, or each of several mistakes, to the list."""
        said = {str(error) for error in self.found}
        each = error.errors if isinstance(error, Mistakes) else (error,)
        self.found += [one for one in each if str(one) not in said]

    def error(self) -> UsageError:
        """Return the error to raise: the only mistake, or several as :class:`~robustfim.errors.Mistakes`."""
        return self.found[0] if len(self.found) == 1 else Mistakes(self.found)

    def tell(self) -> None:
        """Raise an error with all collected mistakes, if there are any.

        Raises:
            UsageError: There is a mistake; several are raised as one error.
        """
        if self.found:
            raise self.error()


def problems(error: ValidationError, data: Any, at: Location = ()) -> list[tuple[Any, Location]]:
    """List what pydantic refuses, one problem a place; an unknown key explains a missing one beside it.

    Args:
        error: What pydantic raised.
        data: The data in which a place is sought.
        at: The place in it of what was validated.
    """
    by_place: dict[Location, Any] = {}
    for problem in error.errors():
        missing = problem["loc"][-1:] if problem["type"] == "missing" else ()
        by_place.setdefault((*written((*at, *problem["loc"]), data), *missing), problem)
    explained = {place[:-1] for place, problem in by_place.items() if problem["type"] in UNKNOWN}
    return [
        (problem, place)
        for place, problem in by_place.items()
        if problem["type"] != "missing" or place[:-1] not in explained
    ]


def refusal(problem: Any, where: str) -> str:
    """Say what pydantic refuses of a value, by its type; ``where`` names the value, and may be empty."""
    match problem["type"]:
        case "value_error":
            return f"{where + ': ' if where else ''}{problem['ctx']['error']}."
        case "model_type" | "dict_type" | "model_attributes_type":
            return f"{where} must be a mapping of keys ('key: value', one a line), not {shown(problem['input'])}."
        case "list_type":
            return f"{where} must be a list ('[first, second]'), not {shown_bare(problem['input'])}."
        case "string_type":
            return f"{where} must be a text, not {shown_bare(problem['input'])}; put it in quotes if it is one."
    return f"{where}: {problem['msg'][0].lower()}{problem['msg'][1:]}, not {shown(problem['input'])}."


def without(file: SuiteFile, places: list[Location]) -> SuiteFile:
    """Return a copy of a suite without its wrong parts, so that the correct parts can be checked.

    Args:
        file: The suite.
        places: The wrong places. If a key is missing, the mapping that lacks it is left out.
    """
    data = copied(file.data)
    for place in sorted(places, key=len, reverse=True):
        way = list(place)
        while way:
            here: Any = data
            for key in way[:-1]:
                known = dict(enumerate(here)) if isinstance(here, list) else here
                here = known.get(key) if isinstance(known, dict) else None
            if isinstance(here, dict) and way[-1] in here:
                del here[way[-1]]
                break
            way.pop()
    return SuiteFile(file.path, data, file.lines, file.overridden, file.here)
