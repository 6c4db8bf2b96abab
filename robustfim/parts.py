"""Parts: wrappers of plugin objects in which every member of the role exists, is typed and is checked.

The factory wraps an object once, when it makes it. A plugin that takes objects of other plugins is given parts. An
error in an object names the plugin it comes from.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast, get_args

from robustfim.blame import PLUGIN_FILE, blame, part_name
from robustfim.candidate import Candidate, Edit
from robustfim.contract import (
    ConstraintContract,
    Contract,
    EngineContract,
    ExpectationContract,
    FormatContract,
    ModelContract,
    ParaphraserContract,
    ReportContract,
    ScoreContract,
)
from robustfim.errors import ModelError, PluginError, shown
from robustfim.example import Example
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction
from robustfim.roles import Context, Embedded, Geometry, Opening, Searching, Shift, SourcedCheck
from robustfim.target import Counts

if TYPE_CHECKING:
    from robustfim.record import Record

__all__ = [
    "PARTS",
    "WRAPPED",
    "AttributionPart",
    "CheckSourcePart",
    "ConstraintPart",
    "DataPart",
    "EnginePart",
    "ExpectationPart",
    "FormatPart",
    "GeometryPart",
    "Kind",
    "Member",
    "ModelPart",
    "OrderPart",
    "ParaphraserPart",
    "Part",
    "PerturbationPart",
    "ReducerPart",
    "ReportPart",
    "ScorerPart",
    "SearchPart",
    "TaggerPart",
    "TrainerPart",
    "closing_all",
]


T = TypeVar("T")

Kind: TypeAlias = Literal["method", "text", "counts", "names", "contract", "value"]
"""The type of a member: a method; a text, or None; counts by name, in a mapping; names, or a mapping
of names; a contract of :mod:`robustfim.contract`; any other value that is no method."""


class Member(Generic[T]):
    """A declaration of an optional attribute or method of a plugin's object, with its default.

    Args:
        kind: The type of the member.
        meaning: Its purpose, in a few words.
        default: The value if the object lacks the member.
    """

    def __init__(self, kind: Kind, meaning: str, default: T) -> None:
        self.kind, self.meaning, self.default = kind, meaning, default
        self.name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    def __get__(self, part: Any, owner: type[Any]) -> T:
        if part is None:
            return cast(T, self)
        value = part._tell(self.name, self.default)
        if self.kind == "contract" and not isinstance(value, type(self.default)):
            raise part.broken(f"contract must be a {type(self.default).__name__}, not {shown(value)}")
        return cast(T, value)


def _has(name: str, meaning: str) -> property:
    """Whether a plugin's object has a method that nothing stands for."""
    return property(lambda part: hasattr(part.made, name), doc=meaning)


