"""What TextAttack's augmenters make of texts; run by an interpreter that has it: lists of texts by name, from texts."""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import numpy as np
from textattack.augmentation import Augmenter, CharSwapAugmenter, WordNetAugmenter
from textattack.transformations import WordSwapChangeNumber, WordSwapContract

if __name__ == "__main__":
    given: dict[str, Any] = json.load(sys.stdin)
    most = given["most"]
    augmenters = {
        "synonyms": WordNetAugmenter(transformations_per_example=most),
        "typos": CharSwapAugmenter(transformations_per_example=most),
        "numbers": Augmenter(WordSwapChangeNumber(), transformations_per_example=most),
        "contractions": Augmenter(WordSwapContract(), transformations_per_example=most),
    }
    made: dict[str, list[list[str]]] = {}
    spent: dict[str, float] = {}
    for name, augmenter in augmenters.items():
        random.seed(0)
        np.random.seed(0)  # what its swaps of letters and numbers draw by
        started = time.process_time()
        made[name] = [augmenter.augment(text) for text in given["texts"]]
        spent[name] = time.process_time() - started
    print(json.dumps({"made": made, "spent": spent}))
