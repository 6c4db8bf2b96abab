"""The measures, against tables computed by hand and against facts of the released data."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from robustfim import DataError, Example
from robustfim_cues.measures.measures import Cue, Cues, measure
from tests.plugins.robustfim_cues.conftest import make

# Where "a" and "was" stand: right, wrong or both.
CHOICES = [
    make("a dog", "was cat"),  # a right, was wrong
    make("was mouse", "a horse", "2"),  # a right, was wrong
    make("a cow", "a hen was"),  # was wrong; a in both, so it tells nothing
    make("was a a bird", "fish"),  # was right, a right, once although it stands there twice
]


def found(cues: Cues, text: str) -> Cue:
    (cue,) = (each for each in cues.found if each.text == text)
    return cue


def test_the_measures_of_choices_are_those_of_a_table_by_hand() -> None:
    cues = measure(CHOICES, minimum=2)
    assert [cue.text for cue in cues.found] == ["a", "was"]
    a, was = found(cues, "a"), found(cues, "was")
    # a: applies to 1, 2 and 4, right each time. was: applies to all, right once.
    assert (a.label, a.applicability, a.hits, a.productivity, a.coverage) == ("right", 3, 3, 1.0, 0.75)
    assert (was.label, was.applicability, was.hits, was.productivity, was.coverage) == ("right", 4, 1, 0.25, 1.0)
    assert a.p_value == pytest.approx(2 / 2**3)  # three of three, on either side
    assert was.p_value == pytest.approx(2 * (4 + 1) / 2**4)
    assert a.adjusted == pytest.approx(2 * a.p_value)  # Holm, two cues
    assert cues.rarer == 8
    assert a.chance == 0.5


def test_the_interval_is_wilsons() -> None:
    low, high = found(measure(CHOICES, minimum=2), "was").interval
    # (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n) with p = 1/4, n = 4
    z, p, n = 1.959963984540054, 0.25, 4
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    assert (low, high) == pytest.approx(((middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)))


def test_the_measures_of_classified_texts_are_those_of_a_table_by_hand() -> None:
    texts = {"positive": ["great film", "great great", "a film"], "negative": ["bad film", "bad", "great bore"]}
    examples = [Example({"text": text}, label) for label, given in texts.items() for text in given]
    cues = measure(examples, minimum=2)
    great, bad, film = (found(cues, name) for name in ("great", "bad", "film"))
    assert (great.label, great.applicability, great.hits, great.coverage) == ("positive", 3, 2, 0.5)
    assert (bad.label, bad.applicability, bad.hits, bad.productivity) == ("negative", 2, 2, 1.0)
    assert (film.label, film.applicability, film.hits) == ("positive", 3, 2)
    assert {cue.chance for cue in cues.found} == {0.5}
    # Fisher: bad in none of 3 positives, 2 of 3 negatives: the table and its reflection, 3 of 15 ways each.
    assert bad.p_value == pytest.approx(6 / 15)
    assert great.p_value == pytest.approx(1)


def test_with_three_labels_the_smallest_p_value_is_corrected_for_their_number() -> None:
    examples = [Example({"text": "x" if label == "a" else "y"}, label) for label in "aaabbbccc"]
    x = found(measure([Example(example.fields, example.label) for example in examples], minimum=2), "x")
    assert (x.label, x.productivity) == ("a", 1.0)
    assert x.chance == pytest.approx(1 / 3)
    assert x.p_value == pytest.approx(3 / 84)  # one way of choosing 3 of 9


def test_the_cues_of_a_pair_say_on_which_side_they_stand() -> None:
    pairs = [
        Example({"premise": "a man eats", "hypothesis": "a man does not eat"}, "contradiction"),
        Example({"premise": "not a man", "hypothesis": "a man eats"}, "entailment"),
    ]
    both = measure(pairs, minimum=1)
    assert found(both, "hypothesis:not").label == "contradiction"
    assert found(both, "premise:not").label == "entailment"
    one = measure(pairs, minimum=1, fields=["hypothesis"])
    assert found(one, "not").label == "contradiction"


def test_ngrams_are_cues_too() -> None:
    cues = measure([make("he went to bed", "to go"), make("go to", "she went to sea", "2")], longest=2, minimum=2)
    assert found(cues, "went to").hits == 2
    assert "to" not in {cue.text for cue in cues.found}


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([], "the data hold no example"),
        ([make("a", "b", None)], "has no gold label"),
        (
            [Example({"text": "a"}, "toxic", {}, ("insult",))],
            r"several gold labels \(toxic, insult\), but cues need one",
        ),
        ([make("a", "b"), Example({"text": "a"}, "x")], "some examples have the fields choice1"),
        ([Example({"text": "a"}, "x"), Example({"text": "b"}, "x")], "all examples have the label 'x'"),
        ([Example({**make("a", "b").fields, "choice3": "c"}, "1")], "a choice needs the fields choice1 and choice2"),
    ],
)
def test_what_cannot_be_measured_is_refused(examples: list[Example], message: str) -> None:
    with pytest.raises(DataError, match=message):
        measure(examples)


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    examples = [Example({"text": "a"}, "x"), Example({"text": "b"}, "y")]
    with pytest.raises(DataError, match=r"no field 'texts'\. Did you mean 'text'"):
        measure(examples, fields=["texts"])
    with pytest.raises(DataError, match="Leave the names of fields out"):
        measure(CHOICES, fields=["choice1"])


def test_in_original_copa_the_published_words_point_to_the_right_alternative(released: Sequence[Example]) -> None:
    originals = [example for example in released if not example.meta["mirrored"]]
    cues = measure(originals)
    for word in ("a", "was", "went"):
        assert found(cues, word).productivity > 0.5, word
    # The same, counted as the definition reads, with no code of the plugin.
    right = wrong = 0
    for original in originals:
        texts = [original.fields[name].lower().rstrip(".").split() for name in ("choice1", "choice2")]
        gold, other = texts if original.label == "1" else reversed(texts)
        right += "went" in gold and "went" not in other
        wrong += "went" in other and "went" not in gold
    went = found(cues, "went")
    assert (went.hits, went.applicability) == (right, right + wrong)
    assert (went.hits, went.applicability) == (15, 19), "as docs/cues.md says"
    assert not cues.significant()


def test_in_balanced_copa_no_word_points_anywhere(released: Sequence[Example]) -> None:
    cues = measure(released, longest=3, minimum=1)
    assert len(cues.found) > 5000
    assert {cue.productivity for cue in cues.found} == {0.5}
    assert not cues.significant()
