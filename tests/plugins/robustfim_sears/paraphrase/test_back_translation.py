"""Back-translation: scores against a slow literal computation, and a network that has learnt two small languages."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_sears.mining.mining import mine
from robustfim_sears.paraphrase.back_translation import BackTranslation
from tests.plugins.robustfim_sears.networks import save_sentencepiece
from tests.plugins.robustfim_sears.small import context, examples
from tests.robustfim.toys import CountingModel

PREFIXES: dict[str, Any] = {"forward_prefix": [">>de<< "], "back_prefix": [">>en<< "]}


@pytest.fixture(scope="module")
def learnt(translator: Path) -> BackTranslation:
    made = BackTranslation(forward=[translator], back=[translator], **PREFIXES, pivots=2, beams=4, device="cpu")
    made.prepare(context())
    return made


class Literal:
    """A translator's probabilities, a token at a time, without batches and without anything kept."""

    def __init__(self, folder: Path) -> None:
        transformers = pytest.importorskip("transformers")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a package that Marian can do without
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
        self.model = transformers.AutoModelForSeq2SeqLM.from_pretrained(str(folder)).eval()

    def next_tokens(self, source: str, before: Sequence[int]) -> Any:
        """P(t | before, source), ``[vocabulary]``, padding left out."""
        torch = pytest.importorskip("torch")
        inputs, start = self.tokenizer(source, return_tensors="pt"), self.model.config.decoder_start_token_id
        with torch.inference_mode():
            logits = self.model(**inputs, decoder_input_ids=torch.tensor([[start, *before]])).logits[0, -1].double()
            logits[self.tokenizer.pad_token_id] = -math.inf
        return logits.softmax(-1)

    def tokens(self, text: str) -> list[int]:
        return list(self.tokenizer(text)["input_ids"])

    def probability(self, source: str, target: str) -> float:
        tokens = self.tokens(target)
        return math.prod(float(self.next_tokens(source, tokens[:i])[token]) for i, token in enumerate(tokens))


def translator_of(folder: Path) -> Any:
    from robustfim_checkpoints.pretrained import load
    from robustfim_sears.paraphrase.translator import Translator

    network = load("back", folder, lambda _: "AutoModelForSeq2SeqLM", offline=True)
    return Translator(network, prefix="", batch_size=7)


def pivots(there: Literal, text: str, best: int, beams: int) -> dict[str, float]:
    """The best translations, with their probabilities."""
    made = there.model.generate(
        **there.tokenizer(text, return_tensors="pt"), num_beams=beams, num_return_sequences=best, max_length=None,
        max_new_tokens=2 * len(there.tokens(text)) + 10,
    )  # fmt: skip
    texts = [there.tokenizer.decode(each, skip_special_tokens=True) for each in made]
    return {each: there.probability(text, each) for each in texts if each}


def test_two_routes_of_one_vocabulary_are_combined_by_the_next_token(random_translators: list[Path]) -> None:
    one, two, _ = random_translators
    text, other = "film good", "movie good"
    made = BackTranslation(forward=[one, two], back=[two, one], pivots=2, beams=3, device="cpu")
    (got,) = made.score([text], [other])
    there, back = (Literal(one), Literal(two)), (Literal(two), Literal(one))
    found = [(each, back[i], p) for i in (0, 1) for each, p in pivots(there[i], text, 2, 3).items()]
    whole = sum(p for _, _, p in found)

    def probability(target: str) -> float:
        tokens = back[0].tokens(target)
        return math.prod(
            sum(p / whole * float(decoder.next_tokens(z, tokens[:i])[token]) for z, decoder, p in found)
            for i, token in enumerate(tokens)
        )

    assert len(found) == 4
    assert got == pytest.approx(min(1.0, probability(other) / probability(text)), rel=1e-4)
    assert made.score([other], [text])[0] != got
    assert "combined by next token" in made.resources()["paraphraser"]


def test_two_routes_of_different_vocabularies_are_combined_by_whole_texts(random_translators: list[Path]) -> None:
    one, two, three = random_translators
    made = BackTranslation(forward=[one, three], back=[two, three], pivots=2, beams=3, device="cpu")
    there, back = (Literal(one), Literal(three)), (Literal(two), Literal(three))
    for text, other in (("film good", "movie good"), ("movie", "good movie")):
        (got,) = made.score([text], [other])
        found = [(each, back[i], p) for i in (0, 1) for each, p in pivots(there[i], text, 2, 3).items()]
        new, old = (sum(p * decoder.probability(z, target) for z, decoder, p in found) for target in (other, text))
        assert got == pytest.approx(min(1.0, new / old), rel=1e-4)
    assert "combined by whole texts" in made.resources()["paraphraser"]


