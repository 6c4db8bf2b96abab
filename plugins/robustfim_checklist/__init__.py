"""CheckList (Ribeiro et al., ACL 2020): its tests from a file, and sentences made of templates and lexicons."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_checks", "robustfim_data", "robustfim_suite_formats"]


@hookimpl
def robustfim_checks() -> dict[str, str]:
    """Offer ``checklist`` and ``templates``."""
    return {
        "checklist": "robustfim_checklist.source:CheckListTests",
        "templates": "robustfim_checklist.template_tests:TemplateTests",
    }


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``templates``."""
    return {"templates": "robustfim_checklist.template_data:TemplateData"}


@hookimpl
def robustfim_suite_formats() -> dict[str, str]:
    """Offer ``checklist``."""
    return {"checklist": "robustfim_checklist.released:CheckListSuite"}
