from __future__ import annotations

from robustfim.record import AreaRecord
from robustfim_terminal.area import area_text


def test_an_area_has_its_interval_and_none_is_empty() -> None:
    assert area_text(AreaRecord(examples=60, failing=12, auroc=0.8612, interval=(0.7, 0.94))) == "0.86 [0.70, 0.94]"
    assert area_text(AreaRecord(examples=1, failing=0)) == ""
