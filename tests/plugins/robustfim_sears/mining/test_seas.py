from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from robustfim.contract import ParaphraserContract
from robustfim.errors import DataError, ModelError, PluginError, RobustfimError
from robustfim.example import Example
from robustfim.roles import Paraphrase
from robustfim_sears.mining.seas import Sea, find_seas, scores
from robustfim_sears.rule.corpus import LONGEST_TEXT, Corpus
from tests.plugins.robustfim_sears.small import SmallTagger, context, examples
from tests.robustfim.toys import CountingModel

TEXTS = ("good film", "bad film", "fine film 🙂", "日本 film")
LABELS = ("positive", "negative", "positive", "positive")


class Answering:
    """Gives the paraphrases of a function of the text."""

    contract = ParaphraserContract(score="answer", tau=0.5)

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self._answer = answer

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[Any]:
        return [self._answer(text) for text in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> Any:
        return self._answer(texts[0])


def seas(answer: Callable[[str], Any], model: CountingModel | None = None, tau: float = 0.5) -> tuple[list[Sea], Any]:
    corpus = Corpus.of(examples(*TEXTS), SmallTagger())
    return find_seas(corpus, LABELS, Answering(answer), context(model), tau, range(len(TEXTS)))


def test_an_adversary_is_sure_enough_and_has_another_label() -> None:
    def answer(text: str) -> list[Paraphrase]:
        return [
            Paraphrase(text.replace("good", "dull").replace("bad", "dull"), 0.5),
            Paraphrase(f"bad {text}", 0.4),
            Paraphrase(f"bad bad {text}", 0.9),
            Paraphrase(text, 1.0),
        ]

    model = CountingModel()
    found, counts = seas(answer, model)
    assert found == [
        Sea(0, "bad bad good film", 0.9, "positive", "negative"),
        Sea(0, "dull film", 0.5, "positive", "negative"),
        Sea(2, "bad bad fine film 🙂", 0.9, "positive", "negative"),
        Sea(3, "bad bad 日本 film", 0.9, "positive", "negative"),
    ]
    # The last two texts have no "good": their first paraphrase is the text itself, which counts once.
    assert (counts["paraphrases"], counts["same"], counts["below tau"], counts["flipped"]) == (14, 4, 4, 4)
    assert sum(len(batch) for batch in model.batches) == 5  # "dull film" stands for two texts


def test_texts_without_paraphrases_are_counted() -> None:
    found, counts = seas(lambda text: [])
    assert (found, counts["without paraphrases"], counts["paraphrases"]) == ([], 4, 0)
    found, counts = seas(lambda text: [Paraphrase(text, 1.0)] * 2)
    assert (found, counts["without paraphrases"], counts["same"]) == ([], 4, 4)


def test_a_text_without_a_prediction_is_counted() -> None:
    class Silent(CountingModel):
        def predict(self, examples: Any) -> list[list[float]]:
            return [[float("nan")] * 2 for _ in examples]

    found, counts = seas(lambda text: [Paraphrase(f"so {text}", 1.0)], Silent())
    assert (found, counts["unpredicted"]) == ([], 4)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda text: 1 / 0, "paraphraser Answering raised ZeroDivisionError: division by zero"),
        (lambda text: ["text"], "answered 'text', which is not a Paraphrase"),
        (lambda text: [Paraphrase(3, 1.0)], "which is not a Paraphrase"),  # type: ignore[arg-type]  # a plugin's mistake
        (lambda text: [Paraphrase("x", 0.0)], r"the score 0.0 of 'x' does not lie in \(0, 1\]"),
        (lambda text: [Paraphrase("x", float("nan"))], "the score nan of 'x'"),
    ],
)
def test_a_paraphraser_that_breaks_its_contract_is_named(answer: Callable[[str], Any], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        seas(answer)


def test_a_paraphraser_that_leaves_texts_out_is_refused() -> None:
    class Short(Answering):
        def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[Any]:
            return [[]]

    with pytest.raises(PluginError, match="Short answered 1 lists for 4 texts"):
        find_seas(Corpus.of(examples(*TEXTS), SmallTagger()), LABELS, Short(list), context(), 0.5, range(len(TEXTS)))


def test_an_error_of_ours_passes_as_it_is() -> None:
    def answer(text: str) -> Any:
        raise ModelError("no weights here.")

    with pytest.raises(ModelError, match=r"^no weights here\.$"):
        seas(answer)
    with pytest.raises(ModelError, match=r"^no weights here\.$"):
        scores(Answering(answer), ["a"], ["b"])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda text: [0.5, 0.5], "score gave 2 numbers for 1 pairs"),
        (lambda text: [1.5], r"the score 1.5 does not lie in \[0, 1\]"),
        (lambda text: [float("nan")], "the score nan does not lie"),
        (lambda text: ["sure"], "score raised ValueError"),
        (lambda text: None, "score raised TypeError"),
    ],
)
def test_scores_that_are_none_are_refused(answer: Callable[[str], Any], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        scores(Answering(answer), ["a"], ["b"])
    assert scores(Answering(answer), [], []) == []


def test_empty_and_overlong_texts_are_left_out_of_a_corpus() -> None:
    long = "film " * (LONGEST_TEXT // 5) + "."
    corpus = Corpus.of([Example({"a": "film", "b": " "}), Example({"a": long, "b": "it"})], SmallTagger())
    assert [(source.field, source.text.text) for source in corpus.sources] == [("a", "film"), ("b", "it")]
    assert corpus.overlong == 1
    with pytest.raises(DataError, match=r"no text to mine rules from; 1 of more than 10,000 characters"):
        Corpus.of(examples(long), SmallTagger())


def test_a_field_that_is_missing_is_named() -> None:
    with pytest.raises(RobustfimError, match="no field 'question'; the examples have text"):
        Corpus.of(examples("film"), SmallTagger(), ["question"])
