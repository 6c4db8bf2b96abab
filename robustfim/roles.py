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

Progress: TypeAlias = Callable[[str, int, int], None]
"""A function that is called with the work in progress, how much of it is done, and all of it."""

Span: TypeAlias = tuple[str, int, int] | None
"""Field name, first character, one past the last character; None for a token that stands for no text."""


@runtime_checkable
class Model(Protocol):
    """A text classifier.

    The attribute ``contract``, a :class:`robustfim.contract.ModelContract`, declares facts about the answers: texts per
    call, whether labels are independent, whether answers may change. A model may also have these members:

    - ``window(examples)`` returns, for each example, the spans that the model reads if it truncates long texts or
      reads them in chunks, and None if it reads the whole text.
    - ``known_words()`` returns the words in the model's vocabulary.
    - ``attached(example)`` returns a hash of anything outside the fields that decides the prediction, such as the
      content of a file that a field names.
    - ``stream(batches)`` answers several batches at once. It yields pairs of a batch's index and its answer, in any
      order. Only the main process of a run calls it.
    - ``foresee(examples)`` is called with the next batch before the current one is predicted, so that the model can
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
        """Return the probability of each label for each example of a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            Probabilities ``[examples, classes]``, each row summing to 1 unless the model's contract sets ``several``
            (independent labels): an array or nested lists.
        """


class AnsweringModel(Protocol):
    """A model that answers in free text instead of choosing among labels, such as a model for question answering.

    Every optional member of :class:`Model` is allowed here, too. Two answers are equal if they are equal after
    normalization (:func:`robustfim.prediction.normal_form`: lower case, no punctuation or articles). Normalized answers
    are then treated as labels.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides an answer: weights, vocabulary, options."""

    def answer(self, examples: Sequence[Example]) -> Sequence[Sequence[tuple[str, float]]]:
        """Answer the question in each example of a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the likeliest answers with their probabilities, the model's own choice first. At most 10
            are kept, and their probabilities sum to 1 or less. ``""`` means that the text does not contain an answer.
            An example with an empty list, or with a number that is not finite, has no prediction.
        """


class RatingModel(Protocol):
    """A model that gives a text a number: a regression, a reward model.

    Every optional member of :class:`Model` is allowed here, too. With ``decide: {within: …}`` in the suite, numbers are
    compared with a tolerance, and gold labels are numbers. With ``decide: {order: [FIELD, FIELD]}``, the model's
    decision is the field whose text gets the larger number.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides a number: weights, vocabulary, options."""

    def rate(self, examples: Sequence[Example]) -> Sequence[float | None]:
        """Return a number for each example of a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the number, in the model's own units. An example with None, or with a number that is not
            finite, has no prediction.
        """


class TaggingModel(Protocol):
    """A tagger: it finds spans in a text, such as names or personal data.

    Every optional member of :class:`Model` is allowed here, too. The set of all spans found in a text is one decision.
    A gold label is a set of spans, written by :func:`robustfim.spans.written_spans`. An example has a single text
    field.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides which spans are found: weights, vocabulary, options."""

    def tag(self, examples: Sequence[Example]) -> Sequence[Any]:
        """Find the spans in each text of a batch.

        Args:
            examples: The batch, ``[examples]``; never empty.

        Returns:
            For each example the spans of its text: :class:`robustfim.spans.Span`, or ``(start, end, label)``, followed
            by the probability of the span if the model has one. An example with None has no prediction.
        """


@dataclass(frozen=True)
class Embedded:
    """A batch of examples as input embeddings of a differentiable model.

    Attributes:
        embeddings: ``[batch, tokens, dims]``, padded on the right or left, without gradient history.
        mask: ``[batch, tokens]`` booleans, True at a token, False at padding.
        special: ``[batch, tokens]`` booleans, True at special tokens: [CLS], [SEP], <s> and the like.
        spans: ``[batch][tokens]``, the place of each token in the example's text; None for a token without a place.
        inputs: Further inputs of the model's forward pass (attention mask, token types…).
    """

    embeddings: Tensor
    mask: Tensor
    special: Tensor
    spans: Sequence[Sequence[Span]]
    inputs: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class DifferentiableModel(Model, Protocol):
    """A classifier whose output can be differentiated with respect to its input embeddings.

    If the embeddings are PyTorch tensors, PyTorch computes the gradients. If they are NumPy arrays, the model needs a
    method ``jacobian(embeddings, embedded)``, which returns ∂logits/∂embeddings, ``[batch, classes, tokens, dims]``, 0
    at padding.
    """

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch.

        Args:
            examples: The batch, ``[batch]``.

        Returns:
            The embeddings e; the softmax of ``logits(e.embeddings, e)`` equals the result of ``predict``.
        """

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings to logits, differentiably and without dropout.

        Args:
            embeddings: ``[batch, tokens, dims]``, of the shape of ``embedded.embeddings``.
            embedded: The batch that the embeddings belong to, which provides masks and further inputs.

        Returns:
            Logits ``[batch, classes]``; the softmax of row i is the prediction of example i alone.
        """


class Point(Protocol):
    """How a model's prediction responds to small changes of one example's input embedding."""

    @property
    def lambda_max(self) -> float:
        """The largest eigenvalue of the Fisher information with respect to the input embedding, ≥ 0."""

    @property
    def eigenvector(self) -> Tensor:
        """The unit eigenvector for :attr:`lambda_max`, signed so that the predicted label loses; zeros if that is 0."""

    @property
    def distance(self) -> float:
        """The linear estimate of the embedding's distance to a change of label, ≥ 0; inf if the gradient is 0."""

    @property
    def margin(self) -> float:
        """The difference of the two largest logits, ≥ 0."""

    @property
    def margin_gradient(self) -> Tensor:
        """The gradient of ``margin`` with respect to the input embedding."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How far, and in which direction, a perturbation moves the input embedding of a text.

    Attributes:
        norm: Euclidean length of the move over all tokens together, in units of the embedding.
        cosine: Cosine between the move and the direction to which the model is most sensitive (the top eigenvector of
            the Fisher information at the unperturbed text), in [−1, 1]; NaN if either vector is 0.
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
        """The number of examples whose gradients were computed, with one backward pass per label but one."""

    def at(self, examples: Sequence[Example], *, tokens: Literal["text", "all"] = "text") -> Sequence[Point]:
        """Return gradient-based measures at each example, such as the Fisher information's top eigenvalue.

        Args:
            examples: Any number of examples; points in memory are not computed again.
            tokens: ``"text"`` leaves special tokens out of the input x, ``"all"`` includes them. Padding never counts.

        Raises:
            ModelError: The model is not differentiable.
        """


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A word, number or punctuation mark of a text, with its part of speech.

    Attributes:
        text: The token as written: ``text[start:end]`` of the text.
        start: First character, from 0.
        end: One past the last character.
        coarse: Coarse part of speech (universal tag set, UPOS: ``NOUN``), ``""`` where unknown.
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
    the first text. ``resources()`` and ``fallback``, as in :class:`Substitution`, apply to every perturbation that uses
    the tagger.
    """

    def tag(self, texts: Sequence[str]) -> Sequence[Sequence[TaggedToken]]:
        """Split texts into tokens with their parts of speech.

        Args:
            texts: Texts of any script, ``[texts]``; an empty text has no token.

        Returns:
            ``[texts][tokens]``: the tokens of each text, in order and without overlaps. Only white space stands
            between two tokens.
        """


