"""The perturbation keeps the promises of its role, and converts as the agreement of 1959 says."""

import pytest
import robustfim
from robustfim_testing import PerturbationConformance

from robustfim_units.perturbation import Units

TEXTS = ("It is 5 miles from the beach.", "A bag of 30 pounds, and the shelf is 1.5 feet too high.", "No unit at all.")


class TestUnits(PerturbationConformance):
    """Its members, its options, and the promises of its role."""

    texts = TEXTS

    def make(self) -> Units:
        """Make what is tested."""
        return Units(digits=3)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("5 miles", "8 kilometres"),
        ("26.2 miles", "42.2 kilometres"),
        ("1 foot", "0.3 metres"),
        ("6 feet", "1.8 metres"),
        ("100 yards", "91 metres"),
        ("12 inches", "30 centimetres"),
        ("16 ounces", "450 grams"),
        ("2.2 pounds", "1 kilogram"),
    ],
)
def test_a_quantity_is_converted_and_stays_as_exact_as_it_was(text: str, metric: str) -> None:
    (pool,) = robustfim.perturb("units", [f"It took {text}."], candidates=1, plugins=["robustfim_units"])
    assert [each.example.text for each in pool] == [f"It took {metric}."]


def test_no_digits_are_refused() -> None:
    with pytest.raises(ValueError, match="below 1"):
        Units(0)