@dataclass(frozen=True, eq=False)
class Part:
    """A wrapper around a plugin's object, with the name under which a suite asked for it.

    If the object raises an error or returns a wrong type, a PluginError names the plugin and the object.

    Attributes:
        made: The plugin's object; or its class, if only attributes of the class are needed.
        use: The object's name in the suite.
        owner: The plugin that offers the object; empty if there is none.
        identity: The object's name, code and options, as a part of keys in the store; empty if nothing is stored.
    """

    made: Any
    use: str = ""
    owner: str = ""
    identity: tuple[Any, ...] = ()

    word: ClassVar[str] = "part"
    needs: ClassVar[str] = ""
    """Names of the required members; of several names between bars, one is required."""
    has: ClassVar[str] = "prepare foresee close resources fallback:text skipped:counts contract:contract"
    """The members that the part itself calls: methods, and values with their kind, ``skipped:counts``. Every role has
    the ones listed here, a contract only if its role has one."""

    def __init_subclass__(cls, word: str = "", needs: str = "", has: str = "") -> None:
        """Name the role, the required members, and those that the part calls; the required ones by default."""
        if word:
            cls.word, cls.needs, cls.has = word, needs, has or needs

    names_resources = _has(
        "resources", "Whether it names all that decides what it says beside its options, so that it can be kept."
    )
    libraries = Member[Mapping[str, str]](
        "names", "modules that it imports when it works, and what pip installs for each", {}
    )

    @property
    def who(self) -> str:
        """The object's name in errors: ``plugin 'words', perturbation 'typos' (Typos)``."""
        return part_name(self.owner, self.word, self.use or self.title, self.made)

    @property
    def title(self) -> str:
        """The name of the object's class."""
        return type(self.made).__name__

    @property
    def skipped(self) -> dict[str, int]:
        """The number of skipped inputs, by reason."""
        skipped = self._tell("skipped", {})
        if not isinstance(skipped, Mapping) or not all(isinstance(each, int) for each in skipped.values()):
            raise PluginError(f"{self.title}.skipped must be a count by reason, not {shown(skipped)}.")
        return {str(reason): number for reason, number in skipped.items()}

    @property
    def fallback(self) -> str:
        """The replacement in use for a missing resource, and the reason; empty for none."""
        return str(self._tell("fallback", "") or "")

    def resources(self) -> dict[str, str]:
        """Return the resources that the object uses beside its options: a version or a hash by name.

        A plugin file is a resource of its objects, since other code may make other texts under the same options.
        """
        told = self._call("resources")
        told = {} if told is None else told
        if not isinstance(told, Mapping) or not all(isinstance(each, str) for pair in told.items() for each in pair):
            raise self.broken(f"resources() must give a version by name, not {shown(told)}.")
        digest, _, name = type(self.made).__module__.partition(PLUGIN_FILE)[2].partition("_")
        return {f"{name}.py": digest, **told} if digest else dict(told)

    def prepare(self, context: Context) -> None:
        """Give the object the run's context before the first example."""
        self._call("prepare", context)

    def foresee(self, block: Sequence[Any]) -> None:
        """Announce the next block of inputs to the object: examples or, for a constraint, perturbed texts or edits."""
        self._call("foresee", block)

    def close(self) -> None:
        """Let the object close its resources at the end of the run, also after an error."""
        self._call("close")

    def _tell(self, name: str, default: Any) -> Any:
        """Read an optional value; of a class, none that an object computes."""
        with blame(self.who):
            found = getattr(self.made, name, default)
        return default if inspect.isclass(self.made) and isinstance(found, property) else found

    def _call(self, name: str, *arguments: Any) -> Any:
        """Call a method; None where it has none."""
        with blame(self.who):
            method = getattr(self.made, name, None)
            return None if method is None else method(*arguments)

    def _all(self, name: str, *arguments: Any, most: int | None) -> list[Any]:
        """Ask a method for a series, and read no more than ``most`` of it."""
        return list(self._one_by_one(name, *arguments, most=most))

    def _one_by_one(self, name: str, *arguments: Any, most: int | None) -> Iterator[Any]:
        """Ask a method for a series, each as it is asked for, and for no more than ``most``."""
        with blame(self.who):
            rest = islice(self._series(getattr(self.made, name)(*arguments)), most)
        while True:
            with blame(self.who):
                try:
                    one = next(rest)
                except StopIteration:
                    return
            yield one

    def _numbers(self, name: str, items: Sequence[Any], context: Context) -> list[float]:
        """Ask a method for a number of each item."""
        with blame(self.who):
            numbers = [float(number) for number in getattr(self.made, name)(items, context)]
        if len(numbers) != len(items):
            raise self.broken(f"{name} gave {len(numbers)} numbers for {len(items)}")
        return numbers

    def _series(self, given: Any) -> Iterable[Any]:
        if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
            raise self.broken(f"returned {shown(given)} instead of a series")
        return given

    def broken(self, message: str) -> PluginError:
        """Make the error for an answer that no object in this role may give."""
        return PluginError(f"{self.who}: {message}")


