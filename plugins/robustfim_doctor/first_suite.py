"""The scores, checks and reports that plugins suggest for the first suite of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.plugin import PluginManager
from robustfim.suite import CheckSpec

__all__ = ["FirstSuite", "first_suite", "read_first_suite"]


class FirstSuite(BaseModel):
    """The plugins' suggestions for a project's first suite, or those of one plugin; unknown keys are refused.

    Attributes:
        scores: Names of scores.
        checks: Checks by name; their limits are not yet measured.
        reports: Names of reports.
        without_gradients: A sentence for the suite of a model without gradients.
    """

    model_config = ConfigDict(extra="forbid")

    scores: tuple[str, ...] = ()
    checks: dict[str, CheckSpec] = {}
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
    found = FirstSuite()
    for answer in answers:
        try:
            part = FirstSuite.model_validate(answer)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(map(str, problem["loc"])) or "the whole"
            raise PluginError(f"robustfim_first_suite returned {answer!r}: {place}: {problem['msg']}.") from error
        found = FirstSuite(
            scores=tuple(dict.fromkeys((*found.scores, *part.scores))),
            checks=found.checks | part.checks | found.checks,  # of one name the first, in its place
            reports=tuple(dict.fromkeys((*found.reports, *part.reports))),
            without_gradients=f"{found.without_gradients} {part.without_gradients}".strip(),
        )
    return found
