"""The roles a plugin can play, as Protocols: a plugin author inherits from nothing.

A class may be made of what other plugins offer: an option whose annotation is :class:`Model`, :class:`DataSource`,
:class:`Paraphraser`, or a part of :mod:`robustfim.parts`, such as ``of: list[PerturbationPart]``, is given it made.
It is made when a suite is read: an option without a usable value is a UsageError then.

:mod:`robustfim.members` has what each must have and may have in one table.

Tensors are opaque here, of PyTorch or NumPy: this module, like the whole core, imports no torch. Shapes are written in
words, ``[batch, tokens, dims]``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from robustfim.candidate import Candidate, Edit
from robustfim.contract import EngineContract, FormatContract, ParaphraserContract, ScoreContract
from robustfim.example import Example
from robustfim.importance import Importance
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction

if TYPE_CHECKING:
    from robustfim.record import Record

__all__ = [
    "AnsweringModel",
    "Attribution",
    "CheckSource",
    "Constraint",
    "Context",
    "DataSource",
    "DifferentiableModel",
    "Embedded",
    "Engine",
    "Expectation",
    "Geometry",
    "Link",
    "Model",
    "Order",
    "Paraphrase",
    "Paraphraser",
    "Perturbation",
    "Point",
    "RatingModel",
    "Reducer",
    "Report",
    "ResultFormat",
    "Scorer",
    "Shift",
    "SourcedCheck",
    "StepPerturbation",
    "Substitution",
    "SuiteFormat",
    "TaggedToken",
    "Tagger",
    "TaggingModel",
    "Trainer",
    "WorkerLost",
]

T = TypeVar("T")

Tensor: TypeAlias = Any
"""A ``torch.Tensor`` or a NumPy array; the core never looks inside."""

Span: TypeAlias = tuple[str, int, int] | None
"""Field name, first character, one past the last character; None for a token that is no text."""


@runtime_checkable
class Model(Protocol):
    """A text classifier.

    What holds of its answers stands in ``contract``, a :class:`robustfim.contract.ModelContract`: texts a call, labels
    told each by itself, answers that may change. A model may also have ``window(examples)``, which tells for each
    example the spans that the model reads, where it cuts long texts or reads chunks of them, or None where it reads
    the whole, ``known_words()``, the words of its vocabulary, ``attached(example)``, a hash of whatever decides the
    prediction and stands in no field, such as the content of a file that a field names, ``stream(batches)``, which
    answers several batches at once with pairs of a batch's place and its answer, in any order, so that it is asked by
    the run's own process alone, ``foresee(examples)``, told before a prediction of the batch after it, whose tokens can
    be made while a device computes, ``prepare(context)``, called before the first prediction, and ``device``, where it
    computes, for the record.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides a prediction: weights, vocabulary, options."""

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            Probabilities ``[examples, classes]``, each row summing to 1 unless the contract says ``several``: an
            array or nested lists.
        """


class AnsweringModel(Protocol):
    """A model that answers in its own words instead of choosing among labels: extractive question answering.

    It may have what any model may. Answers are the same where their normal forms are,
    :func:`robustfim.prediction.normal_form`; whatever the harness does with labels it does with those.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides an answer: weights, vocabulary, options."""

    def answer(self, examples: Sequence[Example]) -> Sequence[Sequence[tuple[str, float]]]:
        """Answer a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example its likeliest answers with their probabilities, the model's own choice first; the others
            are read for their probability. At most 10 are kept, and together they sum to 1 or less. ``""`` says that
            there is no answer. No answer at all, or a number that is not finite, is an example without prediction.
        """


class RatingModel(Protocol):
    """A model that gives a text a number: a regression, a reward model.

    It may have what any model may. Its number is a decision by the rule ``decide: {within: …}``, and a gold label is a
    number; with ``decide: {order: [FIELD, FIELD]}`` it decides which of two texts has the larger one.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides a number: weights, vocabulary, options."""

    def rate(self, examples: Sequence[Example]) -> Sequence[float | None]:
        """Rate a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example its number, in the model's own units; None, or one that is not finite, is an example
            without prediction.
        """