@dataclass(frozen=True, eq=False)
class PerturbationPart(Part, word="perturbation", needs="edits|propose", has="edits propose predict combine"):
    """A perturbation: :class:`robustfim.roles.Substitution`, ``Perturbation`` or ``StepPerturbation``."""

    contract = Member("contract", "what it promises of its candidates", Contract())
    review = Member[Callable[..., Any] | None]("method", "a file of it, opened for review on a page", None)
    left: Counter[str] = field(default_factory=Counter)
    """Texts left unchanged in an earlier run, whose candidates this run takes from the store: a count by reason."""

    @property
    def skipped(self) -> dict[str, int]:
        """The texts left unchanged: a count by reason."""
        return dict(Counter(super().skipped) + self.left)

    lists_edits = _has("edits", "Whether it lists single edits, which the harness combines.")

    @property
    def takes_steps(self) -> bool:
        """Whether the candidates are steps in embedding space, which the perturbation predicts itself."""
        return hasattr(self.made, "propose") and hasattr(self.made, "predict")

    combines = _has("combine", "Whether it puts its edits together itself.")

    @property
    def separable(self) -> Literal["edits", "mentions"] | None:
        """Which of a candidate's edits belong together, as in :class:`robustfim.contract.Contract`."""
        return "edits" if self.lists_edits and not self.combines else self.contract.separable

    def edits(self, example: Example, random: Random, most: int | None = None) -> list[Edit]:
        """List the single edits of an example, at most ``most``."""
        return [self._edit(each, example) for each in self._all("edits", example, random, most=most)]

    def propose(self, example: Example, random: Random, most: int | None = None) -> Iterator[Candidate]:
        """Propose whole candidates of an example lazily, at most ``most``."""
        return (self._candidate(each, example) for each in self._one_by_one("propose", example, random, most=most))

    def combine(
        self, example: Example, edits: Sequence[Edit], words: int, most: int | None = None
    ) -> Iterator[Candidate]:
        """Combine edits of an example into candidates, at most ``most``."""
        found = self._all("combine", example, list(edits), words, most=most)
        return (self._candidate(each, example) for each in found)

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Predict at the moved embeddings of candidates: probabilities ``[candidates, classes]``."""
        return self._call("predict", candidates)

    def _edit(self, edit: Any, example: Example) -> Edit:
        if not isinstance(edit, Edit):
            raise self.broken(f"edits must give Edits, not {shown(edit)}")
        texts = (edit.field, edit.before, edit.after, edit.origin)
        if not all(isinstance(text, str) for text in texts) or not type(edit.start) is type(edit.end) is int:
            raise self.broken(f"an Edit holds texts, and whole numbers as its start and end, unlike {shown(edit)}")
        try:
            edit.require_in(example)
        except ValueError as error:
            raise self.broken(str(error)) from error
        return edit

    def _candidate(self, candidate: Any, example: Example) -> Candidate:
        if not isinstance(candidate, Candidate):
            raise self.broken(f"propose must give Candidates, not {shown(candidate)}")
        if candidate.source.fields != example.fields:
            raise self.broken(f"propose gave a candidate of another example, {dict(candidate.source.fields)!r}")
        if (candidate.step is not None) != self.takes_steps:
            wanted = "a step" if self.takes_steps else "a perturbed text, since it has no 'predict' for steps"
            raise self.broken(f"each candidate must be {wanted}")
        return candidate


class ConstraintPart(Part, word="constraint", needs="reject"):
    """A constraint: :class:`robustfim.roles.Constraint`."""

    contract = Member("contract", "what it judges", ConstraintContract())

    foresees = _has("foresee", "Whether it looks at many at once.")

    def reject(self, candidate: Candidate) -> str | None:
        """Return the reason to reject a candidate; None to accept."""
        reason = self._call("reject", candidate)
        if reason is not None and not isinstance(reason, str):
            raise self.broken(f"reject must give a reason or None, not {shown(reason)}")
        return reason


class OrderPart(Part, word="order", needs="effects"):
    """An order: :class:`robustfim.roles.Order`."""

    def effects(self, candidates: Sequence[Candidate], context: Context) -> list[float]:
        """Estimate how far candidates move their sources: larger for those to try first, ``[candidates]``."""
        numbers = self._numbers("effects", candidates, context)
        if any(map(math.isnan, numbers)):
            raise self.broken("effects gave NaN, by which nothing can be ordered")
        return numbers


class SearchPart(Part, word="search", needs="search"):
    """A search: :class:`robustfim.roles.Search`."""

    queries = Member[int]("value", "the most texts of an example that the model is asked about", 200)

    def search(self, opening: Opening, start: float, accept: Callable[[Candidate], bool], needed: int) -> Searching:
        """Search one example."""
        with blame(self.who):
            yield from self.made.search(opening, start, accept, needed)


class ExpectationPart(Part, word="expectation", needs="judge", has="judge at_risk counts:text"):
    """An expectation: :class:`robustfim.roles.Expectation`."""

    slices = Member[Sequence[str]]("names", "the slices of the suite that it speaks of", ())
    contract = Member("contract", "the labels that it names", ExpectationContract())

    @property
    def counts(self) -> Counts | None:
        """Whether a failure is a right answer that became wrong, or any change of answer; None if neither applies."""
        found = self._tell("counts", None)
        if found not in (None, *get_args(Counts)):
            raise self.broken(f"counts must be 'broken', 'changes' or None, not {shown(found)}")
        return cast("Counts | None", found)

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether any perturbed text of an example can fail, given the prediction for the example itself."""
        return not hasattr(self.made, "at_risk") or bool(self._call("at_risk", before, example))

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge a candidate by the predictions of its source and of the candidate."""
        judgement = self._call("judge", before, after, candidate)
        if not isinstance(judgement, Judgement):
            raise PluginError(f"{self.who} must give a Judgement, not {shown(judgement)}")
        return judgement


class ReducerPart(Part, word="reducer", needs="fails", has="fails groups"):
    """A reducer: :class:`robustfim.roles.Reducer`."""

    compares = _has("groups", "Whether it compares two groups of examples.")

    def fails(self, failed: int, tested: int) -> bool | float:
        """Return whether an example fails, or by how much, from its numbers of failed and tested perturbed texts."""
        fails = self._call("fails", failed, tested)
        if not (isinstance(fails, bool) or (isinstance(fails, float) and 0 <= fails <= 1)):
            raise PluginError(f"{self.who} must give True, False or a number from 0.0 to 1.0, not {shown(fails)}")
        return fails

    def groups(self) -> dict[str, frozenset[str]]:
        """Return the two groups of examples that the reducer compares: name to example ids; empty if none."""
        if not self.compares:
            return {}
        with blame(self.who):
            groups = {str(name): frozenset(ids) for name, ids in self.made.groups().items()}
        if len(groups) != 2 or frozenset.intersection(*groups.values()):
            raise PluginError(
                f"{self.who} must give two groups that share no example, not {', '.join(groups) or 'none'}"
            )
        return groups


class ScorerPart(Part, word="score", needs="contract score", has="score"):
    """A score: :class:`robustfim.roles.Scorer`."""

    contract = Member("contract", "what its numbers are", ScoreContract(hardest="highest"))

    def score(self, examples: Sequence[Example], context: Context) -> list[float]:
        """Score examples, ``[examples]``."""
        return self._numbers("score", examples, context)


class DataPart(Part, word="data source", needs="load"):
    """A data source: :class:`robustfim.roles.DataSource`."""

    def load(self) -> Iterable[Example]:
        """Read the examples, in a stable order; errors are raised during iteration."""
        examples: Iterable[Example] = self.made.load()
        return examples


class CheckSourcePart(Part, word="source of checks", needs="checks"):
    """A source of checks: :class:`robustfim.roles.CheckSource`."""

    def checks(self, most: int) -> list[SourcedCheck]:
        """Read the checks, in a stable order, at most ``most``."""
        checks = self._all("checks", most=most)
        for check in checks:
            if not isinstance(check, SourcedCheck):
                raise PluginError(f"plugin {self.owner!r}: checks must give SourcedChecks, not {check!r}.")
        return checks


class ReportPart(Part, word="report", needs="write", has="write serve"):
    """A report: :class:`robustfim.roles.Report`."""

    contract = Member("contract", "when it is written, and whether it shows two runs", ReportContract())

    serves = _has("serve", "Whether it gives its page as text.")

    def write(self, record: Record, folder: Path, before: Record | None = None) -> Path:
        """Write the report into an existing folder; with ``before``, a report that compares shows two runs."""
        path = self._call("write", record, folder, *([] if before is None else [before]))
        if not isinstance(path, Path) or not path.exists():
            what = f"{path}, where there is nothing" if isinstance(path, Path) else shown(path)
            raise PluginError(f"{self.who} must give the path of the file that it wrote, not {what}")
        return path

    def serve(self, record: Record, styles: Sequence[str], scripts: Sequence[str]) -> str:
        """Return the page as text, for a server that adds to it."""
        return str(self._call("serve", record, styles, scripts))


class ModelPart(
    Part,
    word="model",
    needs="predict|answer|tag|rate fingerprint",
    has="predict answer tag rate fingerprint:text labels:value embed logits",
):
    """A wrapper around a model, with a default for each optional member of :class:`robustfim.roles.Model`.

    Models are passed to plugins unwrapped. Code that needs an optional member wraps the model first.
    """

    contract = Member("contract", "what holds of its answers", ModelContract())
    jacobian = Member[Callable[[Any, Embedded], Any] | None]("method", "∂logits/∂embeddings, in NumPy arrays", None)
    window = Member[Callable[[Sequence[Example]], Any] | None]("method", "the spans that it reads of examples", None)
    known_words = Member[Callable[[], Any] | None]("method", "the words of its vocabulary", None)
    attached = Member[Callable[[Example], str] | None]("method", "a hash of what decides and is in no field", None)
    stream = Member[Callable[[Any], Any] | None]("method", "the answers to several batches, as they come", None)
    device = Member[Any]("value", "where it computes, for the record", None)

    @property
    def labels(self) -> tuple[str, ...]:
        """The model's labels, in the order of the probability columns; empty for a model that answers in free text."""
        return tuple(self._tell("labels", ()))

    @property
    def answers(self) -> bool:
        """Whether the model answers in its own words."""
        return callable(self._tell("answer", None))

    @property
    def differentiable(self) -> bool:
        """Whether the model's output can be differentiated with respect to its input embeddings."""
        return self._tell("embed", None) is not None and self._tell("logits", None) is not None

    def prepare(self, context: Context) -> None:
        """Give the model the run's context before the first prediction.

        Raises:
            ModelError: The model raised an error.
        """
        with blame("the model", ModelError):
            if (prepare := self._tell("prepare", None)) is not None:
                prepare(context)

    def foresee(self, block: Sequence[Any]) -> None:
        """Give the model the batch that follows the current one."""
        if (foresee := self._tell("foresee", None)) is not None:
            foresee(block)

    def _tell(self, name: str, default: Any) -> Any:
        return getattr(self.made, name, default)


