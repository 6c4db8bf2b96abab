"""Difficulty for a model beside difficulty for people: cases of Multilingual HateCheck where annotators disagreed.

``python -m benchmarks.human --data FOLDER`` writes the result. No classifier of hate in these
languages can be had without a hub: one is trained on half of the templates and asked about the other half.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.csv_files import read_rows, write_rows
from benchmarks.sections import data_folder, table, write_results
from benchmarks.studies import run_robustfim
from robustfim.seeds import random_for

__all__ = ["LANGUAGES", "measure", "section"]

LANGUAGES = {"German": "hatecheck_german", "French": "hatecheck_french_half", "Spanish": "hatecheck_spanish_half"}
_SUITE = """suite: human
model: {use: reference/fasttext, path: MODEL}
data: {use: csv, path: asked.csv}
checks: {case: {perturb: case, limit: 1}}
"""


def measure(data: Path, language: str, scratch: Path) -> list[str]:
    """Train a model on half of the templates, and compare its difficulty with people's on the other half.

    Args:
        data: The folder that holds ``suites/hatecheck_….csv``.
        language: A key of ``LANGUAGES``.
        scratch: A folder for the trained model.

    Returns:
        The cells of the language's row in the table.
    """
    rows = [row for row in read_rows(data / "suites" / f"{LANGUAGES[language]}.csv") if row["test_case"].strip()]
    templates = sorted({row["templ_id"] for row in rows})
    random_for(0, "templates", language).shuffle(templates)
    sixth = len(templates) // 6
    parts = {"train": templates[: 2 * sixth], "dev": templates[2 * sixth : 3 * sixth], "asked": templates[3 * sixth :]}
    place = dict[str, str]()
    for name, own in parts.items():
        head = ["text", "label", "cluster", "disagreement"]
        kept = (
            [row["test_case"], row["label_gold"], row["templ_id"], row["disagreement_in_case"]]
            for row in rows
            if row["templ_id"] in set(own)
        )
        place[name] = str(write_rows(scratch / f"{name}.csv", head, kept))
    run_robustfim("train", "fasttext", "--data", place["train"], "--dev", place["dev"], "--out", str(scratch / "model"))
    suite = scratch / "human.yaml"
    suite.write_text(_SUITE.replace("MODEL", str(scratch / "model")), encoding="utf-8")
    run_robustfim("study", "human", str(suite), "--column", "disagreement", "--reports", str(scratch), "--no-store")
    found = json.loads((scratch / "human" / "study-human.json").read_text(encoding="utf-8"))["results"]
    cells = [_shown(score["area"]) for score in found["scores"]]
    return [language, f"{found['hard']} of {found['said']:,}", *cells]


def _shown(estimate: dict[str, object]) -> str:
    ends = estimate["interval"]
    sentence = "" if not isinstance(ends, list) else f" [{ends[0]:.2f}, {ends[1]:.2f}]"
    return f"{estimate['value']:.2f}{sentence}"


def section(rows: list[list[str]]) -> str:
    """Write the results as a section of Markdown."""
    sentence = (
        "`robustfim study human` on Multilingual HateCheck: how well λmax, the distance to the boundary and the margin "
        "of fastText find the cases on which annotators disagreed (AUROC, 0.5 is chance; 95 % bootstrap intervals over "
        "cases). The model is trained on a third of the templates of each language, stops by a sixth, and is asked "
        "about the other half, since no classifier of hate in these languages is at hand without a hub. The papers "
        "have no such number. Written by `python -m benchmarks.human --data FOLDER`."
    )
    head = ["language", "cases with disagreement", "λmax", "boundary", "margin"]
    return "\n\n".join(["## Difficulty for people", sentence, table(head, rows)])


def main() -> None:
    """Measure all languages, and write the section of results."""
    data = data_folder(__doc__)
    rows = []
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as scratch:
            rows.append(measure(data, language, Path(scratch)))
            print(rows[-1], flush=True)
    write_results(section(rows))


if __name__ == "__main__":
    main()