class Attribution(Protocol):
    """A method that computes how much each word of an example contributes to the predicted label.

    The options of the suite's ``attribution`` are passed to the constructor. A method that needs the model's gradients
    sets ``gradients``.
    """

    @property
    def calls(self) -> int:
        """Points at which the model was differentiated so far: examples × steps."""

    def explain(self, examples: Sequence[Example], model: Model) -> Sequence[Importance]:
        """Compute the importance of the words of each example in a batch.

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
        """The most texts that may be sent to the model (requests, if it sends several per text); None for no bound."""

    @property
    def geometry(self) -> Geometry:
        """The object that computes gradients of the model, shared by all plugins.

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

        If the object has ``sections()``, its sections (texts, tables, figures) are added to the report, even after an
        interruption.
        """

    def count_steps(self, number: int) -> None:
        """Add a plugin's forward passes from changed embeddings to the number that the report shows.

        Args:
            number: The number of examples in these forward passes.
        """

    def predict(self, examples: Sequence[Example]) -> Sequence[Prediction | None]:
        """Return the model's predictions, each computed once and stored; None if the model gave no finite numbers."""

    def kept(self, what: str, texts: Sequence[str]) -> dict[str, Any]:
        """Look up values that a plugin computed for texts earlier, in this run or in a previous one.

        Args:
            what: A name of the computation, with the version of everything that decides its result.
            texts: Any texts.

        Returns:
            Plain JSON values by text, for the texts that are known. Check the values, since they come from a file.
        """

    def keep(self, what: str, values: Mapping[str, Any]) -> None:
        """Store values that a plugin computed for texts, so that later runs can reuse them.

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
        """Compute the difficulty of each example.

        Args:
            examples: ``[examples]``, all with a prediction.
            context: The run's services: predictions and gradients of the model.

        Returns:
            One number per example; NaN if the score is undefined (such an example is never selected as difficult).
        """


@runtime_checkable
class Substitution(Protocol):
    """A perturbation that lists single edits; robustfim combines them into perturbed texts (candidates).

    This is the usual kind: the suite's settings ``words``, ``candidates`` and ``order`` then work without further code.
    The attribute ``contract``, a :class:`robustfim.contract.Contract`, declares facts about the candidates, such as
    whether they keep the label. A perturbation may also have:

    - ``prepare(context)``, called once before the first example.
    - ``foresee(examples)``, called with a block of examples before ``edits``.
    - ``resources()``, if candidates depend on more than the options: a version or hash by name. The candidates of an
      example are then stored under these values and reused in later runs, so they must cover everything that decides
      the candidates, including anything that ``prepare`` reads from the run.
    - ``fallback``: a sentence about the replacement for a missing resource, and the reason.
    - ``combine(example, edits, words)``, if only some combinations of edits make sense: it returns the candidates of
      one example, in the order in which to try them. It is used unless the suite names an order.
    - ``skipped``: the number of texts left unchanged, by reason; the run's report shows it.
    - ``review(path, out=…, examples=…, manager=…)``, which opens a file of the perturbation for review in a web page.
    """

    def edits(self, example: Example, random: Random) -> Iterable[Edit]:
        """List the possible single edits; each changes one word or place.

        Args:
            example: The source example.
            random: The random generator to use, seeded for this check and this example.
        """


@runtime_checkable
class Perturbation(Protocol):
    """A perturbation that returns complete perturbed texts (candidates), not single edits.

    To test the unchanged example on purpose, set ``contract = Contract(unchanged=True)``. To work on many examples at
    once, add ``foresee(examples)``, which is called with a block of examples before ``propose``.
    """

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Return perturbed versions of an example lazily, the most interesting first.

        Args:
            example: The source example.
            random: The random generator to use, seeded for this check and this example.
        """


