"""What a label stands for, and when a text speaks less for it."""

from __future__ import annotations

import pytest

from robustfim.example import Example
from robustfim_words.swaps.antonyms import Antonyms
from robustfim_words.swaps.turning import asserted, judging, labels_by_side
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.tokens import tokenise
from tests.plugins.robustfim_words.samples import sentences, texts
from tests.plugins.robustfim_words.swaps.labelled import edited, examples


def test_labels_stand_for_the_side_to_which_their_texts_lean() -> None:
    assert labels_by_side(examples()) == {"positive": True, "negative": False}
    assert labels_by_side(examples()[:4]) == {}
    topics = [Example({"text": f"The bus leaves at {n}."}, label="bus" if n % 2 else "train") for n in range(40)]
    assert labels_by_side(topics) == {}


def test_a_label_that_names_its_side_has_it_where_its_texts_lean_that_way_at_all() -> None:
    said = ["I hate them.", "I love them.", *["They are here."] * 30]
    hate = [Example({"text": text}, label="hateful" if n % 2 == 0 else "non-hateful") for n, text in enumerate(said)]
    assert labels_by_side(hate) == {}
    assert labels_by_side(hate, by_name=True) == {"hateful": False, "non-hateful": True}
    swapped = [Example(example.fields, label="hateful" if n % 2 else "non-hateful") for n, example in enumerate(hate)]
    assert labels_by_side(swapped, by_name=True) == {}


def test_a_text_without_a_label_is_on_the_side_to_which_it_clearly_leans() -> None:
    clear = "A wonderful film with superb acting and great songs."
    assert len(texts(Antonyms(), clear)) == 1
    assert texts(Antonyms(), f"{clear} {'We drove home past the mill. ' * 20}") == []
    assert texts(Antonyms(), "The good guys win.") == []
    assert edited(Antonyms(), clear, "neither") == []


@pytest.mark.parametrize(
    ("text", "word", "others"),
    [
        ("It was a bad film.", "bad", ["It was a good film."]),
        ("It was a bad film, but the songs were fine.", "bad", []),
        ("It was a bad film because the actors were tired.", "bad", []),
        ("Dogs are bad, cats are worse.", "worse", ["Dogs are good, cats are better."]),
        ("The end was bad. The songs were awful.", "bad", ["The end was good. The songs were wonderful."]),
        ("The end was bad. The mill is old. The songs were awful.", "bad", []),
        ("The end was bad. The mill is old.", "bad", ["The end was good. The mill is old."]),
        (f"The end was bad. {'We drove past the mill. ' * 5}", "bad", []),
        ("The end was bad and awful.", "bad", ["The end was good and wonderful."]),
        ("The end was bad and contrived.", "bad", []),
        ("The supposed film lacks songs and is bad.", "bad", []),
        ("The old film has songs and is bad.", "bad", ["The old film has songs and is good."]),
        ("It was no worse than rats.", "worse", []),
        ("The end was bad, the songs were fine.", "bad", []),
        ("I feel nothing but respect.", "respect", ["I feel nothing but contempt."]),
        ("Never trust the cook.", "trust", []),
        ("It was a bad film, and trust me.", "trust", []),
        ("It fails to move me.", "fails", []),
        ("The end was bad, and you fall asleep.", "bad", []),
        ("The end was bad and the songs are awful.", "bad", ["The end was good and the songs are wonderful."]),
        ("The end was so bad that I left.", "bad", []),
        ("It would be bad.", "bad", []),
    ],
)
def test_a_word_stays_where_what_is_joined_to_it_would_contradict(text: str, word: str, others: list[str]) -> None:
    label = "positive" if word in ("respect", "trust") else "negative"
    found = [each for each in edited(Antonyms(), text, label) if word not in tokens_of(each)]
    assert found == others


def tokens_of(text: str) -> set[str]:
    return {token.small for token in tokenise(text)}


def test_wishes_habits_questions_and_conditions_are_not_asserted() -> None:
    text = "It is good. I wish it were good. Usually it is good. Is it good? Go if it is good. It is bad."
    assert list(asserted(tokenise(text))) == [range(4), range(len(tokenise(text)) - 4, len(tokenise(text)))]


@pytest.mark.parametrize(("text", "own"), sentences("test_what_the_writer_or_what_is_judged_does_judges"))
def test_what_the_writer_or_what_is_judged_does_judges(text: str, own: bool) -> None:
    tokens = tagger().tag(text)
    verb = next(at for at, token in enumerate(tokens) if token.tag in ("VBP", "VBZ"))
    assert judging(tokens, verb) is own
