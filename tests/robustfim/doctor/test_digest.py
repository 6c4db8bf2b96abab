from __future__ import annotations

from robustfim.doctor.digest import digest
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import Record
from tests.robustfim.command_line import CommandLine


def test_each_check_is_a_sentence_with_its_counts_and_its_worst_text(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    found = digest(record, load_plugins(PluginOptions(("toy.py",))), ["steps: no gradients."]).findings
    checks = {check.name: check for check in record.checks}
    both = next(each for each in found if "'both'" in each)
    assert both.startswith(f"{checks['both'].failing} of {checks['both'].tested} texts, ")
    assert "change their label under 'both' (puts other words in); worst: “" in both
    worst = max((each for each in record.failures if each.check.endswith("both")), key=lambda each: each.margin)
    assert f"({worst.before.label} → {worst.after.label})." in both
    assert found.index(both) < next(index for index, each in enumerate(found) if "'calm'" in each)
    assert found[-1] == "Not tested: steps: no gradients."
