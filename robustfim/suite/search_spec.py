"""The key ``search`` of a perturbation: edits are combined step by step, guided by the model's answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from robustfim.errors import shown

__all__ = ["SearchChoice", "SearchSpec"]

_BEAM = 4
"""The width of a beam if a suite names no number."""


class SearchSpec(BaseModel):
    """The settings of a search, which combines edits until an example fails, guided by the model's answers."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    use: Literal["greedy", "beam"] = Field(description="Keep the best text of each number of edits, or several.")
    queries: int = Field(
        200, ge=1, le=100_000, description="Texts of each example that the model is asked about, at most."
    )
    beam: int | None = Field(None, ge=2, le=100, description="Texts that a beam keeps of each number of edits; else 4.")

    @model_validator(mode="after")
    def _beam_of_a_beam(self) -> SearchSpec:
        if self.beam is not None and self.use != "beam":
            raise ValueError(f"'beam: {self.beam}' is of 'use: beam'; {self.use!r} keeps one text")
        return self

    @property
    def width(self) -> int:
        """The width of the beam: the number of texts that are kept for each number of edits."""
        return 1 if self.use == "greedy" else self.beam or _BEAM


def _named(value: Any) -> Any:
    """Let a name stand for ``{use: name}``."""
    if value is None or isinstance(value, dict | SearchSpec):
        return value
    if value not in ("greedy", "beam"):
        raise ValueError(f"{shown(value)} is no search: write greedy, beam, or {{use: greedy, queries: 200}}")
    return {"use": value}


SearchChoice = Annotated[SearchSpec | None, BeforeValidator(_named)]
"""A search by its name, or with its options; None for none."""