class TaggingModel(Protocol):
    """A tagger: it finds spans in a text, such as names or personal data.

    It may have what any model may. What it finds in a text is one decision, and a gold label is the set of its spans,
    as :func:`robustfim.spans.written_spans` writes it. Examples have a single text.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides what is found: weights, vocabulary, options."""

    def tag(self, examples: Sequence[Example]) -> Sequence[Any]:
        """Tag a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the spans of its text: :class:`robustfim.spans.Span`, or ``(start, end, label)`` with the
            probability behind it where there is one. None is an example without prediction.
        """


@dataclass(frozen=True)
class Embedded:
    """A batch of examples as a differentiable model's input embeddings.

    Attributes:
        embeddings: ``[batch, tokens, dims]``, padded on the right or left, detached.
        mask: ``[batch, tokens]`` booleans, True at a token, False at padding.
        special: ``[batch, tokens]`` booleans, True at [CLS], [SEP], <s> and the like.
        spans: ``[batch][tokens]``, the place of each token in the example's text; None where it has none.
        inputs: What else the model's forward pass needs (attention mask, token types…).
    """

    embeddings: Tensor
    mask: Tensor
    special: Tensor
    spans: Sequence[Sequence[Span]]
    inputs: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class DifferentiableModel(Model, Protocol):
    """A classifier whose output can be differentiated with respect to its input embeddings.

    PyTorch differentiates it where the embeddings are tensors. Where they are NumPy arrays, the model does it itself:
    ``jacobian(embeddings, embedded)`` gives ∂logits/∂embeddings, ``[batch, classes, tokens, dims]``, 0 at padding.
    """

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch.

        Args:
            examples: The batch, ``[batch]``.

        Returns:
            The embeddings; ``logits(e.embeddings, e)`` is what ``predict`` turns into probabilities.
        """

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings to logits, differentiably and without dropout.

        Args:
            embeddings: ``[batch, tokens, dims]``, of the shape of ``embedded.embeddings``.
            embedded: The batch they belong to, for its masks and inputs.

        Returns:
            Logits ``[batch, classes]``; the softmax of row i is the prediction of example i alone.
        """


class Point(Protocol):
    """The local geometry of a model at one example. Tensors are ``[tokens, dims]``, without padding."""

    @property
    def lambda_max(self) -> float:
        """The largest eigenvalue of the Fisher information with respect to the input embedding, ≥ 0."""

    @property
    def eigenvector(self) -> Tensor:
        """Its unit eigenvector, pointing to where the predicted label loses; zeros where λmax is 0."""

    @property
    def distance(self) -> float:
        """The first-order distance to the nearest decision boundary, ≥ 0, inf where the gradient is 0."""

    @property
    def margin(self) -> float:
        """The difference of the two largest logits, ≥ 0."""

    @property
    def margin_gradient(self) -> Tensor:
        """The gradient of ``margin`` with respect to the input embedding."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How a perturbed text moves the embedding of its source.

    Attributes:
        norm: Euclidean length, over all tokens together, in units of the embedding.
        cosine: With the top eigenvector at the source, in [−1, 1]; NaN where one of the two is 0.
    """

    norm: float
    cosine: float


