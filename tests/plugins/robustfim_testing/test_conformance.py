"""Conformance: the parts of first-party plugins keep their promises, and each broken promise is told."""

from __future__ import annotations

import math
import pickle
import random as global_random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim import Candidate, Edit, Example, Judgement, Prediction, Verdict
from robustfim.builtin import Invariant
from robustfim.contract import EngineContract, FormatContract, ParaphraserContract, ReportContract, ScoreContract
from robustfim.errors import DataError
from robustfim.importance import Importance, WordImportance
from robustfim.parts import Part
from robustfim.plugin.factory import make_offered
from robustfim.plugin.libraries import missing_libraries
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.roles import Paraphrase, SourcedCheck, TaggedToken
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import Use
from robustfim_testing import (
    TEXTS,
    AttributionConformance,
    ConstraintConformance,
    DataConformance,
    EngineConformance,
    ExpectationConformance,
    FormatConformance,
    GeometryConformance,
    ModelConformance,
    OrderConformance,
    ParaphraserConformance,
    PerturbationConformance,
    ReducerConformance,
    ReportConformance,
    ScorerConformance,
    SourceConformance,
    TaggerConformance,
    TrainerConformance,
    check_attribution,
    check_constraint,
    check_data,
    check_engine,
    check_expectation,
    check_format,
    check_geometry,
    check_model,
    check_order,
    check_paraphraser,
    check_perturbation,
    check_reducer,
    check_report,
    check_scorer,
    check_source,
    check_tagger,
    check_trainer,
)
from robustfim_words import robustfim_offers

NEEDS_A_MODEL = {"neighbours"}
"""Perturbations that ask for what a context without a model has not."""

FITTING = {
    "abbreviations": "We will be right back, by the way, as soon as possible.",
    "accents": "We met in a café.",
    "ages": "A 34-year-old man sings.",
    "antonyms": "The film is wonderful. I enjoyed it.",
    "drop_sentence": "The plot is dull. We watched the film in Paris. Nobody liked the music. The actors tried hard.",
    "gender": "He loves his mother, and she loves her son.",
    "homophones": "They're here, and their friends are there, too; it's your turn.",
    "hyphens": "A well-known, low-budget film.",
    "identities": "The film is about gay men and their Muslim friends.",
    "idioms": "It is a piece of cake.",
    "nationalities": "The American actor met a French singer.",
    "near_synonyms": "Neither funny enough to be camp nor good enough to be anything else.",
    "negation": "A wonderful, superb film. I enjoyed it.",
    "nouns": "The dog sat beside the table and the woman ate an apple in the kitchen.",
    "organisations": "She works for Microsoft in Boston.",
    **dict.fromkeys(("antonyms", "negation"), "The songs are superb and wonderful."),
    "regional_spelling": "The colour of the theatre is grey.",
    "religions": "She is a Christian and he is a Muslim.",
    "titles": "We saw The Godfather again with Dr. Smith.",
}
"""What those need that apply to few texts."""


@cache
def plugins() -> PluginManager:
    return load_plugins(PluginOptions())


OPTIONS = {name: {"label": "positive"} for name in ("positive_sentence", "negative_sentence")}
"""Without it they ask the data which labels praise."""


def offered(kind: str, name: str, **options: Any) -> Any:
    file = SuiteFile.of({})
    made = make_offered(plugins(), file, kind, Use(use=name, **options), (kind,))[0]
    return made.made if isinstance(made, Part) else made


@pytest.mark.parametrize(
    "name", sorted(name for name in set(robustfim_offers()["perturbations"]) - NEEDS_A_MODEL if "/" not in name)
)
def test_a_perturbation_of_words_keeps_its_promises(name: str) -> None:
    part = offered("perturbations", name, **OPTIONS.get(name, {}))
    check_perturbation(part, [*TEXTS, FITTING.get(name, TEXTS[0])])


@pytest.mark.parametrize("name", ["reference/fasttext", "reference/lexical-qa"])
def test_a_reference_model_keeps_its_promises(name: str) -> None:
    fields = {"context": "Ada was born in Paris in 1815.", "question": "Where was Ada born?"}
    check_model(offered("models", name), [Example(fields)] if name.endswith("qa") else TEXTS)


