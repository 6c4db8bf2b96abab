"""Sections: the plugins' additions to a run record, collected after the checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from robustfim.blame import blame
from robustfim.collect.collection import Collection
from robustfim.errors import PluginError, RobustfimError, shown
from robustfim.exhibit import Section
from robustfim.plugin.hooks import Hooks
from robustfim.predict.context import RunContext

__all__ = ["gather_sections", "told_sections"]


def gather_sections(hook: Hooks, collection: Collection, context: RunContext) -> list[Section]:
    """Collect the report sections that plugins add at the end of a run.

    Raises:
        PluginError: A plugin raised, or returned something other than sections. The run keeps its results.
    """
    try:
        sections = hook.robustfim_sections(collection=collection, context=context)
    except PluginError:
        raise
    except RobustfimError as error:  # the record is written with what the checks found
        raise PluginError(f"a section of the report cannot be made: {error}") from error
    return _checked(sections, "robustfim_sections")


def told_sections(context: RunContext) -> list[Section]:
    """Collect the report sections of the model and of objects that plugins share, at the end of a run.

    Raises:
        PluginError: An object raised, or returned something other than sections.
    """
    found = []
    for tell in context.tellers:
        with blame("what is told at the end of the run"):
            found.append(tell())
    return _checked(found, "sections()")


def _checked(found: Sequence[Any], who: str) -> list[Section]:
    for each in found:
        if not isinstance(each, Sequence) or isinstance(each, str):
            raise PluginError(f"{who} must return a list of robustfim.exhibit.Section, not {shown(each)}.")
    sections = [section for each in found for section in each]
    strange = next((section for section in sections if not isinstance(section, Section)), None)
    if strange is not None:
        raise PluginError(f"{who} must return robustfim.exhibit.Section, not {shown(strange)}.")
    return sorted(sections, key=lambda section: section.name)
