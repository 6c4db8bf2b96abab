"""A set of templates: what they make together, bounded and seeded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robustfim.errors import DataError
from robustfim.seeds import random_for
from robustfim_checklist.template import Filled, Template

__all__ = ["MOST", "fill_all"]

MOST = 10_000
"""Sentences that templates may make together, unless the suite says otherwise."""


def fill_all(
    templates: Sequence[Template], *, sample: int | None, most: int, seed: int, times: int = 1
) -> Iterator[tuple[int, Filled]]:
    """Fill templates, in full or by a sample of each.

    Args:
        templates: The templates.
        sample: Sentences drawn of each template; None for all of them.
        most: Sentences they may make together.
        seed: Of the sample; a template's own does not depend on the others.
        times: Sentences that the caller makes of each of these.

    Yields:
        The index of a template and a sentence of it.

    Raises:
        DataError: There are more sentences than ``most``.
    """
    sizes = [each.size if sample is None else min(sample, each.size) for each in templates]
    if (total := times * sum(sizes)) > most:
        largest = templates[sizes.index(max(sizes))]
        varied = f", {times:,} times over" if times > 1 else ""
        raise DataError(
            f"the templates make {total:,} sentences, and {most:,} are the most: {largest.pattern!r} has "
            f"{largest.size:,} ({largest.factors}{varied}). Draw some of each with 'sample: 200', or allow more with "
            f"'most: {total}'."
        )
    for index, template in enumerate(templates):
        if sample is None:
            filled = template.all()
        else:
            filled = iter(template.sample(sample, random_for(seed, "template", template.pattern)))
        for each in filled:
            yield index, each
