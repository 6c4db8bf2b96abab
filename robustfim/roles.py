"""The roles a plugin can play, as Protocols: a plugin author inherits from nothing.

A class can use objects of other plugins. Annotate an option with :class:`Model`, :class:`DataSource`,
:class:`Paraphraser` or a part of :mod:`robustfim.parts`, such as ``of: list[PerturbationPart]``: the harness makes the
objects and passes them. It makes them when it reads the suite; an option without a usable value is a UsageError then.

:mod:`robustfim.members` lists the required and optional members of every role in one table.

A tensor is a PyTorch tensor or a NumPy array. The core never looks into tensors and imports no torch. Shapes are
written in words, ``[batch, tokens, dims]``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
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
    "Answer",
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
    "Opening",
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
    "Search",
    "Searching",
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
"""Field name, first character, one past the last character; None for a token that stands for no text."""


@runtime_checkable
class Model(Protocol):
    """A text classifier.

    ``contract``, a :class:`robustfim.contract.ModelContract`, holds facts about the answers: texts per call, whether
    labels are independent, whether answers may change. A model may also have these members:

    - ``window(examples)`` returns, for each example, the spans that the model reads if it truncates long texts or
      reads them in chunks, and None if it reads the whole text.
    - ``known_words()`` returns the words of its vocabulary.
    - ``attached(example)`` returns a hash of anything outside the fields that decides the prediction, such as the
      content of a file that a field names.
    - ``stream(batches)`` answers several batches at once. It yields pairs of a batch's index and its answer, in any
      order. Only the main process of a run calls it.
    - ``foresee(examples)`` is called with the next batch before the current one is predicted, so that a model can
      tokenize the next batch while the device computes.
    - ``prepare(context)`` is called before the first prediction.
    - ``device`` names the device that computes, for the record.
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

    Every optional member of :class:`Model` is allowed here, too. Two answers are equal if their normal forms
    (:func:`robustfim.prediction.normal_form`) are. The harness treats normal forms as it treats labels.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides an answer: weights, vocabulary, options."""

    def answer(self, examples: Sequence[Example]) -> Sequence[Sequence[tuple[str, float]]]:
        """Answer a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the likeliest answers with their probabilities, the model's own choice first. At most 10
            are kept, and their probabilities sum to 1 or less. ``""`` means that the text holds no answer. An example
            with an empty list, or with a number that is not finite, has no prediction.
        """


class RatingModel(Protocol):
    """A model that gives a text a number: a regression, a reward model.

    Every optional member of :class:`Model` is allowed here, too. Under the rule ``decide: {within: …}`` the number is
    the decision, and a gold label is a number. Under ``decide: {order: [FIELD, FIELD]}`` the decision is the field
    whose text has the larger number.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides a number: weights, vocabulary, options."""

    def rate(self, examples: Sequence[Example]) -> Sequence[float | None]:
        """Rate a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example its number, in the model's own units. An example with None, or with a number that is not
            finite, has no prediction.
        """


class TaggingModel(Protocol):
    """A tagger: it finds spans in a text, such as names or personal data.

    Every optional member of :class:`Model` is allowed here, too. All spans found in a text make one decision. A gold
    label is a set of spans, written by :func:`robustfim.spans.written_spans`. An example has a single text.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides which spans are found: weights, vocabulary, options."""

    def tag(self, examples: Sequence[Example]) -> Sequence[Any]:
        """Tag a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the spans of its text: :class:`robustfim.spans.Span`, or ``(start, end, label)``, followed
            by the probability of the span if the model has one. An example with None has no prediction.
        """


@dataclass(frozen=True)
class Embedded:
    """A batch of examples as a differentiable model's input embeddings.

    Attributes:
        embeddings: ``[batch, tokens, dims]``, padded on the right or left, detached.
        mask: ``[batch, tokens]`` booleans, True at a token, False at padding.
        special: ``[batch, tokens]`` booleans, True at [CLS], [SEP], <s> and the like.
        spans: ``[batch][tokens]``, the place of each token in the example's text; None for a token without a place.
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

    If the embeddings are tensors, PyTorch differentiates. If they are NumPy arrays, the model needs a method
    ``jacobian(embeddings, embedded)``, which returns ∂logits/∂embeddings, ``[batch, classes, tokens, dims]``, 0 at
    padding.
    """

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch.

        Args:
            examples: The batch, ``[batch]``.

        Returns:
            The embeddings e; ``predict`` turns ``logits(e.embeddings, e)`` into probabilities.
        """

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings to logits, differentiably and without dropout.

        Args:
            embeddings: ``[batch, tokens, dims]``, of the shape of ``embedded.embeddings``.
            embedded: The batch that the embeddings belong to, for its masks and inputs.

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
        """The unit eigenvector of λmax, in the direction in which the predicted label loses; zeros if λmax is 0."""

    @property
    def distance(self) -> float:
        """The first-order distance to the nearest decision boundary, ≥ 0; inf if the gradient is 0."""

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
        norm: Euclidean length of the move over all tokens together, in units of the embedding.
        cosine: Cosine between the move and the top eigenvector at the source, in [−1, 1]; NaN if either vector is 0.
        lambda_max: λmax of the source and of the perturbed text; NaN if they are not computed.
    """

    norm: float
    cosine: float
    lambda_max: tuple[float, float] = (nan, nan)


class Geometry(Protocol):
    """Computes gradients once for every scorer, order and embedding-space perturbation that needs them.

    A geometry may also have these members:

    - ``residuals``: for each λmax that was computed by iterations, the residual ‖G e − λmax e‖ / λmax.
    - ``shifts(candidates)`` returns the :class:`Shift` of each perturbed text.
    - ``apart()`` returns a new geometry that has computed nothing yet; this geometry counts the calls of both.

    The other examples of a batch change the last digits of a gradient. Numbers for the record come from ``apart()``,
    so a run that was stopped and continued records the same numbers although other gradients are in memory.
    """

    @property
    def calls(self) -> int:
        """Examples differentiated so far, with the sources of ``shifts``: one forward and C−1 backward passes each."""

    def at(self, examples: Sequence[Example], *, tokens: Literal["text", "all"] = "text") -> Sequence[Point]:
        """Return the geometry at each example, and compute only the points that are not in memory.

        Args:
            examples: Any number of examples.
            tokens: ``"text"`` leaves special tokens out of the input x, ``"all"`` includes them. Padding never counts.

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
    """Splits texts into tokens and gives the part of speech of each token.

    A tagger may also have ``fixed(texts)``. It returns, for each text, the places (first character, one past the last)
    of titles and terms that must stay as they are; rules leave them alone. ``prepare(context)`` is called once, before
    the first text. ``resources()`` and ``fallback`` count for every perturbation that uses the tagger.
    """

    def tag(self, texts: Sequence[str]) -> Sequence[Sequence[TaggedToken]]:
        """Tag texts.

        Args:
            texts: Texts of any script, ``[texts]``; an empty text has no token.

        Returns:
            ``[texts][tokens]``: the tokens of each text, in order and without overlaps. Only white space stands
            between two tokens.
        """


