"""Decoding the eigenvector: the words found, against every word of the list tried at every place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.errors import ModelError, PluginError, UsageError
from robustfim.example import Example
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim_fisher.decode import Decode
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.word_table import WordTable
from tests.plugins.robustfim_fisher.models import WORDS, Run, model_of, sentences

RANDOM = Run(None).random()
LIST = ["joy", "quick", "story", "dim", "everyone", "hated", "sorrow", "summers", "before"]


def decoded(model: Any, examples: list[Example], **options: Any) -> tuple[Decode, Run]:
    run = Run(model, examples=examples)
    perturbation = Decode(**{"from_": LIST, "pool": len(LIST), **options})
    perturbation.prepare(run)
    perturbation.foresee(examples)
    return perturbation, run


def projections(model: Any, candidates: Sequence[Candidate]) -> list[float]:
    """⟨e, Δ⟩ of candidates of one text by embedding both texts; only where their tokens are as many."""
    e = FisherGeometry(model).at([candidates[0].source])[0].eigenvector
    both = [model.embed([candidate.source, candidate.example]).embeddings for candidate in candidates]
    return [float(((changed - original) * e).sum()) for original, changed in both]


@pytest.mark.parametrize("architecture", ["cnn", pytest.param("lstm", marks=pytest.mark.slow)])
def test_the_first_candidates_are_the_best_of_all_swaps_of_one_word(architecture: str) -> None:
    model = model_of(architecture, classes=3)
    (example,) = sentences(1)
    perturbation, _ = decoded(model, [example])
    edits = list(perturbation.edits(example, RANDOM))
    found = projections(model, list(perturbation.combine(example, edits, 1)))
    swaps = []
    at = 0
    for word in example.text.split(" "):
        swaps += [Candidate(example, (Edit("text", at, at + len(word), word, other),)) for other in LIST]
        at += len(word) + 1
    literal = sorted(projections(model, swaps), key=abs, reverse=True)
    assert found == pytest.approx(literal, abs=1e-5)
    assert min(found) < 0 < max(found)


def test_over_two_words_the_first_candidate_projects_most_of_all_pairs() -> None:
    model = model_of("cnn")
    example = Example({"text": "the slow bright grief"})
    perturbation, _ = decoded(model, [example])
    edits = list(perturbation.edits(example, RANDOM))
    found = list(perturbation.combine(example, edits, 2))
    pairs = [
        Candidate(example, (first, second)) for first, second in product(edits, edits) if first.start < second.start
    ]
    chosen, *others = projections(model, [found[0], *pairs])
    assert chosen == pytest.approx(max(others, key=abs), abs=1e-5)
    assert len(found[0].edits) == 2
    for candidate in found:  # + and − are never mixed
        assert len({edit.origin.removeprefix("decode: ")[0] for edit in candidate.edits}) == 1


def test_an_edit_says_its_projection_and_its_cosine() -> None:
    model = model_of("cnn")
    (example,) = sentences(1)
    perturbation, run = decoded(model, [example])
    for edit in perturbation.edits(example, RANDOM):
        candidate = Candidate(example, (edit,))
        (shift,) = FisherGeometry(model).shifts([candidate])
        told = f"decode: {shift.norm * shift.cosine:+.3g} along the eigenvector, cosine {shift.cosine:+.2f}"
        assert edit.origin == told
    assert run.geometry.calls == 1


def test_the_pool_is_the_most_aligned_words_of_each_sign() -> None:
    model = model_of("cnn")
    (example,) = sentences(1)
    everything, _ = decoded(model, [example])
    worth: dict[int, dict[str, float]] = {}
    edits = list(everything.edits(example, RANDOM))
    for edit, value in zip(edits, projections(model, [Candidate(example, (edit,)) for edit in edits]), strict=True):
        worth.setdefault(edit.start, {})[edit.after] = value
    narrow, _ = decoded(model, [example], pool=2)
    kept: dict[int, set[str]] = {}
    for edit in narrow.edits(example, RANDOM):
        kept.setdefault(edit.start, set()).add(edit.after)
    for start, words in worth.items():
        ranked = sorted(words, key=words.__getitem__)
        assert kept[start] == {*ranked[:2], *ranked[-2:]}


def test_words_of_several_pieces_are_swapped_whole_and_ranked_by_the_real_text() -> None:
    model = model_of("cnn", pieces=True, special=True)
    examples = sentences(3)
    perturbation, run = decoded(model, examples)
    for example in examples:
        edits = list(perturbation.edits(example, RANDOM))
        assert {example.text[edit.start : edit.end] for edit in edits} <= set(WORDS)
        found = list(islice(perturbation.combine(example, edits, 1), 20))
        shifts = run.geometry.shifts(found)  # type: ignore[attr-defined]  # a FisherGeometry has them
        far = [abs(shift.norm * shift.cosine) for shift in shifts]
        assert far == pytest.approx(sorted(far, reverse=True), rel=1e-4)


def test_capitals_are_kept_and_a_word_is_not_its_own_replacement() -> None:
    model = model_of("cnn")
    example = Example({"text": "Joy and GRIEF"})
    perturbation, _ = decoded(model, [example], from_=["joy", "quick", "dim"])
    edits = list(perturbation.edits(example, RANDOM))
    assert {edit.after for edit in edits if edit.start == 0} == {"Quick", "Dim"}
    assert {edit.after for edit in edits if edit.before == "GRIEF"} == {"JOY", "QUICK", "DIM"}


def test_where_the_model_does_not_depend_on_its_input_nothing_is_decoded() -> None:
    perturbation, _ = decoded(model_of("linear", scale=0.0), sentences(1))
    assert list(perturbation.edits(sentences(1)[0], RANDOM)) == []


# ---- where the words come from ----------------------------------------------------------------------------


class Telling:
    """A model that tells its vocabulary."""

    def __init__(self, model: Any, words: list[str]) -> None:
        self.model, self.words = model, words
        self.labels, self.fingerprint = model.labels, model.fingerprint
        self.embed, self.logits, self.predict = model.embed, model.logits, model.predict

    def known_words(self) -> list[str]:
        return self.words


def test_a_vocabulary_of_words_is_taken_whole_and_without_marks() -> None:
    model = Telling(model_of("cnn"), ["<unk>", ",", "x", "1990s", "joy", "quick", "film"])
    assert WordTable.of(Run(model, examples=sentences(5)), "vocabulary").words == ["joy", "quick", "film"]


def test_of_a_vocabulary_of_pieces_those_that_stand_as_words_in_the_texts_are_taken() -> None:
    model = Telling(model_of("cnn", pieces=True), ["film", "brig", "slow", "won"])
    examples = [Example({"text": "a slow bright film"})]
    assert WordTable.of(Run(model, examples=examples), "vocabulary").words == ["film", "slow"]


def test_words_come_from_a_file_or_from_the_texts(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# mine\njoy\n\n dim \njoy\n", encoding="utf-8")
    run = Run(model_of("cnn"), examples=[Example({"text": "a film, a Film; the film of 1990"})])
    assert WordTable.of(run, path).words == ["joy", "dim"]
    assert WordTable.of(run, "data").words == ["film", "of", "the"]


def test_words_that_the_model_cannot_tell_apart_are_left_out() -> None:
    run = Run(model_of("cnn"), examples=sentences(1))
    with pytest.raises(UsageError, match="knows fewer than two of the 1 words from the list"):
        WordTable.of(run, ["joy"])
    table = WordTable.of(run, ["joy", "quick", "dim"])
    assert table.vectors.shape == (3, 6)

    deaf = Telling(run.model, [])  # every word but two is the same to it
    deaf.embed = lambda examples: run.model.embed(
        [Example({"text": example.text if example.text in ("dim", "joy") else "unknown"}) for example in examples]
    )
    assert WordTable.of(Run(deaf, examples=sentences(1)), ["joy", "quick", "story", "dim"]).words == ["joy", "dim"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"from_": "vocabularies"}, r"no file 'vocabularies'. Did you mean 'vocabulary'\?"),
        ({"from_": Path("no/such.txt")}, "no file no/such.txt"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Decode(**options)


def test_models_that_cannot_be_decoded_say_what_they_lack() -> None:
    with pytest.raises(ModelError, match="does not list the words of its vocabulary"):
        Decode().prepare(Run(model_of("cnn"), examples=sentences(1)))

    class Remote:
        labels = ("no", "yes")

    with pytest.raises(ModelError, match="Remote has no gradients"):
        Decode().prepare(Run(Remote(), examples=sentences(1)))
    with pytest.raises(PluginError, match="before prepare"):
        list(Decode().edits(sentences(1)[0], RANDOM))


SUITE = """\
suite: decoded
model: reference/fasttext
data: {use: reviews, limit: 6}
scores: [fisher, boundary]
checks:
  decode: {perturb: {use: decode, words: 2, candidates: 3}, limit: 1}
  drop: {perturb: {use: typos, candidates: 3}, limit: 1}
  steps: {perturb: {use: eigenvector, norms: [2.0], signs: "+"}, limit: 1}
