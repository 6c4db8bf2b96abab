"""``robustfim doctor`` on real models and files: its advice is followed as it is printed."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.robustfim.command_line import CommandLine, Shown, refused
from tests.robustfim.critic import DATA, MODEL, write_reviews

SWAPPED = {1: "negative", 0: "positive"}
NAMED = {0: "negative", 1: "positive"}


def advice(shown: Shown, option: str) -> str:
    """The line of a diagnosis that begins with an option, to be typed as it stands."""
    (line,) = (printed.strip() for printed in shown.out.splitlines() if printed.strip().startswith(option))
    return line


def diagnosed(shown: Shown, name: str = "labels") -> dict[str, Any]:
    (found,) = (diagnosis for diagnosis in json.loads(shown.out)["diagnoses"] if diagnosis["name"] == name)
    assert isinstance(found, dict)
    return found


def test_without_a_model_it_looks_at_the_installation_alone(robustfim: CommandLine) -> None:
    shown = robustfim("doctor -v")
    assert shown.code == 0, shown
    folded = robustfim("doctor").out.splitlines()
    assert len(folded) <= 3
    assert folded[0].startswith("well: ")
    assert folded[-1] == "no problem found"
    for section in ("versions", "libraries", "plugins", "resources", "device"):
        assert f"\n{section}\n" in f"\n{shown.out}"
    assert "model and data" not in shown.out
    assert shown.out.endswith("no problem found\n")


@pytest.mark.parametrize(
    ("labels", "proposed"),
    [
        ({0: "0", 1: "1"}, {"0": "negative", "1": "positive"}),
        pytest.param({0: "1", 1: "0"}, {"0": "positive", "1": "negative"}, marks=pytest.mark.slow),
        pytest.param({0: "neg", 1: "pos"}, {"neg": "negative", "pos": "positive"}, marks=pytest.mark.slow),
        (SWAPPED, {"negative": "positive", "positive": "negative"}),
        pytest.param({0: "Negative", 1: "yes"}, {"Negative": "negative", "yes": "positive"}, marks=pytest.mark.slow),
    ],
    ids=lambda each: "-".join(map(str, each.values())),
)
def test_labels_of_other_names_or_in_another_order_are_mapped_and_the_advice_works(
    labels: dict[int, str], proposed: dict[str, str], robustfim: CommandLine
) -> None:
    write_reviews(robustfim.folder, lambda number, liked: labels[liked])
    shown = robustfim(f"doctor {MODEL} {DATA}")
    assert shown.code == 1
    assert "1 problem: labels" in shown.out
    again = robustfim(f"doctor {MODEL} {DATA} {advice(shown, '--data')} --json")
    assert again.code == 0
    assert diagnosed(again)["facts"]["accuracy"] == 1.0
    found = diagnosed(robustfim(f"doctor {MODEL} {DATA} --json"))
    assert (found["state"], found["facts"]["best"], found["facts"]["best_accuracy"]) == ("problem", proposed, 1.0)


def test_the_line_for_a_suite_repairs_the_suite(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: str(liked))
    shown = robustfim(f"doctor {MODEL} {DATA}")
    line = advice(shown, "labels:").partition("   #")[0]
    suite = (
        "suite: films\nmodel: {use: python, call: 'critic:judge', labels: [negative, positive]}\n"
        "data:\n  use: csv\n  path: reviews.csv\n  %s\nchecks:\n  typos: {perturb: typos, limit: 0.9}\n"
    )
    robustfim.write("films.yaml", suite % "limit: 168")
    refused(robustfim("run films.yaml"), "'robustfim doctor' proposes the names", code=4)
    robustfim.write("films.yaml", suite % line)
    assert robustfim("doctor films.yaml").code == 0
    assert robustfim("run films.yaml").code == 0


def test_names_that_are_already_renamed_are_renamed_further(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: str(liked))
    for written in ("labels=[positive, negative]", 'labels={"0": positive, "1": negative}'):
        given = f"doctor {MODEL} {DATA} --data '{written}'"
        shown = robustfim(given)
        assert shown.code == 1
        assert robustfim(f"{given} {advice(shown, '--data')}").code == 0


def test_swapped_names_are_a_loss_of_accuracy_with_an_interval(robustfim: CommandLine) -> None:
    # One label in ten is wrong, so that the swap shows as 10 % against 90 %.
    write_reviews(robustfim.folder, lambda number, liked: NAMED[liked] if number % 10 == 0 else SWAPPED[liked])
    facts = diagnosed(robustfim(f"doctor {MODEL} {DATA} --json"))["facts"]
    assert (facts["accuracy"], facts["best_accuracy"]) == (17 / 168, 151 / 168)
    assert facts["accuracy_interval"][0] < 17 / 168 < facts["accuracy_interval"][1] < facts["best_accuracy_interval"][0]


@pytest.mark.parametrize("allowed", [False, True])
def test_a_model_whose_answers_do_not_go_with_the_labels_is_refused_unless_that_is_allowed(
    allowed: bool, robustfim: CommandLine
) -> None:
    chance = random.Random(3)
    write_reviews(robustfim.folder, lambda number, liked: chance.choice(["negative", "positive", "positive"]))
    shown = robustfim(f"doctor {MODEL} {DATA} {'--allow-weak' if allowed else ''}")
    assert shown.code == (0 if allowed else 1), shown.out
    assert "the answers do not go with the labels, and no other assignment is surely better" in shown.unbroken
    assert ("--allow-weak accepts such a model." in shown.unbroken) is not allowed
    assert f"\n  {'note   ' if allowed else 'problem'}   labels  accuracy " in shown.out


@pytest.mark.parametrize("allowed", ["", "--allow-weak"])
def test_a_model_that_finds_few_texts_of_a_common_label_all_rightly_is_well(
    allowed: str, robustfim: CommandLine
) -> None:
    # Seven of ten texts are negative, one in seven of them is called so, and nothing else: right in 40 %.
    gold = ["negative"] * 70 + ["positive"] * 30
    words = ["awful"] * 10 + ["calm"] * 90
    rows = [f"text {number} is {word},{label}" for number, (word, label) in enumerate(zip(words, gold, strict=True))]
    robustfim.write("rare.csv", "\n".join(["text,label", *rows]))
    robustfim.write(
        "finder.py", "def judge(texts):\n    return ['negative' if 'awful' in text else 'positive' for text in texts]\n"
    )
    shown = robustfim(f"doctor {MODEL.replace('critic', 'finder')} --data use=csv --data path=rare.csv {allowed}")
    assert shown.code == 0, shown.out
    assert "wrong order" not in shown.out
    assert "ok        labels  accuracy " in shown.out


def test_no_assignment_is_proposed_where_the_answers_surely_go_with_the_labels_under_none(
    robustfim: CommandLine,
) -> None:
    chance = random.Random(0)
    write_reviews(robustfim.folder, lambda number, liked: chance.choice(["x", "y"]))
    shown = robustfim(f"doctor {MODEL} {DATA}")
    assert shown.code == 1
    assert "under no assignment do the answers surely go with the labels" in shown.unbroken
    assert "--data 'labels" not in shown.out
    assert "--data 'labels" in robustfim(f"doctor {MODEL} {DATA} --allow-weak").out


def test_more_labels_than_the_model_has_cannot_be_mapped(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: "neutral" if number % 9 == 0 else NAMED[liked])
    shown = robustfim(f"doctor {MODEL} {DATA}")
    assert shown.code == 1
    assert "the data has 3 labels and the model 2, so none is left for 'neutral'" in shown.unbroken


def test_data_without_labels_and_data_with_one_label_are_notes(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: "")
    unlabelled = robustfim(f"doctor {MODEL} {DATA}")
    assert unlabelled.code == 0
    assert "168 examples without labels" in unlabelled.out
    write_reviews(robustfim.folder, lambda number, liked: "positive")
    one = robustfim(f"doctor {MODEL} {DATA}")
    assert one.code == 0
    assert "all 168 examples are 'positive'" in one.out


def test_what_is_wrong_with_a_model_or_its_data_is_a_problem_and_not_the_end(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: NAMED[liked])
    missing = robustfim(f"doctor {MODEL} --data use=csv --data path=reviws.csv")
    assert missing.code == 1
    assert "Did you mean 'reviews.csv'?" in missing.out
    robustfim.write("raw.py", "def judge(texts):\n    return [[2.0, -1.0] for _ in texts]\n")
    logits = robustfim(f"doctor {MODEL.replace('critic', 'raw')} {DATA} --no-store")
    assert logits.code == 1
    assert "Apply a softmax" in logits.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--model use=pyton", "Did you mean 'python'?"),
        ("--model path=x", "'model' names nothing to use"),
        ("no.yaml", "no such suite file"),
        ("toy.yaml -o checks.rename.perturb=renme", "Did you mean 'rename'?"),
        ("--hub --offline", "--offline forbids it"),
        ("-p no:nothing", "there is no plugin 'nothing'"),
    ],
)
def test_a_misspelled_name_is_wrong_usage(arguments: str, told: str, robustfim: CommandLine) -> None:
    refused(robustfim(f"doctor {arguments}"), told)


def test_a_model_of_a_suites_own_plugin_is_looked_at(robustfim: CommandLine) -> None:
    found = diagnosed(robustfim("doctor toy.yaml --json"))
    assert found["facts"]["examples"] == 8
    assert found["facts"]["accuracy"] == 1.0


def test_each_model_of_a_suite_with_several_is_looked_at(robustfim: CommandLine) -> None:
    text = (robustfim.folder / "toy.yaml").read_text(encoding="utf-8")
    robustfim.write("two.yaml", text.replace("model: wordsum", "models: [wordsum, {use: wordsum, batch_size: 2}]"))
    names = [diagnosis["name"] for diagnosis in json.loads(robustfim("doctor two.yaml --json").out)["diagnoses"]]
    assert {"labels[wordsum]", "labels[wordsum-2]"} <= set(names)


def test_no_more_texts_are_sent_than_are_allowed(robustfim: CommandLine) -> None:
    shown = robustfim("doctor toy.yaml --max-calls 3 --no-store")
    assert shown.code == 1
    assert "--max-calls 3 is used up" in shown.out


def test_a_run_whose_answers_go_against_the_labels_names_the_command_that_looks_closer(robustfim: CommandLine) -> None:
    swapped = {"a great film": "negative", "an awful film": "positive"}
    rows = json.dumps([[f"{text} {i}", label] for i in range(6) for text, label in swapped.items()])
    robustfim.write(
        "rows.yaml",
        "suite: rows\nplugins: [toy.py]\nmodel: wordsum\ndata: films\nchecks:\n  rename: {perturb: rename}\n",
    )
    given = f"rows.yaml --data {shlex.quote(f'rows={rows}')}"
    shown = robustfim(f"run {given}")
    assert shown.code == 1
    (warning,) = robustfim.record("rows").warnings
    assert "answers go against the gold labels (Matthews' coefficient −1.00 [−1.00, " in warning
    assert f"warning: {warning}" in shown.unbroken
    command = warning.partition("Look closer: ")[2]
    assert shlex.split(command) == ["robustfim", "doctor", *shlex.split(given)]
    again = robustfim(command.removeprefix("robustfim "))
    assert diagnosed(robustfim(f"{command.removeprefix('robustfim ')} --json"))["facts"]["accuracy"] == 0.0
    assert again.code == 1
    assert "mapped wrongly" not in robustfim("run toy.yaml").out


@pytest.mark.slow
def test_the_names_of_a_saved_transformer_are_proposed_where_it_has_none(
    transformer: Callable[[dict[int, str] | None], Path], robustfim: CommandLine
) -> None:
    write_reviews(robustfim.folder, lambda number, liked: NAMED[liked])
    for names, written in (
        (None, ["negative", "positive"]),
        ({0: "positive", 1: "negative"}, ["negative", "positive"]),
        ({0: "POSITIVE", 1: "NEGATIVE"}, ["negative", "positive"]),
    ):
        model = f"--model use=huggingface --model path={shlex.quote(str(transformer(names)))}"
        shown = robustfim(f"doctor {model} {DATA}")
        assert shown.code == 1, shown.out
        if names:  # the same names in another order: both ways, the likely one first
            ways = [line.split()[0] for line in shown.out.splitlines() if line.strip().startswith("--")]
            assert ways == ["--model", "--data"]
            assert "Likely the model's names are in the wrong order" in " ".join(shown.out.split())
        option = advice(shown, "--model")
        assert json.loads(shlex.split(option)[1].removeprefix("labels=")) == written
        assert robustfim(f"doctor {model} {option} {DATA}").code == 0


def test_a_run_whose_labels_chance_may_have_swapped_says_so_of_no_mapping(robustfim: CommandLine) -> None:
    rows = [["a great film", "negative"], *[[f"a bad film {i}", "negative"] for i in range(4)]]
    rows += [[f"an awful film {i}", "positive"] for i in range(4)]
    robustfim.write(
        "rows.yaml",
        "suite: rows\nplugins: [toy.py]\nmodel: wordsum\ndata: films\nchecks:\n  rename: {perturb: rename}\n",
    )
    shown = robustfim(f"run rows.yaml --data {shlex.quote(f'rows={json.dumps(rows)}')}")
    assert "accuracy: 44.4 %" in shown.out, "4 of 9, and the commonest label is that of 5"
    assert "mapped wrongly" not in shown.out
    assert "it is not shown that answers have anything to do with the gold labels" in shown.out


def test_a_model_with_a_decision_rule_is_asked_about_its_own_labels(robustfim: CommandLine) -> None:
    shown = robustfim(
        "doctor --model use=reference/fasttext --model decide.label=negative --model decide.at=0.7 --data reviews"
    )
    assert "'negative', 'positive'; decides negative where P ≥ 0.7, else not negative" in shown.unbroken
    assert "no problem found" in shown.out


FLAGS = """
def judge(texts):
    return [[0.9 if "awful" in each else 0.1, 0.8 if "idiot" in each else 0.2] for each in texts]
