"""What half precision costs in accuracy: λmax and labels in bfloat16 and float16, against float32.

The numbers of a model's small C × C problem are in float64 whatever its precision is; what is lost, is lost in the
weights, the activations and the gradient.
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
    """What a precision loses on one model.

    Attributes:
        model: Its name.
        dtype: The precision.
        source: What the texts are.
        texts: How many.
        undefined: Texts whose λmax is no number in this precision, though it is in float32.
        median: Of the relative error |λ − λ₃₂| / λ₃₂.
        ninetieth: Its 90th percentile.
        largest: Its maximum.
        rho: Spearman's rank correlation of λ and λ₃₂.
        agreement: Share of texts with the label of float32.
        times: Seconds for λmax of all texts, by those of float32.
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
    """Measure the transformer, with a head that is fitted for it, and the tiny BERT that ships.

    Args:
        transformer: A sequence classifier with two labels.
        data: A folder that holds ``rotten_tomatoes/dev.csv``; None for the reviews that ship.
        scratch: An empty folder, for the fitted transformer.
        texts: How many to measure.

    Yields:
        Losses, or for what cannot be measured its name and the reason.
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
        examples: Its texts.
        source: What they are, in words.

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
    exact, half = (np.array(each) for each in values)
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
    """Fit the head of a transformer to the reviews that ship: a random one is unsure of every text.

    Args:
        transformer: A BERT for sequence classification with two labels, negative and positive.
        folder: Where to save it.

    Returns:
        The same with logistic regression on what its pooler gives.

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