def test_the_search_over_the_combination_finds_what_trying_everything_finds(random_translators: list[Path]) -> None:
    from robustfim_sears.paraphrase.back_decoders import BackDecoders, Pivot

    decoders = BackDecoders([translator_of(translator) for translator in random_translators[:2]])
    given = [Pivot("film", 0, math.log(0.5)), Pivot("good film", 0, math.log(0.2)), Pivot("movie", 1, math.log(0.3))]
    # The special words are no texts of their own, so only these are compared.
    words = ["film", "movie", "good"]
    every = [" ".join(each) for length in range(1, 4) for each in itertools.product(words, repeat=length)]
    scores = dict(zip(every, decoders.log_probabilities([(given, each) for each in every]), strict=True))
    wanted = sorted(every, key=lambda each: -scores[each])[:5]
    found = decoders.candidates(given, beams=600, longest=4)
    assert [each for each in found if each in scores][:5] == wanted


def test_words_that_a_language_does_not_tell_apart_are_paraphrases(learnt: BackTranslation) -> None:
    """One half and one third of the sentences have them: film is twice as frequent as movie."""
    (found,) = learnt.paraphrase(["the film is good"], seed=0)
    assert found[0].text == "the movie is good"
    assert 0.3 < found[0].score < 0.8
    assert all(paraphrase.score < 0.05 for paraphrase in found[1:])
    (back,) = learnt.score(["the movie is good"], ["the film is good"])
    assert back == 1.0
    tense, opinion, lost = learnt.score(["the film is good"] * 3, ["the film was good", "the film is bad", "the film"])
    assert max(tense, opinion, lost) < 0.05
    assert (learnt.contract.score, learnt.contract.tau) == ("translation", 0.0008)


def test_a_text_means_the_same_as_itself(learnt: BackTranslation) -> None:
    assert learnt.score(["a story was dull"], ["a story was dull"]) == [1.0]


def test_paraphrases_have_the_score_that_is_asked_for(learnt: BackTranslation) -> None:
    texts = ["a movie was dull", "the story is bad"]
    for text, found in zip(texts, learnt.paraphrase(texts, seed=0), strict=True):
        assert found
        assert text not in {paraphrase.text for paraphrase in found}
        assert learnt.score([text] * len(found), [paraphrase.text for paraphrase in found]) == pytest.approx(
            [paraphrase.score for paraphrase in found], rel=1e-3
        )


def test_empty_and_overlong_texts_are_counted(translator: Path) -> None:
    made = BackTranslation(forward=[translator], back=[translator], **PREFIXES, device="cpu", beams=2)
    long = "film " * 40
    assert made.paraphrase(["", long, long, "film \ud83d"], seed=0) == [[], [], [], []]
    assert made.score([long, "the film is good"], ["film", long]) == [0.0, 0.0]
    assert made.skipped == {"too long or empty to translate": 3}


def test_a_marian_network_with_its_own_tokenizer_is_read(tmp_path: Path, one_thread: None) -> None:
    folder = save_sentencepiece(tmp_path)
    network, literal = translator_of(folder), Literal(folder)
    sources, targets = ["the film is good", "a movie"], ["this movie was bad", "what is the name of the book"]
    tokens = [network.target(target) for target in targets]
    assert [network.text(token) for token in tokens] == targets
    got = network.log_probabilities(sources, tokens)
    wanted = [literal.probability(*pair) for pair in zip(sources, targets, strict=True)]
    assert [math.exp(float(each.sum())) for each in got] == pytest.approx(wanted, rel=1e-4)
    assert [len(each) for each in network.translate(sources, beams=2, best=1)] <= [1, 1]


def test_options_that_do_not_fit_are_refused(tmp_path: Path, translator: Path) -> None:
    with pytest.raises(UsageError, match="'forward' names no model"):
        BackTranslation(forward=[], back=[translator])
    with pytest.raises(UsageError, match="'back' has 2 entries; give one entry, or 3 entries as in the longest list"):
        BackTranslation(forward=[translator] * 3, back=[translator] * 2)
    with pytest.raises(UsageError, match="back: no folder"):
        BackTranslation(forward=[translator], back=[tmp_path / "fr-en"])


def test_an_encoder_is_no_translator(encoder: Path) -> None:
    with pytest.raises(ModelError, match=r"forward: model .* cannot be loaded"):
        BackTranslation(forward=[encoder], back=[encoder]).prepare(context())


def test_a_rule_is_mined_from_translations(learnt: BackTranslation) -> None:
    """The model dislikes films and likes movies."""

    class Snob(CountingModel):
        def predict(self, examples: Sequence[Example]) -> list[list[float]]:
            return [[0.9, 0.1] if "film" in example.text else [0.2, 0.8] for example in examples]

    texts = ["the film is good", "a film was dull", "the story is bad"]
    found = mine(examples(*texts), context(Snob()), learnt, tau=0.1, rules=1)
    assert [rule.rule.text for rule in found.rules] == ["film → movie"]
    assert found.score_name == "translation"
    assert [len(rule.flips) for rule in found.rules] == [2]
