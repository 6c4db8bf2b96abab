"""What LangTest makes of texts; run by the interpreter of its environment: lists of texts by name, from texts."""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from langtest.transform.constants import A2B_DICT  # type: ignore[import-not-found]  # in another environment
from langtest.transform.robustness import BaseRobustness  # type: ignore[import-not-found]  # likewise
from langtest.utils.custom_types import SequenceClassificationSample  # type: ignore[import-not-found]  # likewise

TESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "synonyms": ("adjective_synonym_swap", {}),
    "antonyms": ("adjective_antonym_swap", {}),
    "typos": ("add_typo", {}),
    "contractions": ("add_contraction", {}),
    "slang": ("add_slangs", {}),
    "homophones": ("dyslexia_word_swap", {}),
    "spelling": ("american_to_british", {"accent_map": A2B_DICT}),
    "abbreviations": ("add_abbreviation", {}),
}

if __name__ == "__main__":
    given: dict[str, Any] = json.load(sys.stdin)
    made: dict[str, list[list[str]]] = {}
    spent: dict[str, float] = {}
    for name, (test, options) in TESTS.items():
        random.seed(0)
        started = time.process_time()
        pools: list[list[str]] = [[] for _ in given["texts"]]
        for _ in range(given["most"]):  # it makes one text of each
            samples = [SequenceClassificationSample(original=text) for text in given["texts"]]
            for pool, sample in zip(pools, BaseRobustness.test_types[test].transform(samples, **options), strict=True):
                pool.append(sample.test_case or "")
        made[name], spent[name] = pools, time.process_time() - started
    print(json.dumps({"made": made, "spent": spent}))