@pytest.mark.parametrize("name", ["margin", "entropy"])
def test_a_score_keeps_its_promises(name: str) -> None:
    check_scorer(offered("scorers", name))


@pytest.mark.parametrize("name", ["fisher", "boundary", "boundary_step", "smallest_step", "flips"])
def test_a_score_of_gradients_keeps_its_promises_on_a_model_that_has_them(name: str) -> None:
    texts = tuple(text for text in TEXTS if text)
    check_scorer(offered("scorers", name), texts, context=robustfim.context("reference/fasttext", texts))


@pytest.mark.parametrize("options", [{}, {"gradients": 3}])
def test_an_order_keeps_its_promises(options: dict[str, Any]) -> None:
    check_order(offered("orders", "guided", **options), context=robustfim.context("reference/fasttext", TEXTS))


@pytest.mark.parametrize(
    ("name", "options"),
    [(each, {}) for each in ("max_changed", "stop_words", "same_part_of_speech", "edit_distance", "no_repeated_edit")],
)
def test_a_constraint_keeps_its_promises(name: str, options: dict[str, Any]) -> None:
    check_constraint(offered("constraints", name, **options))


PARTS_OF_ONE = {"of": ["invariant", {"use": "directional", "tolerance": 0.1}]}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((each, {}) for each in ("invariant", "changes", "correct", "directional", "equals")),
        *((each, PARTS_OF_ONE) for each in ("all", "any")),
    ],
)
def test_an_expectation_keeps_its_promises(name: str, options: dict[str, Any]) -> None:
    check_expectation(offered("expectations", name, **options))


@pytest.mark.parametrize(
    ("name", "options"), [("any", {}), ("all", {}), ("at_most", {"limit": 2}), ("share", {"limit": 0.5})]
)
def test_a_reducer_keeps_its_promises(name: str, options: dict[str, Any]) -> None:
    check_reducer(offered("reducers", name, **options))


@pytest.mark.parametrize("name", ["reviews", "questions", "copa"])
def test_bundled_data_keep_their_promises(name: str) -> None:
    check_data(offered("data", name))