@runtime_checkable
class StepPerturbation(Perturbation, Protocol):
    """A perturbation that moves the input embedding (a step) instead of changing the text."""

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Return the model's probabilities at each moved embedding.

        Args:
            candidates: Candidates of ``propose``, each with a ``step``. They may have different source examples.

        Returns:
            Probabilities ``[candidates, classes]``.
        """


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A possible paraphrase of a text, with a score.

    Attributes:
        text: The paraphrase.
        score: How likely the paraphrase has the same meaning as the original, in (0, 1], on the paraphraser's scale.
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
        """Score how likely given pairs of texts have the same meaning.

        Args:
            texts: The original texts, ``[pairs]``.
            candidates: One possible paraphrase for each original, ``[pairs]``. Another method wrote it, such as a rule.

        Returns:
            The score of each pair in [0, 1], on the scale of :meth:`paraphrase`.
        """


class Constraint(Protocol):
    """A rule that accepts or rejects a perturbed text (candidate) before the model is asked.

    The attribute ``contract``, a :class:`robustfim.contract.ConstraintContract`, declares whether the constraint judges
    single edits. A constraint may have ``prepare(context)``, ``resources()`` and ``fallback``, as described for
    :class:`Substitution`. With ``resources()``, the constraint's answers about single edits are stored and reused. To
    work on many candidates at once, add ``foresee(candidates)``: it is called before ``reject`` with the single edits
    of a block of examples if the constraint judges single edits, otherwise with the first candidates of these examples.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Return the reason to reject a perturbed text, in a few words that reports count; None to accept the text."""


class Order(Protocol):
    """A method that ranks perturbed texts (candidates), so that those with the largest estimated effect come first.

    The estimates are stored, and used again only for the same model, options and ``resources()`` of the order.
    """

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each perturbed text moves the model's prediction towards another label.

        Args:
            candidates: Perturbed texts (candidates) of one or several source examples.
            context: The run's services: predictions and gradients of the model.

        Returns:
            One number per candidate, larger for candidates to try first. The number of a candidate with several edits
            is the sum of the numbers of its edits.
        """


