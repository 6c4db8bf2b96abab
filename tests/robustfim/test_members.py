"""The table of members: what a plugin's object must have and may have, and what a misspelling says."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import Any

import pytest

from robustfim import roles
from robustfim.contract import Contract, ScoreContract
from robustfim.errors import PluginError
from robustfim.members import COMMON, ROLES, Wrapper, check_members
from robustfim.plugin.offer import KINDS
from robustfim.plugin.sources import PluginOptions, load_plugins

PROTOCOLS: dict[str, tuple[Any, ...]] = {
    "models": (roles.Model, roles.AnsweringModel, roles.DifferentiableModel, roles.RatingModel, roles.TaggingModel),
    "data": (roles.DataSource,),
    "scorers": (roles.Scorer,),
    "perturbations": (roles.Substitution, roles.Perturbation, roles.StepPerturbation),
    "constraints": (roles.Constraint,),
    "orders": (roles.Order,),
    "searches": (roles.Search,),
    "expectations": (roles.Expectation,),
    "reducers": (roles.Reducer,),
    "checks": (roles.CheckSource,),
    "reports": (roles.Report,),
    "suite_formats": (roles.SuiteFormat, roles.ResultFormat),
    "paraphrasers": (roles.Paraphraser,),
    "engines": (roles.Engine,),
    "trainers": (roles.Trainer,),
    "attribution": (roles.Attribution,),
    "geometry": (roles.Geometry,),
    "tagger": (roles.Tagger,),
}


def made(base: type[Any] = object, **members: Any) -> Any:
    return type("Shout", (base,), members)()


def judge(self: Any, before: Any, after: Any, candidate: Any) -> None:
    return None


def edits(self: Any, example: Any, random: Any) -> list[Any]:
    return []


def nothing(self: Any, *given: Any) -> None:
    return None


@pytest.mark.parametrize("kind", ROLES)
def test_the_table_has_every_member_of_the_protocols_and_their_docstrings_name_every_optional_one(kind: str) -> None:
    written = {name for each in PROTOCOLS[kind] for name in {*dir(each), *each.__annotations__} if name[0] != "_"}
    known = ROLES[kind].members
    assert written <= set(known)
    told = " ".join(inspect.getdoc(each) or "" for each in PROTOCOLS[kind])
    for name in set(known) - written:
        assert re.search(rf"``{name}\b", told), f"no docstring of {kind} names {name}"


def test_an_author_has_sixty_members_to_know_at_the_most_with_those_that_mean_one_thing_everywhere() -> None:
    assert len(COMMON) + sum(len(role.members.keys() - COMMON) for role in ROLES.values()) <= 60


def test_what_has_no_contract_in_its_role_is_told_so() -> None:
    loads = type("Shout", (), {"load": nothing, "contract": Contract()})
    with pytest.raises(PluginError, match=r"Shout\.contract: a data source has no contract"):
        check_members("data", loads(), "shout")


@pytest.mark.parametrize("kind", KINDS)
def test_every_class_that_comes_with_robustfim_fits_its_role(kind: str) -> None:
    for offer in load_plugins(PluginOptions()).offers(kind).values():
        check_members(kind, offer.cls, offer.owner)


@pytest.mark.parametrize(
    ("kind", "needed", "members", "told"),
    [
        (
            "expectations",
            {"judge": judge},
            {"prepair": nothing},
            "Shout.prepair .* an expectation|Did you mean 'prepare'",
        ),
        ("perturbations", {"edits": edits}, {"contracts": Contract()}, "Did you mean 'contract'"),
        ("perturbations", {"propose": edits}, {"Contract": Contract()}, "Did you mean 'contract'"),
        ("perturbations", {"propose": edits}, {"forsee": nothing}, "Did you mean 'foresee'"),
        ("perturbations", {"edits": edits}, {"combined": nothing}, "Did you mean 'combine'"),
        ("constraints", {"reject": nothing}, {"forsee": nothing}, "Did you mean 'foresee'"),
        ("reducers", {"fails": nothing}, {"group": nothing}, "Did you mean 'groups'"),
        ("models", {"predict": nothing, "labels": (), "fingerprint": ""}, {"known_word": nothing}, "'known_words'"),
        ("data", {"load": nothing}, {"skiped": {"empty": 1}}, "Did you mean 'skipped'"),
    ],
)
def test_a_near_miss_of_an_optional_member_is_refused(
    kind: str, needed: dict[str, Any], members: dict[str, Any], told: str
) -> None:
    check_members(kind, made(**needed), "shout")
    check_members(kind, type(made(**needed)), "shout")
    shout = made(**needed, **members)
    for part in (shout, type(shout)):
        with pytest.raises(PluginError, match=told) as error:
            check_members(kind, part, "shout")
        assert str(error.value).startswith(f"plugin 'shout': Shout.{next(iter(members))} is no member of a ")
    late = made(**needed)
    for name, value in members.items():
        setattr(late, name, value if not callable(value) else value.__get__(late))
    with pytest.raises(PluginError, match=told):
        check_members(kind, late, "shout")


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("perturbations", {"edits": edits, "prepared": False, "combined": 3}),  # a value is no misspelt method
        ("perturbations", {"edits": edits, "label": "x", "_prepair": nothing, "table": {}}),
        ("expectations", {"judge": judge, "slice": "long", "group": "a", "part": 1}),
        ("expectations", {"judge": judge, "groups": nothing, "group": nothing}),  # both are there
        ("models", {"answer": nothing, "fingerprint": "", "devices": 2}),
    ],
)
def test_other_names_are_a_classs_own(kind: str, members: dict[str, Any]) -> None:
    check_members(kind, made(**members), "shout")


@pytest.mark.parametrize(
    ("kind", "members", "told"),
    [
        ("perturbations", {"edits": edits, "contract": nothing}, "contract is a method, .* be a Contract"),
        ("perturbations", {"edits": edits, "contract": {"keeps": "label"}}, "contract is {.*}, .* be a Contract"),
        ("perturbations", {"edits": edits, "prepare": True}, "prepare is True, .* be a method"),
        ("reducers", {"fails": nothing, "groups": {"a": []}}, "groups is {'a': .*}, .* be a method"),
        ("models", {"predict": nothing, "labels": (), "fingerprint": "", "contract": Contract()}, "be a ModelContract"),
        ("models", {"predict": nothing, "labels": (), "fingerprint": nothing}, "fingerprint is a method"),
        ("data", {"load": nothing, "skipped": nothing}, "skipped is a method, .* a mapping of counts"),
        ("scorers", {"score": nothing, "contract": "highest"}, "contract is 'highest', .* be a ScoreContract"),
        ("reports", {"write": "results.json"}, "write is 'results.json', .* be a method"),
    ],
)
def test_a_member_of_another_kind_is_refused(kind: str, members: dict[str, Any], told: str) -> None:
    with pytest.raises(PluginError, match=told):
        check_members(kind, made(**members), "shout")


@pytest.mark.parametrize(
    ("kind", "members", "told"),
    [
        ("models", {}, "is no model: it has neither 'predict' nor 'answer'"),
        ("models", {"predict": nothing, "fingerprint": ""}, "is no model: it has no 'labels'"),
        ("models", {"predict": nothing, "labels": ()}, "is no model: it has no 'fingerprint'"),
        ("perturbations", {"predict": nothing}, "is no perturbation: it has neither 'edits' nor 'propose'"),
        ("reports", {}, "is no report: it has no method 'write'"),
        ("orders", {}, "is no order: it has no method 'effects'"),
        ("constraints", {}, "is no constraint: it has no method 'reject'"),
        ("paraphrasers", {"paraphrase": nothing, "score": nothing}, "has no 'contract'"),
    ],
)
def test_a_missing_member_is_refused(kind: str, members: dict[str, Any], told: str) -> None:
    with pytest.raises(PluginError, match=told):
        check_members(kind, made(**members), "shout")


@pytest.mark.parametrize(
    ("kind", "needed", "members", "told"),
    [
        ("models", {"predict": nothing, "labels": (), "fingerprint": ""}, {"batch_size": 8}, r"ModelContract\(batch_"),
        ("scorers", {"score": nothing}, {"hardest": "lowest"}, r"contract = ScoreContract\(hardest=…\)"),
        ("constraints", {"reject": nothing}, {"per_edit": True}, r"contract = ConstraintContract\(per_edit=…\)"),
        ("perturbations", {"edits": edits}, {"keeps": "nothing"}, r"contract = Contract\(keeps=…\)"),
    ],
)
def test_what_a_contract_says_is_said_nowhere_else(
    kind: str, needed: dict[str, Any], members: dict[str, Any], told: str
) -> None:
    with pytest.raises(PluginError, match=told):
        check_members(kind, made(**needed, **members), "shout")


def test_a_misspelled_required_member_is_told_the_right_one() -> None:
    with pytest.raises(PluginError, match=r"Shout.rejects is no member of a constraint. Did you mean 'reject'\?"):
        check_members("constraints", made(rejects=nothing), "shout")


def test_what_the_constructor_makes_counts_for_the_object_alone() -> None:
    class Late:
        def __init__(self) -> None:
            self.contract, self.score = ScoreContract(hardest="lowest"), nothing

    check_members("scorers", Late, "late")
    check_members("scorers", Late(), "late")


def test_nothing_is_computed_by_the_check() -> None:
    asked: Counter[str] = Counter()

    class Heavy:
        @property
        def labels(self) -> tuple[str, ...]:
            asked["labels"] += 1
            return ("a", "b")

        fingerprint = labels
        contract = labels
        predict = nothing

    check_members("models", Heavy(), "heavy")
    assert not asked


@pytest.mark.parametrize("kind", ROLES)
def test_a_wrapper_has_every_member_of_what_it_wraps(kind: str) -> None:
    inner = made(object, **{name: object() for name in ROLES[kind].members})
    outer = Wrapper(inner)
    for name in ROLES[kind].members:
        assert getattr(outer, name) is getattr(inner, name)
    with pytest.raises(AttributeError):
        outer.shout  # noqa: B018  # what neither has
