"""docs/tutorial.md, run from its first line to its last, and what it says of the outcomes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.docs.page import DOCS, Page
from tests.robustfim.command_line import CommandLine

PAGE = Page.read("tutorial.md")
BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TEXT = (DOCS / "tutorial.md").read_text(encoding="utf-8").replace("\\\n", " ")
COMMANDS = [line for block in BLOCK.findall(TEXT) for line in block.splitlines()]


@pytest.mark.slow
def test_the_tutorial_works_from_its_first_line_to_its_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_model", raising=False)
    robustfim = CommandLine(tmp_path, capsys)
    PAGE.write_files()
    codes, outcomes, example = [], [], ""
    for command in COMMANDS:
        program, _, arguments = command.partition(" ")
        if program == "python":
            exec(compile(Path(arguments).read_text(encoding="utf-8"), arguments, "exec"), {})  # noqa: S102  # the page's
            continue
        shown = robustfim(arguments.replace("EXAMPLE", example))
        codes.append((arguments.split()[0], shown.code))
        assert shown.code in (0, 1, 6), f"{command}\n{shown.out}{shown.err}"
        if arguments.startswith("run reviews.yaml") and "--example" not in arguments:
            record = robustfim.record("reviews")
            outcomes.append(robustfim.outcomes("reviews"))
            example = example or record.failures[0].example
            calls = record.model_calls
            if len(outcomes) == 2:
                assert calls == 20, "the page says that the second run asks the model twenty of its texts again"
    assert codes == [
        ("doctor", 0), ("run", 1), ("run", 1), ("report", 0), ("run", 1), ("accept", 0), ("augment", 0), ("run", 6),
        ("run", 1),
    ]  # fmt: skip
    broken = [check for check in robustfim.record("broken").checks if check.name == "typos"]
    assert 0 < broken[0].failing < broken[0].tested, "the page says that some are mended and some are not"
    assert outcomes[0] == outcomes[1] == {"typos": "failed", "contractions": "passed"}
    record = robustfim.record("reviews")
    assert record.margin == pytest.approx(0.05)
    assert {each.id.partition("::")[2] for each in record.comparisons[0].checks} == {"typos", "contractions"}
