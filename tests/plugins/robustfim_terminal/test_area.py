from __future__ import annotations

from robustfim.record import AreaRecord, PilotRecord
from robustfim_drawing import area_text
from robustfim_terminal.area import learned

BEST = AreaRecord(examples=60, failing=12, auroc=0.8612, interval=(0.7, 0.94))


def test_the_line_of_the_pilot_names_the_best_score_and_the_others() -> None:
    other = BEST.model_copy(update={"auroc": 0.7, "interval": (0.5, 0.84)})
    pilot = PilotRecord(examples=["x"] * 60, tested=60, failing=12, scores={"margin": BEST, "fisher": other})
    assert learned(pilot, "margin") == (
        "pilot: 60 random examples, judged no more; 12 of 60 tested fail; margin ranks them best, AUROC "
        "0.86 [0.70, 0.94] (fisher 0.70 [0.50, 0.84])"
    )


def test_a_pilot_that_taught_nothing_says_so() -> None:
    pilot = PilotRecord(examples=["x"], tested=1, message="0 of the 1 tested examples fail")
    assert learned(pilot, "fisher").endswith("0 of the 1 tested examples fail; fisher, the first score, selects")
    assert area_text(AreaRecord(examples=1, failing=0)) == ""
