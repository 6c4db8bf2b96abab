"""A model that reads long texts window by window: to whoever looks, a model that reads all of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from robustfim.decision import DecisionRule
from robustfim.errors import ModelError, shown
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.parts import ModelPart
from robustfim.roles import Embedded, Span, Tensor
from robustfim.window import windows
from robustfim.words import word_spans

__all__ = ["Windowed", "Windows", "windowed"]

_KEY = "robustfim windows"
"""Under which the windows of a batch stand in the inputs of its embedding."""


@dataclass(frozen=True)
class Windows:
    """How a text is cut into windows, and what is made of their answers.

    Attributes:
        size: Words of a window, ≥ 1.
        stride: Words from one window's beginning to the next's, 1 ≤ stride ≤ size.
        join: ``max``: of each label that is decided for, the window where its probability is highest; ``mean``: the
            mean of the probabilities.
    """

    size: int
    stride: int
    join: Literal["max", "mean"]

    @classmethod
    def read(cls, value: Any, rule: DecisionRule | None) -> Windows:
        """Read what stands under ``windows``.

        Args:
            value: ``{size: 200, stride: 100, join: max}``.
            rule: How the model decides: ``max`` asks for a label.

        Raises:
            ValueError: It is something else.
        """
        form = "{size: 200, stride: 100, join: max|mean}, in words"
        if not isinstance(value, Mapping) or set(value) != {"size", "stride", "join"}:
            raise ValueError(f"'windows' is {form}, not {shown(value)}")
        size, stride, join = value["size"], value["stride"], value["join"]
        for name, number in (("size", size), ("stride", stride)):
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise ValueError(f"'windows.{name}' is a number of words, at least 1, not {shown(number)}")
        if stride > size:
            raise ValueError(f"'windows.stride' {stride} is larger than the size {size}: words between are not read")
        if join not in ("max", "mean"):
            raise ValueError(f"'windows.join' is max or mean, not {shown(join)}")
        if join == "max" and not (rule and rule.targets):
            raise ValueError(
                "'windows.join: max' takes the window where the probability of a label is highest, and the model "
                "decides for none: 'decide: {label: LABEL, at: 0.5}', or 'join: mean'"
            )
        return cls(size, stride, join)

    def cut(self, example: Example) -> list[tuple[Example, str, int]]:
        """Cut an example into windows of the field with the most words; its other fields are in each of them.

        Returns:
            The windows with that field, and where in it each begins; an example without a label that is short enough
            is its only window.
        """
        words = {name: word_spans(text) for name, text in example.fields.items()}
        field = max(words, key=lambda name: len(words[name]))
        text, spans = example.fields[field], words[field]
        if len(spans) <= self.size:
            return [(example, field, 0)]
        cut = []
        for first in range(0, len(spans), self.stride):
            last = first + self.size >= len(spans)
            start, end = spans[first][0] if first else 0, len(text) if last else spans[first + self.size - 1][1]
            cut.append((replace(example, fields={**example.fields, field: text[start:end]}), field, start))
            if last:
                break
        return cut


class Windowed(Wrapper):
    """A model whose answer to a text is made of its answers to the windows of the text.

    The prediction queue asks the model itself about each window, and keeps those answers as such.

    Args:
        wrapped: The model.
        how: How texts are cut, and answers joined.
        rule: The rule that decides; ``max`` takes the windows by its labels.
    """

    def __init__(self, wrapped: Any, how: Windows, rule: DecisionRule | None) -> None:
        super().__init__(wrapped)
        self.how, self.rule = how, rule

    @property
    def fingerprint(self) -> str:
        """That of the model, and how it reads."""
        how, rule = self.how, self.rule
        of = f" of {', '.join(rule.targets)}" if rule is not None and how.join == "max" else ""
        return f"{self.wrapped.fingerprint} in windows of {how.size} words every {how.stride}, {how.join}{of}"

    @property
    def _places(self) -> list[int]:
        """The labels that windows are taken by; none where their mean is."""
        if self.how.join == "mean" or self.rule is None:
            return []
        labels = ModelPart(self.wrapped).labels
        return self.rule.columns(labels)

    def join(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Join the probabilities of windows.

        Args:
            rows: ``[windows, classes]``.

        Returns:
            ``[classes]``: their mean; the row with the highest probability of the label that is decided for; of several
            labels the highest of each.
        """
        if len(rows) == 1:
            return [*rows[0]]
        by_window = np.asarray(rows, dtype=float)
        places = self._places
        if not places:
            joined = by_window.mean(axis=0)
        elif len(places) == 1:
            joined = by_window[by_window[:, places[0]].argmax()]
        else:
            joined = by_window.max(axis=0)
        return cast("list[float]", joined.tolist())

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Return joined probabilities ``[examples, classes]``."""
        cuts = [self.how.cut(example) for example in examples]
        rows = np.asarray(self.wrapped.predict([window for cut in cuts for window, _, _ in cut]))
        ends = np.cumsum([len(cut) for cut in cuts])[:-1]
        return [self.join(part.tolist()) for part in np.split(rows, ends)]

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Tell what is read of examples: all, where the model reads each window whole."""
        cuts = [self.how.cut(example) for example in examples]
        told = windows(self.wrapped, [window for cut in cuts for window, _, _ in cut])
        if told is None:
            return [None] * len(examples)
        read = iter(told)
        joined: list[list[Span] | None] = []
        for cut in cuts:
            parts = [(window, field, start, next(read)) for window, field, start in cut]
            if all(own is None for *_, own in parts):
                joined.append(None)
                continue
            spans: list[Span] = []
            for window, field, start, own in parts:
                whole = [(name, 0, len(text)) for name, text in window.fields.items()]
                for name, first, last in whole if own is None else own.parts:
                    moved = start if name == field else 0
                    spans.append((name, first + moved, min(last, len(window.fields[name])) + moved))
            joined.append(spans)
        return joined


