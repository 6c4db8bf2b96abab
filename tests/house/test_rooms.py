"""The core is a hall and rooms: the hall imports no room, and each room only from those before it."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.house.tree import CORE, Import, core_modules, imports

ORDER = (
    *("suite", "statistics", "record", "judge", "predict", "builtin", "plugin", "collect", "engine"),
    *("select", "propose", "session", "terminal", "cli"),
)
"""From the ground up: a room imports from the hall and from the rooms before it."""

HEIGHT = {room: height for height, room in enumerate(ORDER)}
DOORS_OF_THE_HALL = {"__main__", "api", "commands", "given", "result"}
"""Ways in from outside: they stand in the hall and lead into its highest rooms."""


def room_of(module: str) -> str:
    """The room of a module of the core, by its name within the package; "" for the hall."""
    first, _, rest = module.partition(".")
    return first if rest or first in HEIGHT else ""


def own_imports(name: str) -> Iterator[tuple[str, Import]]:
    """What a module of the core imports of the core when it is used, not for type checkers."""
    for each in imports(core_modules()[name]):
        if each.root == "robustfim" and not each.typing:
            yield each.module.removeprefix("robustfim").removeprefix(".") or "__init__", each


def test_every_folder_of_the_core_is_a_room_in_the_order() -> None:
    assert sorted(ORDER) == sorted(path.name for path in CORE.iterdir() if (path / "__init__.py").is_file())


def test_a_module_imports_only_from_the_rooms_before_its_own() -> None:
    upward = [
        f"robustfim.{name}, line {each.line}, imports robustfim.{other}"
        for name in sorted(set(core_modules()) - DOORS_OF_THE_HALL)
        for other, each in own_imports(name)
        if room_of(other) != room_of(name) and HEIGHT.get(room_of(other), -1) > HEIGHT.get(room_of(name), -1)
    ]
    assert not upward


@pytest.mark.parametrize("room", ["", *ORDER])
def test_a_room_has_no_circle_of_imports(room: str) -> None:
    graph = {
        name: {other for other, _ in own_imports(name) if room_of(other) == room and other != name}
        for name in core_modules()
        if room_of(name) == room
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])), pytrace=False)


@pytest.mark.parametrize("room", ORDER)
def test_a_room_says_what_it_is_for_and_holds_no_code_in_its_door(room: str) -> None:
    text = (CORE / room / "__init__.py").read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert not any(word in text for word in ("def ", "class "))
