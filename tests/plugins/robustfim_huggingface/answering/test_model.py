"""Extractive question answering: what is read, window by window, and which span is the answer."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.cli import main
from robustfim.prediction import normal_form
from robustfim.record import Record
from robustfim.window import Window, windows
from robustfim_huggingface.answering.model import QuestionAnswering
from tests.plugins.robustfim_huggingface.conftest import save_model, saved_once

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ARCHITECTURES = ["bert", "roberta", "xlnet", "bart"]
FILM = "The good film. A bad film is the worst, good the bad film film; good good good, the end of it."


def ask(question: str, context: str = FILM) -> Example:
    return Example({"question": question, "context": context})


EXAMPLES = [ask("the film?"), ask("good?", "Bad films, good films"), ask("x", "a"), ask("the bad?", FILM[::-1])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Save each architecture once, with random weights."""
    return saved_once(
        lambda architecture, path: save_model(architecture, path, "ForQuestionAnswering"), tmp_path_factory
    )


def literal(folder: Path, example: Example, *, limit: int | None, stride: int, unanswerable: bool) -> Any:
    """Answers as transformers' own examples find them: one window at a time, every span looked at."""
    model = transformers.AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    question, context = example.fields["question"], example.fields["context"]
    cut: dict[str, Any] = {}
    if limit is not None:
        cut = {"truncation": "only_second", "max_length": limit, "stride": stride, "return_overflowing_tokens": True}
    encoding = tokenizer([question], [context], return_offsets_mapping=True, **cut)
    scores: dict[tuple[int, int], float] = {}
    none = math.inf
    for row, ids in enumerate(encoding["input_ids"]):
        names = [name for name in ("input_ids", "token_type_ids", "attention_mask") if name in encoding]
        with torch.no_grad():
            output = model(**{name: torch.tensor([encoding[name][row]]) for name in names})
        starts, ends = output.start_logits[0].double(), output.end_logits[0].double()
        sources = encoding.sequence_ids(row)
        special = sources.index(None)
        none = min(none, float(starts[special] + ends[special]))
        offsets = encoding["offset_mapping"][row]
        for first in range(len(ids)):
            for last in range(first, min(first + 5, len(ids))):
                if sources[first] != 1 or sources[last] != 1:
                    continue
                start, end = offsets[first][0], offsets[last][1]
                if not context[offsets[first][0] : offsets[first][1]].strip():
                    continue
                if not context[offsets[last][0] : offsets[last][1]].strip():
                    continue
                while context[start].isspace():
                    start += 1
                score = float(starts[first] + ends[last])
                scores[start, end] = max(score, scores.get((start, end), -math.inf))
    if unanswerable:
        scores[0, 0] = none
    total = sum(math.exp(score) for score in scores.values())
    found: dict[str, tuple[str, float]] = {}
    for (start, end), score in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        found.setdefault(normal_form(context[start:end]), (context[start:end], math.exp(score) / total))
    return list(found.values())[:10], len(encoding["input_ids"])