"""


def test_sets_of_labels_are_compared_as_they_are_named_and_no_set_is_taken_for_another(
    robustfim: CommandLine,
) -> None:
    (robustfim.folder / "flags_of_a_doctor.py").write_text(FLAGS, encoding="utf-8")
    words = {"toxic": "awful", "insult": "idiot"}
    rows = [[label for place, label in enumerate(words) if number >> place & 1] for number in range(40)]
    texts = [
        # every text has the word of another set than its gold labels, so that another order of the sets fits it better
        {"text": f"row {number} {' '.join(words[word] for word in words if word not in gold)}", "label": gold}
        for number, gold in enumerate(rows)
    ]
    named = (
        "doctor --json --model use=python --model call=flags_of_a_doctor:judge --model labels=[toxic,insult] "
        "--model 'decide={each: {toxic: 0.5, insult: 0.5}}' --data use=jsonl --data path=rows.jsonl"
    )
    for rename, said in (
        (str, "the answers do not go with the labels."),
        (lambda label: label.replace("insult", "insolt"), "does not know 'insolt'"),
    ):
        written = [{**text, "label": [rename(label) for label in text["label"]]} for text in texts]
        (robustfim.folder / "rows.jsonl").write_text("\n".join(map(json.dumps, written)), encoding="utf-8")
        shown = robustfim(named)
        found = {diagnosis["name"]: diagnosis for diagnosis in json.loads(shown.out)["diagnoses"]}
        assert "'(none)'" in found["data"]["message"]
        assert found["labels"]["state"] == "problem"
        assert said in found["labels"]["message"]
        assert "→" not in found["labels"]["message"]


def test_a_function_of_several_labels_is_looked_at_by_the_one_label_that_it_decides_for(robustfim: CommandLine) -> None:
    rows = [f"text {n} {'rude ' * (n % 2)}{'odd ' * (n % 3 == 0)}end,{n % 2},{int(n % 3 == 0)}" for n in range(60)]
    robustfim.write("both.csv", "\n".join(["text,rude,odd", *rows]))
    robustfim.write(
        "alone.py",
        "def judge(texts):\n    return [[0.9 if 'rude' in t else 0.3, 0.8 if 'odd' in t else 0.4] for t in texts]\n",
    )
    shown = robustfim(
        "doctor --model use=python --model call=alone:judge --model 'labels=[rude, odd]' --model decide.label=rude "
        "--model decide.at=0.5 --data use=csv --data path=both.csv --data 'label=[rude, odd]'"
    )
    assert shown.code == 0, shown.out
    assert "'rude', 'odd'; decides rude where P ≥ 0.5, else not rude" in shown.out
    assert "ok        labels  accuracy 100 %" in shown.out