@pytest.mark.parametrize("name", sorted(plugins().offers("reports")))
def test_a_report_keeps_its_promises(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing_libraries("reports", plugins().get("reports", name).cls, name):
        pytest.skip(f"what {name} needs is not installed")
    monkeypatch.chdir(tmp_path)  # a tracker keeps its runs in the current folder
    check_report(offered("reports", name))


# What an author writes: a subclass with a part.


class TestMargin(ScorerConformance):
    def make(self) -> Any:
        return offered("scorers", "margin")


class TestTypos(PerturbationConformance):
    def make(self) -> Any:
        return offered("perturbations", "typos")


class TestMaxChanged(ConstraintConformance):
    def make(self) -> Any:
        return offered("constraints", "max_changed")


class TestGuided(OrderConformance):
    def make(self) -> Any:
        return offered("orders", "guided")

    def context(self) -> Any:
        return robustfim.context("reference/fasttext", TEXTS)


class TestDirectional(ExpectationConformance):
    def make(self) -> Any:
        return offered("expectations", "directional", direction="down", label="positive")


class TestShare(ReducerConformance):
    def make(self) -> Any:
        return offered("reducers", "share", limit=0.3)


class TestReviews(DataConformance):
    def make(self) -> Any:
        return offered("data", "reviews")


class TestFastText(ModelConformance):
    def make(self) -> Any:
        return offered("models", "reference/fasttext")


class TestJson(ReportConformance):
    def make(self) -> Any:
        return offered("reports", "json")


class TestWordTagger(TaggerConformance):
    def make(self) -> Any:
        tagger = plugins().shared("tagger")
        assert tagger is not None
        return tagger()


class TestFastTextTrainer(TrainerConformance):
    def make(self) -> Any:
        pytest.importorskip("torch")
        return offered("trainers", "reference/fasttext", epochs=2)


class TestPaws(FormatConformance):
    def make(self) -> Any:
        return offered("suite_formats", "paws")

    def path(self) -> Path:
        folder = Path(mkdtemp())
        (folder / "paws.tsv").write_text(
            "id\tsentence1\tsentence2\tlabel\n1\tA b.\tB a.\t0\n2\tA c.\tA c.\t1\n", "utf-8"
        )
        return folder / "paws.tsv"


class TestIntegratedGradients(AttributionConformance):
    texts = tuple(text for text in TEXTS if text)

    def make(self) -> Any:
        cls = plugins().shared("attribution")
        assert cls is not None
        return cls()

    def model(self) -> Any:
        return offered("models", "reference/fasttext")


class TestTemplates(SourceConformance):
    def make(self) -> Any:
        tests = {"praise": {"templates": ["The {thing} is {good}."], "label": "positive"}}
        return offered("checks", "templates", path=str(Path(__file__).parents[3] / "suites/checklist"), tests=tests)


class TestPerturbed(ParaphraserConformance):
    def make(self) -> Any:
        return offered("paraphrasers", "perturbations", of="contractions")

    texts = ("I don't like it, and it's long.", "a film")


class TestFisher(GeometryConformance):
    def make(self) -> Any:
        pytest.importorskip("torch")
        cls = plugins().shared("geometry")
        assert cls is not None
        return cls(offered("models", "reference/fasttext"))


class Rewrites:
    """A paraphraser made of a function; its scores are 1/2."""

    contract = ParaphraserContract(score="half", tau=0.5)

    def __init__(self, function: Callable[[str], Any], score: float = 0.5) -> None:
        self._function, self._score = function, score

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[Any]:
        return [self._function(text) for text in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        return [self._score for _ in texts]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "it has no"),
        (Rewrites(lambda text: []), "it has no paraphrase of 1 texts"),
        (Rewrites(lambda text: ["a movie"]), "not Paraphrases with scores"),
        (Rewrites(lambda text: [Paraphrase("a movie", 2.0)]), r"not Paraphrases with scores in \(0, 1\]"),
        (Rewrites(lambda text: [Paraphrase("a", 0.1), Paraphrase("b", 0.9)]), "not the surest first"),
        (Rewrites(lambda text: [Paraphrase(str(global_random.random()), 0.5)]), "asked twice, it gave 'a film'"),
        (Rewrites(lambda text: [Paraphrase("a movie", 0.5)], score=1.5), r"it gave \[1\.5\]"),
    ],
)
def test_a_paraphraser_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_paraphraser(broken, ["a film"])


class Points:
    """A geometry that gives one point everywhere, and counts as it is told."""

    def __init__(self, calls: int = 1, **numbers: Any) -> None:
        vector = np.array([[1.0, 0.0]])
        point = {"lambda_max": 1.0, "distance": 1.0, "margin": 1.0, "eigenvector": vector, "margin_gradient": vector}
        self.calls, self._point = calls, SimpleNamespace(**{**point, **numbers})

    def at(self, examples: Sequence[Example], *, tokens: str = "text") -> list[Any]:
        return [self._point for _ in examples]


def test_a_geometry_of_points_that_can_be_is_accepted() -> None:
    check_geometry(Points(), ["a film"])
    check_geometry(Points(lambda_max=0.0, eigenvector=np.zeros((1, 2))), ["a film"])


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (Points(calls=0), "it counted 0 calls"),
        (Points(calls=3), "it counted 3 calls"),
        (Points(lambda_max=-1.0), "a number below 0"),
        (Points(eigenvector=np.array([[2.0, 0.0]])), "has the length 2"),
        (Points(margin_gradient=np.zeros((2, 2))), r"not both \[tokens, dims\]"),
        (Points(lambda_max=np.nan), "no point of 1 examples is defined"),
    ],
)
def test_a_geometry_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_geometry(broken, ["a film"])


class TestProcesses(EngineConformance):
    def make(self) -> Any:
        return offered("engines", "processes", workers=2)


class TestInline(EngineConformance):
    def make(self) -> Any:
        return offered("engines", "inline")


def test_a_class_without_make_says_what_it_needs() -> None:
    with pytest.raises(NotImplementedError, match=r"ScorerConformance must define make\(\)"):
        ScorerConformance().test_it_keeps_the_promises_of_its_role()


