"""What no perturbation of words touches."""

from __future__ import annotations

from pathlib import Path

import pytest

import robustfim_words
from robustfim_texts import guarded_spans
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.tokens import tokenise
from tests.plugins.robustfim_words.samples import candidates, perturbation, prepared, sentences

GUARDED = (
    "Dear Mrs. Novak, I really liked the gripping film.<br /><br />It was not boring, see http://example.org/good-film "
    "or ask @good_robin; the town #39;s mayor doesn #39;t mind the caf\u00c3\u00a9 in Paris &amp; I loved it #best."
)


@pytest.mark.parametrize("name", sorted(set(robustfim_words.robustfim_offers()["perturbations"]) - {"neighbours"}))
def test_no_perturbation_touches_addresses_markup_and_broken_characters(name: str, tmp_path: Path) -> None:
    spans = guarded_spans(GUARDED)
    assert len(spans) == 9
    if name == "drop_sentence":
        pytest.skip("it drops sentences whole")
    for candidate in candidates(prepared(perturbation(name, tmp_path)), GUARDED):
        after = candidate.example.fields["text"]
        dropped = name == "drop_sentence"
        assert dropped or all(
            after.count(GUARDED[start:end]) >= GUARDED.count(GUARDED[start:end]) for start, end in spans
        )


def kept(text: str) -> list[str]:
    tokens = tagger().tag(text)
    return [tokens[index].text for index in sorted(fixed(text, tokens))]


@pytest.mark.parametrize(
    ("text", "words"),
    sentences("test_titles_terms_and_quoted_names_are_kept"),
)
def test_titles_terms_and_quoted_names_are_kept(text: str, words: list[str]) -> None:
    assert kept(text) == words


def test_the_capitals_of_a_headline_name_nobody() -> None:
    text = "Prices Rise Again After Weak Spring Harvest  BERLIN (Reuters) - Prices rose in Hamburg."
    tokens = tokenise(text)
    found = in_headline(tokens)
    assert {tokens[index].text for index in found} >= {"Prices", "Rise", "Harvest"}
    assert "Hamburg" not in {tokens[index].text for index in found}
