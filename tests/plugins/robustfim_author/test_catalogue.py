from __future__ import annotations

import io

import pytest
from rich.console import Console

from robustfim.errors import UsageError
from robustfim.hookspecs import hookimpl
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_author.catalogue import show_catalogue, show_found, show_offer
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def manager(robustfim: CommandLine) -> PluginManager:
    return load_plugins(PluginOptions(load=("toy.py",)))


def console() -> Console:
    return Console(file=io.StringIO(), width=120, color_system=None, highlight=False, markup=False)


def shown(printed: Console) -> str:
    assert isinstance(printed.file, io.StringIO)
    return printed.file.getvalue()


def test_every_offered_name_is_listed_under_its_kind_with_its_plugin(manager: PluginManager) -> None:
    printed = console()
    show_catalogue(manager, printed)
    sections = {part.partition("\n")[0]: part for part in shown(printed).split("\n\n")}
    for kind in KINDS:
        for name, offer in manager.offers(kind).items():
            lines = sections[kind].splitlines()
            if any(
                line.split()[:1] == [f"{name.rpartition('/')[0]}/…"] for line in lines
            ):  # one line for all of a family
                continue
            line = next(line for line in lines if line.split()[:1] == [name])
            assert f"[{offer.owner}]" in " ".join(sections[kind].split())
            assert offer.summary.split()[0] in line or len(name) > 24


def test_words_are_never_cut_at_the_edge_and_a_large_family_is_one_line(manager: PluginManager) -> None:
    printed = Console(file=io.StringIO(), width=80, color_system=None, highlight=False, markup=False)
    show_catalogue(manager, printed)
    lines = shown(printed).splitlines()
    assert max(map(len, lines)) <= 80
    told = set(" ".join(lines).split())
    assert all(word in told for offer in manager.offers("models").values() for word in offer.summary.split())
    assert not any(line.startswith("  textattack/Word") for line in lines)


@pytest.mark.parametrize(
    ("wanted", "named", "not_named"),
    [
        ("perturbations", {"rename", "typos"}, {"wordsum", "fisher"}),
        ("perturbation", {"rename", "typos"}, {"wordsum", "fisher"}),
        ("toy", {"rename", "wordsum", "films"}, {"typos", "fisher"}),
        ("eigenvalue", {"fisher"}, {"wordsum", "typos"}),
    ],
)
def test_a_kind_a_plugin_or_a_word_lists_what_belongs_to_it(
    manager: PluginManager, wanted: str, named: set[str], not_named: set[str]
) -> None:
    printed = console()
    show_found(manager, wanted, printed)
    names = {line.split()[0] for line in shown(printed).splitlines() if line.startswith("  ")}
    assert named <= names
    assert not not_named & names


def test_a_word_that_means_nothing_is_refused_with_the_nearest_name(manager: PluginManager) -> None:
    with pytest.raises(UsageError, match=r"no plugin offers 'wordsun'\. Did you mean 'wordsum'\?"):
        show_found(manager, "wordsun", console())


def test_one_offer_is_shown_with_its_documentation_and_options(manager: PluginManager) -> None:
    printed = console()
    show_offer(manager, "wordsum", printed)
    text = shown(printed)
    assert text.startswith("wordsum  model of plugin toy\nAdds up the weights of words.")
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert lines["batch_size"] == ["batch_size", "int", "64", "Texts", "a", "batch."]
    assert lines["nan_on"][:3] == ["nan_on", "str", "''"]


def test_a_needed_option_and_none_are_told(manager: PluginManager) -> None:
    printed = console()
    show_offer(manager, "broken", printed)
    assert "(needed)" in shown(printed)
    printed = console()
    show_offer(manager, "torn", printed)
    assert "It has no options." in shown(printed)


def test_a_name_that_nobody_offers_is_refused_with_the_nearest(manager: PluginManager) -> None:
    with pytest.raises(UsageError, match=r"no plugin offers 'wordsun'\. Did you mean 'wordsum'\?"):
        show_offer(manager, "wordsun", console())


class Described:
    """Swaps words, see :class:`robustfim.candidate.Edit`.

    A second paragraph
    on two lines with ``code``.

    Args:
        words: How many, a count
            or a share: 0.1.

    Raises:
        ValueError: Never: it is a toy.
    """

    def __init__(self, words: float = 1) -> None: ...

    def edits(self, example: object, random: object) -> list[object]:
        return []


def test_paragraphs_and_meanings_are_joined_and_marks_taken_away(manager: PluginManager) -> None:
    manager.register(Offering(), "described")
    printed = console()
    show_offer(manager, "described", printed)
    lines = shown(printed).splitlines()
    assert lines[1] == "Swaps words, see robustfim.candidate.Edit."
    assert "A second paragraph on two lines with code." in lines
    assert any(line.endswith("How many, a count or a share: 0.1.") for line in lines)
    assert "Never" not in shown(printed)


class Offering:
    @hookimpl
    def robustfim_offers(self) -> dict[str, dict[str, type]]:
        return {"perturbations": {"described": Described}}
