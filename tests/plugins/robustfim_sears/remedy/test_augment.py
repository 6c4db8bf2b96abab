"""``robustfim augment``: what is written, what is refused, and what gating uses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from robustfim.collect.lookup import named_part
from robustfim.example import Example, content_id
from robustfim.parts import PerturbationPart
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_sears.remedy.augmentation import Augmented, augment, rules_part
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.remedy.training_rows import training_rows
from robustfim_sears.rule.rule import Rule
from tests.plugins.robustfim_sears.remedy.texts import Texts
from tests.robustfim.command_line import CommandLine, Shown, refused

PLUGIN = "tests.plugins.robustfim_sears.remedy.texts"
SUITE = f"""\
suite: gate
plugins: [{PLUGIN}]
model: {{use: counting, path: model}}
data: {{use: films, first: 18, count: 4}}
checks:
  rules: {{perturb: {{use: rules, rules: [film → movie]}}, limit: 1}}
"""


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    line = CommandLine(tmp_path, capsys)
    line.write("gate.yaml", SUITE)
    line.write("rules.yaml", "- film → movie\n- plot → story\n")
    line.write("model/weights.json", '{"film": 1}')
    return line


def run(robustfim: CommandLine, words: str, data: str = "--data use=films", out: str = "out.jsonl") -> Shown:
    return robustfim(f"augment -p {PLUGIN} {data} --out {out} --force {words}")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def made(examples: list[Example], named: list[str], **how: Any) -> Augmented:
    manager = load_plugins(PluginOptions.parse((PLUGIN,)))
    parts = [named_part("perturbations", each, manager, "--perturb", perturb=True) for each in named]
    return augment(examples, parts, **{"seed": 0, **how})


def test_rules_keep_the_gold_label_and_originals_come_first(robustfim: CommandLine) -> None:
    shown = run(robustfim, "--rules rules.yaml")
    assert shown.code == 0, shown
    assert "rules: 40 variants of 40 examples" in shown.out
    assert "wrote out.jsonl: 40 originals, 40 variants" in shown.out
    found = rows(robustfim.folder / "out.jsonl")
    originals = list(Texts().load())
    assert [(row["text"], row["label"], row["row"], row["source"]) for row in found[:40]] == [
        (original.fields["text"], original.label, original.meta["row"], None) for original in originals
    ]
    for row, source in zip(found[40:], originals, strict=True):
        text = source.fields["text"].replace("film", "movie").replace("plot", "story")
        assert (row["text"], row["label"], row["source"], row["perturbation"]) == (
            text,
            source.label,
            source.id,
            "rules",
        )
        assert row["id"] == content_id({"text": text})
        (edit,) = json.loads(row["edits"])
        assert edit["origin"] in ("film → movie", "plot → story")


def test_a_candidate_that_names_its_label_is_trained_on_with_it() -> None:
    found = made(list(Texts(count=1).load()), ["deny"])
    assert [(example.text, example.label) for example in found.examples[2:]] == [
        ("not a film w0", "negative"),
        ("not a plot w0", "positive"),
    ]


def test_nothing_is_written_twice_and_what_is_left_out_is_counted() -> None:
    # The capitals of the first text are an original, so that its variant is there already.
    examples = [Example({"text": "a film"}, "positive"), Example({"text": "A FILM"}, "negative")]
    found = made(examples, ["shout", "shout"])
    assert [example.text for example in found.examples] == ["a film", "A FILM", "A FILM!"]
    assert [example.label for example in found.examples] == ["positive", "negative", "positive"]
    # Each asks twice for four texts of two examples: of 16, three and two are unchanged, one and none repeated.
    assert found.counts["proposed"] == 16
    assert sum(found.counts.values()) - found.counts["proposed"] + len(found.variants) == 16
    assert found.counts["unchanged"] == 2 * (1 + 3)


def test_the_same_seed_draws_the_same_and_an_example_more_changes_no_other() -> None:
    perturbations = ["{use: stutter, candidates: 4}"]
    examples = list(Texts(count=10).load())
    first = made(examples, perturbations, per_example=2, seed=4)
    assert first == made(examples, perturbations, per_example=2, seed=4)
    assert first != made(examples, perturbations, per_example=2, seed=5)
    sources = [variant.candidate.source.id for variant in first.variants]
    assert all(0 < sources.count(example.id) <= 2 for example in examples)
    more = made([*examples, Example({"text": "another text"}, "positive")], perturbations, per_example=2, seed=4)
    assert more.variants[: len(first.variants)] == first.variants


def test_a_share_of_the_examples_has_variants() -> None:
    manager = load_plugins(PluginOptions.parse((PLUGIN,)))
    part = rules_part([Rule.parse("film → movie")], manager)
    examples = list(Texts(count=12).load())  # twelve of them films, which the rule changes
    found = augment(examples, [part], seed=0, share=0.25)
    assert len(found.variants) == 3
    assert found.counts == {"proposed": 12, "not drawn": 9}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_is_written_can_be_read_and_augmented_again(robustfim: CommandLine, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    assert run(robustfim, "--rules rules.yaml", out=f"once{suffix}").code == 0
    data = f"--data use={suffix[1:]} --data path=once{suffix}"
    shown = run(robustfim, "--perturb deny", data=data, out="twice.csv")
    assert "wrote twice.csv: 80 originals, 80 variants" in shown.out, shown
    with (robustfim.folder / "twice.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert len({row["id"] for row in found}) == len(found) == 160
    assert list(found[0]) == ["id", "text", "label", "row", "source", "perturbation", "edits"]


def test_several_right_answers_and_other_columns_are_kept() -> None:
    example = Example({"text": "a film"}, "yes", {"tags": ["x"], "source": "web", "rank": float("nan")}, ("yeah",))
    columns, (row,) = training_rows(Augmented((example,), (), {}))
    assert columns == ["id", "text", "label", "tags", "rank", "source", "perturbation", "edits"]
    assert (row["label"], row["tags"], row["rank"], row["source"]) == (["yes", "yeah"], '["x"]', None, None)


# ---- gating ------------------------------------------------------------------------------------------


@pytest.fixture
def gated(robustfim: CommandLine) -> CommandLine:
    """A project with a run, a baseline and a lock file; they use films and plots 18 to 21, of which two are trained."""
    assert robustfim("run gate.yaml --no-store").code == 0
    assert robustfim("accept reports/gate/results.json").code == 0
    assert robustfim("lock gate.yaml").code == 0
    return robustfim


@pytest.mark.parametrize("file", ["reports/gate/results.json", "baselines/gate.json", "gate.lock.json", "gate.yaml"])
def test_training_on_gating_data_is_refused_by_its_hash(gated: CommandLine, file: str) -> None:
    refused(
        run(gated, f"--rules rules.yaml --gating {file}"),
        "4 of 40 training examples are used for gating, such as", file, "--drop leaves them out.",
    )  # fmt: skip
    assert not (gated.folder / "out.jsonl").exists()
    shown = run(gated, f"--rules rules.yaml --gating {file} --drop")
    assert f"compared with 8 gating examples of {file}" in shown.out
    assert "left out: 4 of 40 examples, used for gating" in shown.out
    texts = [row["text"] for row in rows(gated.folder / "out.jsonl")]
    assert not any(f"w{number}" in text for text in texts for number in (18, 19, 20, 21))


def test_baselines_and_reports_of_the_folder_are_looked_into(gated: CommandLine) -> None:
    refused(run(gated, "--rules rules.yaml"), "in baselines/gate.json, reports/gate/results.json:")
    shown = run(gated, "--rules rules.yaml", data="--data use=films --data first=50")
    assert "compared with 8 gating examples of baselines/gate.json, reports/gate/results.json" in shown.out


def test_without_gating_data_the_command_says_so(robustfim: CommandLine) -> None:
    shown = run(robustfim, "--rules rules.yaml")
    assert "compared with no gating data: there is none in baselines or reports" in shown.out


def test_another_name_of_the_field_and_another_label_hide_nothing(gated: CommandLine) -> None:
    gated.write("named.csv", "review,label\na film w19,negative\na film w77,positive\n")
    data = "--data use=csv --data path=named.csv --data text=review"
    refused(run(gated, "--rules rules.yaml --gating gate.yaml", data=data), "1 of 2 training examples are used")


def test_a_variant_that_gating_uses_is_not_made(robustfim: CommandLine) -> None:
    gating = Gating.of([Example({"text": "a movie w1"}, "positive")])
    manager = load_plugins(PluginOptions.parse((PLUGIN,)))
    part = rules_part([Rule.parse("film → movie")], manager)
    found = augment(list(Texts(count=3).load()), [part], seed=0, gating=gating)
    assert [variant.example.text for variant in found.variants] == ["a movie w0", "a movie w2"]
    assert found.counts["used for gating"] == 1


def test_what_a_check_made_of_gating_data_is_gating_data(gated: CommandLine) -> None:
    for file in ("gate.lock.json", "reports/gate/results.json"):
        known = Gating.read([gated.folder / file])
        failing = [failure.fields for failure in gated.record("gate").failures]
        assert failing, "the rule flips this model"
        assert all(Example(fields) in known for fields in failing)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "name what to apply: --rules rules.yaml, --perturb NAME"),
        ("--rules none.yaml", "none.yaml"),
        ("--perturb shuot", "unknown perturbation 'shuot'. Did you mean 'shout'?"),
        ("--perturb '{use: typos, kindz: x}'", "unknown option 'kindz'. Did you mean 'kinds'?"),
        ("--perturb '{use: typos, words: 2.5}'", "words: 2.5 is neither a count"),
        ("--perturb negation", "'negation' may change the gold label, and does not name the new label"),
        ("--perturb eigenvector", "steps in embedding space"),
        ("--perturb '{use: typos, order: guided}'", "'order: guided' of the perturbation 'typos' needs a model"),
        ("--perturb asking", "the perturbation 'asking' asks a model"),
        ("--rules rules.yaml --gating rules.yaml", "rules.yaml"),
        ("--rules rules.yaml --gating none.json", "no run record at none.json"),
        ("--rules rules.yaml --data first=500 --data bare=true", "40 training examples have no gold label"),
        ("--rules rules.yaml --out out.xls", "out.xls: a dataset is written as .jsonl, .csv, .parquet"),
    ],
)
def test_what_cannot_be_augmented_is_told(robustfim: CommandLine, words: str, told: str) -> None:
    refused(run(robustfim, words), told)


def test_shipped_perturbations_that_may_change_the_label_say_so() -> None:
    manager = load_plugins(PluginOptions())
    offers = manager.offers("perturbations")
    saying = {
        name for name in offers if "/" not in name and PerturbationPart(offers[name].cls).contract.keeps != "label"
    }
    assert saying == {
        *("antonyms", "negation", "random_words", "neighbours"),
        *("positive_sentence", "negative_sentence", "drop_sentence"),
    }


def test_a_file_that_is_there_is_not_written_over(robustfim: CommandLine) -> None:
    robustfim.write("out.csv", "mine")
    shown = robustfim(f"augment -p {PLUGIN} --data use=films --rules rules.yaml --out out.csv")
    refused(shown, "out.csv exists already.", "--force")
    assert (robustfim.folder / "out.csv").read_text(encoding="utf-8") == "mine"
