"""The members of the roles: which an object of a plugin must have, and which it may have.

What :mod:`robustfim.roles` says in types and in words stands here once as a table. Every class that a plugin offers is
checked against it, and every object made of one, :func:`check_members`: a misspelled member would be silently dead.
What stands for an absent one is said by the role's part in :mod:`robustfim.parts`, through which it is read.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Literal, TypeAlias

from robustfim.blame import blame
from robustfim.contract import Contract
from robustfim.errors import PluginLoadError, shown

__all__ = ["COMMON", "ROLES", "Kind", "Member", "Role", "Wrapper", "check_members"]

Kind: TypeAlias = Literal["method", "flag", "count", "text", "counts", "names", "contract", "value"]
"""What a member is: a method; a flag, True or False; a count of at least 1, or None; a text, or None; counts by name,
in a mapping; names, or a mapping of them; a contract; any other value that is no method."""

_NEAR = 0.8
"""Names as alike as this are taken for misspellings of one another, by difflib's ratio."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a role.

    Attributes:
        name: Its name.
        kind: What it is.
        meaning: What it is for, in a few words.
    """

    name: str
    kind: Kind
    meaning: str


@dataclass(frozen=True)
class Role:
    """What a plugin's object can be.

    Attributes:
        word: What one is called: ``"data source"``.
        needs: Names of the members it must have; of several in one entry, one.
        members: Every member, required and optional, by name.
    """

    word: str
    needs: tuple[tuple[str, ...], ...]
    members: Mapping[str, Member] = field(repr=False)

    @property
    def optional(self) -> list[Member]:
        """The members that it may have."""
        needed = {name for names in self.needs for name in names}
        return [each for name, each in self.members.items() if name not in needed]


def _role(word: str, needs: str, *members: Member) -> Role:
    return Role(word, tuple(tuple(each.split("|")) for each in needs.split()), {each.name: each for each in members})


_PREPARE = Member("prepare", "method", "prepare(context): called once, before the first example")
_FORESEE = Member("foresee", "method", "foresee(examples): called with a block of examples before each of them")
_RESOURCES = Member("resources", "method", "resources(): what it works with beside its options, a version by name")
_FALLBACK = Member("fallback", "text", "what stands in for something that is missing, and why; empty for nothing")
_SKIPPED = Member("skipped", "counts", "what was left out: a count by reason")

ROLES: Mapping[str, Role] = {
    "models": _role(
        "model",
        "predict|answer fingerprint",
        Member("predict", "method", "predict(examples): probabilities [examples, classes]"),
        Member("answer", "method", "answer(examples): answers in its own words, instead of predict"),
        Member("fingerprint", "text", "a hash of everything that decides a prediction"),
        Member("labels", "value", "the labels, in the order of the columns; needed with predict"),
        Member("embed", "method", "embed(examples): the input embeddings, of a differentiable model"),
        Member("logits", "method", "logits(embeddings, embedded): the logits, of a differentiable model"),
        Member("jacobian", "method", "jacobian(embeddings, embedded): ∂logits, where embeddings are NumPy arrays"),
        Member("batch_size", "count", "texts a call"),
        Member("window", "method", "window(examples): the spans that it reads of each; None for the whole of one"),
        Member("known_words", "method", "known_words(): the words of its vocabulary"),
        Member("attached", "method", "attached(example): a hash of what decides its prediction and is in no field"),
        Member("picture", "method", "picture(example): a small JPEG or PNG of what it looks at, for pages"),
        Member("stream", "method", "stream(batches): the answers to several batches at once, as they come"),
        Member("allow", "method", "allow(requests): how many more requests it may send, where a text takes several"),
        Member("device", "value", "where it computes, for the record"),
        Member(
            "may_change",
            "flag",
            "its fingerprint cannot tell all that decides an answer, so that it is asked again",
        ),
        Member("unusable", "value", "the share of examples without a prediction beyond which, and ten, a run ends"),
        Member("sections", "method", "sections(): what it tells at the end of a run, as robustfim_sections does"),
        Member("gradients", "count", "gradients a text that a guided order takes of it by default"),
        _PREPARE,
    ),
    "data": _role("data source", "load", Member("load", "method", "load(): the examples"), _SKIPPED),
    "scorers": _role(
        "score",
        "hardest score",
        Member("hardest", "text", "which end of its scale is the difficult one: highest or lowest"),
        Member("score", "method", "score(examples, context): one number an example"),
        Member("gradients", "flag", "it reads its numbers off the geometry"),
        Member("default", "flag", "it selects where a suite names no score"),
        Member("symbol", "text", "how its numbers are named where they are shown beside an example"),
    ),
    "perturbations": _role(
        "perturbation",
        "edits|propose",
        Member("edits", "method", "edits(example, random): single edits, which the harness combines"),
        Member("propose", "method", "propose(example, random): whole candidates"),
        Member("predict", "method", "predict(candidates): probabilities at steps in embedding space"),
        _PREPARE,
        _FORESEE,
        Member("combine", "method", "combine(example, edits, words): the candidates of one example"),
        Member("contract", "contract", "what it promises of its candidates"),
        Member("review", "method", "review(path, out=…, examples=…, manager=…): a file of it, reviewed on a page"),
        _SKIPPED,
        _RESOURCES,
        _FALLBACK,
    ),
    "constraints": _role(
        "constraint",
        "reject",
        Member("reject", "method", "reject(candidate): the reason to reject it, or None"),
        Member("per_edit", "flag", "it judges single edits before they are combined"),
        _PREPARE,
        Member("foresee", "method", "foresee(candidates): called with what it sees of a block before each of them"),
        _RESOURCES,
        _FALLBACK,
    ),
    "orders": _role(
        "order",
        "effects",
        Member("effects", "method", "effects(candidates, context): larger is earlier"),
        Member("within", "method", "within(candidates, context, most): effects, and texts asked about of each source"),
        Member("learn", "method", "learn(asked): texts a search asked about, each with both predictions"),
        Member("learns_every", "count", "after how many examples of a check it learns; None where it does not"),
        Member("gradients_of", "method", "gradients_of(model): how many gradients it takes of each example"),
        Member("identity", "text", "what decides its numbers beside its options"),
    ),
    "expectations": _role(
        "expectation",
        "judge",
        Member("judge", "method", "judge(before, after, candidate): a Judgement"),
        _PREPARE,
        Member("slices", "names", "the slices of the suite that it speaks of"),
        Member("groups", "method", "groups(): the ids of the two groups of examples that it compares"),
    ),
    "reducers": _role(
        "reducer",
        "fails",
        Member("fails", "method", "fails(failed, tested): whether an example fails, of whose candidates so many do"),
    ),
    "checks": _role(
        "source of checks", "checks", Member("checks", "method", "checks(): SourcedChecks"), _PREPARE, _SKIPPED
    ),
    "reports": _role(
        "report",
        "write",
        Member("write", "method", "write(record, folder): the file written"),
        Member("default", "flag", "it is written where a suite lists no reports"),
        Member("compare", "method", "compare(before, after, folder): the file written, of two runs side by side"),
        Member("serve", "method", "serve(record, styles, scripts): the page as text, for a server that adds to it"),
        Member("suffix", "text", "what its file ends with, where that alone is to tell the report"),
    ),
    "suite_formats": _role(
        "suite format",
        "read|record title",
        Member("title", "text", "the suite and its paper, or the tool and its file"),
        Member("read", "method", "read(path): SourcedChecks"),
        Member("licence", "text", "under which the suite was released"),
        Member("labels", "value", "the suite's labels"),
        Member("slice_by", "value", "columns in meta, each of whose values becomes a slice"),
        Member("files", "method", "files(path): the files that are read where path is named"),
        Member("source", "text", "the source of checks that the imported suite uses"),
        Member("record", "method", "record(path): the results, instead of read"),
    ),
    "paraphrasers": _role(
        "paraphraser",
        "score_name tau paraphrase score",
        Member("score_name", "text", "which score it gives"),
        Member("tau", "value", "the score from which on two texts are taken to mean the same"),
        Member("paraphrase", "method", "paraphrase(texts, seed=…): the paraphrases of each"),
        Member("score", "method", "score(texts, candidates): one number a pair"),
        _PREPARE,
        _SKIPPED,
        Member("identity", "text", "what decides its answers, for the record"),
    ),
    "engines": _role(
        "engine",
        "workers in_flight start wait close",
        Member("workers", "value", "how many workers to start; 0 computes in the run's own process"),
        Member("in_flight", "value", "tasks that a worker is given ahead"),
        Member("start", "method", "start(spec): a worker, at the other end of a line for bytes"),
        Member("wait", "method", "wait(links): the workers that have answered or died"),
        Member("close", "method", "close(): let go of what workers shared"),
    ),
    "trainers": _role(
        "trainer", "train", Member("train", "method", "train(examples, dev, folder, seed=…, report=…): how to use it")
    ),
    "attribution": _role(
        "attribution",
        "explain calls",
        Member("calls", "value", "points at which the model was differentiated so far"),
        Member("explain", "method", "explain(examples, model): one Importance an example"),
    ),
    "geometry": _role(
        "geometry",
        "at calls",
        Member("calls", "value", "examples differentiated so far"),
        Member("at", "method", "at(examples, tokens=…): one Point an example"),
        Member("residuals", "value", "‖G e − λmax e‖ / λmax of each λmax that was computed by iterations"),
        Member("shifts", "method", "shifts(candidates): how each moves the embedding of its source"),
        Member("apart", "method", "apart(): one that has computed nothing yet, so that its batches are the caller's"),
    ),
    "tagger": _role(
        "tagger",
        "tag",
        Member("tag", "method", "tag(texts): the tokens of each"),
        Member("fixed", "method", "fixed(texts): the places of titles and terms that no rule may change"),
        _PREPARE,
        _RESOURCES,
        _FALLBACK,
    ),
}
"""The roles: by their key in ``robustfim_offers``, the last three in its ``services``."""


COMMON: Mapping[str, Member] = {
    "libraries": Member("libraries", "names", "modules that it imports when it works, and what pip installs for each"),
    "incidental": Member(
        "incidental", "names", "options that decide none of its texts, such as chat.timeout: no lock compares them"
    ),
}
"""What a part of any role may have."""


def check_members(kind: str, part: object, owner: str) -> None:
    """Refuse an object that cannot play its role, or has a member that is misspelled or of another kind.

    A class is checked as far as it goes: what it must have may be made by its constructor. Nothing is computed: a
    property counts as there. Only an object that answers for another is asked, for what it may have.

    Args:
        kind: The role: a key of ``ROLES``.
        part: What plays it, or its class.
        owner: The plugin that offers it, for the message.

    Raises:
        PluginError: A required member is missing, a member is of the wrong kind, or a name is near that of a member
            which the object has not.
    """
    role = ROLES[kind]
    cls = part if inspect.isclass(part) else type(part)
    found = {name: _bare(inspect.getattr_static(part, name, None)) for name in _public_names(part, cls)}
    where = f"plugin {owner!r}: {cls.__name__}"
    with blame(where, PluginLoadError):
        optional = [] if part is cls else [each.name for each in role.optional if each.name not in found]
        answered = {name: getattr(part, name) for name in optional if _has(part, name)}
    for name, value in {**found, **answered}.items():
        own = role.members.get(name) or COMMON.get(name)
        if own is not None and not _fits(value, own.kind):
            is_one = "is a method" if callable(value) else f"is {shown(value)}"
            raise PluginLoadError(f"{where}.{name} {is_one}, and of a {role.word} it must be {_WORDS[own.kind]}.")
        if own is None and (near := _near(name, value, role, found)):
            raise PluginLoadError(
                f"{where}.{name} is no member of a {role.word}. Did you mean {near!r}? "
                "What is a class's own begins with an underscore."
            )
    if part is cls:
        return
    for names in role.needs:
        if not any(name in found or _has(part, name) for name in names):
            raise PluginLoadError(f"{where} is no {role.word}: it has {_missing(names, role)}.")
    if kind == "models" and "answer" not in found and not ("labels" in found or _has(part, "labels")):
        raise PluginLoadError(f"{where} is no model: it has no 'labels'.")
    if kind == "scorers" and (hardest := getattr(part, "hardest", None)) not in ("highest", "lowest"):
        raise PluginLoadError(f"{where} has 'hardest' {hardest!r}, not 'highest' or 'lowest'.")


class Wrapper:
    """Stands for another object of a plugin: whatever its class does not define is that object's.

    Args:
        wrapped: The other object.
    """

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        if name == "wrapped":  # a copy that is not yet filled
            raise AttributeError(name)
        return getattr(self.wrapped, name)


_WORDS: Mapping[Kind, str] = {
    "method": "a method",
    "flag": "True or False",
    "count": "a whole number of at least 1, or None",
    "text": "a text",
    "counts": "a mapping of counts",
    "names": "a series or a mapping",
    "contract": "a Contract",
    "value": "a value",
}


def _public_names(part: object, cls: type[Any]) -> list[str]:
    names = {name for each in cls.__mro__ if each is not object for name in vars(each)}
    if part is not cls:
        names |= set(getattr(part, "__dict__", ()))
    return sorted(name for name in names if not name.startswith("_"))


def _bare(value: object) -> object:
    return value.__func__ if isinstance(value, staticmethod | classmethod) else value


def _computed(value: object) -> bool:
    """Whether a value comes about when it is asked for: a property, a slot."""
    return not callable(value) and hasattr(type(value), "__get__")


def _fits(value: object, kind: Kind) -> bool:
    if _computed(value):
        return True
    if kind == "method" or callable(value):
        return kind == "method" and callable(value)
    match kind:
        case "flag":
            return isinstance(value, bool)
        case "count":
            return value is None or (isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1)
        case "text":
            return value is None or isinstance(value, str)
        case "counts":
            return isinstance(value, Mapping)
        case "names":
            return isinstance(value, Mapping | Sequence) and not isinstance(value, str)
        case "contract":
            return isinstance(value, Contract)
        case _:
            return True


def _near(name: str, value: object, role: Role, found: Mapping[str, object]) -> str | None:
    """The absent member that a name is near to, of the same kind."""
    members = {**role.members, **COMMON}
    absent = {each.replace("_", ""): each for each in members if each not in found}
    near = difflib.get_close_matches(name.casefold().replace("_", ""), absent, n=1, cutoff=_NEAR)
    if not near:
        return None
    own = members[absent[near[0]]]
    return own.name if own.kind != "value" and _fits(value, own.kind) else None


def _has(part: object, name: str) -> bool:
    """Whether an object that answers for another has a member."""
    return hasattr(type(part), "__getattr__") and hasattr(part, name)


def _missing(names: Sequence[str], role: Role) -> str:
    methods = role.members[names[0]].kind == "method"
    if len(names) > 1:
        return f"neither {' nor '.join(map(repr, names))}"
    return f"no {'method ' if methods else ''}{names[0]!r}"