class Undescribed(ScorerConformance):
    __test__ = False

    def make(self) -> Any:
        return Scores(lambda batch, context: [])


def test_a_part_without_a_sentence_or_with_options_that_nothing_checks_is_refused() -> None:
    with pytest.raises(AssertionError, match="the docstring of Scores begins with '', which is not a sentence"):
        Undescribed().test_its_class_says_in_a_sentence_what_it_is()
    made = type("Positional", (), {"__init__": lambda self, batch, /: None})
    positional = type("Its", (Undescribed,), {"make": lambda self: made(1)})()
    with pytest.raises(AssertionError, match="batch"):
        positional.test_its_options_can_be_checked()
    with pytest.raises(AssertionError, match="no 'contract'"):
        positional.test_its_members_are_those_of_its_role()


# ---- broken promises ----------------------------------------------------------------------------------


class Edits:
    """A substitution made of a function of an example and a generator."""

    def __init__(self, function: Callable[[Example, Random], Any]) -> None:
        self.function = function

    def edits(self, example: Example, random: Random) -> Any:
        return self.function(example, random)


class Proposals:
    def __init__(self, function: Callable[[Example], Any]) -> None:
        self.function = function

    def propose(self, example: Example, random: Random) -> Any:
        return self.function(example)


class Misspelled:
    def edits(self, example: Example, random: Random) -> list[Edit]:
        return []

    def prepair(self, context: Any) -> None: ...


def first(example: Example, after: str) -> list[Edit]:
    return [Edit("text", 0, 1, example.text[:1], after)] if example.text else []


def counting() -> Callable[[Example, Random], list[Edit]]:
    asked: list[Example] = []

    def edits(example: Example, random: Random) -> list[Edit]:
        asked.append(example)
        return first(example, str(len(asked)))

    return edits


def marking(example: Example, random: Random) -> list[Edit]:
    example.meta["tags"].append("seen")
    return first(example, "x")


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "neither 'edits' nor 'propose'"),
        (Misspelled(), "prepair"),
        (Edits(lambda example, random: []), "it changed none of 4 texts"),
        (Edits(lambda example, random: first(example, example.text[:1])), "it changed none of 4 texts"),
        (Edits(lambda example, random: [Edit("text", 0, 1, "#", "x")]), "does not match 'text' at 0:1"),
        (Edits(lambda example, random: [Edit("title", 0, 0, "", "x")]), "edit of unknown field 'title'"),
        (Edits(lambda example, random: ["x"]), "neither an edit nor a candidate"),
        (
            Edits(lambda example, random: first(example, str(global_random.random()))),
            "equal generators|global generator",
        ),
        (Edits(lambda example, random: [global_random.random(), *first(example, "x")][1:]), "from a global generator"),
        (Edits(counting()), "the generator and the example alone may decide"),
        (Edits(marking), "it changed the example"),
        (Edits(lambda example, random: 1 / 0), "it raised ZeroDivisionError"),
        (Proposals(lambda example: [Candidate(Example({"text": "other"}))]), "it made a candidate of 'other'"),
        (Proposals(lambda example: [Candidate(example)]), "it changed none of 4 texts"),
        (Proposals(lambda example: [Candidate(example, step=robustfim.Step("up", 1.0))]), "predicts none"),
    ],
)
def test_a_perturbation_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told) as caught:
        check_perturbation(broken)
    assert "see robustfim." in str(caught.value)


class Answers:
    """A model made of a function of a batch."""

    labels: Any = ("negative", "positive")
    fingerprint: Any = "answers"

    def __init__(self, function: Callable[[Sequence[Example]], Any], **members: Any) -> None:
        self.function = function
        vars(self).update(members)

    def predict(self, examples: Sequence[Example]) -> Any:
        return self.function(examples)


class Restless(Answers):
    def __init__(self) -> None:
        super().__init__(right)
        self.times = 0

    @property
    def fingerprint(self) -> str:
        self.times += 1
        return str(self.times)


def share(example: Example) -> list[float]:
    return [1 / (2 + len(example.text)), 1 - 1 / (2 + len(example.text))]


