"""Options that several of these commands take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from robustfim.commands import shared_options

__all__ = ["ALLOW_WEAK", "scan_options"]

ALLOW_WEAK = click.option(
    "--allow-weak", is_flag=True, help="Accept a model whose answers do not go with the gold labels."
)


def scan_options(*, model: str, data: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of a scan, as :func:`robustfim.commands.shared_options` does."""
    return shared_options(
        "model", "data", "seed", "offline", "max_calls", "store", "reports", "plugins", "color",
        model={"required": True, "help": model},
        data={"required": True, "help": data},
        seed={"default": 0, "show_default": True, "help": "The seed of the draw of examples."},
        max_calls={"default": 50_000, "show_default": True},
    )  # fmt: skip
