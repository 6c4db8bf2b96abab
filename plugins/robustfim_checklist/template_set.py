"""The sentences of several templates together, with a limit on their number and a seed."""

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
    """Fill templates with all combinations of words, or with a random sample of each.

    Args:
        templates: The templates.
        sample: The number of sentences drawn from each template; None for all sentences.
        most: The largest number of sentences of all templates together.
        seed: The seed of the samples. The sample of a template does not depend on the other templates.
        times: The number of sentences that the caller makes of each filled template.

    Yields:
        The index of a template, and a sentence of this template.

    Raises:
        DataError: There are more sentences than ``most``.
    """
    sizes = [template.size if sample is None else min(sample, template.size) for template in templates]
    if (total := times * sum(sizes)) > most:
        largest = templates[sizes.index(max(sizes))]
        varied = f", {times:,} times over" if times > 1 else ""
        raise DataError(
            f"the templates make {total:,} sentences, and the limit is {most:,}: {largest.pattern!r} has "
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