def right(batch: Sequence[Example]) -> list[list[float]]:
    return [share(example) for example in batch]


def drifting() -> Callable[[Sequence[Example]], list[list[float]]]:
    times = iter(range(1, 1000))
    return lambda batch: [[1 / n, 1 - 1 / n] for n in [next(times)] for _ in batch]


def test_a_model_that_keeps_its_promises_is_accepted() -> None:
    ways = {"window": lambda batch: [None] * len(batch), "stream": streamed(right), "foresee": lambda batch: None}
    check_model(Answers(right, **ways))


class Foreseeing(Answers):
    """One that gives of a batch that it foresaw what it made of another."""

    def __init__(self) -> None:
        super().__init__(right)

    def foresee(self, batch: Sequence[Example]) -> None:
        self.function = lambda asked: [[0.5, 0.5]] * len(asked)


def streamed(function: Callable[[Sequence[Example]], Any]) -> Callable[[Any], Iterator[tuple[int, Any]]]:
    return lambda batches: ((place, function(batch)) for place, batch in reversed([*enumerate(batches)]))


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no 'fingerprint'|neither 'predict' nor 'answer'"),
        (Answers(right, labels=("only",)), "labels must be at least two texts"),
        (Answers(right, fingerprint=""), "its fingerprint is empty"),
        (Restless(), "its fingerprint changed"),
        (Answers(lambda batch: [[0.5, 0.5]]), r"it must be \[4, 2\]"),
        (Answers(lambda batch: [[1.0, 1.0]] * len(batch)), "not probabilities that sum to 1"),
        (Answers(lambda batch: [[-0.5, 1.5]] * len(batch)), "not probabilities that sum to 1"),
        (Answers(lambda batch: [[float("nan")] * 2] * len(batch)), "no finite numbers"),
        (Answers(drifting()), "asked twice, it gave"),
        (Answers(lambda batch: sorted(right(batch))), "another order"),
        (Answers(lambda batch: sys.exit(0)), "it raised SystemExit: 0"),
        (
            Answers(lambda batch: [[1 / (1 + len(batch)), 1 - 1 / (1 + len(batch))]] * len(batch)),
            "asked one by one, it gave",
        ),
        (Answers(right, window=lambda batch: [None]), "'window' gave 1 answers"),
        (Answers(right, stream=lambda batches: [(0, right(batches[0]))] * 4), r"the batches \[0, 0, 0, 0\]"),
        (Answers(right, stream=streamed(lambda batch: [[0.5, 0.5]] * len(batch))), "stream answers something else"),
        (Foreseeing(), "foreseen, it answers something else"),
    ],
)
def test_a_model_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_model(broken)


class Scores:
    contract = ScoreContract(hardest="highest")

    def __init__(self, function: Callable[[Sequence[Example], Any], Any]) -> None:
        self.function = function

    def score(self, examples: Sequence[Example], context: Any) -> Any:
        return self.function(examples, context)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no 'contract'"),
        (Scores(lambda batch, context: [0.0]), "it gave 1 answers for 4"),
        (Scores(lambda batch, context: ["high"] * len(batch)), "not numbers"),
        (Scores(lambda batch, context: [float("nan")] * len(batch)), "no score of 4 examples is defined"),
        (Scores(lambda batch, context: range(len(batch))), "in another order"),
        (Scores(lambda batch, context: [len(batch)] * len(batch)), "one by one"),
        (Scores(lambda batch, context: [row[0] for row in context.model.predict(batch)]), "asked the model itself"),
    ],
)
def test_a_score_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_scorer(broken)


class Rejects:
    def __init__(self, function: Callable[[Candidate], Any]) -> None:
        self.function = function

    def reject(self, candidate: Candidate) -> Any:
        return self.function(candidate)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'reject'"),
        (Rejects(lambda candidate: False), "neither None nor a reason"),
        (Rejects(lambda candidate: ""), "neither None nor a reason"),
        (Rejects(partial(next, map(str, range(1000)))), "asked twice, it gave"),
    ],
)
def test_a_constraint_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_constraint(broken)


