"""What nlpaug makes of texts; run by the interpreter of its environment: lists of texts by name, from texts."""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import numpy as np
from nlpaug.augmenter.char import KeyboardAug  # type: ignore[import-not-found]  # in another environment
from nlpaug.augmenter.word import SpellingAug  # type: ignore[import-not-found]  # likewise

if __name__ == "__main__":
    given: dict[str, Any] = json.load(sys.stdin)
    made: dict[str, list[list[str]]] = {}
    spent: dict[str, float] = {}
    for name, augmenter in {"typos": KeyboardAug(), "misspellings": SpellingAug()}.items():
        random.seed(0)
        np.random.seed(0)  # what the library draws by
        started = time.process_time()
        made[name] = [augmenter.augment(text, n=given["most"]) for text in given["texts"]]
        spent[name] = time.process_time() - started
    print(json.dumps({"made": made, "spent": spent}))