"""


@pytest.mark.slow
def test_in_a_suite_failing_texts_say_how_they_move_the_embedding(tmp_path: Path) -> None:
    pytest.importorskip("robustfim_reference")
    (tmp_path / "decoded.yaml").write_text(SUITE, encoding="utf-8")

    def run() -> Any:
        options = RunOptions(reports=tmp_path / "reports", store=tmp_path / "store.sqlite")
        session = open_session(tmp_path / "decoded.yaml", options=options)
        session.configure()
        return session.run()[0]

    record = run()
    right = [example.id for example in record.examples if example.correct]
    assert 0 < len(right) < 6
    assert record.checks[0].candidates.tested == 3 * len(right)
    texts = [failure for failure in record.failures if failure.step is None]
    assert {text.check for text in texts} >= {"decoded.yaml::decode"}
    assert all(text.shift is not None and text.shift.norm > 0 for text in texts)
    distances = {example.id: example.scores["boundary"] for example in record.examples}
    for text in texts:
        if text.check.endswith("decode"):  # fastText is linear, so a label is lost when the boundary is passed along e
            assert text.shift.norm * text.shift.cosine >= 0.999 * distances[text.example]
    assert all(failure.shift is None for failure in record.failures if failure.step is not None)
    assert [failure.shift for failure in run().failures] == [failure.shift for failure in record.failures]