class Attribution(Protocol):
    """Computes how much each word of an example speaks for the label that the model predicts.

    The options of the suite's ``attribution`` are passed to the constructor. An attribution that differentiates the
    model sets ``gradients``.
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
            One importance per example; ``robustfim.importance.gather_words`` turns values of tokens into values of
            words.

        Raises:
            ModelError: The model has no gradients.
        """


class Context(Protocol):
    """The services of a run for plugins: model, examples, predictions, gradients and random numbers."""

    @property
    def model(self) -> Model:
        """The model under test. Call :meth:`predict` of the context, not the model's own ``predict``."""

    @property
    def examples(self) -> Sequence[Example]:
        """Every usable example of the data, in the data's order; each is read from disk when it is accessed."""

    @property
    def labelled(self) -> bool | None:
        """Whether any of ``examples`` has a gold label; None if there are no examples."""

    @property
    def slices(self) -> Mapping[str, Collection[str]]:
        """For each slice that the suite defines, the ids of its examples."""

    @property
    def seed(self) -> int:
        """The run's seed."""

    @property
    def offline(self) -> bool:
        """Whether downloads are forbidden."""

    @property
    def max_calls(self) -> int | None:
        """The most texts that may be sent (requests, if the model sends several per text); None for no bound."""

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
        """Return the object of a class that all plugins of a run share; the first call makes it.

        If the object has ``sections()``, the sections are added to the record, even if the run is interrupted.
        """

    def count_steps(self, number: int) -> None:
        """Add forward passes that a plugin made from moved embeddings to the number in the record.

        Args:
            number: The number of examples that were passed.
        """

    def predict(self, examples: Sequence[Example]) -> Sequence[Prediction | None]:
        """Predict through the queue: deduplicated, cached, batched; None if the model gave no finite numbers."""

    def kept(self, what: str, texts: Sequence[str]) -> dict[str, Any]:
        """Look up, in the run's store, values that a plugin computed for texts in this run or an earlier one.

        Args:
            what: A name of the computation, with the version of everything that decides its result.
            texts: Any texts.

        Returns:
            Plain JSON values by text, for the texts that are known. Check the values, since they come from a file.
        """

    def keep(self, what: str, values: Mapping[str, Any]) -> None:
        """Write values that were computed for texts to the run's store.

        Args:
            what: As for :meth:`kept`.
            values: Plain JSON values by text.
        """

    def random(self, *parts: str) -> Random:
        """Return a new random generator, seeded by the run's seed and ``parts``."""


