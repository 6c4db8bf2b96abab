"""Measures how much accuracy λmax and labels lose in bfloat16 and float16, compared with float32.

The eigenvalue of a model's C × C problem, for C classes, is computed in float64 in every precision. Accuracy is lost in
the weights, the activations and the gradient only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

import robustfim_reference
from benchmarks.texts import sources
from benchmarks.timing import seconds
from benchmarks.transformer import Transformer
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_reference.bundled import Reviews

__all__ = ["DTYPES", "Loss", "fitted", "loss", "losses"]

Dtype: TypeAlias = Literal["bfloat16", "float16"]
DTYPES: tuple[Dtype, ...] = ("bfloat16", "float16")


@dataclass(frozen=True)
class Loss:
    """The loss of accuracy of one model in a precision lower than float32.

    λ is λmax in the lower precision, λ₃₂ is λmax in float32.

    Attributes:
        model: The model's name.
        dtype: The precision.
        source: The source of the texts, in words.
        texts: The number of texts.
        undefined: The number of texts whose λmax is not a number in this precision, but is one in float32.
        median: The median of the relative error |λ − λ₃₂| / λ₃₂.
        ninetieth: The 90th percentile of the relative error.
        largest: The largest relative error.
        rho: Spearman's rank correlation of λ and λ₃₂.
        agreement: The fraction of texts with the same label as in float32.
        times: The time for λmax of all texts, divided by the time in float32.
    """

    model: str
    dtype: str
    source: str
    texts: int
    undefined: int
    median: float
    ninetieth: float
    largest: float
    rho: float
    agreement: float
    times: float


def losses(
    transformer: Transformer, data: Path | None, scratch: Path, *, texts: int
) -> Iterator[Loss | tuple[str, str]]:
    """Measure the transformer, with a fitted head, and the shipped tiny BERT.

    Args:
        transformer: A sequence classifier with two labels.
        data: A folder that holds ``rotten_tomatoes/dev.csv``; None for the shipped reviews.
        scratch: An empty folder for the fitted transformer.
        texts: The number of texts to measure.

    Yields:
        The loss for each model and precision, or the name of what cannot be measured and the reason.
    """
    source, found = sources(data)
    examples = [Example({"text": text}) for text in found[:texts]]
    try:
        models = [fitted(transformer, scratch)]
    except ModuleNotFoundError as error:
        models = [transformer]
        yield f"{transformer.name}, a fitted head", f"{error.name} is not installed"
    models.append(Transformer("reference/bert", Path(robustfim_reference.__file__).parent / "weights" / "bert"))
    for model in models:
        for dtype in DTYPES:
            try:
                yield loss(model, dtype, examples, source)
            except (RobustfimError, RuntimeError) as error:
                yield f"{model.name}, {dtype}", str(error)


def loss(transformer: Transformer, dtype: Dtype, examples: Sequence[Example], source: str) -> Loss:
    """Measure one model in one precision.

    Args:
        transformer: A sequence classifier.
        dtype: The precision.
        examples: The texts.
        source: The source of the texts, in words.

    Raises:
        RobustfimError: The model cannot be loaded.
        RuntimeError: The processor cannot compute in this precision.
    """
    from scipy.stats import spearmanr

    models = [SequenceClassifier(transformer.folder, device="cpu", dtype=each) for each in ("float32", dtype)]
    labels = [model.predict(examples).argmax(1) for model in models]
    values: list[Any] = []
    times = [
        seconds(lambda: values.append([point.lambda_max for point in FisherGeometry(model).at(examples)]))  # noqa: B023  # called at once
        for model in models
    ]
    exact, half = (np.array(value) for value in values)
    usable = np.array([isfinite(each) and each > 0 for each in exact])
    defined = usable & np.isfinite(half)
    errors = np.abs(half[defined] - exact[defined]) / exact[defined]
    return Loss(
        model=transformer.name,
        dtype=dtype,
        source=source,
        texts=len(examples),
        undefined=int((usable & ~defined).sum()),
        median=float(np.median(errors)),
        ninetieth=float(np.quantile(errors, 0.9)),
        largest=float(errors.max()),
        rho=float(spearmanr(exact[defined], half[defined]).statistic),
        agreement=float((labels[0] == labels[1]).mean()),
        times=times[1] / times[0],
    )


def fitted(transformer: Transformer, folder: Path) -> Transformer:
    """Fit the head of a transformer to the shipped reviews, since a random head is unsure of every text.

    Args:
        transformer: A BERT for sequence classification with two labels, negative and positive.
        folder: The folder to which the fitted transformer is saved.

    Returns:
        The transformer with a new head: logistic regression on the output of its pooler.

    Raises:
        ModuleNotFoundError: scikit-learn is not installed.
    """
    import torch
    from sklearn.linear_model import LogisticRegression
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    untyped: Any = AutoTokenizer
    tokenizer, network = untyped.from_pretrained(transformer.folder), AutoModelForSequenceClassification
    model: Any = network.from_pretrained(transformer.folder).eval()
    reviews = list(Reviews().load())
    rows = []
    for start in range(0, len(reviews), 32):
        texts = [example.text for example in reviews[start : start + 32]]
        encoded = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            rows.append(model.base_model(**encoded).pooler_output)
    features = torch.cat(rows).double()
    mean, deviation = features.mean(0), features.std(0)
    positive = [review.label == "positive" for review in reviews]
    head = LogisticRegression(max_iter=2000).fit(((features - mean) / deviation).numpy(), positive)
    # z₁ − z₀ = w·(f − mean) / deviation + b, shared out evenly.
    weight = torch.from_numpy(head.coef_[0]) / deviation / 2
    bias = float(head.intercept_[0]) / 2 - weight @ mean
    with torch.no_grad():
        model.classifier.weight.copy_(torch.stack([-weight, weight]))
        model.classifier.bias.copy_(torch.stack([-bias, bias]))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    name = transformer.name.replace("a random head", "a fitted head")
    return Transformer(name if name != transformer.name else f"{transformer.name}, a fitted head", folder)