class Ranks:
    def __init__(self, function: Callable[[Sequence[Candidate]], Any]) -> None:
        self.function = function

    def effects(self, candidates: Sequence[Candidate], context: Any) -> Any:
        return self.function(candidates)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'effects'"),
        (Ranks(lambda given: [1.0]), "it gave 1 answers for"),
        (Ranks(lambda given: ["first"] * len(given)), "not numbers by which candidates can be ordered"),
        (Ranks(lambda given: [math.nan] * len(given)), "not numbers by which candidates can be ordered"),
        (Ranks(lambda given: list(range(len(given)))), "asked in another order, it gave"),
        (Ranks(lambda given: [global_random.random() for _ in given]), "asked twice, it gave"),
    ],
)
def test_an_order_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_order(broken)


class Judges:
    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Any:
        return self.function()


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'judge'"),
        (Judges(lambda: True), "not a Judgement"),
        (Judges(lambda: Judgement(Verdict.FAILED, global_random.random())), "asked twice, it gave"),
    ],
)
def test_an_expectation_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_expectation(broken)


class Loads:
    skipped: Any = {}  # noqa: RUF012  # never changed

    def __init__(self, function: Callable[[], Any], **members: Any) -> None:
        self.function = function
        vars(self).update(members)

    def load(self) -> Any:
        return self.function()


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'load'"),
        (Loads(lambda: []), "it gave no example"),
        (Loads(lambda: ["a text"]), "which is not an Example"),
        (Loads(lambda: [Example({})]), "without a field"),
        (Loads(lambda: [Example({"text": str(global_random.random())})]), "the order must be stable"),
        (Loads(partial(iter, iter([Example({"text": "once"})]))), "1 examples and then 0"),
        (Loads(lambda: [Example({"text": "a"})], skipped={"empty": "two"}), "not a count by reason"),
    ],
)
def test_data_that_break_a_promise_are_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_data(broken)


def test_no_texts_to_check_with_are_refused() -> None:
    with pytest.raises(ValueError, match="there are no texts"):
        check_perturbation(Misspelled.__new__(type("Fine", (), {"edits": lambda *_: []})), [])


class Writes:
    """A report made of a function of a record and a folder."""

    contract = ReportContract(suffix=".txt")

    def __init__(self, function: Callable[[Any, Path], Any]) -> None:
        self.function = function

    def write(self, record: Any, folder: Path) -> Any:
        return self.function(record, folder)


def put(path: Path, text: str = "a report") -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'write'"),
        (Writes(lambda record, folder: None), "not the path of its file"),
        (Writes(lambda record, folder: folder / "none.txt"), "not a file in the folder"),
        (Writes(lambda record, folder: put(folder.parent / f"{folder.name}.txt")), "not a file in the folder"),
        (Writes(lambda record, folder: put(folder / "a.txt", "")), "it wrote nothing into a.txt"),
        (Writes(lambda record, folder: put(folder / "a.md")), r"a\.md does not end with its suffix '\.txt'"),
        (
            Writes(lambda record, folder: put(folder / "a.txt", str(record.checks.pop()))),
            "it changed the record",
        ),
        (Writes(lambda record, folder: 1 / 0), "it raised ZeroDivisionError"),
    ],
)
def test_a_report_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_report(broken)


class Tags:
    """A tagger made of a function of a batch."""

    def __init__(self, function: Callable[[Sequence[str]], Any], **members: Any) -> None:
        self.function = function
        vars(self).update(members)

    def tag(self, texts: Sequence[str]) -> Any:
        return self.function(texts)


def tokens(text: str) -> list[TaggedToken]:
    return [TaggedToken(match[0], *match.span()) for match in re.finditer(r"\S+", text)]


def tagged(texts: Sequence[str]) -> list[list[TaggedToken]]:
    return [tokens(text) for text in texts]


