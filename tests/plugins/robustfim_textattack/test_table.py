"""The table of components is what the installed TextAttack has."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from robustfim.plugin.offer import Offer
from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_textattack.component import Component
from robustfim_textattack.library import class_of
from robustfim_textattack.table import CONSTRAINTS, LEFT_OUT, RECIPES, TRANSFORMATIONS
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.command_line import CommandLine, refused

EVERY = {**TRANSFORMATIONS, **CONSTRAINTS, **RECIPES}
OBJECTS = {"embedding", "tokenizer", "model_wrapper", "compare_against_original"}
"""Arguments that are no values of a suite, or that a suite cannot mean: a candidate has one source."""
OTHERWISE = {
    "BadCharacters2021 perturbation_type": "None stands for homoglyphs, whose table TextAttack's package lacks",
    "PartOfSpeech language_stanza": "as tagger_type",
    "PartOfSpeech tagger_type": "only NLTK's; the others fetch when they are made",
    "SBERT model_name": "the same model, by its whole name on the hub",
    "WordSwapChangeNumber max_change": "1.0 for 1: a share",
}
"""Where the table departs from TextAttack, and why."""


def subclasses(of: Any) -> Iterator[Any]:
    for subclass in of.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def arguments(name: str) -> dict[str, Any]:
    """Argument to default of a component, where it passes arguments on also those of the class above."""
    cls = class_of(name)
    found: dict[str, Any] = {}
    for each in (
        (cls.build,) if name in RECIPES else [base.__init__ for base in cls.__mro__ if "__init__" in vars(base)]
    ):
        parameters = inspect.signature(each).parameters.values()
        for one in parameters:
            if one.name not in OBJECTS | {"self"} and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
                found.setdefault(one.name, one.default)
        if not any(one.kind is one.VAR_KEYWORD for one in parameters):
            break
    return found


def test_every_component_of_textattack_is_offered_or_left_out_with_a_reason(library: Library) -> None:
    of = library.package
    bases = (
        of.transformations.Transformation,
        of.constraints.Constraint,
        of.constraints.PreTransformationConstraint,
        of.attack_recipes.AttackRecipe,
    )
    own = {
        subclass.__name__
        for base in bases
        for subclass in subclasses(base)
        if subclass.__module__.startswith("textattack.")
    }
    assert own == {*EVERY, *LEFT_OUT}
    assert not EVERY.keys() & LEFT_OUT.keys()


@pytest.mark.parametrize("name", EVERY)
def test_the_options_and_their_defaults_are_textattacks(library: Library, name: str) -> None:
    component: Component = EVERY[name]
    known = arguments(name)
    letters = {"letters_to_insert"} if "letters_to_insert" not in component.options else set()
    differs = {key.split()[1] for key in OTHERWISE if key.startswith(f"{name} ")}
    assert set(component.options) | set(component.given) | letters | differs >= known.keys()
    assert set(component.options) | set(component.given) <= known.keys()
    for option, default in component.options.items():
        if option in differs:
            continue
        if isinstance(default, type) or hasattr(default, "__origin__"):
            assert known[option] in (inspect.Parameter.empty, None)
        elif option == "window_size" and default is None:
            assert known[option] is None
        else:
            assert known[option] == default


def test_what_is_left_out_because_it_fails_fails(library: Library) -> None:
    text = library.package.shared.AttackedText("a film")
    after = text.replace_word_at_index(1, "story")
    after.attack_attrs["last_transformation"] = None
    with pytest.raises(TypeError):
        class_of("METEOR")(max_meteor=1)(after, text)
    with pytest.raises(ValueError, match=r"sep|delimiter"):
        class_of("ChineseHomophoneCharacterSwap")()


def offers() -> list[Offer]:
    manager = load_plugins(PluginOptions())
    kinds = [manager.offers(kind).values() for kind in ("perturbations", "constraints")]
    return [offer for kind in kinds for offer in kind if offer.owner == "textattack"]


def test_every_name_is_offered_with_its_options_before_textattack_is_imported() -> None:
    offered = {offer.name.removeprefix("textattack/"): offer for offer in offers()}
    assert offered.keys() == EVERY.keys()
    for name, offer in offered.items():
        fields = options_model(offer.cls, offer.owner).model_fields
        own = {"queries", "columns"} if name in RECIPES else set()
        assert set(fields) == {*EVERY[name].options, *own}


def test_a_model_of_the_hub_may_be_a_folder() -> None:
    offer = next(each for each in offers() if each.name == "textattack/WordSwapMaskedLM")
    fields = options_model(offer.cls, offer.owner).model_fields
    assert fields["masked_language_model"].annotation == Path | str
    assert fields["method"].annotation is str


def test_a_name_tells_what_it_needs(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    listed = robustfim("plugins textattack").out
    assert "textattack/WordSwapQWERTY" in listed
    assert "Needs wordnet (NLTK)." in robustfim("plugins textattack/PWWSRen2019").out
    shown = robustfim("plugins textattack/WordSwapEmbedding").out
    assert "Needs the counter-fitted word vectors." in shown
    assert "max_candidates" in shown


def test_a_name_or_an_option_that_is_mistyped_gets_the_nearest(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{q: {perturb: textattack/WordSwapQWERT}}")
    refused(robustfim(f"run {suite}"), "Did you mean 'textattack/WordSwapQWERTY'?", "other.yaml:5:")
    suite = robustfim.suite("{q: {perturb: {use: textattack/WordSwapQWERTY, random_won: false}}}")
    refused(robustfim(f"run {suite}"), "unknown option 'random_won'. Did you mean 'random_one'?")
    suite = robustfim.suite("{q: {perturb: rename, constrain: [{use: textattack/MinWordLength}]}}")
    refused(robustfim(f"run {suite}"), "the option 'min_length' is missing")
