from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim_sears.rule.corpus import Corpus
from robustfim_sears.rule.matching import find
from robustfim_sears.rule.replacement import apply
from tests.plugins.robustfim_sears.small import SmallTagger, examples, rule, tagged

RULES = [
    *(
        "movie → film",
        "film → short film",
        "? → ??",
        "what VERB → so what VERB",
        "very ADJ → ADJ",
        "ADJ film → film ADJ",
    ),
    *("DET NOUN → NOUN", "good → awful", "is not → isn't", ". → , really .", "it AUX → it really AUX", "good , → good"),
    *("film is → film's", "NOUN → NOUN 🙂", "a film → film a", "so , → well", "and/or → or"),
]
ALPHABET = "aAbB.,?!'’ \t\n\u00a0éß\u0301🙂日\ud83d"


def made(written: str, text: str) -> str | None:
    found = apply(rule(written), tagged(text))
    return None if found is None else found.of(text)


@pytest.mark.parametrize(
    ("written", "text", "after"),
    [
        # the paper's
        ("What VERB → So what VERB", "What happens next?", "So what happens next?"),
        ("what NOUN → which NOUN", "What color is it?", "Which color is it?"),
        ("PRP AUX → PRP's", "What was it?", "What's it?"),
        ("? → ??", "Why? Why?", "Why?? Why?"),
        # whole words in their case, the first occurrence
        ("movie → film", "A Movie, a movie.", "A Film, a movie."),
        ("movie → film", "A MOVIE!", "A FILM!"),
        ("movie → film", "movies", None),
        ("I → we", "and I know", "and we know"),
        ("I → we", "I know", "We know"),
        ("film → TV film", "A film", "A TV film"),
        ("film → TV film", "a film", "a tv film"),
        # sentences begin with a capital
        ("very good → good", "Very good.", "Good."),
        ("good ADJ → ADJ", "Bad. Good awful film", "Bad. Awful film"),
        ("Paris → so Paris", "Paris works.", "So Paris works."),
        ("it works → it really works", "IT WORKS", "IT REALLY WORKS"),
        ("what → so what", "WHAT NOW", "SO WHAT NOW"),
        ("it is → is it", "It is good", "Is it good"),
        (". PRP → . frankly , PRP", "Good. It works", "Good. Frankly, it works"),
        (". PRP → . frankly , PRP", "good. it works", "good. frankly, it works"),
        (". so PRP → . PRP", "Good. So it works", "Good. It works"),
        ("film . → film . really .", "A film.", "A film. Really."),
        # blanks and marks
        ("what is → what's", "What  is it – that’s all", "What’s it – that’s all"),
        ("film . → film !", "a film .", "a film !"),
        ("film → film , really", "a film.", "a film, really."),
        ("good film → film", "a good  film", "a film"),
        ("film really → film", "a film really.", "a film."),
        ("film so good → film good", "film  so good", "film  good"),
        ("is it → is it ( really )", "is it?", "is it (really)?"),
        ("so , → so", "so, it ends", "so it ends"),
        ("so, → so", "so , it ends", None),
        ("and/or → or", "this and/or that", "this or that"),
        ("good film → film", "good\nfilm", None),
        # a, an
        ("movie → effort", "A movie", "An effort"),
        ("awful → bad", "an awful film", "a bad film"),
        ("DET film → DET old film", "a film", "an old film"),
        ("awful ADJ → ADJ", "an awful good film", "a good film"),
        # tags
        ("film/NOUN → movie", "film it", "movie it"),
        ("film/VERB → shoot", "film it", None),
    ],
)
def test_a_rule_replaces_the_first_occurrence(written: str, text: str, after: str | None) -> None:
    assert made(written, text) == after


@given(st.lists(st.sampled_from(["movie", "film", "good", "x"]), max_size=8))
def test_a_rule_of_one_small_word_is_what_a_regular_expression_does(words: list[str]) -> None:
    text = " ".join(words)
    expected = re.sub(r"(?<!\w)movie(?!\w)", "plot", text, count=1)
    assert made("movie → plot", text) == (expected if expected != text else None)


@settings(max_examples=60)
@given(st.sampled_from(RULES), st.text(ALPHABET), st.lists(st.sampled_from(["film", "Very", "good", "what", "a"])))
def test_a_replacement_lies_within_any_text_and_changes_it(written: str, strange: str, words: list[str]) -> None:
    text = f"{strange} {' '.join(words)} {strange}"
    source = tagged(text)
    assert all(text[token.start : token.end] == token.text for token in source.tokens)
    found = apply(rule(written), source)
    match = find(rule(written), source)
    if found is None:
        assert match is None
        return
    assert match is not None
    first, last = source.tokens[match.first[0]], source.tokens[match.last[-1]]
    assert found.start <= found.end <= last.end
    if found.start < first.start:  # an article before the words changes with them
        assert text[found.start : first.start].strip().lower() in ("a", "an")
    assert found.of(text) != text


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(st.sampled_from(["film", "movie", "a", "very", "good", "?", "is", "not"]), min_size=1), min_size=1
    )
)
def test_a_corpus_finds_what_going_through_all_texts_finds(texts: list[list[str]]) -> None:
    corpus = Corpus.of(examples(*(" ".join(words) for words in texts)), SmallTagger())
    for written in RULES:
        slow = [(index, apply(rule(written), source.text)) for index, source in enumerate(corpus.sources)]
        assert list(corpus.applications(rule(written))) == [(i, made) for i, made in slow if made is not None]
        assert all(one < other for (one, _), (other, _) in pairwise(corpus.applications(rule(written))))
