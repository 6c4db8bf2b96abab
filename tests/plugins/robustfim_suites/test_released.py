"""``checks: {use: released}``: what stands in an imported suite, and what it refuses."""

from __future__ import annotations

import pytest

from robustfim.errors import DataError, UsageError
from robustfim.prediction import Prediction
from robustfim_suites.label_groups import LabelGroups
from tests.plugins.robustfim_suites.conftest import Folder

PAWS = "id\tsentence1\tsentence2\tlabel\n1\ta b\tb a\t0\n2\ta b\ta b\t1\n3\tc d\tc d\t1\n"


def imported(folder: Folder) -> str:
    folder.write("test.tsv", PAWS)
    model = "--model use=words --model 'labels=[different, paraphrase]'"
    assert folder(f"import paws test.tsv --out s.yaml --force -p models.py {model}").code == 0
    return (folder.path / "s.yaml").read_text()


def test_a_changed_file_is_not_tested_under_the_old_hash(folder: Folder) -> None:
    text = imported(folder)
    folder.write("test.tsv", PAWS + "4\te\tf\t0\n")
    shown = folder("run s.yaml --no-store")
    assert shown.code == 4
    assert "is not the file that was imported: its sha256 is" in shown.err
    folder.write("s.yaml", "".join(line for line in text.splitlines(keepends=True) if "sha256:" not in line))
    assert folder("run s.yaml --no-store").code in (0, 1, 6)


def test_a_limit_of_a_check_that_there_is_not_is_refused(folder: Folder) -> None:
    folder.write("s.yaml", imported(folder).replace("    paraphrase: 0.1", "    paraphrases: 0.1"))
    shown = folder("run s.yaml --no-store")
    assert shown.code == 4
    assert "'limits' names the check 'paraphrases'" in shown.err
    assert "Did you mean 'paraphrase'?" in shown.err


def test_a_suite_is_not_written_over_without_being_told_to(folder: Folder) -> None:
    imported(folder)
    shown = folder("import paws test.tsv --out s.yaml")
    assert shown.code == 4
    assert "write over it with --force" in shown.err


def test_a_missing_file_and_a_misspelled_format_name_the_nearest(folder: Folder) -> None:
    folder.write("test.tsv", PAWS)
    assert "no file tests.tsv. Did you mean 'test.tsv'?" in folder("import paws tests.tsv --out x.yaml").err
    shown = folder("import pawz test.tsv --out x.yaml")
    assert shown.code == 4
    assert "unknown suite format 'pawz'. Did you mean 'paws'?" in shown.err
    assert "unknown option 'task'" in folder("import paws test.tsv --out x.yaml -o task=x").err
    shown = folder("import paws test.tsv --out x.yaml --label different=a --label paraphrased=b")
    assert "'labels' names 'paraphrased'" in shown.err


def test_a_malformed_row_is_named_by_its_line(folder: Folder) -> None:
    folder.write("test.tsv", PAWS + "4\te\tf\n")
    assert "test.tsv:5: 3 cells where the header has 4." in folder("import paws test.tsv --out x.yaml").err
    folder.write("test.tsv", PAWS + "4\te\tf\t7\n")
    assert "test.tsv:5: the label '7' is none of 0, 1." in folder("import paws test.tsv --out x.yaml").err
    folder.write("test.tsv", "id\tone\tsentence2\tlabel\n")
    assert "no column 'sentence1'" in folder("import paws test.tsv --out x.yaml").err


def test_a_model_without_the_suites_labels_is_told_how_to_say_what_counts(folder: Folder) -> None:
    folder.write("s.yaml", imported(folder).replace("[different, paraphrase]", "[other, same]"))
    shown = folder("run s.yaml --no-store")
    assert "the model has no label 'different'" in shown.out + shown.err
    assert "Say what counts as 'different': 'labels: {different: …}' in 'checks'" in shown.out + shown.err
    assert folder("run s.yaml --no-store -o checks.labels.different=other -o checks.labels.paraphrase=same").code in (
        0,
        1,
    )


def test_a_result_format_cannot_be_a_suite(folder: Folder) -> None:
    folder.write("s.yaml", imported(folder).replace("format: paws", "format: textattack"))
    assert "reads results, not tests" in folder("run s.yaml --no-store").err


def test_a_text_that_stands_twice_is_counted_once_and_told(folder: Folder) -> None:
    folder.write("twice.tsv", PAWS + "4\tc d\tc d\t1\n")
    record = folder.imported("paws twice.tsv", "[different, paraphrase]")
    assert {check.name: check.tested for check in record.checks} == {"different": 1, "paraphrase": 2}
    assert record.data.skipped == {"repeated test case": 1}


def test_the_models_most_probable_label_decides_whatever_a_group_sums_to() -> None:
    groups = LabelGroups(["entailment", "non-entailment"], {})
    groups.bind(["contradiction", "entailment", "neutral"])
    read = groups(Prediction.of([0.3, 0.4, 0.3], ("contradiction", "entailment", "neutral")))
    assert read.label == "entailment"
    assert read.probability("non-entailment") == pytest.approx(3 / 7)
    tie = groups(Prediction.of([0.4, 0.4, 0.2], ("contradiction", "entailment", "neutral")))
    assert tie.label == "non-entailment"  # the model's first of two equals, as argmax has it


def test_a_label_of_the_model_that_counts_as_none_stays_itself() -> None:
    groups = LabelGroups(["yes", "no"], {"yes": ["Y"]})
    groups.bind(["Y", "NO", "other"])
    assert groups(Prediction.of([0.2, 0.3, 0.5], ("Y", "NO", "other"))).label == "other"
    assert groups(Prediction.of([0.2, 0.5, 0.3], ("Y", "NO", "other"))).label == "no"


def test_one_label_of_the_model_cannot_count_as_two() -> None:
    groups = LabelGroups(["yes", "no"], {"yes": "a", "no": ["a", "b"]})
    with pytest.raises(DataError, match="'a' to two labels of the suite"):
        groups.bind(["a", "b"])
    with pytest.raises(UsageError, match="Did you mean 'yes'"):
        LabelGroups(["yes", "no"], {"yess": "a"})