def test_a_tagger_that_keeps_its_promises_is_accepted() -> None:
    check_tagger(Tags(tagged, fixed=lambda texts: [[(0, 1)] if text else [] for text in texts]))


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'tag'"),
        (Tags(lambda texts: [[]]), "it gave 1 answers for 4"),
        (Tags(lambda texts: [text.split() for text in texts]), "is not a TaggedToken"),
        (Tags(lambda texts: [[TaggedToken("#", 0, 1)] for _ in texts]), "which does not stand there"),
        (Tags(lambda texts: [2 * tokens(text) for text in texts]), "which does not stand there"),
        (Tags(lambda texts: [tokens(text)[1:] for text in texts]), "it left 'Nicole ' of"),
        (Tags(lambda texts: [tokens(text)[:-1] for text in texts]), r"it left ' hours\.' of"),
        (Tags(lambda texts: tagged(texts) if texts[0] == TEXTS[0] else [[]] * len(texts)), "another order"),
        (Tags(lambda texts: tagged(texts) if len(texts) > 1 else [split(texts[0])]), "asked one by one, it gave"),
        (Tags(tagged, fixed=lambda texts: []), "fixed gave the places of 0 of 4 texts"),
        (Tags(tagged, fixed=lambda texts: [[(0, 1)] for _ in texts]), "which lie outside"),
    ],
)
def test_a_tagger_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_tagger(broken)


def split(text: str) -> list[TaggedToken]:
    """Tokens of one character."""
    return [TaggedToken(match[0], *match.span()) for match in re.finditer(r"\S", text)]


class Trains:
    """A trainer that writes a file, and says that a suite uses the reference model; some of it may be wrong."""

    def __init__(self, use: Any = "reference/fasttext", *, writes: bool = True, refuses: bool = True) -> None:
        self.use, self.writes, self.refuses = use, writes, refuses

    def train(self, examples: Any, dev: Any, folder: Path, *, seed: int, report: Callable[[Any], None]) -> Any:
        labels = {example.label for example in examples}
        if self.refuses and (None in labels or len(labels) == 1):
            raise DataError("a label is missing, or there is only one.")
        folder.mkdir(parents=True)
        if self.writes:
            put(folder / "weights")
        report("epoch 1")
        use = self.use() if callable(self.use) else self.use
        return {"use": use} if isinstance(use, str) else use


def sure(share: float, label: str = "positive") -> dict[str, Any]:
    """How a suite uses a function that says one thing of all texts."""
    return {"use": "python", "call": lambda texts: [[1 - share, share] for _ in texts], "labels": ["negative", label]}


def test_a_trainer_that_keeps_its_promises_is_accepted() -> None:
    check_trainer(Trains())


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'train'"),
        (Trains({"path": "x"}), "of a suite"),
        (Trains(writes=False), "it wrote nothing into its folder"),
        (Trains(refuses=False), "examples that are unlabelled are not a DataError"),
        (Trains(sure(0.9, "good")), r"what it trained says Prediction\(label='good'"),
        (Trains(partial(next, iter([sure(0.9), sure(0.8)]))), "trained twice with one seed, it says"),
    ],
)
def test_a_trainer_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_trainer(broken)


class Reads:
    """A format made of a function of a path."""

    contract = FormatContract(title="A suite", labels=("negative", "positive"))

    def __init__(self, function: Callable[[Path], Any]) -> None:
        self.function = function

    def read(self, path: Path) -> Any:
        if not path.is_file():
            raise DataError(f"no file {path}.")
        return self.function(path)


def sourced(*names: str) -> list[SourcedCheck]:
    case = [Candidate(Example({"text": "a film"}, "positive"))]
    return [SourcedCheck(name, [case], Invariant(), {"use": "invariant"}) for name in names]


def test_a_format_that_keeps_its_promises_is_accepted(tmp_path: Path) -> None:
    check_format(Reads(lambda path: sourced("one", "two")), put(tmp_path / "suite.csv"))


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "neither 'read' nor 'record'"),
        (Reads(lambda path: []), "it read no check"),
        (Reads(lambda path: ["one"]), "which is not a SourcedCheck"),
        (Reads(lambda path: sourced("one", "one")), "are not each its own"),
        (Reads(lambda path: sourced(str(global_random.random()))), "it read other checks"),
        (Reads(lambda path: 1 / 0), "it raised ZeroDivisionError"),
    ],
)
def test_a_format_that_breaks_a_promise_is_refused(broken: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=told):
        check_format(broken, put(tmp_path / "suite.csv"))