class Geometry(Protocol):
    """Where gradients are computed, once, for every scorer, order and step that needs them.

    A geometry may also have ``residuals``, one number for each λmax that was computed by iterations,
    ‖G e − λmax e‖ / λmax; ``shifts(candidates)``, which tells the :class:`Shift` of each perturbed text; and
    ``apart()``, a geometry that has computed nothing yet and whose calls count as this one's. The batch that an
    example is in changes the last digits of its gradient. What a record shows of one comes from a geometry apart, so
    that a run that was killed and goes on, where other gradients are in memory, finds the same number.
    """

    @property
    def calls(self) -> int:
        """Examples differentiated so far, with the sources of ``shifts``: one forward and C−1 backward passes each."""

    def at(self, examples: Sequence[Example], *, tokens: Literal["text", "all"] = "text") -> Sequence[Point]:
        """Return the geometry at each example, computing only what is not kept.

        Args:
            examples: Any number of examples.
            tokens: ``"text"`` leaves special tokens out of x, ``"all"`` takes them in. Padding is never in.

        Raises:
            ModelError: The model is not differentiable.
        """


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A word, a number or a mark of a text, with its parts of speech.

    Attributes:
        text: The token as written: ``text[start:end]`` of the text.
        start: First character, from 0.
        end: One past the last character.
        coarse: Coarse part of speech (UPOS: ``NOUN``), ``""`` where unknown.
        fine: Fine part of speech (Penn Treebank: ``NNS``), ``""`` where unknown.
    """

    text: str
    start: int
    end: int
    coarse: str = ""
    fine: str = ""


class Tagger(Protocol):
    """Splits texts into tokens, and tells the part of speech of each.

    A tagger may also have ``fixed(texts)``: for each text the places, first character and one past the last, of titles
    and terms that mean something only as they are; rules leave them alone. ``prepare(context)`` is called once, before
    the first text. ``resources()`` and ``fallback`` are those of the perturbations that use it.
    """

    def tag(self, texts: Sequence[str]) -> Sequence[Sequence[TaggedToken]]:
        """Tag texts.

        Args:
            texts: Any texts of any script, ``[texts]``; the empty one has no token.

        Returns:
            ``[texts][tokens]``: the tokens of each text in order, not overlapping, nothing but white space between
            them.
        """


class Attribution(Protocol):
    """Tells how much each word of an example speaks for the label that the model predicts.

    Constructed with the options of the suite's ``attribution``. One that differentiates the model sets ``gradients``.
    """

    @property
    def calls(self) -> int:
        """Points at which the model was differentiated so far: examples × steps."""

    def explain(self, examples: Sequence[Example], model: Model) -> Sequence[Importance]:
        """Explain a batch.

        Args:
            examples: ``[examples]``, never empty.
            model: The model under test.

        Returns:
            One importance an example; ``robustfim.importance.gather_words`` turns values of tokens into values of
            words.

        Raises:
            ModelError: The model has no gradients.
        """


class Context(Protocol):
    """What a run offers to the plugins that ask for it."""

    @property
    def model(self) -> Model:
        """The model under test. Call ``predict`` below instead of its own."""

    @property
    def examples(self) -> Sequence[Example]:
        """Every usable example of the data, in its order; read from disk as they are looked at."""

    @property
    def labelled(self) -> bool | None:
        """Whether any of ``examples`` has a gold label; None where there are none."""

    @property
    def slices(self) -> Mapping[str, Collection[str]]:
        """Ids of the examples of each slice that the suite defines."""

    @property
    def seed(self) -> int:
        """The run's seed."""

    @property
    def offline(self) -> bool:
        """Whether nothing may be fetched."""

    @property
    def max_calls(self) -> int | None:
        """The most texts, or requests of a model that sends several for one, that may be sent; None for no bound."""

    @property
    def geometry(self) -> Geometry:
        """The shared gradients.

        Raises:
            ModelError: The model has no gradients, or no plugin computes them.
        """

    @property
    def tagger(self) -> Tagger:
        """The shared parts of speech.

        Raises:
            PluginError: No plugin tags.
        """

    def shared(self, cls: Callable[[], T]) -> T:
        """Return the one object of a class that the parts of a run share, made on first use.

        If it has ``sections()``, what that gives is added to the record, however the run ends.
        """

    def count_steps(self, number: int) -> None:
        """Note forward passes from a moved embedding that a plugin made itself, for the record's account.

        Args:
            number: How many, counted in examples.
        """

    def predict(self, examples: Sequence[Example]) -> Sequence[Prediction | None]:
        """Predict through the queue: deduplicated, cached, batched; None where the model gave no finite numbers."""

    def kept(self, what: str, texts: Sequence[str]) -> dict[str, Any]:
        """Look up in the run's store what a plugin computed for texts, in this run or an earlier one.

        Args:
            what: What was computed, and with which version of all that decides it.
            texts: Any texts.

        Returns:
            Plain JSON values by text, of those that are known. They come from a file: check them.
        """

    def keep(self, what: str, values: Mapping[str, Any]) -> None:
        """Keep in the run's store what was computed for texts.

        Args:
            what: As for ``kept``.
            values: Plain JSON values by text.
        """

    def random(self, *parts: str) -> Random:
        """Return a generator of its own, seeded by the run's seed and ``parts``."""