class GeometryPart(Part, word="geometry", needs="at calls", has="at calls:value shifts apart"):
    """A geometry (:class:`robustfim.roles.Geometry`), with a default for each optional member."""

    residuals = Member[Sequence[float]]("value", "‖G e − λmax e‖ / λmax of each λmax computed by iterations", ())

    @property
    def apart(self) -> Geometry:
        """A new gradient computation without stored results, so that batches do not depend on earlier calls."""
        apart: Geometry = self.made if not hasattr(self.made, "apart") else self._call("apart")
        return apart

    def shifts(self, candidates: Sequence[Candidate]) -> list[Shift] | None:
        """Return how candidates move the embedding of their source, ``[candidates]``; None if unsupported."""
        if not hasattr(self.made, "shifts"):
            return None
        shifts = list(self._call("shifts", candidates))
        if len(shifts) != len(candidates):
            raise PluginError(f"the geometry gave {len(shifts)} shifts for {len(candidates)} candidates")
        return shifts


class TaggerPart(Part, word="tagger", needs="tag"):
    """A tagger (:class:`robustfim.roles.Tagger`), with a default for each optional member."""

    fixed = Member[Callable[[Sequence[str]], Any] | None]("method", "the places that no rule may change", None)


class ParaphraserPart(Part, word="paraphraser", needs="contract paraphrase score", has="paraphrase score"):
    """A paraphraser (:class:`robustfim.roles.Paraphraser`), with a default for each optional member."""

    contract = Member("contract", "the scale on which it scores", ParaphraserContract(score="", tau=1.0))


