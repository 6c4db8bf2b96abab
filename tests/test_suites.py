"""Every suite that ships is run as its first lines say, and comes out as it stands here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from robustfim.cli import main
from robustfim.outcome import ExitCode

SUITES = Path(__file__).parents[1] / "suites"
PASSED, FAILED, INCONCLUSIVE, MEASURED = "passed", "failed", "inconclusive", "measured"
EXPECTED = {
    "sentiment": (
        ExitCode.FAILED,
        {
            "synonyms": FAILED,
            "people": INCONCLUSIVE,
            "places": INCONCLUSIVE,
            "remarks": FAILED,
            "numbers": INCONCLUSIVE,
            "contractions": PASSED,
            "typos": FAILED,
            "punctuation": PASSED,
            "rules": FAILED,
            "eigenvector": PASSED,
        },
    ),
    "copa": (
        ExitCode.FAILED,
        {"pairs": FAILED, "without_cues": FAILED, "swapped_cues": FAILED, "typos": PASSED},
    ),
    "qa": (
        ExitCode.FAILED,
        {
            "typos": FAILED,
            "case": INCONCLUSIVE,
            "contractions": INCONCLUSIVE,
            "synonyms": INCONCLUSIVE,
            "rules": INCONCLUSIVE,
            "correct_after_a_typo": INCONCLUSIVE,
        },
    ),
    "guard": (
        ExitCode.FAILED,
        {
            **dict.fromkeys(("spaced_out", "leetspeak", "homoglyphs", "alphabets", "storms", "split_lines"), FAILED),
            "encodings": MEASURED,
            "haystack": FAILED,
            "role_play": INCONCLUSIVE,
            "quoting": INCONCLUSIVE,
            "markup": FAILED,
            "typos": PASSED,
            "suffix": MEASURED,
        },
    ),
    "names": (
        ExitCode.FAILED,
        {
            "origins": FAILED,
            "people": FAILED,
            "places": FAILED,
            "case": FAILED,
            "typos": FAILED,
            "false_finds": INCONCLUSIVE,
            "right": MEASURED,
        },
    ),
    "checklist": (
        ExitCode.FAILED,
        {
            "praise": PASSED,
            "scorn": PASSED,
            "negated_praise": FAILED,
            "used_to": FAILED,
            "whose_opinion": FAILED,
            "names": PASSED,
            "jobs": PASSED,
        },
    ),
}
"""Suite to its exit code and the outcome of each of its checks. The comments of sentiment.yaml say the same."""


def test_every_suite_that_ships_stands_here() -> None:
    assert EXPECTED.keys() == {path.stem for path in SUITES.glob("*.yaml")}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ("checklist", "copa") else pytest.mark.slow) for name in EXPECTED]
)
def test_a_suite_that_ships_ends_as_it_stands_here(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        main(["run", str(SUITES / f"{name}.yaml")])
    assert not capsys.readouterr().err
    record = json.loads((tmp_path / f"reports/{name}/results.json").read_text(encoding="utf-8"))
    code, outcomes = EXPECTED[name]
    assert {check["name"]: check["outcome"] for check in record["checks"]} == outcomes
    assert (stop.value.code, record["exit_code"]) == (code, code)


def test_the_readmes_suite_says_how_each_of_its_checks_ends() -> None:
    lines = (SUITES / "sentiment.yaml").read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    said = {
        check: outcome
        for outcome in (PASSED, FAILED, INCONCLUSIVE)
        for names in re.findall(rf"\b{outcome.capitalize()}: ([^.;]+)[.;]", comment)
        for check in names.split(", ")
    }
    code, outcomes = EXPECTED["sentiment"]
    assert said == outcomes
    assert f"exits with {code:d}" in comment
    assert f"With {ExitCode.OK:d} all" in comment
    assert f"with {ExitCode.INCONCLUSIVE:d} neither" in comment
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    failed = list(outcomes.values()).count(FAILED)
    readme = " ".join((SUITES.parent / "README.md").read_text(encoding="utf-8").split())
    # Without spaCy .ci/run compares.
    assert f"With the extra `spacy`, {words[failed]} of {words[len(outcomes)]} checks fail" in readme
