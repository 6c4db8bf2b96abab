"""The core is a house of floors, and each floor imports only from the floors below it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.tree import Import, core_modules, imports

FLOORS = (
    # nouns that import nothing of ours
    "answer docstring errors example exhibit fingerprint judgement outcome seeds shared_ends whole_file words",
    "candidate dataset_file drawing importance prediction versioned_file expression plugin_traceback slice_query "
    "statistics store suite_file",
    "accuracy composition exhibits_html gap label_mapping lock options sequential slices stratified suite_models "
    "roles word_choice",  # what a plugin can be
    "combinations labels suite",  # the typed suite
    "record",
    "check config study",
    "collection",
    "account attributions hookspecs",
    "__init__ baseline draw expectations hooks itself json_report matrix offer prediction_queue privacy "
    "reporting slice_rates terminal_diff verdicts",
    "check_source comparison console context environment label_warning last_failed manager reproduction",
    "catalogue diagnosis error_line loading making schema terminal_effort terminal_summary terminal_tables "
    "word_attribution",
    "collect command_group failures doctor installation proposal sections selection terminal_comparison",
    "findings runner terminal",
    "session",
    "opening",
    "cli_baseline cli_lock run_arguments running subject",
    "cli_run",
    "cli_show draft label_remedy pytest_plugin",
    "label_diagnosis scan",
    "cli_doctor drafting",
    "cli_init",
    "cli",
    "__main__",
)
"""From the ground up."""

TYPES_FROM_ABOVE = {
    "roles": "record",  # a report takes a record
}
"""Modules that name types of a floor above, under TYPE_CHECKING: the contracts with plugins, and nothing else."""

FLOOR = {module: height for height, floor in enumerate(FLOORS) for module in floor.split()}


def own_imports(name: str) -> Iterator[tuple[str, Import]]:
    """What a module of the core imports of the core."""
    for each in imports(core_modules()[name]):
        if each.root == "robustfim":
            yield each.module.removeprefix("robustfim").removeprefix(".") or "__init__", each


def lowest_floor(name: str) -> str:
    """Where a module that is not listed can stand."""
    heights = [FLOOR.get(other, len(FLOORS)) for other, each in own_imports(name) if not each.typing]
    height = max(heights, default=-1) + 1
    return f"{name}: {'beside ' + FLOORS[height].split()[0] if height < len(FLOORS) else 'above what it imports'}"


def test_every_module_of_the_core_stands_on_exactly_one_floor() -> None:
    listed = " ".join(FLOORS).split()
    assert len(listed) == len(set(listed))
    homeless = [lowest_floor(name) for name in core_modules() if name not in FLOOR]
    assert not homeless, "write these modules on their floor in FLOORS"
    assert not set(listed) - set(core_modules())


@pytest.mark.parametrize("name", FLOOR)
def test_a_module_imports_only_from_the_floors_below_it(name: str) -> None:
    upward = [
        f"robustfim/{name}.py:{each.line} imports {other}"
        for other, each in own_imports(name)
        if not each.typing and FLOOR.get(other, 0) >= FLOOR[name]
    ]
    assert not upward


def test_only_the_contracts_with_plugins_name_types_from_above() -> None:
    found = {
        name: " ".join(sorted({o for o, each in own_imports(name) if each.typing and FLOOR.get(o, 0) >= FLOOR[name]}))
        for name in FLOOR
    }
    assert {name: types for name, types in found.items() if types} == TYPES_FROM_ABOVE