class FormatPart(Part, word="suite format", needs="read|record", has="read record files"):
    """A format of released suites or of results: :class:`robustfim.roles.SuiteFormat`, ``ResultFormat``."""

    contract = Member("contract", "what the files of a suite hold", FormatContract(title=""))

    def files(self, path: Path) -> list[Path]:
        """List the files to read if a user names ``path``, ``path`` first."""
        return [Path(each) for each in self._call("files", path) or (path,)]


class EnginePart(Part, word="engine", needs="contract start wait", has="start wait"):
    """An engine: :class:`robustfim.roles.Engine`."""

    contract = Member("contract", "how it computes", EngineContract(workers=0))


class TrainerPart(Part, word="trainer", needs="train"):
    """A trainer: :class:`robustfim.roles.Trainer`."""


class AttributionPart(Part, word="attribution", needs="explain calls", has="explain calls:value"):
    """An attribution: :class:`robustfim.roles.Attribution`."""

    gradients = Member[bool]("value", "whether it differentiates the model", False)


def closing_all(parts: Iterable[Part]) -> ExitStack:
    """Make a context manager that closes all parts, even if one of them raises."""
    stack = ExitStack()
    for part in parts:
        stack.callback(part.close)
    return stack


PARTS: Mapping[str, type[Part]] = {
    "models": ModelPart,
    "data": DataPart,
    "scorers": ScorerPart,
    "perturbations": PerturbationPart,
    "constraints": ConstraintPart,
    "orders": OrderPart,
    "searches": SearchPart,
    "expectations": ExpectationPart,
    "reducers": ReducerPart,
    "checks": CheckSourcePart,
    "reports": ReportPart,
    "suite_formats": FormatPart,
    "paraphrasers": ParaphraserPart,
    "engines": EnginePart,
    "trainers": TrainerPart,
    "attribution": AttributionPart,
    "geometry": GeometryPart,
    "tagger": TaggerPart,
}
"""The part of each role, by its key in ``robustfim_offers``; the last three are keys of its ``services``."""

WRAPPED = (
    *("data", "scorers", "perturbations", "constraints", "orders", "searches"),
    *("expectations", "reducers", "checks", "reports"),
)
"""The kinds for which the factory gives the part in place of the object."""
