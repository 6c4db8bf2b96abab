"""The model card of a trained model: its training data, its accuracy and its use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.statistics import Rate
from robustfim_steps.made_by import shown

__all__ = ["Source", "card"]

_TITLES = {
    "fasttext": "Bag of words and bigrams (fastText)",
    "cnn": "Convolutional network (Kim-CNN)",
    "lstm": "Bidirectional LSTM",
    "bert": "Tiny BERT",
}
_LICENCES = {
    "rotten_tomatoes": "Pang & Lee 2005, sentence polarity dataset v1.0, CC BY 4.0",
    "movie_reviews": "Pang & Lee 2004, polarity dataset v2.0, CC BY 4.0",
    "counterfactual_imdb": "Kaushik, Hovy & Lipton 2020, counterfactually augmented IMDb reviews, Apache-2.0",
    "oos_eval": "Larson et al. 2019, CLINC150, intents and out-of-scope requests, CC BY 3.0",
}


@dataclass(frozen=True)
class Source:
    """A file used in training: the role, such as ``data`` or ``dev``, and the number of rows."""

    part: str
    path: Path
    rows: int


def card(
    architecture: str, command: str, sources: Sequence[Source], *, labels: Sequence[str], seed: int, correct: int,
    tested: int, epoch: int, parameters: int,
) -> str:  # fmt: skip
    """Return a model card in Markdown. The same training gives the same card.

    Args:
        architecture: The architecture: ``"fasttext"``, ``"cnn"``, ``"lstm"`` or ``"bert"``.
        command: The command that repeats the training.
        sources: The files that training used.
        labels: The labels, in the order of the model's outputs.
        seed: The seed.
        correct: The number of development rows with a right prediction.
        tested: The number of development rows.
        epoch: The epoch whose weights were kept.
        parameters: The number of trained parameters.
    """
    low, high = Rate(correct, tested).ends
    units = "word pieces" if architecture == "bert" else "words"
    table = "\n".join(
        f"| {source.part} | `{shown(source.path)}` | {source.rows:,} | `{_digest(source.path)}` "
        f"| {_LICENCES.get(source.path.parent.name, 'as its owner says')} |"
        for source in sources
    )
    return f"""# {_TITLES[architecture]}

Labels, in the order of the output: {", ".join(f"`{label}`" for label in labels)}. {parameters:,} parameters, stored in
float16 and computed in float32. Trained from scratch by

```
{command}
```

with seed {seed}; the weights of epoch {epoch}, the best on the development data, were kept.

## Accuracy

{correct / tested:.3f} on the development data ({correct:,} of {tested:,} rows; 95 % Wilson interval
{low:.3f}–{high:.3f}).
These rows chose the epoch, so the number leans upward.

## Data

| part | file | rows | SHA-256 | source and licence |
| --- | --- | --- | --- | --- |
{table}

No text is stored with the model, only its vocabulary and weights.

## Intended use

A small model to try robustfim on, and to test it with: it starts in a moment and needs no download. It is meant to be
broken, and is not a choice for decisions about anything that matters.

## Limits

- It knows the words of its training texts, and learned what it knows of their topic and time; elsewhere it guesses.
- Of a long text it reads only the beginning: {units} beyond the limit in `config.json` are cut off.
- Names of people, places and things carry the label they happened to have in the training texts.
"""


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