def assert_same(found: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    assert found[0][0] == expected[0][0]
    assert dict(found) == pytest.approx(dict(expected), rel=1e-4)


@pytest.mark.parametrize("unanswerable", [False, True])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_answers_are_those_of_a_loop_over_all_windows_and_spans(
    folder: Callable[[str], Path], architecture: str, unanswerable: bool
) -> None:
    path, limit = folder(architecture), None if architecture == "xlnet" else 22
    model = QuestionAnswering(
        path, max_length=limit, stride=3, answer_length=5, unanswerable=unanswerable, batch_size=3
    )
    windows = []
    for example, found in zip(EXAMPLES, model.answer(EXAMPLES), strict=True):
        expected, number = literal(path, example, limit=limit, stride=3, unanswerable=unanswerable)
        assert_same(found, expected)
        windows.append(number)
    assert limit is None or max(windows) > 2


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_answer_does_not_depend_on_what_else_is_in_the_batch(
    folder: Callable[[str], Path], architecture: str
) -> None:
    model = QuestionAnswering(folder(architecture), stride=4)
    for example, found in zip(EXAMPLES, model.answer(EXAMPLES), strict=True):
        assert_same(found, model.answer([example])[0])


def test_a_question_longer_than_half_of_the_limit_is_cut_and_counted(folder: Callable[[str], Path]) -> None:
    model = QuestionAnswering(folder("bert"))
    long = ask("good " * 40, "the bad film")
    told = windows(model, [ask("the film?"), long, ask("x", "film " * 90)])
    assert told == [None, Window((("question", 0, 49), ("context", 0, len("the bad film") + 1))), None]
    assert model.answer([long]) == model.answer([ask("good " * 10, "the bad film")])


def test_without_a_context_there_is_no_answer(folder: Callable[[str], Path]) -> None:
    assert QuestionAnswering(folder("bert")).answer([ask("the film?", "")]) == [[("", 1.0)]]


def test_a_tokenizer_that_does_not_place_its_tokens_is_refused(folder: Callable[[str], Path]) -> None:
    with pytest.raises(ModelError, match="does not report where its tokens are"):
        QuestionAnswering(folder("canine")).answer([ask("the film?")])


def test_a_classifier_is_no_question_answering_model(folders: Callable[[str], Path]) -> None:
    with pytest.raises(ModelError, match="its weights lack qa_outputs"):
        QuestionAnswering(folders("bert")).answer([ask("the film?")])


def test_every_option_that_alters_an_answer_alters_the_fingerprint(folder: Callable[[str], Path]) -> None:
    path = folder("bert")
    options: list[dict[str, Any]] = [
        *({}, {"unanswerable": True}, {"answer_length": 5}, {"max_length": 20}, {"stride": 2}, {"dtype": "bfloat16"}),
        *({"question": "q"}, {"context": "c"}),
    ]
    assert len({QuestionAnswering(path, **option).fingerprint for option in options}) == len(options)
    assert QuestionAnswering(path, batch_size=1, device="cpu").fingerprint == QuestionAnswering(path).fingerprint


def test_two_options_that_name_one_field_are_refused(folder: Callable[[str], Path]) -> None:
    with pytest.raises(UsageError, match="both name the field 'context'"):
        QuestionAnswering(folder("bert"), question="context")


def test_a_missing_field_is_told_with_those_that_there_are(folder: Callable[[str], Path]) -> None:
    with pytest.raises(UsageError, match=r"'context', which an example lacks.* Fields: question, text; .* name others"):
        QuestionAnswering(folder("bert")).answer([Example({"question": "x", "text": "y"})])


def test_a_suite_runs_on_data_in_the_form_of_squad(
    folder: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"question": "the film?", "context": FILM, "answers": {"text": ["good", "the end"], "answer_start": [4, 80]}},
        {"question": "good?", "context": "Bad films, good films", "answers": {"text": [], "answer_start": []}},
        {"question": "which film?", "context": FILM, "answers": {"text": ["a bad film"], "answer_start": [15]}},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "qa.yaml").write_text(
        f"suite: qa\nmodel: {{use: huggingface/question-answering, path: '{folder('bert')}', unanswerable: true}}\n"
        "data: {use: jsonl, path: rows.jsonl, text: [question, context], label: answers}\nscores: [margin, entropy]\n"
        "checks:\n"
        "  case: {perturb: {use: case, fields: [question]}, expect: {use: invariant, counts: changes}, limit: 1}\n"
        "  typos: {perturb: {use: typos, fields: [question]}, expect: correct, limit: 1}\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["run", "qa.yaml", "-q", "--no-store"])
    record = Record.load(tmp_path / "reports" / "qa" / "results.json")
    assert [example.label for example in record.examples] == ["good", "(no answer)", "a bad film"]
    for example in record.examples:
        assert example.prediction == "(no answer)" or str(example.prediction) in example.fields["context"]
        assert example.scores["margin"] is not None
        assert example.scores["entropy"] is not None
    assert record.model.accuracy.rate == sum(bool(example.correct) for example in record.examples) / 3
    assert [check.candidates.tested > 0 for check in record.checks] == [True, True]