class Scorer(Protocol):
    """Measures how difficult an example is under a model: one number per example."""

    @property
    def contract(self) -> ScoreContract:
        """The direction of the scale, the gradients that the score takes, and its symbol."""

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Args:
            examples: ``[examples]``, all with a prediction.
            context: The run's model, queue and geometry.

        Returns:
            One number per example; NaN if the score is undefined (such an example is never selected as difficult).
        """


@runtime_checkable
class Substitution(Protocol):
    """A perturbation that lists single edits; the harness combines them into candidates.

    This is the usual kind, since ``words``, ``candidates`` and ``order`` of the suite then work without further code.
    ``contract``, a :class:`robustfim.contract.Contract`, holds facts about the candidates. Every perturbation may have:

    - ``prepare(context)``, called once before the first example.
    - ``foresee(examples)``, called with a block of examples before ``edits``.
    - ``resources()``, if candidates depend on more than the options: a version or hash by name. The candidates of an
      example are then stored under these values and reused in later runs, so they must cover everything that decides
      the candidates, including anything that ``prepare`` reads from the run.
    - ``fallback``: which replacement is used for a missing resource, and why.
    - ``combine(example, edits, words)``, if the perturbation knows how edits go together: it gives the candidates of
      one example, the first to try first. It is used unless the suite names an order.
    - ``skipped``: the number of texts left unchanged, by reason; the run's report shows it.
    - ``review(path, out=…, examples=…, manager=…)``, which opens a file for review in a page, with ``told`` and
      ``answer``.
    """

    def edits(self, example: Example, random: Random) -> Iterable[Edit]:
        """List the possible single edits; each changes one word or place.

        Args:
            example: The source example.
            random: A generator that belongs to this check and this example.
        """


@runtime_checkable
class Perturbation(Protocol):
    """A perturbation that makes whole candidates itself.

    To test the unchanged example on purpose, set ``contract = Contract(unchanged=True)``. To work on many examples at
    once, add ``foresee(examples)``, which is called with a block of examples before ``propose``.
    """

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Propose candidates lazily, the most interesting first.

        Args:
            example: The source example.
            random: A generator that belongs to this check and this example.
        """


@runtime_checkable
class StepPerturbation(Perturbation, Protocol):
    """A perturbation that moves the embedding instead of the text (a step), and predicts its candidates itself."""

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Predict the model's output at each candidate's moved embedding.

        Args:
            candidates: Candidates of ``propose``, each with a ``step``. They may come from different source examples.

        Returns:
            Probabilities ``[candidates, classes]``.
        """


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A text that may mean the same as another.

    Attributes:
        text: The paraphrase.
        score: S(x, x′) in (0, 1], how likely the paraphrase x′ means the same as x, on the paraphraser's scale.
    """

    text: str
    score: float


@runtime_checkable
class Paraphraser(Protocol):
    """Rewrites texts without changing their meaning, and scores whether the meaning is the same."""

    @property
    def contract(self) -> ParaphraserContract:
        """The name of the score S, and the threshold on its scale."""

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> Sequence[Sequence[Paraphrase]]:
        """Paraphrase texts.

        Args:
            texts: Any texts, ``[texts]``.
            seed: Decides every random choice; the answer for a text depends on the text and the seed alone.

        Returns:
            ``[texts][paraphrases]``: the paraphrases of each text, the highest score first; an empty list if there are
            none. The caller drops a paraphrase that equals its text.
        """

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> Sequence[float]:
        """Score texts that the paraphraser did not write, such as the result of a rule.

        Args:
            texts: The texts x, ``[pairs]``.
            candidates: One x′ for each x.

        Returns:
            S(x, x′) in [0, 1] of each pair, on the scale of ``paraphrase``.
        """


