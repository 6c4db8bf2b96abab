"""Each benchmark at a tiny size: what it returns adds up, and the file it becomes says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("transformers")

from benchmarks import lambda_max, queue_rate
from benchmarks.environment import environment
from benchmarks.main_job import MainJob, main_job
from benchmarks.results import Results, render
from benchmarks.textattack_attacker import missing
from benchmarks.texts import CANDIDATES, candidates, sources
from benchmarks.timing import Spread, interleave, ratios
from benchmarks.transformer import BareLoop, Transformer, open_transformer
from robustfim.example import Example
from robustfim_huggingface.model import SequenceClassifier
from robustfim_reference.model import FastText
from robustfim_reference.reviews import Reviews

SMALL = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    return open_transformer(None, tmp_path_factory.mktemp("transformer"), **SMALL)


def spread(value: float) -> Spread:
    return Spread(value * 0.9, value, value * 1.1, 5)


def test_a_spread_holds_the_quartiles_of_its_values() -> None:
    assert Spread.of([5.0, 1.0, 4.0, 2.0, 3.0]) == Spread(2.0, 3.0, 4.0, 5)
    assert Spread.of([7.0]) == Spread(7.0, 7.0, 7.0, 1)


def test_ratios_are_taken_pair_by_pair() -> None:
    # The machine is ten times slower at the second pair; each pair still says 2.
    assert ratios([2.0, 20.0, 4.0], [1.0, 10.0, 2.0]) == Spread(2.0, 2.0, 2.0, 3)


def test_each_repetition_times_every_side_and_begins_with_another() -> None:
    order: list[str] = []
    times = interleave({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert {side: len(values) for side, values in times.items()} == {"a": 3, "b": 3}
    assert all(value >= 0 for values in times.values() for value in values)


def test_candidates_are_distinct_and_keep_the_words_of_their_source() -> None:
    _, texts = sources(None)
    pools = candidates(texts, 100)
    given = [text for pool in pools.values() for text in pool]
    assert len(given) == len(set(given)) == 100
    assert not set(given) & set(texts)
    for source, pool in pools.items():
        assert len(pool) <= CANDIDATES
        assert all(sorted(text.split()) == sorted(source.split()) for text in pool)


def test_sources_too_short_for_candidates_are_left_out_without_end() -> None:
    assert candidates(["one", "two words", "so so so"], 10) == {}


def test_texts_come_from_the_folder_of_data_where_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "rotten_tomatoes").mkdir()
    (tmp_path / "rotten_tomatoes" / "dev.csv").write_text('text,label\n"a fine, fine film",positive\n', "utf-8")
    assert sources(tmp_path) == ("rotten_tomatoes/dev", ["a fine, fine film"])


def test_the_bare_loop_computes_what_the_model_predicts(transformer: Transformer) -> None:
    texts = sources(None)[1][:9]
    rows = BareLoop(transformer.folder, 4).run(texts)
    model = SequenceClassifier(path=transformer.folder, device="cpu")
    expected = model.predict([Example({"text": text}) for text in texts])
    for row, other in zip(rows, expected, strict=True):
        assert row == pytest.approx(list(other), abs=1e-6)


def test_the_queue_and_the_bare_loop_are_timed_on_the_same_texts(transformer: Transformer, tmp_path: Path) -> None:
    found = queue_rate.against_bare_loop(transformer, None, tmp_path, texts=40, repeats=2)
    assert (found.texts, found.share.count) == (40, 2)
    assert found.bare.low > 0
    assert found.queue.low > 0
    # With two pairs, the median of the ratios lies between the extremes of the rates.
    assert found.queue.low / found.bare.high / 2 < found.share.median < 2 * found.queue.high / found.bare.low


def test_absent_textattack_is_said_to_be_absent(
    transformer: Transformer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert missing(None) == "textattack is not installed"
    found = queue_rate.against_textattack(transformer, None, tmp_path, texts=8, repeats=1)
    assert found == "textattack is not installed"


def test_lambda_max_agrees_with_the_literal_algorithm_that_it_is_timed_against(transformer: Transformer) -> None:
    examples = list(Reviews(limit=4).load())
    model = SequenceClassifier(path=transformer.folder, device="cpu")
    bare = BareLoop(transformer.folder, 4)
    costs = [
        lambda_max.cost("small", model, examples, repeats=2, literal=True, bare=bare),
        lambda_max.cost("reference/fasttext", FastText(), examples, repeats=2, literal=True),
    ]
    for cost in costs:
        assert cost.literal is not None
        assert cost.literal.error < 1e-4
        assert cost.literal.seconds > 0
        assert cost.shape[0] == 4
        assert cost.ratio.median > 0.5  # a forward and a backward pass
        assert cost.from_text.low > 0


def test_a_run_and_its_repetition_are_timed(tmp_path: Path) -> None:
    suite = tmp_path / "tiny.yaml"
    suite.write_text(
        "suite: tiny\nmodel: {use: reference/cnn}\ndata: {use: reviews, limit: 10}\n"
        "checks: {typos: {perturb: {use: typos, candidates: 2}}}\n",
        encoding="utf-8",
    )
    job = main_job(tmp_path / "job", repeats=1, suite=suite, model=["use=reference/fasttext"])
    assert (job.suite, job.model, job.examples) == ("tiny", "reference/fasttext", 10)
    assert 10 < job.texts <= 30
    assert job.texts_again == 0
    assert 0 < job.python.median < job.help.median < job.cold.median


def test_a_run_that_does_not_run_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 4"):
        main_job(tmp_path, repeats=1, suite=tmp_path / "absent.yaml")


def test_the_results_say_what_was_met_missed_and_not_measured() -> None:
    results = Results(environment(), "python -m benchmarks")
    results.queue = queue_rate.QueueRate("a BERT", "the reviews", 1600, spread(100), spread(97), spread(0.97))
    results.attackers = "textattack is not installed"
    results.costs = [
        lambda_max.Cost(
            "a BERT", 1, (32, 27, 384), spread(10), spread(25), spread(2.5), spread(2.4), spread(2.1), None
        ),
        ("reference/lstm", "its weights are missing"),
    ]
    results.job = MainJob("sentiment", "reference/cnn", 200, spread(9), spread(4), 4000, 0, spread(0.14), spread(0.02))
    text = render(results)
    rows = {line.split(" | ")[0].strip("| "): line for line in text.splitlines() if line.startswith("|")}
    assert rows["queue / bare loop"].endswith("| 0.970 [0.873, 1.067] | ≥ 0.95 | met |")
    assert "| 2.50 [2.25, 2.75] | missed | 2.40" in rows["a BERT"]
    assert "Not measured: textattack is not installed." in text
    assert "reference/lstm: not measured: its weights are missing" in text
    assert "4,000 by the first run, 0 by the second" in text
    assert rows["first run, empty store"].endswith("| < 30 | met |")
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("| queue")]
    assert widths == [5, 5]


def test_the_results_name_no_path_of_this_machine() -> None:
    text = render(Results(environment(), "python -m benchmarks --data FOLDER"))
    assert str(Path(__file__).parents[2]) not in text
    assert str(Path.home()) not in text.replace("| / |", "")
    assert not re.search(r"\d{4}-\d\d-\d\d", text)
    assert text.count("left out") == 4
