from __future__ import annotations

import robustfim_words
from robustfim.plugin.offer import import_class
from robustfim.roles import Tagger
from robustfim_words.tagging.tagger import tagger
from tests.plugins.robustfim_words.samples import SENTENCES


def test_the_tagger_for_other_plugins_has_the_tags_that_the_perturbations_go_by() -> None:
    shared: Tagger = import_class(robustfim_words.robustfim_offers()["services"]["tagger"], "words")()
    texts = ["", "naïve 🙂 日本 \ud83d", *SENTENCES]
    for text, found in zip(texts, shared.tag(texts), strict=True):
        own = tagger().tag(text)
        assert [(token.text, token.start, token.end) for token in found] == [
            (token.text, token.start, token.end) for token in own
        ]
        assert [(token.coarse, token.fine) for token in found] == [(token.pos, token.tag) for token in own]
        assert all(text[token.start : token.end] == token.text for token in found)
    (film,) = (token for token in shared.tag(["a dull film"])[0] if token.text == "film")
    assert (film.coarse, film.fine) == ("NOUN", "NN")