class Constraint(Protocol):
    """Accepts or rejects a candidate.

    ``contract``, a :class:`robustfim.contract.ConstraintContract`, says whether the constraint judges single edits. A
    constraint may have ``prepare(context)``, ``resources()`` and ``fallback``, as described for :class:`Substitution`.
    With ``resources()``, its answers about single edits are stored and reused. To work on many candidates at once, add
    ``foresee(candidates)``: it is called before ``reject`` with the single edits of a block of examples if the
    constraint judges single edits, otherwise with the first candidates of these examples.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Return the reason to reject a candidate, in a few words that can be counted; None to accept."""


class Order(Protocol):
    """Decides which candidates to try first.

    Its estimates are stored by the model, the order's options and its ``resources()``.
    """

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each candidate moves its source towards another label.

        Args:
            candidates: Candidates of one or several sources.
            context: The run's model and geometry.

        Returns:
            One number per candidate, larger for candidates to try first; additive over the edits of one source.
        """


@dataclass(frozen=True)
class Opening:
    """The start of a search of one example.

    Attributes:
        example: The source.
        edits: The possible single edits, in the order in which to try them.
        words: The largest number of edits of a candidate.
        effects: The estimated effect of each edit, larger for edits to try first; None for a random order.
    """

    example: Example
    edits: Sequence[Edit]
    words: int
    effects: Sequence[float] | None = None

    def by_effect(self) -> Opening:
        """Return the opening with the edits in the order of their effects."""
        effects = self.effects or ()
        ranked = sorted(range(len(self.edits)), key=lambda index: (-effects[index], index))
        return replace(self, edits=[self.edits[i] for i in ranked], effects=[effects[i] for i in ranked])


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of testing a text: how near the text is to a failure, and whether it fails."""

    value: float
    failed: bool


Searching = Generator[list[Candidate], Sequence[Answer | None], None]
"""Yields the texts to ask about next, and is sent their answers; None for a text without an answer."""


class Search(Protocol):
    """Combines the edits of an example, guided by the model's answers, until enough texts fail.

    ``queries`` is the most texts of an example that the model is asked about, 200 by default. The search must keep it.
    """

    def search(self, opening: Opening, start: float, accept: Callable[[Candidate], bool], needed: int) -> Searching:
        """Search one example; texts that are asked about together are one batch of the model.

        Args:
            opening: The start of the search.
            start: The nearness of the example itself.
            accept: Returns whether the constraints accept a candidate; called once per candidate.
            needed: The number of texts that must fail, ≥ 1, before the example fails.
        """


@runtime_checkable
class Expectation(Protocol):
    """Judges a pair of predictions.

    An expectation may also have ``prepare(context)``, called once before the first example. If it refers to slices of
    the suite, ``slices`` lists their names. If only examples on which the model is right can fail, add
    ``at_risk(before, example)``: an example for which it returns False is not perturbed and counts as wrong before.
    ``counts`` is ``"broken"`` for such an expectation, ``"changes"`` if every change fails; reports show the word
    beside the rate.
    """

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge one candidate.

        Args:
            before: The prediction of the source example.
            after: The prediction of the candidate.
            candidate: The candidate, with its source and edits.
        """


class Reducer(Protocol):
    """Decides from an example's candidates whether the example fails, or by how much.

    A reducer must be monotone: a further failing candidate never makes a failing example pass, and a further passing
    candidate never makes a passing example fail. A check with a search looks only for failing texts, so it takes only
    a reducer whose result does not depend on the number of passing candidates.

    A reducer may also have ``prepare(context)``, called once before the first example. To compare two groups of
    examples, add ``groups()``, called after all examples are judged: it returns two names, each with the ids of its
    examples. The check's limit then applies to the fraction of failing examples in the first group minus the fraction
    in the second.
    """

    def fails(self, failed: int, tested: int) -> bool | float:
        """Return whether an example fails, or by how much.

        A reducer returns either True or False for every example, or a number in [0, 1] for every example. The rate of
        the check is the mean of these values.

        Args:
            failed: The number of failing candidates, 0 ≤ failed ≤ tested.
            tested: The number of judged candidates, ≥ 1; candidates to which the expectation does not apply do not
                count.
        """


class DataSource(Protocol):
    """Reads examples.

    A source may also have ``skipped``, the number of rows that ``load`` left out, by reason.
    """

    def load(self) -> Iterable[Example]:
        """Read the examples, in a stable order.

        Raises:
            DataError: The data is missing, unreadable, empty, or lacks a column.
        """


@dataclass(frozen=True)
class SourcedCheck:
    """A check of a :class:`CheckSource`, with its own examples and candidates.

    Attributes:
        name: The name of the check: letters, digits, ``_``, ``-`` and ``.``.
        cases: For each example its candidates, whose ``source`` is the example: ``[cases][candidates]``.
        expectation: The expectation that judges each candidate.
        expect: The expectation as the record writes it: ``{"use": "equals", "label": "positive"}``.
        tests_unchanged: Whether a candidate that changes nothing is tested, as in a minimum functionality test.
        limit: Tolerated fraction of examples with a failing candidate, in [0, 1]; a check without a limit is measured
            but not gated.
        marks: Words for ``-m``.
        capability: The tested capability of the model.
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

    A source may also have ``prepare(context)``, called once, after the model's labels are known and before the first
    prediction; a DataError that it raises ends the run. ``skipped`` holds the number of cases that ``checks`` left out,
    by reason.
    """

    def checks(self) -> Iterable[SourcedCheck]:
        """Read the checks, in a stable order, without asking a model.

        Raises:
            DataError: The checks are missing or malformed.
        """


@runtime_checkable
class SuiteFormat(Protocol):
    """The format in which a test suite was released: for ``robustfim import`` and ``checks: {use: released}``.

    If the suite consists of several files, add ``files(path)``: it lists the files to read when a user names ``path``,
    ``path`` first.
    """

    @property
    def contract(self) -> FormatContract:
        """The suite, its paper, its licence and its labels."""

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks, in a stable order, with the labels of the suite and without limits.

        Raises:
            DataError: A file is missing or malformed.
        """


