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
        assert [(each.text, each.start, each.end) for each in found] == [
            (each.text, each.start, each.end) for each in own
        ]
        assert [(each.coarse, each.fine) for each in found] == [(each.pos, each.tag) for each in own]
        assert all(text[each.start : each.end] == each.text for each in found)
    (film,) = (each for each in shared.tag(["a dull film"])[0] if each.text == "film")
    assert (film.coarse, film.fine) == ("NOUN", "NN")