class Explains:
    """An attribution made of a function of an example."""

    def __init__(self, function: Callable[[Example], Any], counts: int = 1) -> None:
        self.function, self.counts, self.calls = function, counts, 0

    def explain(self, examples: Sequence[Example], model: Any) -> list[Any]:
        self.calls += self.counts * len(examples)
        return [self.function(example) for example in examples]


def importance(value: float, end: int = 1, whole: float = 1.0) -> Importance:
    return Importance((WordImportance("text", 0, end, value),), whole, 0.0)


def test_an_attribution_whose_words_add_up_is_accepted() -> None:
    check_attribution(Explains(lambda each: importance(1.0)), object(), ["a film"])


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'explain'"),
        (Explains(lambda each: 1.0), "not an Importance each"),
        (Explains(lambda each: importance(1.0), counts=0), "it counted no calls"),
        (Explains(lambda each: importance(global_random.random())), "asked twice, it gave 'a film'"),
        (Explains(lambda each: importance(1.0, end=99)), "lies outside of its text"),
        (Explains(lambda each: importance(2.0)), r"add up to 2\.0, not to change \+ delta, 1\.0"),
    ],
)
def test_an_attribution_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_attribution(broken, object(), ["a film"])


class Brings:
    """A source made of a function."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.checks = function


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (object(), "no method 'checks'"),
        (Brings(list), "it read no check"),
        (Brings(lambda: ["one"]), "which is not a SourcedCheck"),
        (Brings(lambda: [SourcedCheck("one", [[]], Invariant(), {"use": "invariant"})]), "'one' has no candidates"),
        (Brings(lambda: sourced("one", "one")), "are not each its own"),
        (Brings(lambda: sourced(str(global_random.random()))), "it read other checks"),
        (Brings(lambda: 1 / 0), "it raised ZeroDivisionError"),
    ],
)
def test_a_source_that_breaks_a_promise_is_refused(broken: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_source(broken)


def test_a_format_that_makes_checks_of_a_missing_file_is_refused(tmp_path: Path) -> None:
    lenient = Reads(lambda path: sourced("one"))
    lenient.read = lambda path: sourced("one")  # type: ignore[method-assign]  # what is wrong with it
    with pytest.raises(AssertionError, match=r"suite\.csv\.missing, is not a DataError"):
        check_format(lenient, put(tmp_path / "suite.csv"))


class Threadless:
    """An engine whose workers answer at once, but for what is wrong with it."""

    contract = EngineContract(workers=2)

    def __init__(self, fault: str) -> None:
        self._fault = fault
        self.stopped: list[Any] = []

    def start(self, spec: bytes) -> Any:
        if self._fault == "cannot start":
            raise OSError("no room")
        return Answering(self)

    def wait(self, links: Sequence[Any]) -> Sequence[Any]:
        return [] if self._fault == "nothing is ready" else links

    def close(self) -> None: ...


class Answering:
    def __init__(self, engine: Any) -> None:
        self._engine, self._answers = engine, list[bytes]()
        self.name = "worker" if engine._fault == "one name" else f"worker {id(self)}"

    def send(self, task: bytes) -> None:
        (name,) = pickle.loads(task)  # noqa: S301  # of this test
        self._answers.append(pickle.dumps(("defect", f"KeyError: {name!r}")))

    def receive(self) -> bytes:
        return self._answers.pop(-1 if self._engine._fault == "last first" else 0)

    def stop(self) -> None:
        self._engine.stopped.append(self)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("cannot start", "it raised OSError: no room"),
        ("nothing is ready", "of 2 workers at work it gave \\[\\]"),
        ("one name", "two of its workers have one name"),
        ("last first", "not its own tasks in their order"),
    ],
)
def test_an_engine_that_breaks_a_promise_is_refused_and_its_workers_are_stopped(fault: str, told: str) -> None:
    engine = Threadless(fault)
    with pytest.raises(AssertionError, match=told):
        check_engine(engine)
    assert len(engine.stopped) == (0 if fault == "cannot start" else 2)
    check_engine(Threadless("none"))