@runtime_checkable
class ResultFormat(Protocol):
    """The format of another tool's results, for ``robustfim import``."""

    def record(self, path: Path) -> Record:
        """Make a run record of a file.

        Raises:
            DataError: The file is missing or malformed.
        """


class Report(Protocol):
    """Writes a report, which is a view of a run record.

    ``contract``, a :class:`robustfim.contract.ReportContract`, says when the report is written. If the contract sets
    ``compares``, ``robustfim compare --html`` passes the record of the earlier run as a third argument; ``record`` then
    holds the comparison of the two runs. An HTML report may have ``serve(record, styles, scripts)``, which returns the
    page's text with links to the styles and scripts of a server, given by path; ``robustfim explore`` serves it.
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
        """Train a model, keep the weights that do best on ``dev``, and write them.

        Args:
            examples: Labelled examples to learn from.
            dev: Labelled examples that decide when to stop; every label must also occur in ``examples``.
            folder: The folder for the model; it is made if it does not exist.
            seed: The seed of every random choice: the same examples and seed give the same weights.
            report: Called with a line now and then, for instance after every epoch.

        Returns:
            How a suite uses the model: ``{"use": "reference/cnn", "path": "…"}``.

        Raises:
            DataError: A label is missing, or there is only one.
            ModelError: A library that training needs is missing.
        """


class WorkerLost(Exception):
    """A worker has died; the message gives the cause."""


class Link(Protocol):
    """The harness's end of the connection to a worker that an engine has started.

    The worker runs ``robustfim.engine.worker.Worker(spec)`` and answers each task with ``worker.answer(task)``.
    """

    @property
    def name(self) -> str:
        """The worker's name in messages: ``"worker 3"``, with its machine if there are several."""

    def send(self, task: bytes) -> None:
        """Send the worker a task, without waiting; a worker answers its tasks in order."""

    def receive(self) -> bytes:
        """Take the worker's next answer, after :meth:`Engine.wait` returned this link.

        Raises:
            WorkerLost: The worker has died.
        """

    def stop(self) -> None:
        """End the worker at once, even during a task, and free everything it holds."""


@runtime_checkable
class Engine(Protocol):
    """Starts workers, and carries tasks to them and answers back, all as bytes.

    The harness does everything else: it chooses and orders the tasks, reuses known answers, and reassigns the tasks of
    a worker that dies. ``close()`` is called after all workers have stopped.
    """

    @property
    def contract(self) -> EngineContract:
        """The number of workers to start, and the number of tasks queued for each worker."""

    def start(self, spec: bytes) -> Link:
        """Start a worker.

        Args:
            spec: The argument of :class:`robustfim.engine.worker.Worker`.
        """

    def wait(self, links: Sequence[Link]) -> Sequence[Link]:
        """Wait until at least one worker has answered or died.

        Args:
            links: Links of workers that have a task, at least one.

        Returns:
            The links whose ``receive`` does not block.
        """
