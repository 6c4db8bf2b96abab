"""The scores, checks and reports that plugins suggest for the first suite of a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.plugin import PluginManager
from robustfim.suite import CheckSpec

__all__ = ["FirstSuite", "first_suite", "read_first_suite"]


@dataclass(frozen=True)
class FirstSuite:
    """The plugins' suggestions for a project's first suite.

    Attributes:
        scores: Names of scores.
        checks: Checks by name; their limits are not yet measured.
        reports: Names of reports.
        without_gradients: Sentences for the suite of a model without gradients.
    """

    scores: tuple[str, ...]
    checks: Mapping[str, CheckSpec]
    reports: tuple[str, ...]
    without_gradients: tuple[str, ...]


@dataclass
class _Part:
    """What one plugin says; unknown keys are refused."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # where pydantic looks for it
    scores: tuple[str, ...] = ()
    checks: Mapping[str, CheckSpec] | None = None
    reports: tuple[str, ...] = ()
    without_gradients: str = ""


def first_suite(manager: PluginManager, examples: Sequence[Example] = ()) -> FirstSuite:
    """Ask the plugins for their suggestions for a model and its data.

    Returns:
        The suggestions of all plugins. If several suggest a check of one name, the first suggestion counts.

    Raises:
        PluginError: A plugin raised, or returned something else.
    """
    return read_first_suite(manager.hook.robustfim_first_suite(examples=examples))


def read_first_suite(answers: Iterable[object]) -> FirstSuite:
    """Combine the answers to the hook ``robustfim_first_suite``.

    Args:
        answers: Mappings with ``scores``, ``checks``, ``reports`` or ``without_gradients``.

    Returns:
        The suggestions of all plugins. If several suggest a check of one name, the first suggestion counts.

    Raises:
        PluginError: An answer has another form.
    """
    scores: dict[str, None] = {}
    reports: dict[str, None] = {}
    checks: dict[str, CheckSpec] = {}
    sentences = []
    for answer in answers:
        try:
            part = TypeAdapter(_Part).validate_python(answer)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(map(str, problem["loc"])) or "the whole"
            raise PluginError(f"robustfim_first_suite returned {answer!r}: {place}: {problem['msg']}.") from error
        scores |= dict.fromkeys(part.scores)
        reports |= dict.fromkeys(part.reports)
        checks |= {name: check for name, check in (part.checks or {}).items() if name not in checks}
        sentences += [part.without_gradients] if part.without_gradients else []
    return FirstSuite(tuple(scores), checks, tuple(reports), tuple(sentences))
