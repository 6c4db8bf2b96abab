"""The perturbation: a quantity in the units of the other half of the world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

from robustfim import Edit, Example

_TO_METRIC: Mapping[str, tuple[float, str]] = {
    "mile": (1.609344, "kilometre"),
    "yard": (0.9144, "metre"),
    "foot": (0.3048, "metre"),
    "inch": (2.54, "centimetre"),
    "pound": (0.45359237, "kilogram"),
    "ounce": (28.349523125, "gram"),
    "gallon": (3.785411784, "litre"),
}
"""A customary unit, what one is worth in a metric one, and its name; exact by the agreement of 1959, US gallons."""

_PLURALS = {"foot": "feet", "inch": "inches"}
_ONE = {
    **{word: word for word in _TO_METRIC},
    **{_PLURALS.get(word, f"{word}s"): word for word in _TO_METRIC},
}
_QUANTITY = re.compile(rf"\b(\d+(?:\.\d+)?) ({'|'.join(sorted(_ONE, key=len, reverse=True))})\b")


class Units:
    """Writes a quantity of miles, feet, inches, yards, pounds, ounces or gallons in metric units.

    What is rounded stays as exact as it was told: two digits, or as many as the number has.

    Args:
        digits: Significant digits of the new number, at least.

    Raises:
        ValueError: ``digits`` is below 1.
    """

    def __init__(self, digits: int = 2) -> None:
        if digits < 1:
            raise ValueError(f"digits: {digits} is below 1")
        self._digits = digits

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the single edits that are possible; robustfim combines them into candidates.

        Args:
            example: The source example.
            random: What every random choice is drawn from; this perturbation makes none.
        """
        for field, text in example.fields.items():
            for found in _QUANTITY.finditer(text):
                factor, unit = _TO_METRIC[_ONE[found[2]]]
                digits = max(self._digits, len(found[1].replace(".", "").strip("0")))
                number = f"{float(f'{float(found[1]) * factor:.{digits}g}'):.15g}"
                yield Edit(field, *found.span(), found[0], f"{number} {unit}{'s' * (number != '1')}", origin="metric")
