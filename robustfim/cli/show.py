"""The command ``list``, which shows the checks of suites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from robustfim.cli.arguments import named_suites
from robustfim.commands import Chosen, shared_options

if TYPE_CHECKING:
    from robustfim.suite.format import CheckSpec

__all__ = ["list_checks"]


@click.command("list", epilog="Example: robustfim list suites/sentiment.yaml")
@click.argument("suites", nargs=-1, required=True, metavar="SUITE...")
@shared_options("plugins")
def list_checks(suites: Sequence[str], chosen: Chosen) -> None:
    """List the checks of suites."""
    from robustfim.run_options import RunOptions
    from robustfim.session.open import look_at_suite
    from robustfim.terminal.console import make_console
    from robustfim.terminal.tables import print_table

    console = make_console()
    for path, only in named_suites(suites):
        options = RunOptions(only=only, collect_only=True)
        heads = ["check", "perturb", "expect", "limit", "marks", "note"]
        rows = []
        for check in look_at_suite(path, plugins=chosen.plugin_options, options=options).checks:
            spec = check.spec
            marks = ", ".join(spec.marks)
            rows.append([check.id, spec.perturb.use, spec.expect.use, _limit(spec), marks, _note(spec)])
        told = [index for index in range(len(heads)) if any(row[index] for row in rows)]
        print_table(
            console, [heads[index] for index in told], [[row[index] for index in told] for row in rows], numbers=False
        )


def _limit(spec: CheckSpec) -> str:
    from robustfim.statistics import percent

    if spec.limit is None or isinstance(spec.limit, float):
        return "" if spec.limit is None else percent(spec.limit)
    return "\n".join(f"{arm} {percent(rate)}" for arm, rate in spec.limit.items())


def _note(spec: CheckSpec) -> str:
    from robustfim.record.secrets import hide_secrets

    if spec.skip:
        return hide_secrets(f"skip: {spec.skip}")
    if spec.xfail is None:
        return ""
    until = f" (until {spec.xfail.until})" if spec.xfail.until else ""
    return hide_secrets(f"xfail: {spec.xfail.reason}{until}")