@dataclass(frozen=True)
class Opening:
    """The start of a search: one example with the edits that the search may combine.

    Attributes:
        example: The unperturbed example.
        edits: The possible single edits, in the order in which to try them.
        words: The largest number of edits that may be combined in one perturbed text.
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
    """The result of testing a perturbed text: how close the text is to failing its check, and whether it fails."""

    value: float
    failed: bool


Searching = Generator[list[Candidate], Sequence[Answer | None], None]
"""Yields the texts to ask about next, and is sent their answers; None for a text without an answer."""


class Search(Protocol):
    """A method that combines edits of an example, guided by the model's answers, until enough perturbed texts fail.

    ``queries`` is the most texts of an example that the model is asked about, 200 by default. The search must not
    exceed it.
    """

    def search(self, opening: Opening, start: float, accept: Callable[[Candidate], bool], needed: int) -> Searching:
        """Search for failing texts of one example; the texts of one request go to the model as one batch.

        Args:
            opening: The start of the search.
            start: How close the unperturbed example is to failing; larger is closer.
            accept: Returns whether the constraints accept a perturbed text (candidate); called once per candidate.
            needed: The number of texts that must fail, ≥ 1, before the example fails.
        """


@runtime_checkable
class Expectation(Protocol):
    """A rule that decides whether a perturbed text passes, from the predictions before and after the perturbation.

    An expectation may also have ``prepare(context)``, called once before the first example. If it refers to slices of
    the suite, ``slices`` lists their names. If it names labels of the model, ``contract`` lists them: an
    ``ExpectationContract``. If only examples on which the model is right can fail, add
    ``at_risk(before, example)``: if it returns False, the example is not perturbed, and reports count it as wrong
    before. ``counts`` is ``"broken"`` if only right answers can fail, ``"changes"`` if every changed answer fails;
    reports show the word beside the rate.
    """

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge one perturbed text (candidate): passed, failed, or not applicable.

        Args:
            before: The prediction of the source example.
            after: The prediction of the candidate.
            candidate: The perturbed text, with its source example and edits.
        """


class Reducer(Protocol):
    """A rule that decides, from the results of an example's perturbed texts (candidates), whether the example fails.

    A reducer must be monotone: a further failing candidate never makes a failing example pass, and a further passing
    candidate never makes a passing example fail. A check with a search looks only for failing texts, so its reducer
    must not depend on the number of passing candidates.

    A reducer may also have ``prepare(context)``, called once before the first example. To compare two groups of
    examples, add ``groups()``, called after all examples are judged: it returns two names, each with the ids of its
    examples. The check's limit then applies to a difference: the fraction of failing examples in the first group minus
    the fraction in the second.
    """

    def fails(self, failed: int, tested: int) -> bool | float:
        """Return whether an example fails, or the degree to which it fails.

        A reducer returns either True or False for every example, or a number in [0, 1] for every example. The failure
        rate of the check is the mean of these values.

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
    """A check that a :class:`CheckSource` brings, with its own examples and perturbed texts (candidates).

    Attributes:
        name: The name of the check: letters, digits, ``_``, ``-`` and ``.``.
        cases: The candidates of each example, which is their ``source``: ``[cases][candidates]``.
        expectation: The expectation that judges each candidate.
        expect: The expectation in the form of the stored results: ``{"use": "equals", "label": "positive"}``.
        tests_unchanged: Whether a candidate that changes nothing is tested, as in a minimum functionality test.
        limit: Tolerated fraction of examples with a failing candidate, in [0, 1]; a check without a limit is measured
            but not gated.
        marks: Words by which ``-m`` selects the check.
        capability: The capability of the model that is tested, such as ``negation``.
        type: The test type: minimum functionality (MFT), invariance (INV) or directional (DIR).
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
    """A plugin's object that brings many checks at once, for ``checks: {use: …}`` in a suite.

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
    """A reader for the file format of a published test suite, for ``robustfim import`` and ``checks: {use: released}``.

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
        """Convert a file with another tool's results to the record of a run.

        Raises:
            DataError: The file is missing or malformed.
        """


class Report(Protocol):
    """A writer of one kind of report from the stored results (record) of a run.

    The attribute ``contract``, a :class:`robustfim.contract.ReportContract`, declares when the report is written. If
    the contract sets ``compares``, ``robustfim compare --html`` passes the record of the earlier run as a third
    argument; ``record`` then holds the comparison of the two runs. An HTML report may have ``serve(record, styles,
    scripts)``, which returns the page's text with links to the styles and scripts of a server, given by path;
    ``robustfim explore`` serves it.
    """

    def write(self, record: Record, folder: Path) -> Path:
        """Write the report of a run.

        Args:
            record: The stored results of the run.
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
    """The connection from the main process to one worker process that an engine has started.

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
    """A transport that starts worker processes, carries tasks to them, and carries answers back, all as bytes.

    robustfim does everything else: it chooses and orders the tasks, reuses known answers, and reassigns the tasks of a
    worker that dies. ``close()`` is called after all workers have stopped.
    """

    @property
    def contract(self) -> EngineContract:
        """The contract of the engine: the number of workers to start, and of tasks queued for each worker."""

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
            The links of which :meth:`Link.receive` returns at once.
        """
