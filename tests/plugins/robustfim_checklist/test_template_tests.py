from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.record import CheckRecord
from tests.plugins.robustfim_checklist.conftest import Folder

LEXICONS = "lexicons: {thing: [film, plot], good: [great, good], bad: [bad, awful], name: [Ana, Bo, Cy]}"
TESTS = """
praise: {templates: "The {thing} is {good}.", label: positive, capability: Vocabulary}
mixed: {templates: ["A {good} and {bad} {thing}.", "{A:bad} {thing}."], label: negative, limit: 0.4}
names: {templates: "{name} calls it {a:good} film.", vary: name, capability: Fairness}
words: {templates: "A {bad} film.", vary: bad}
"""


def inline(tests: str, options: str = "") -> str:
    indented = "\n".join(f"    {line}" for line in tests.strip().splitlines())
    return f"\n  use: templates\n  {LEXICONS}\n  {options}\n  tests:\n{indented}"


def by_name(folder: Folder) -> dict[str, CheckRecord]:
    return {check.name: check for check in folder.record.checks}


def assert_is_as_written(folder: Folder) -> None:
    checks = by_name(folder)
    assert list(checks) == ["praise", "mixed", "names", "words"]
    assert [(check.type, check.capability, check.tested, check.candidates.tested) for check in checks.values()] == [
        ("MFT", "Vocabulary", 4, 4),
        ("MFT", "General", 12, 12),
        ("INV", "Fairness", 2, 4),
        ("INV", "General", 1, 1),
    ]
    # great + bad = 0.5 and good + bad = −0.3; great + awful and good + awful are below 0.
    assert {name: check.failing for name, check in checks.items()} == {"praise": 0, "mixed": 2, "names": 0, "words": 0}
    assert checks["mixed"].limit == 0.4
    assert checks["praise"].expectation == {"use": "equals", "label": "positive"}
    assert checks["names"].expectation == {"use": "invariant"}


def test_tests_stand_in_the_suite(folder: Folder) -> None:
    assert folder.run(inline(TESTS)).code in (0, 1, 6)
    assert_is_as_written(folder)


def test_tests_stand_in_a_file(folder: Folder) -> None:
    tests = "\n".join(f"  {line}" for line in TESTS.strip().splitlines())
    folder.write("tests.yaml", f"{LEXICONS}\ntests:\n{tests}\n")
    folder.run("{use: templates, path: tests.yaml}")
    assert_is_as_written(folder)


def test_an_edit_of_an_invariance_test_is_of_whole_words(folder: Folder) -> None:
    words = "{a: {templates: 'What {a:job} said is {good}.', vary: job}}"
    folder.run(f"{{use: templates, lexicons: {{job: [baker, usher, boxer], good: [great, awful]}}, tests: {words}}}")
    assert by_name(folder)["a"].failing == 0
    folder.run(
        "{use: templates, lexicons: {good: [great, awful]}, "
        "tests: {a: {templates: 'It is {a:good} film.', vary: good}}}"
    )
    (failure,) = folder.record.failures
    (edit,) = failure.edits
    assert (edit.before, edit.after, edit.origin) == ("a great", "an awful", "awful")


def test_a_sample_is_an_option_of_a_test(folder: Folder) -> None:
    folder.run(inline("pairs: {templates: '{name1} and {name2} found it {good}.', label: positive, sample: 5}"))
    assert by_name(folder)["pairs"].tested == 5


def test_a_neutral_test_reads_two_classes_as_three(folder: Folder) -> None:
    test = "{plain: {templates: 'It is {a:word}.', label: neutral}}"
    words = "{word: [film, fine, good]}"
    folder.run(f"{{use: templates, lexicons: {words}, tests: {test}}}")
    assert by_name(folder)["plain"].failing == 1  # good is positive at 0.77
    folder.refused(f"{{use: templates, lexicons: {words}, neutral: false, tests: {test}}}", "no label 'neutral'")


@pytest.mark.parametrize(
    ("tests", "options", "message"),
    [
        ("a: {templates: '{god}', label: positive}", "", "test 'a': the template '{god}' uses the unknown"),
        ("a: {templates: '{good1} {good2}', label: positive}", "most: 3", "test 'a': the templates make 4 sentences"),
        ("a: {templates: '{name} {good}', vary: name}", "most: 5", "make 6 sentences, and the limit is 5"),
        ("a: {templates: '{good}', vary: name}", "", "has no slot 'name' to vary. Its slots: good."),
        ("a: {templates: '{good}'}", "", "a test needs either 'label' (an MFT) or 'vary', the slot to change (an INV)"),
        ("a: {templates: '{good}', label: x, vary: good}", "", "a test needs either"),
        ("a: {templates: [], label: positive}", "", "tests.a.templates"),
        ("a: {template: '{good}', label: positive}", "", "suite.yaml:9: unknown key 'tests.a.template'."),
        ("a: {label: positive}", "", "suite.yaml:9: missing key 'tests.a.templates'."),
        ("a: {templates: '{good}', label: super}", "", "test 'a': the model has no label 'super'"),
        ("a: {templates: '{good}', label: positive, limit: 2}", "", "tests.a.limit"),
        ("a: {templates: '{good}', label: positive}", "limit: 2", "option 'limit': input should be less than"),
        ("'?': {templates: '{good}', label: positive}", "", "needs at least one letter"),
        ("a: {templates: 'one', vary: good}", "", "has no slot 'good' to vary. Its slots: none."),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(folder: Folder, tests: str, options: str, message: str) -> None:
    folder.refused(inline(tests, options), message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tests: {a: {template: x}}", "tests.yaml: unknown key 'tests.a.template'."),
        ("tests: {a: {templates: x}}", "tests.yaml: option 'tests.a': a test needs either"),
        ("tests: {a: {templates: x, label: y}}\nlexicon: {}", "unknown option 'lexicon'. Did you mean 'lexicons'?"),
        ("tests: [", "tests.yaml:2: malformed YAML"),
        ("adj: [good]", "there is no test. List tests under 'tests'"),
    ],
)
def test_a_malformed_file_of_tests_is_told(folder: Folder, text: str, message: str) -> None:
    folder.write("tests.yaml", f"{text}\n")
    folder.refused("{use: templates, path: tests.yaml}", message)


def test_the_suite_that_ships_runs_on_another_model(folder: Folder) -> None:
    suites = Path(__file__).parents[3] / "suites"
    for path in (suites / "checklist.yaml", *(suites / "checklist").iterdir()):
        folder.write(str(path.relative_to(suites)), path.read_text(encoding="utf-8"))
    text = (suites / "checklist.yaml").read_text(encoding="utf-8")
    checks = text[text.index("checks:") + len("checks:") : text.index("\nreports:")]
    folder.run(checks)
    assert {check.type for check in folder.record.checks} == {"MFT", "INV"}
    assert {check.name: check.tested for check in folder.record.checks if check.tested < 70} == {}