@dataclass(frozen=True)
class _Batch:
    """The windows of a batch of examples, embedded, and how their tokens are those of the examples.

    Attributes:
        embedded: The windows, ``[windows, …]``.
        owners: Which example each window is of, ``[windows]``.
        sources: For each token of each example its place among all tokens of all windows, ``[examples, tokens]``.
        targets: For each token of each window its place among all tokens of all examples, ``[windows, tokens]``.
    """

    embedded: Embedded
    owners: list[int]
    sources: Any
    targets: Any


class _Differentiable(Windowed):
    """One with gradients: a token that two windows read alike is one token, through both."""

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch ``[batch]``, each token once."""
        from array_api_compat import array_namespace, device

        cuts = [self.how.cut(example) for example in examples]
        owners = [row for row, cut in enumerate(cuts) for _ in cut]
        places = [(field, start) for cut in cuts for _, field, start in cut]
        inner: Embedded = self.wrapped.embed([window for cut in cuts for window, _, _ in cut])
        xp = array_namespace(inner.embeddings)
        number, length, dims = inner.embeddings.shape
        flat = xp.reshape(inner.embeddings, (number * length, dims))
        mask, special = (each.tolist() for each in (inner.mask, inner.special))
        values = np.asarray(flat.detach().cpu() if hasattr(flat, "detach") else flat)
        known: list[dict[Any, int]] = [{} for _ in examples]
        targets = np.zeros((number, length), dtype=np.int64)
        tokens: list[list[tuple[int, Span, bool]]] = [[] for _ in examples]
        for window, (owner, (field, start)) in enumerate(zip(owners, places, strict=True)):
            times: dict[Any, int] = {}
            spans = inner.spans[window]  # which a model may cut anew whenever they are asked for
            for token in range(length):
                if not mask[window][token]:
                    continue
                source, span = window * length + token, spans[token]
                if span is not None and span[0] == field:
                    span = (field, span[1] + start, span[2] + start)
                times[span] = times.get(span, 0) + 1
                key: Any = (span, times[span])
                place = known[owner].get(key)
                if span is None or special[window][token]:
                    place, key = None, (window, token)
                elif place is not None and not np.array_equal(values[tokens[owner][place][0]], values[source]):
                    place, key = None, (window, token)  # the edge of a window cuts a word into other pieces
                if place is None:
                    place = known[owner][key] = len(tokens[owner])
                    tokens[owner].append((source, span, special[window][token]))
                targets[window, token] = place
        longest = max(map(len, tokens), default=0)
        targets += np.asarray(owners, dtype=np.int64)[:, None] * longest
        rows = [own + [None] * (longest - len(own)) for own in tokens]
        sources = np.array([[0 if each is None else each[0] for each in own] for own in rows], dtype=np.int64)
        there = [[each is not None for each in own] for own in rows]
        on = {"device": device(inner.mask)}
        full = _taken(flat, sources) * xp.astype(xp.asarray(there, device=device(flat)), flat.dtype)[..., None]
        named = array_namespace(inner.mask)
        return Embedded(
            full,
            named.asarray(there, **on),
            named.asarray([[each is not None and each[2] for each in own] for own in rows], **on),
            [[None if each is None else each[1] for each in own] for own in rows],
            {_KEY: _Batch(inner, owners, sources, targets)},
        )

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings to logits ``[batch, classes]`` whose probabilities are the joined ones."""
        from array_api_compat import array_namespace

        batch: _Batch = embedded.inputs[_KEY]
        xp: Any = array_namespace(embeddings)
        logits = self.wrapped.logits(self._split(embeddings, batch), batch.embedded)
        joined = []
        for row in range(embeddings.shape[0]):
            own = logits[[place for place, owner in enumerate(batch.owners) if owner == row]]
            joined.append(self._joined(own, xp))
        return cast(Tensor, xp.stack(joined, axis=0))

    def _split(self, embeddings: Any, batch: _Batch) -> Any:
        """The embeddings of windows, ``[windows, tokens, dims]``, made of those of examples."""
        from array_api_compat import array_namespace

        xp = array_namespace(embeddings)
        flat = xp.reshape(embeddings, (-1, embeddings.shape[-1]))
        return xp.where(batch.embedded.mask[..., None], _taken(flat, batch.targets), batch.embedded.embeddings)

    def _joined(self, logits: Any, xp: Any) -> Any:
        """Join logits ``[windows, classes]``."""
        if logits.shape[0] == 1:
            return logits[0]
        alone, places = ModelPart(self.wrapped).contract.several, self._places
        if len(places) > 1 and not alone:
            raise ModelError(
                "'windows.join: max' of several labels whose probabilities sum to 1 has no gradients: 'join: mean' has."
            )
        if len(places) > 1:
            return xp.max(logits, axis=0)
        likely = _log_sigmoid(logits, xp) if alone else logits - _log_sum(logits, xp)[..., None]
        if places:
            return logits[int(xp.argmax(likely[:, places[0]]))]
        mean = _log_sum(likely.T, xp)
        if alone:  # back to the logit of each: log p − log(1 − p), the latter from −z
            return mean - _log_sum(_log_sigmoid(-logits, xp).T, xp)
        return mean


