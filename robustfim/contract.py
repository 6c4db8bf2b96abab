"""Contract: what the harness may take for granted of a plugin's object, one frozen value each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["INCIDENTAL", "Contract"]

INCIDENTAL: Final = "incidental"
"""Annotates an option that decides no text, which no lock compares: ``timeout: Annotated[float, INCIDENTAL] = 60.0``.

It stands at an argument of a class that a plugin offers, or at a field of a dataclass that such an argument takes.
"""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What a perturbation promises of its candidates: ``contract = Contract(keeps="nothing")`` in its class.

    Attributes:
        keeps: ``"label"`` where a candidate has its example's gold label or names its own; ``"nothing"`` where it may
            have another: training data is not augmented with it.
        expects: The expectation of checks that name none, as a suite writes it.
        noise: Whether candidates are not meant to keep the meaning: it measures others.
        unchanged: Whether a candidate that changes nothing is tested.
        cased: Whether it finds what it changes by capital letters.
        carries: Whether a span keeps its label where an edit changes its words: another person for a person, a typo in
            a name. Else it leaves the count.
        per_character: Changes of a candidate for each character of the text, above 0, in place of ``words``; or None.

    Raises:
        ValueError: ``keeps`` is neither of the two, or a flag is no truth value.
    """

    keeps: Literal["label", "nothing"] = "label"
    expects: str | Mapping[str, Any] = "invariant"
    noise: bool = False
    unchanged: bool = False
    cased: bool = False
    carries: bool = False
    per_character: float | None = None

    def __post_init__(self) -> None:
        if self.keeps not in ("label", "nothing"):
            raise ValueError(f"a contract keeps 'label' or 'nothing', not {self.keeps!r}")
        for name in ("noise", "unchanged", "cased", "carries"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"the contract's {name!r} is {getattr(self, name)!r}, not True or False")
