from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.contractions import Contractions
from tests.plugins.robustfim_words.samples import edits, perturbation, texts


def test_of_two_contractions_that_overlap_the_one_with_not_is_taken(tmp_path: Path) -> None:
    (edit,) = edits(perturbation("contractions", tmp_path), "It is not good.")
    assert (edit.before, edit.after, edit.origin) == ("is not", "isn't", "contractions: is not → isn't")


def test_one_direction_can_be_chosen(tmp_path: Path) -> None:
    text = "It is good, but I don't care."
    assert texts(perturbation("contractions", tmp_path, direction="expand"), text) == ["It is good, but I do not care."]
    assert texts(perturbation("contractions", tmp_path, direction="contract"), text) == ["It's good, but I don't care."]
    with pytest.raises(UsageError, match=r"direction: unknown 'expnd'. Did you mean 'expand'"):
        Contractions(direction="expnd")