class _InClosedForm(_Differentiable):
    """One that differentiates itself."""

    def jacobian(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return the derivative of the joined logits, ``[batch, classes, tokens, dims]``."""
        batch: _Batch = embedded.inputs[_KEY]
        split = self._split(embeddings, batch)
        logits = np.asarray(self.wrapped.logits(split, batch.embedded))
        inner = np.asarray(self.wrapped.jacobian(split, batch.embedded))
        examples, tokens, dims = embeddings.shape
        classes = logits.shape[1]
        gradients = np.zeros((classes, examples * tokens, dims))
        for row in range(examples):
            own = [place for place, owner in enumerate(batch.owners) if owner == row]
            shares = self._shares(logits[own])  # ∂ joined_k / ∂ z_cj, [windows, classes, classes]
            for place, share in zip(own, shares, strict=True):
                here = np.asarray(batch.embedded.mask[place], dtype=bool)
                moved = np.einsum("kj,jtd->ktd", share, inner[place])[:, here]
                gradients[:, batch.targets[place][here]] += moved  # no token twice in a window
        return gradients.reshape(classes, examples, tokens, dims).swapaxes(0, 1)

    def _shares(self, logits: Any) -> Any:
        """How the joined logits of an example move with those of its windows."""
        number, classes = logits.shape
        even = np.eye(classes)
        if number == 1:
            return even[None]
        alone, places = ModelPart(self.wrapped).contract.several, self._places
        self._joined(logits, np)  # which refuses what has no gradients
        if len(places) > 1:
            return np.stack([even * (logits.argmax(axis=0) == row) for row in range(number)])
        p = 1 / (1 + np.exp(-logits)) if alone else np.exp(logits - _log_sum(logits, np)[:, None])
        if places:
            return np.stack([even * float(row == p[:, places[0]].argmax()) for row in range(number)])
        mean = p.mean(axis=0)
        if alone:
            return np.stack([np.diag(each * (1 - each) / (number * mean * (1 - mean))) for each in p])
        return np.stack([(np.diag(each) - np.outer(each, each)) / (number * mean[:, None]) for each in p])


def _taken(flat: Any, index: Any) -> Any:
    """Rows of ``[rows, dims]``, in the shape of the index, differentiably."""
    from array_api_compat import array_namespace, device

    xp = array_namespace(flat)
    taken = xp.take(flat, xp.asarray(index.reshape(-1), device=device(flat)), axis=0)
    return xp.reshape(taken, (*index.shape, flat.shape[-1]))


def _log_sum(values: Any, xp: Any) -> Any:
    """Log Σ exp over the last axis."""
    most = xp.max(values, axis=-1, keepdims=True)
    return most[..., 0] + xp.log(xp.sum(xp.exp(values - most), axis=-1))


def _log_sigmoid(values: Any, xp: Any) -> Any:
    """Log σ(z) = −log(1 + exp(−z)), without overflow."""
    return -_log_sum(xp.stack([xp.zeros_like(values), -values], axis=-1), xp)


def windowed(model: Any, how: Windows, rule: DecisionRule | None) -> Windowed:
    """Let a model read window by window.

    Args:
        model: A model with labels.
        how: How texts are cut, and answers joined.
        rule: The rule that decides.
    """
    if not all(callable(getattr(model, name, None)) for name in ("embed", "logits")):
        return Windowed(model, how, rule)
    return (_InClosedForm if callable(getattr(model, "jacobian", None)) else _Differentiable)(model, how, rule)
