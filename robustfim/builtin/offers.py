"""The built-in plugin, which offers the core's own classes as any other plugin does."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.hookspecs import Described, Offers, hookimpl

__all__ = ["robustfim_offers", "robustfim_options"]

_OFFERS: Mapping[str, Mapping[str, str]] = {
    "expectations": {
        "changes": "expectations:Changes", "correct": "expectations:Correct",
        "directional": "expectations:Directional", "equals": "expectations:Equals",
        "found": "spans:Found", "invariant": "expectations:Invariant", "spurious": "spans:Spurious",
    },
    "reducers": {
        "all": "reducers:AllFail", "any": "reducers:AnyFails", "at_most": "reducers:AtMost", "share": "reducers:Share",
        "mean": "reducers:MeanShare",
    },
    "engines": {"inline": "engines:Inline"},
    "perturbations": {"itself": "unchanged:Unchanged", "composed": "composed:Composed"},
    "reports": {"json": "json_report:JsonReport"},
}  # fmt: skip


@hookimpl
def robustfim_offers() -> Offers:
    """Offer expectations, reducers, engines, perturbations without edits of their own, and the JSON report."""
    return {kind: {name: f"{__package__}.{place}" for name, place in offer.items()} for kind, offer in _OFFERS.items()}


@hookimpl
def robustfim_options(command: str) -> Described:
    """Offer ``--json``."""
    return {"--json": ("json", "Write the run record to this file.")} if command == "run" else {}