class Scorer(Protocol):
    """Measures how difficult an example is under a model: one number an example."""

    @property
    def contract(self) -> ScoreContract:
        """What its numbers are: which end is the difficult one, which gradients they take, how they are called."""

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Args:
            examples: ``[examples]``, all with a prediction.
            context: The run's model, queue and geometry.

        Returns:
            One number an example; NaN where it is undefined (such an example is never selected as difficult).
        """


@runtime_checkable
class Substitution(Protocol):
    """A perturbation that lists single edits; the harness combines them into candidates.

    The usual kind: ``words``, ``candidates`` and ``order`` of the suite come for free. Like every perturbation it may
    have ``prepare(context)``, called once before the first example, and ``foresee(examples)``, called with a block of
    them before ``edits``. What it promises of its candidates stands in ``contract``, a
    :class:`robustfim.contract.Contract`. One whose candidates depend on more than its options gives in
    ``resources()`` a version or a hash by name, and says in ``fallback`` what stands in for something that is missing,
    and why. What one with ``resources()`` makes of an example is kept in the store under these, and not made again in
    a later run: they name all that decides it, what ``prepare`` reads off the run included. One that
    knows how its edits go together has ``combine(example, edits, words)``, which gives the candidates of one example,
    the first to try first, unless the suite names an order. ``skipped`` counts, by reason, the texts that it left
    alone; the run's report says so.
    ``review(path, out=…, examples=…, manager=…)`` opens a file of it for a page, by ``told`` and ``answer``.
    """

    def edits(self, example: Example, random: Random) -> Iterable[Edit]:
        """List the single edits that are possible, each of one word or place.

        Args:
            example: The source example.
            random: A generator that belongs to this check and this example.
        """


@runtime_checkable
class Perturbation(Protocol):
    """A perturbation that makes whole candidates itself.

    One that means to test the example as it is has ``contract = Contract(unchanged=True)``.
    One that works on many examples at once has ``foresee(examples)``, called with a block of them before ``propose``.
    """

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Propose candidates, lazily, the most interesting first.

        Args:
            example: The source example.
            random: A generator that belongs to this check and this example.
        """


@runtime_checkable
class StepPerturbation(Perturbation, Protocol):
    """A perturbation whose candidates are steps in embedding space, which it predicts itself."""

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Predict candidates at their steps.

        Args:
            candidates: Candidates of ``propose``, each with a ``step``, in any mixture of sources.

        Returns:
            Probabilities ``[candidates, classes]``.
        """


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A text that may mean the same as another.

    Attributes:
        text: The paraphrase.
        score: S(x, x′) in (0, 1], how surely it does; on the scale of its paraphraser.
    """

    text: str
    score: float


@runtime_checkable
class Paraphraser(Protocol):
    """Rewrites texts so that they should mean the same, and measures whether they do."""

    @property
    def contract(self) -> ParaphraserContract:
        """Which score S it gives, and the threshold on its scale."""

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> Sequence[Sequence[Paraphrase]]:
        """Paraphrase texts.

        Args:
            texts: Any texts, ``[texts]``.
            seed: Decides every random choice; the answer for a text depends on the text and the seed alone.

        Returns:
            ``[texts][paraphrases]``: those of each text, the surest first; none where it finds none. A paraphrase that
            is the text itself is left out by whoever asks.
        """

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> Sequence[float]:
        """Score other texts than its own paraphrases, such as what a rule makes of a text.

        Args:
            texts: The texts x, ``[pairs]``.
            candidates: One x′ for each.

        Returns:
            S(x, x′) in [0, 1] of each pair, on the scale of ``paraphrase``.
        """


