"""TextAttack's Attacker on given candidates, in the search that suits its rate best: it asks once for all of them."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

__all__ = ["TextAttackRun", "missing"]


def missing(data: Path | None) -> str | None:
    """Say why TextAttack cannot be measured here, or return None.

    Args:
        data: A folder that may hold ``nltk_data``; TextAttack ends at its import without NLTK's stop words.
    """
    if importlib.util.find_spec("textattack") is None:
        return "textattack is not installed"
    if data is not None and (data / "nltk_data").is_dir():
        os.environ.setdefault("NLTK_DATA", str((data / "nltk_data").resolve()))
    try:
        _textattack()
    except Exception as error:  # it looks for resources on the network, and raises what their libraries raise
        return f"textattack cannot be imported here ({type(error).__name__})"
    return None


class TextAttackRun:
    """An Attacker over source texts, its model loaded once.

    Args:
        folder: A saved sequence classifier.
        pools: Candidates by source text.
        batch: Texts a forward pass; an Attacker never mixes the candidates of two sources.
        pad_to_longest: False keeps TextAttack's own wrapper, which pads each text to the model's whole length;
            True replaces it by one that pads to the longest text of the batch.
    """

    def __init__(self, folder: Path, pools: dict[str, list[str]], batch: int, *, pad_to_longest: bool) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        textattack = _textattack()
        attacked = textattack.shared.AttackedText
        own_wrapper: Any = textattack.models.wrappers.HuggingFaceModelWrapper
        transformation: Any = textattack.transformations.Transformation
        search: Any = textattack.search_methods.SearchMethod

        class PadToLongest(own_wrapper):  # type: ignore[misc]  # TextAttack is untyped
            def __call__(self, texts: Any) -> Any:
                inputs = self.tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
                with torch.no_grad():
                    return self.model(**inputs).logits

        class Listed(transformation):  # type: ignore[misc]  # TextAttack is untyped
            def _get_transformations(self, current_text: Any, indices_to_modify: Any) -> list[Any]:
                return [attacked(text) for text in pools[current_text.text]]

            @property
            def deterministic(self) -> bool:
                return True

        class AskOnce(search):  # type: ignore[misc]  # TextAttack is untyped
            def perform_search(self, initial_result: Any) -> Any:
                results, _ = self.get_goal_results(self.get_transformations(initial_result.attacked_text))
                return max(results, key=lambda each: each.score)

            @property
            def is_black_box(self) -> bool:
                return True

            def check_transformation_compatibility(self, transformation: Any) -> bool:
                return True

        textattack.shared.utils.set_seed(0)
        untyped: Any = AutoTokenizer
        network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
        wrapper = (PadToLongest if pad_to_longest else own_wrapper)(network, untyped.from_pretrained(folder))
        # The gold label is the prediction: no source is skipped as misclassified.
        gold = [int(PadToLongest(network, wrapper.tokenizer)([text]).argmax()) for text in pools]
        self._dataset = textattack.datasets.Dataset(list(zip(pools, gold, strict=True)))
        self._wrapper, self._batch = wrapper, batch
        self._transformation, self._search = Listed(), AskOnce()

    def run(self) -> int:
        """Attack every source, with empty caches.

        Returns:
            The queries made: the candidates, and one a source.
        """
        textattack = _textattack()
        goal = textattack.goal_functions.UntargetedClassification(self._wrapper, model_batch_size=self._batch)
        attack = textattack.Attack(goal, [], self._transformation, self._search)
        arguments = textattack.AttackArgs(num_examples=-1, disable_stdout=True, silent=True)
        results = textattack.Attacker(attack, self._dataset, arguments).attack_dataset()
        return sum(int(result.num_queries) for result in results)


def _textattack() -> Any:
    """Import TextAttack, which is untyped and not among the project's dependencies."""
    return importlib.import_module("textattack")
