"""Sensitivity to cues, on a model whose gradients are known in closed form."""

from __future__ import annotations

from itertools import pairwise
from math import isnan
from pathlib import Path
from statistics import fmean

import pytest
from scipy.stats import ttest_rel

from robustfim import ModelError
from robustfim.cli import main
from robustfim_cues.copa.data import Copa
from robustfim_cues.measures.measures import Cue, measure
from robustfim_cues.models.bag_of_words import BagOfWords
from robustfim_cues.sensitivity.measure import (
    Band,
    CueSensitivity,
    Sensitivities,
    bands,
    require_gradients,
    sensitivities,
)
from tests.plugins.robustfim_cues.choosing import Choosing
from tests.plugins.robustfim_cues.conftest import make

pytest.importorskip("torch")
MODULE = "tests.plugins.robustfim_cues.choosing"


def cue(text: str, hits: int = 3, applies: int = 4) -> Cue:
    return Cue(text, "right", applies, hits, 0.5, 10, 0.5, 1.0)


def test_the_norm_is_that_of_the_gradient_of_the_chosen_score() -> None:
    model = Choosing({"was": 4.0, "not": -2.0, "unread": 0.0})
    examples = [make("It was wet", "unread"), make("The film was not good", "unread")]
    chosen = [int(row.argmax()) for row in model.predict(examples)]
    found = {
        sensitivity.cue.text: sensitivity
        for sensitivity in sensitivities(model, examples, [cue("was"), cue("not")]).cues
    }
    # ∂z/∂x = a(w) u, and ‖u‖ = 5; of the words of the chosen alternative alone.
    texts = [
        example.fields[f"choice{side + 1}"].lower().split() for example, side in zip(examples, chosen, strict=True)
    ]
    for name, weight in (("was", 4.0), ("not", 2.0)):
        holding = [words for words in texts if name in words]
        if not holding:
            assert name not in found
            continue
        usual = [fmean({"was": 20.0, "not": 10.0}.get(word, 5.0) for word in words) for words in holding]
        assert found[name].norm == pytest.approx(5 * weight)
        assert found[name].relative == pytest.approx(fmean(5 * weight / each for each in usual))
        assert found[name].places == len(holding)
    assert found, "one of the cues stands in a chosen alternative"


def test_relative_sensitivity_does_not_depend_on_the_scale_of_the_scores() -> None:
    examples = list(Copa(part="original", limit=12).load())
    cues = measure(examples, minimum=2).found
    one, ten = (sensitivities(Choosing({"was": 3.0, "the": 0.5}, scale), examples, cues).cues for scale in (1, 10))
    assert [sensitivity.relative for sensitivity in ten] == pytest.approx([sensitivity.relative for sensitivity in one])
    assert [sensitivity.norm for sensitivity in ten] == pytest.approx([10 * sensitivity.norm for sensitivity in one])


def test_a_word_of_several_tokens_has_the_norm_over_all_of_them() -> None:
    class Pieces(Choosing):
        """Cuts each word into halves."""

        def embed(self, examples):  # type: ignore[no-untyped-def]  # as above
            embedded = super().embed(examples)
            embedded.inputs["slopes"] = embedded.inputs["slopes"].repeat_interleave(2, dim=1)
            halves = [
                [half for span in row for half in ([None] * 2 if span is None else _halves(span))]
                for row in embedded.spans
            ]
            return type(embedded)(
                embedded.embeddings.repeat_interleave(2, dim=1), embedded.mask.repeat_interleave(2, dim=1),
                embedded.special.repeat_interleave(2, dim=1), halves, embedded.inputs,
            )  # fmt: skip

    (found,) = sensitivities(Pieces({"was": 4.0}), [make("was", "was")], [cue("was")]).cues
    assert found.norm == pytest.approx(5 * 4.0 * 2**0.5)
    assert found.relative == pytest.approx(1)


def _halves(span: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    field, start, end = span
    return [(field, start, start + 1), (field, start + 1, end)]


def test_every_cue_is_in_the_band_of_its_productivity() -> None:
    found = Sensitivities(
        tuple(CueSensitivity(cue(f"c{hits}", hits, 10), 1.0, hits / 10, 1) for hits in range(11)), examples=10
    )
    banded = bands(found)
    assert [(band.low, band.high) for band in banded] == list(pairwise((0.0, 0.2, 0.4, 0.6, 0.8, 1.0)))
    assert [list(band.relative) for band in banded] == [
        ["c0", "c1"], ["c2", "c3"], ["c4", "c5"], ["c6", "c7"], ["c8", "c9", "c10"]
    ]  # fmt: skip
    assert banded[4].mean == pytest.approx(0.9)
    assert found.correlation == pytest.approx((1.0, 0.0), abs=1e-12)


def test_bands_are_compared_over_the_cues_of_both_models() -> None:
    one = Band(0, 1, {"a": 1.0, "b": 1.4, "c": 2.0, "alone": 9.0})
    other = Band(0, 1, {"a": 0.5, "b": 1.2, "c": 1.1})
    mean, interval = one.difference(other)
    test = ttest_rel([1.0, 1.4, 2.0], [0.5, 1.2, 1.1])
    assert mean == pytest.approx((0.5 + 0.2 + 0.9) / 3)
    assert interval == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert isnan(Band(0, 1, {}).mean)
    assert one.difference(Band(0, 1, {}))[1] is None


def test_too_few_cues_have_no_correlation() -> None:
    two = [CueSensitivity(cue("a", 1), 1.0, 1.0, 1), CueSensitivity(cue("b", 2), 1.0, 2.0, 1)]
    assert Sensitivities(tuple(two), 2).correlation is None
    same = [CueSensitivity(cue(name, 2), 1.0, float(number), 1) for number, name in enumerate("abc")]
    assert Sensitivities(tuple(same), 3).correlation is None


def test_a_model_without_gradients_or_of_other_labels_is_refused() -> None:
    with pytest.raises(ModelError, match="'cues/bag-of-words' has no gradients"):
        require_gradients(BagOfWords(), "cues/bag-of-words")
    other = Choosing()
    other.labels = ("no", "yes")
    with pytest.raises(ModelError, match="has the labels no, yes; a choice has 1, 2"):
        require_gradients(other, "choosing")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(["-p", MODULE, "cues", "sensitivity", *arguments])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return int(stop.value.code or 0), shown.out + shown.err


def test_the_command_prints_a_table_and_draws_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown = run(
        capsys, "copa", "--model", "use=choosing", "--model", "weights={in: 5.0}", "--html", "s.html", "--top", "2"
    )  # fmt: skip
    assert code == 0, shown
    assert shown.split()[:3] == ["productivity", "cues", "relative"]
    page = (tmp_path / "s.html").read_text()
    assert page.count('<svg viewBox="0 0 720') == 1
    assert page.count("<script") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("copa", "--model", "use=cues/bag-of-words"), "has no gradients, which sensitivity needs"),
        (("copa", "--model", "use=chosing"), "Did you mean 'choosing'"),
        (("reviews", "--model", "use=choosing"), "holds no choices"),
        (("copa",), "Missing option '--model'"),
    ],
)
def test_a_mistake_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, shown = run(capsys, *arguments)
    assert code in (1, 2, 4)
    assert message in shown