class Constraint(Protocol):
    """Accepts or rejects a candidate.

    Whether it judges single edits stands in ``contract``, a :class:`robustfim.contract.ConstraintContract`. It may
    have ``prepare(context)``, and ``resources()`` and ``fallback`` as a perturbation has them. One that works on many
    at once has ``foresee(candidates)``, called before ``reject`` with the single edits of a block where it sees such,
    else with the first candidates of its examples. What one with ``resources()`` says of single edits is kept in the
    store, as what a perturbation makes is.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Return the reason to reject a candidate, a few words that are counted; None to accept."""


class Order(Protocol):
    """Says which candidates to try first.

    What it estimates is kept in the store, by the model, the order's options and its ``resources()``.
    """

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each candidate moves its source towards another label.

        Args:
            candidates: Candidates of one or of several sources.
            context: The run's model and geometry.

        Returns:
            One number a candidate, larger for those to try first; additive over edits of one source.
        """


@runtime_checkable
class Expectation(Protocol):
    """Judges a pair of predictions.

    An expectation may also have ``prepare(context)``, called once before the first example. One that speaks
    of slices of the suite names them in ``slices``. One that only examples on which the model is right can fail has
    ``at_risk(before, example)``: an example for which it returns False is not perturbed, and counts as wrong before.
    ``counts`` is then ``"broken"``, the word that stands beside the rate; ``"changes"`` where every change fails.
    """

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge one candidate.

        Args:
            before: The prediction of the source example.
            after: The prediction of the candidate.
            candidate: The candidate, with its source and edits.
        """


class Reducer(Protocol):
    """Makes an example of its candidates: whether it fails, where so many of them do, or by how much.

    More failing candidates never make a failing example one that holds, and more that pass never make one fail that
    holds. Only one for which those that pass change nothing can be asked for beside a search, which looks for texts
    that fail.

    A reducer may also have ``prepare(context)``, called once before the first example. One that compares two groups of
    examples has ``groups()``, called when all are judged: two names, each with the ids of its examples. The check's
    limit then holds for the share of failing examples in the first less that in the second.
    """

    def fails(self, failed: int, tested: int) -> bool | float:
        """Tell whether an example fails: True or False of every one, or of every one a number in [0, 1].

        The rate of a check is then the mean of these numbers, and no count of examples.

        Args:
            failed: Its candidates that fail, 0 ≤ failed ≤ tested.
            tested: Its candidates that were judged, ≥ 1; those to which the expectation does not apply do not count.
        """


class DataSource(Protocol):
    """Where examples come from.

    A source may also have ``skipped``, a count by reason of the rows that its ``load`` left out.
    """

    def load(self) -> Iterable[Example]:
        """Read the examples, in a stable order.

        Raises:
            DataError: The data is missing, unreadable, empty, or lacks a column.
        """


@dataclass(frozen=True)
class SourcedCheck:
    """A check that a source brings, with its own examples and candidates.

    Attributes:
        name: Its name: letters, digits, ``_``, ``-`` and ``.``.
        cases: The candidates of each example, which is their ``source``; ``[cases][candidates]``.
        expectation: What must hold.
        expect: How the record names the expectation: ``{"use": "equals", "label": "positive"}``.
        tests_unchanged: Whether a candidate that changes nothing is tested, as in a minimum functionality test.
        limit: Tolerated share of examples with a failing candidate, in [0, 1]; without one the check is measured.
        marks: Words for ``-m``.
        capability: What the model must be able to do.
        type: Minimum functionality, invariance or directional.
    """

    name: str
    cases: Sequence[Sequence[Candidate]]
    expectation: Expectation
    expect: Mapping[str, Any]
    tests_unchanged: bool = False
    limit: float | None = None
    marks: Sequence[str] = ()
    capability: str | None = None
    type: Literal["MFT", "INV", "DIR"] | None = None


