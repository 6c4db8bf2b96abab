"""The job in LangTest; run by the interpreter of its environment, in the folder with the texts."""

from __future__ import annotations

import csv
from pathlib import Path

from fitted import fitted, rows  # type: ignore[import-not-found]  # copied beside the texts
from langtest import Harness  # type: ignore[import-not-found]  # in another environment

TESTS = ("uppercase", "lowercase", "titlecase", "add_typo", "strip_punctuation")


class Model:
    """The model in the form that LangTest expects of a custom model."""

    def __init__(self) -> None:
        self.pipeline = fitted()

    def predict(self, text: str) -> str:
        """Return the label of a text."""
        return str(self.pipeline.predict([text])[0])


if __name__ == "__main__":
    with Path("langtest.csv").open("w", encoding="utf-8", newline="") as file:
        # It reads labels as Python's literals.
        csv.writer(file).writerows([["text", "label"], *([row["text"], repr(row["label"])] for row in rows())])
    harness = Harness(
        task="text-classification",
        model={"model": Model(), "hub": "custom"},
        data={"data_source": "langtest.csv"},
        config={
            "tests": {
                "defaults": {"min_pass_rate": 0.0},
                "robustness": {name: {"min_pass_rate": 0.0} for name in TESTS},
            }
        },
    )
    harness.generate().run()
    results = harness.generated_results()
    print(results.groupby("test_type")["pass"].agg(["count", "mean"]))
    Path("langtest.txt").write_text(str(len(results)), encoding="utf-8")
