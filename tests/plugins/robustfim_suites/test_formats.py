"""Released suites as a user imports and runs them; counts equal those of the publishers' own scripts, written anew.

The files are written here in the released formats; none of their texts is a released one.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest

from tests.plugins.robustfim_suites.conftest import Folder, says

COLOURS = ("red", "green", "violet", "orange", "brown")


def written(rows: Sequence[Sequence[object]], *, tabs: bool = False) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter="\t" if tabs else ",", lineterminator="\n").writerows(rows)
    return out.getvalue()


def counts(cells: Iterable[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    """Failing and all, by cell."""
    found: dict[str, list[bool]] = defaultdict(list)
    for name, failed in cells:
        found[name].append(failed)
    return {name: (sum(each), len(each)) for name, each in found.items()}


HATE = (
    "",
    "functionality",
    "case_id",
    "test_case",
    "label_gold",
    "target_ident",
    "direction",
    "focus_words",
    "focus_lemma",
    "ref_case_id",
    "ref_templ_id",
    "templ_id",
    "case_templ",
)


def hate_rows() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for number, colour in enumerate(COLOURS, start=1):
        rows.append(("derog_h", number, f"I loathe {colour} hats.", "hateful", colour, "", 1))
        rows.append(
            ("negate_nh", number + 10, f"I never loathed {colour} hats.", "non-hateful", colour, f"{number}.0", 2)
        )
        rows.append(("leet_h", number + 20, f"I l0athe {colour} hats.", "hateful", colour, f"{number}.0", 3))
    rows.append(("profane_nh", 31, 'Blast it, a "hat", again!', "non-hateful", "", "", 4))
    return [
        (at, f, case, text, gold, who, "", "", "", ref, ref, templ, "")
        for at, (f, case, text, gold, who, ref, templ) in enumerate(rows)
    ]


def test_hatecheck_counts_each_functionality_as_its_authors_do_and_its_pairs_beside(folder: Folder) -> None:
    rows = hate_rows()
    folder.write("cases.csv", written([HATE, *rows]))
    labels = ["non-hateful", "hateful"]
    wanted = counts((str(row[1]), says(str(row[3]), labels) != row[4]) for row in rows)
    texts = {str(row[2]): str(row[3]) for row in rows}
    pairs = [(str(row[1]), str(row[3]), texts[str(row[9]).removesuffix(".0")]) for row in rows if row[9]]
    wanted |= counts(
        (
            "negate_nh.contrast" if name == "negate_nh" else "leet_h.same",
            (says(text, labels) == says(before, labels)) == (name == "negate_nh"),
        )
        for name, text, before in pairs
    )
    assert folder.failing("hatecheck cases.csv", "[non-hateful, hateful]") == wanted
    assert len({each for each, _ in wanted.values()}) > 1  # some fail, some do not


def test_the_targets_of_hatecheck_are_slices_and_each_check_has_its_own_limit(folder: Folder) -> None:
    folder.write("cases.csv", written([HATE, *hate_rows()]))
    record = folder.imported("hatecheck cases.csv", "[non-hateful, hateful]")
    assert [record_slice.name for record_slice in record.slices] == sorted(COLOURS)
    assert record.slices[0].failures.tested == 3  # an original and what was made of it
    assert {example.cluster for example in record.examples} == {"1", "2", "3", "4"}  # the templates
    text = (folder.path / "s.yaml").read_text()
    assert "    leet_h.same: 0.1\n" in text
    assert "# Licence: CC BY 4.0." in text
    folder.write("s.yaml", text.replace("    leet_h: 0.1\n", "    leet_h: 1.0\n"))
    folder("run s.yaml --no-store")
    limits = {check.name: check.limit for check in type(record).load(folder.path / "reports/s/results.json").checks}
    assert (limits["leet_h"], limits["derog_h"]) == (1.0, 0.1)


def test_multilingual_hatecheck_has_other_columns_and_the_same_checks(folder: Folder) -> None:
    head = (
        "mhc_case_id",
        "functionality",
        "test_case",
        "label_gold",
        "target_ident",
        "ref_case_id",
        "ref_templ_id",
        "templ_id",
        "case_templ",
        "gender_male",
        "gender_female",
    )
    rows = [
        ("german-1", "derog_h", "Ich verachte rote Hüte.", "hateful", "rot", "", "", 1, "", "", ""),
        ("german-2", "negate_nh", "Ich verachte keine roten Hüte.", "non-hateful", "rot", "german-1", 1, 2, "", "", ""),
        ("german-3", "negate_nh", "Rote Hüte verachte ich nie.", "non-hateful", "rot", "1", 1, 2, "", "", ""),
    ]
    folder.write("german.csv", written([head, *rows]))
    found = folder.failing("hatecheck german.csv", "[non-hateful, hateful]")
    assert {name: tested for name, (_, tested) in found.items()} == {
        "derog_h": 1,
        "negate_nh": 2,
        "negate_nh.contrast": 1,
    }


def test_hans_counts_each_heuristic_and_label_as_its_script_does_with_three_labels_and_with_two(folder: Folder) -> None:
    head = (
        "gold_label",
        "sentence1_binary_parse",
        "sentence1",
        "sentence2",
        "pairID",
        "heuristic",
        "subcase",
        "template",
    )
    rows = [
        (
            gold,
            "( x )",
            f'The {one} saw the "{two}" {word}.',
            f"The {two} saw the {one}.",
            f"ex{number}",
            heuristic,
            f"{heuristic[:2]}_{word}",
            f"temp{number % 3}",
        )
        for heuristic in ("lexical_overlap", "subsequence")
        for gold in ("entailment", "non-entailment")
        for number, (one, two, word) in enumerate(
            zip(COLOURS, COLOURS[::-1], ("a", "bb", "ccc", "d", "ee"), strict=True)
        )
    ]
    rows = [(row[0], row[1], row[2].replace(".", f" {row[0][:3]} {row[5][:2]}."), *row[3:]) for row in rows]
    folder.write("heuristics_evaluation_set.txt", "".join("\t".join(row) + "\n" for row in [head, *rows]))
    three = ["entailment", "neutral", "contradiction"]

    def publishers(labels: list[str]) -> dict[str, tuple[int, int]]:
        cells = []
        for row in rows:
            guess = "entailment" if says(f"{row[2]}\n{row[3]}", labels) == "entailment" else "non-entailment"
            cells.append((f"{row[5]}.{row[0]}", guess != row[0]))
        return counts(cells)

    words = "hans heuristics_evaluation_set.txt"
    assert folder.failing(words, "[entailment, neutral, contradiction]") == publishers(three)
    two = ["entailment", "non-entailment"]
    assert folder.failing(words, "[entailment, non-entailment]") == publishers(two)
    assert "subcase: su_ccc" in (folder.path / "s.yaml").read_text()


def test_paws_counts_by_label(folder: Folder) -> None:
    rows = [
        (number, f"The {one} hat beats the {two} hat .", f"The {two} hat beats '' the {one} hat .", number % 2)
        for number, (one, two) in enumerate(pairwise(COLOURS))
    ]
    folder.write(
        "test.tsv",
        "".join("\t".join(map(str, row)) + "\n" for row in [("id", "sentence1", "sentence2", "label"), *rows]),
    )
    names = ["different", "paraphrase"]
    wanted = counts((names[row[3]], says(f"{row[1]}{row[2]}", names) != names[row[3]]) for row in rows)
    assert folder.failing("paws test.tsv", "[different, paraphrase]") == wanted


def test_adversarial_nli_counts_by_label_with_genres_as_slices(folder: Folder) -> None:
    rows = [
        {
            "uid": str(number),
            "context": f"A {colour} hat.",
            "hypothesis": f"There {'is' * number} a hat.",
            "label": "enc"[number % 3],
            "model_label": "e",
            "genre": ("wiki", "news")[number % 2],
            "reason": "",
            "tag": "",
        }
        for number, colour in enumerate(COLOURS)
    ]
    folder.write("test.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    names = {"e": "entailment", "n": "neutral", "c": "contradiction"}
    labels = list(names.values())
    wanted = counts(
        (names[row["label"]], says(f"{row['context']}{row['hypothesis']}", labels) != names[row["label"]])
        for row in rows
    )
    record = folder.imported("anli test.jsonl", "[entailment, neutral, contradiction]")
    assert {check.name: (check.failing, check.tested) for check in record.checks} == wanted
    assert [record_slice.name for record_slice in record.slices] == ["news", "wiki"]


def test_advglue_counts_one_task_and_each_method_where_they_are_told(folder: Folder) -> None:
    sst2 = [{"idx": at, "sentence": f"a {colour} film", "label": at % 2} for at, colour in enumerate(COLOURS)]
    mnli = [
        {
            "idx": 0,
            "premise": "A hat.",
            "hypothesis": "A red hat.",
            "label": 1,
            "method": "typo",
            "original_premise": "A hat.",
            "original_hypothesis": "A redd hat.",
        },
        {"idx": 1, "premise": "No hat.", "hypothesis": "A hat.", "label": 2, "method": "human"},
    ]
    folder.write("dev.json", json.dumps({"sst2": sst2, "mnli": mnli}))
    names = ["negative", "positive"]
    wanted = counts(("sst2", says(str(row["sentence"]), names) != names[int(str(row["label"]))]) for row in sst2)
    assert folder.failing("advglue dev.json -o task=sst2", "[negative, positive]") == wanted
    found = folder.failing("advglue dev.json -o task=mnli", "[entailment, neutral, contradiction]")
    assert {name: tested for name, (_, tested) in found.items()} == {"typo": 1, "human": 1, "pairs": 1}
    without = folder("import advglue dev.json --out x.yaml").err
    assert (
        "the option 'task' is missing. Write 'task: …' beside 'advglue', or -o task=…; 'robustfim plugins advg"
        in without
    )
    shown = folder("import advglue dev.json -o task=sst --out x.yaml")
    assert shown.code == 4
    assert "unknown task 'sst'. Did you mean 'sst2'?" in shown.err
    assert (
        "has no examples at 'rte'; it has sst2, mnli." in folder("import advglue dev.json -o task=rte --out x.yaml").err
    )


def pair_counts(pairs: Sequence[tuple[str, str, str, str]], labels: list[str]) -> dict[str, tuple[int, int]]:
    """Of (text, label, text, label): accuracy on both, changed labels, and sets that are right as a whole."""
    sets: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    for pair in pairs:
        sets[pair[0]].append(pair)
    wanted = counts(("original", says(group[0][0], labels) != group[0][1]) for group in sets.values())
    wanted |= counts(("rewritten", says(text, labels) != gold) for _, _, text, gold in pairs)
    for name, same in (("changes", False), ("invariant", True)):
        some = {text: [each for each in group if (each[1] == each[3]) == same] for text, group in sets.items()}
        wanted |= counts(
            (name, any((says(each[0], labels) == says(each[2], labels)) != same for each in group))
            for group in some.values()
            if group
        )
    return wanted | counts(
        ("consistency", any(says(each[0], labels) != each[1] or says(each[2], labels) != each[3] for each in group))
        for group in sets.values()
    )


def reviews() -> list[tuple[str, str, str, str]]:
    return [
        (f'A {colour} film, "odd" but great.', "positive", f"A {colour} film, odd {'and ' * at}dull.", "negative")
        for at, colour in enumerate(COLOURS)
    ]


def test_contrast_sets_count_accuracy_changes_and_consistency(folder: Folder) -> None:
    head = ("Sentiment", "Text")
    folder.write(
        "test_original.tsv", written([head, *((gold.title(), text) for text, gold, _, _ in reviews())], tabs=True)
    )
    folder.write(
        "test_contrast.tsv", written([head, *((gold.title(), text) for _, _, text, gold in reviews())], tabs=True)
    )
    labels = ["negative", "positive"]
    assert folder.failing("contrast test_original.tsv", "[negative, positive]") == pair_counts(reviews(), labels)
    assert "name the file of the originals" in folder("import contrast test_contrast.tsv --out x.yaml").err
    folder.write("test_contrast.tsv", written([head, ("Positive", "One.")], tabs=True))
    assert "the set 2 has 1 rows instead of 2." in folder("import contrast test_original.tsv --out x.yaml").err
    stale = folder("run s.yaml --no-store")  # the second file is hashed, too
    assert stale.code == 4
    assert "is not the file that was imported" in stale.err


def test_contrast_questions_are_sets_of_several(folder: Folder) -> None:
    entries = [
        {
            "title": "T",
            "paragraph": "P",
            "question": "Q",
            "answer": "Gold Answer",
            "perturbed_questions": [{"perturbed_q": "PQ", "answer": "New Answer"}],
        }
    ]
    pairs = []
    for colour in COLOURS:
        made = [(f"is the {colour} hat lost", "TRUE"), (f"was a {colour} hat sold again", "FALSE")]
        entries.append(
            {
                "title": colour,
                "paragraph": f"A {colour} hat.",
                "question": f"is the {colour} hat sold",
                "answer": "FALSE",
                "perturbed_questions": [{"perturbed_q": q, "answer": a} for q, a in made],
            }
        )
        passage = f"\nA {colour} hat."
        pairs += [(f"is the {colour} hat sold{passage}", "false", f"{q}{passage}", a.lower()) for q, a in made]
    folder.write("boolq.json", json.dumps({"data": entries}))
    assert folder.failing("contrast_boolq boolq.json", '["false", "true"]') == pair_counts(pairs, ["false", "true"])


def test_counterfactual_reviews_are_paired_by_their_batch(folder: Folder) -> None:
    rows = [
        row
        for at, (one, gold, two, other) in enumerate(reviews())
        for row in ((gold.title(), one, at), (other.title(), two, at))
    ]
    folder.write("test_paired.tsv", written([("Sentiment", "Text", "batch_id"), *rows], tabs=True))
    found = folder.failing("counterfactual test_paired.tsv", "[negative, positive]")
    assert found == pair_counts(reviews(), ["negative", "positive"])
    folder.write("odd.tsv", written([("Sentiment", "Text", "batch_id"), *rows[:3]], tabs=True))
    assert "the set 1 has 1 rows instead of 2." in folder("import counterfactual odd.tsv --out x.yaml").err


def test_counterfactual_premises_belong_to_the_original_at_their_place(folder: Folder) -> None:
    head = ("sentence1", "sentence2", "gold_label")
    originals = [(f"A man with a {colour} hat.", "A man has a hat.", "entailment") for colour in COLOURS]
    revised = [
        row
        for colour in COLOURS
        for row in (
            (f"A man with a {colour} thing.", "A man has a hat.", "neutral"),
            (f"A man with a {colour} coat and no hat.", "A man has a hat.", "contradiction"),
        )
    ]
    folder.write("NLI/original/test.tsv", written([head, *originals], tabs=True))
    folder.write("NLI/revised_premise/test.tsv", written([head, *revised], tabs=True))
    pairs = [
        ("\n".join(originals[at // 2][:2]), originals[at // 2][2], "\n".join(row[:2]), row[2])
        for at, row in enumerate(revised)
    ]
    labels = ["entailment", "neutral", "contradiction"]
    found = folder.failing("counterfactual_nli NLI/revised_premise/test.tsv", "[entailment, neutral, contradiction]")
    assert found == pair_counts(pairs, labels)
    folder.write("NLI/revised_premise/test.tsv", written([head, *revised[:-1]], tabs=True))
    assert (
        "the set 5 has 2 rows instead of 3."
        in folder("import counterfactual_nli NLI/revised_premise/test.tsv --out x.yaml").err
    )


def test_checklists_lines_become_a_suite_with_a_limit_for_each_test(folder: Folder) -> None:
    tests = [
        {"type": "MFT", "capability": "Vocabulary", "name": "single words", "labels": 2, "data": ["great", "fine"]},
        {"type": "INV", "capability": "Robustness", "name": "add hats", "labels": None, "data": [["a", "a hat"]]},
    ]
    folder.write("tests.jsonl", "".join(json.dumps(test) + "\n" for test in tests))
    found = folder.failing("checklist tests.jsonl", "[negative, neutral, positive]")
    assert {name: tested for name, (_, tested) in found.items()} == {"single_words": 2, "add_hats": 1}
    assert "use: checklist\n" in (folder.path / "s.yaml").read_text()
    assert "single_words: 0.1" in (folder.path / "s.yaml").read_text()


def test_what_a_checklist_cannot_test_as_it_stands_is_told_when_it_is_imported(folder: Folder) -> None:
    odd = {"type": "INV", "capability": "NER", "name": "alone", "labels": None, "data": [["a"]]}
    untold = {"type": "DIR", "capability": "NER", "name": "change names", "labels": None, "data": [["a", "a hat"]]}
    plain = {"type": "INV", "capability": "NER", "name": "add hats", "labels": None, "data": [["b", "b hat"]]}
    folder.write("tests.jsonl", "".join(json.dumps(each) + "\n" for each in (odd, untold, plain)))
    shown = folder("import checklist tests.jsonl --out s.yaml")
    assert shown.code == 0
    assert "not tested: test without texts to test\n" in shown.out
    assert "not tested: 'change names' is an error until 'expect' in the suite says what it expects\n" in shown.out


@pytest.mark.parametrize("content", [b"\x80\x04\x95suite", b"a plain sentence\nand another\n"])
def test_checklists_pickle_and_its_text_form_are_refused_with_the_way_to_export(folder: Folder, content: bytes) -> None:
    (folder.path / "suite").write_bytes(content)
    shown = folder("import checklist suite --out x.yaml")
    assert shown.code == 4
    assert "docs/checklist.md shows" in shown.err
    assert not (folder.path / "x.yaml").exists()