class CheckSource(Protocol):
    """Brings many checks at once, for ``checks: {use: …}`` in a suite.

    A source may also have ``prepare(context)``, called once, when the model's labels are known and before the first
    prediction; a DataError that it raises ends the run. What ``checks`` left out stands in ``skipped``, a count by
    reason.
    """

    def checks(self) -> Iterable[SourcedCheck]:
        """Read the checks, in a stable order, without asking a model.

        Raises:
            DataError: The checks are missing or malformed.
        """


@runtime_checkable
class SuiteFormat(Protocol):
    """The format in which a test suite was released: for ``robustfim import`` and ``checks: {use: released}``.

    A format of several files may also have ``files(path)``, which lists those that are read where one is named, that
    one first.
    """

    @property
    def contract(self) -> FormatContract:
        """What it holds: the suite and its paper, its licence, its labels."""

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks, in a stable order; labels are the suite's, limits are left to the suite's file.

        Raises:
            DataError: A file is missing or malformed.
        """


@runtime_checkable
class ResultFormat(Protocol):
    """The format of another tool's results, for ``robustfim import``."""

    def record(self, path: Path) -> Record:
        """Make a run record of a file.

        Raises:
            DataError: It is missing or malformed.
        """


class Report(Protocol):
    """Writes a view of a run record.

    When it is written stands in its ``contract``, a :class:`robustfim.contract.ReportContract`. One whose contract says
    that it compares is given a third argument by ``robustfim compare --html``, the record of the earlier run; the other
    holds its comparison with that. One that is a page has ``serve(record, styles, scripts)``, which gives its text with
    the styles and scripts of a server, by path: ``robustfim explore`` serves it.
    """

    def write(self, record: Record, folder: Path) -> Path:
        """Write the report.

        Args:
            record: The finished record.
            folder: An existing folder, ``reports/<suite>``.

        Returns:
            The file written.
        """


class Trainer(Protocol):
    """Trains a model on examples and writes it to a folder."""

    def train(
        self,
        examples: Sequence[Example],
        dev: Sequence[Example],
        folder: Path,
        *,
        seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:
        """Train, keep what does best on ``dev``, and write it.

        Args:
            examples: Labelled examples to learn from.
            dev: Labelled examples that decide when to stop; with labels of ``examples`` only.
            folder: Where to write the model; made if it is not there.
            seed: Of everything random: the same examples and seed give the same weights.
            report: Called with a line now and then, for instance after every epoch.

        Returns:
            How a suite uses the model: ``{"use": "reference/cnn", "path": "…"}``.

        Raises:
            DataError: A label is missing, or there is only one.
            ModelError: A library that training needs is missing.
        """


class WorkerLost(Exception):
    """A worker has died; the message says how."""


class Link(Protocol):
    """A worker that an engine has started, at the other end of a line for bytes.

    What it runs is ``robustfim.engine.worker.Worker(spec)``; it answers each task with ``worker.answer(task)``.
    """

    @property
    def name(self) -> str:
        """What messages call it: ``"worker 3"``, with its machine where there are several."""

    def send(self, task: bytes) -> None:
        """Give it a task, without waiting; tasks are answered in their order."""

    def receive(self) -> bytes:
        """Take its next answer, which :meth:`Engine.wait` said is there.

        Raises:
            WorkerLost: It has died.
        """

    def stop(self) -> None:
        """End it, whatever it is at; nothing is left of it."""


@runtime_checkable
class Engine(Protocol):
    """Starts workers, and carries tasks to them and answers back, all as bytes.

    Everything else is the harness's: what is asked, in which order, what is known already, what becomes of the tasks of
    a worker that dies. ``close()`` is called once all workers are stopped.
    """

    @property
    def contract(self) -> EngineContract:
        """How many workers to start, and how many tasks each is given ahead."""

    def start(self, spec: bytes) -> Link:
        """Start a worker.

        Args:
            spec: What :class:`robustfim.engine.worker.Worker` is constructed with.
        """

    def wait(self, links: Sequence[Link]) -> Sequence[Link]:
        """Wait until at least one worker has answered or died.

        Args:
            links: Workers that are at work, at least one.

        Returns:
            Those of them whose ``receive`` does not wait.
        """
