"""CheckList (Ribeiro et al., ACL 2020): tests from a file, and sentences from templates and lexicons."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer CheckList's tests as checks and for ``robustfim import``, and sentences made of templates."""
    return {
        "checks": {
            "checklist": "robustfim_checklist.source:CheckListTests",
            "templates": "robustfim_checklist.template_tests:TemplateTests",
        },
        "data": {"templates": "robustfim_checklist.template_data:TemplateData"},
        "suite_formats": {"checklist": "robustfim_checklist.released:CheckListSuite"},
    }
