"""CheckList (Ribeiro et al., ACL 2020): tests from a file, sentences from templates, combined expectations."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer CheckList's tests, sentences made of templates, and expectations made of other expectations."""
    return {
        "checks": {
            "checklist": "robustfim_checklist.source:CheckListTests",
            "templates": "robustfim_checklist.template_tests:TemplateTests",
        },
        "expectations": {
            "all": "robustfim_checklist.combinations:AllOf",
            "any": "robustfim_checklist.combinations:AnyOf",
            "per_slice": "robustfim_checklist.combinations:PerSlice",
        },
        "data": {"templates": "robustfim_checklist.template_data:TemplateData"},
        "suite_formats": {"checklist": "robustfim_checklist.released:CheckListSuite"},
    }
