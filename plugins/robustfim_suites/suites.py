"""The formats of released suites, with the columns of their files."""

from __future__ import annotations

from dataclasses import replace

from robustfim.errors import UsageError, shown, suggestions
from robustfim_suites.columns import Columns
from robustfim_suites.reader import ReleasedSuite

__all__ = [
    "AdversarialGlue",
    "AdversarialNli",
    "ContrastBoolq",
    "ContrastSets",
    "CounterfactualNli",
    "CounterfactualReviews",
    "Hans",
    "HateCheck",
    "Paws",
]

_NLI = ("entailment", "neutral", "contradiction")
_TWO = ("entailment", "not_entailment")
_SENTENCES = {"premise": "sentence1", "hypothesis": "sentence2"}
_REVIEWS = {text: text.lower() for text in ("Negative", "Positive", "negative", "positive")}
_CONTRAST = "Contrast sets (Gardner et al., Findings of EMNLP 2020)"
_COUNTERFACTUAL = "Counterfactually augmented data (Kaushik et al., ICLR 2020)"
_UNSTATED = "not stated in the release; ask its authors"


class HateCheck(ReleasedSuite):
    """HateCheck's test cases (Röttger et al., ACL 2021), or Multilingual HateCheck's (Röttger et al. 2022).

    There is one check for each functionality (kind of test), in which each case must get its label. A second check has
    pairs of a case and the case from which it was made: the label must stay if both labels are equal, and change if
    they differ. The file is ``hatecheck_test_suite_cases.csv``, or the file of another language.
    """

    columns = Columns(
        title="HateCheck (Röttger et al., ACL 2021; multilingual: WOAH 2022)",
        licence="CC BY 4.0",
        form="csv",
        fields={"text": "test_case"},
        gold="label_gold",
        labels={"hateful": "hateful", "non-hateful": "non-hateful"},
        needs=("functionality", "target_ident", "ref_case_id", "templ_id"),
        keep=("functionality", "target_ident", "templ_id"),
        slice_by=("target_ident",),
        cluster=("templ_id", "case_id", "mhc_case_id"),
        checks=("functionality",),
        capability="functionality",
        marks_label=True,
        id=("case_id", "mhc_case_id"),
        reference="ref_case_id",
    )


class Hans(ReleasedSuite):
    """HANS (McCoy et al., ACL 2019): premises whose words, their order or a part of them make up the hypothesis.

    There is one check for each heuristic and label of ``heuristics_evaluation_set.txt``. As in
    ``evaluate_heur_output.py``, a model's labels neutral and contradiction both count as ``non-entailment``.
    """

    columns = Columns(
        title="HANS (McCoy et al., ACL 2019)",
        licence="MIT",
        form="plain tsv",
        fields=_SENTENCES,
        gold="gold_label",
        labels={"entailment": "entailment", "non-entailment": "non-entailment"},
        needs=("heuristic", "subcase", "template"),
        keep=("heuristic", "subcase", "template"),
        slice_by=("heuristic", "subcase"),
        cluster=("template",),
        checks=("heuristic", "gold_label"),
        capability="heuristic",
    )


class Paws(ReleasedSuite):
    """PAWS (Zhang et al., NAACL 2019): pairs of sentences with the same words, of which some mean the same.

    There is one check for each label (no paraphrase, paraphrase) of ``test.tsv`` or ``dev.tsv``.
    """

    columns = Columns(
        title="PAWS (Zhang et al., NAACL 2019)",
        licence="free for any purpose, with acknowledgement of Google LLC as the source",
        form="plain tsv",
        fields={"sentence1": "sentence1", "sentence2": "sentence2"},
        gold="label",
        labels={"0": "different", "1": "paraphrase"},
    )


class AdversarialNli(ReleasedSuite):
    """Adversarial NLI (Nie et al., ACL 2020): hypotheses that people wrote until a model was wrong.

    There is one check for each label. Import the file of each round, such as ``R1/test.jsonl``.
    """

    columns = Columns(
        title="Adversarial NLI (Nie et al., ACL 2020)",
        licence="CC BY-NC 4.0",
        form="jsonl",
        fields={"premise": "context", "hypothesis": "hypothesis"},
        gold="label",
        labels={"e": "entailment", "n": "neutral", "c": "contradiction"},
        keep=("genre", "model_label"),
        slice_by=("genre",),
    )


_GLUE = Columns(
    title="AdvGLUE (Wang et al., NeurIPS 2021)",
    licence="CC BY-SA 4.0",
    form="json",
    fields={},
    gold="label",
    labels={},
    keep=("method", "data_construction"),
    slice_by=("method", "data_construction"),
    checks=("method",),
    original="original_",
)
_TASKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sst2": (("sentence",), ("negative", "positive")),
    "qqp": (("question1", "question2"), ("not_duplicate", "duplicate")),
    "mnli": (("premise", "hypothesis"), _NLI),
    "mnli-mm": (("premise", "hypothesis"), _NLI),
    "qnli": (("question", "sentence"), _TWO),
    "rte": (("sentence1", "sentence2"), _TWO),
}
"""The fields and labels of each task."""


class AdversarialGlue(ReleasedSuite):
    """AdvGLUE (Wang et al., NeurIPS 2021): GLUE's examples, changed by attacks and by people until models were wrong.

    There is one check for the task, from ``dev.json`` or the annotated test file. If the file names the method of each
    change, there is one check for each method instead. If the file has the originals, another check requires that the
    label stays.

    Args:
        task: The task: sst2, qqp, mnli, mnli-mm, qnli or rte.
    """

    columns = _GLUE  # until a task is named

    def __init__(self, task: str) -> None:
        if task not in _TASKS:
            raise UsageError(f"unknown task {shown(task)}.{suggestions(task, _TASKS, 'There are')}")
        fields, labels = _TASKS[task]
        numbered = {str(number): label for number, label in enumerate(labels)}
        self.columns = replace(_GLUE, at=task, fields=dict(zip(fields, fields, strict=True)), labels=numbered)


class ContrastSets(ReleasedSuite):
    """The contrast sets of IMDb: two files, in which rows with the same number belong together.

    Name ``test_original.tsv`` or ``dev_original.tsv``; the file with ``contrast`` in its name must be beside it.
    """

    columns = Columns(
        title=f"{_CONTRAST}: IMDb",
        licence=_UNSTATED,
        form="tsv",
        fields={"text": "Text"},
        gold="Sentiment",
        labels=_REVIEWS,
        beside=lambda path: (path, path.with_name(path.name.replace("original", "contrast"))),
        file="the file of the originals, test_original.tsv; test_contrast.tsv beside it",
    )


class ContrastBoolq(ReleasedSuite):
    """The contrast sets of BoolQ: further questions about one paragraph, with the same or the opposite answer.

    In ``consistency``, a question and all questions made of it form one set. The file is ``boolq_perturbed.json``.
    Entries without a true or false answer are left out.
    """

    columns = Columns(
        title=f"{_CONTRAST}: BoolQ",
        licence=_UNSTATED,
        form="json",
        fields={"question": "question", "passage": "paragraph"},
        gold="answer",
        labels={"FALSE": "false", "TRUE": "true"},
        some_rows=True,
        times=0,
        at="data",
        inner=("perturbed_questions", {"question": "perturbed_q", "answer": "answer"}),
    )


class CounterfactualReviews(ReleasedSuite):
    """Film reviews, each with a version that people rewrote so that the label changes; ``batch_id`` names a pair.

    The published file does not mark the original of a pair, so the first row counts as the original. The file is, for
    example, ``sentiment/combined/paired/test_paired.tsv``.
    """

    columns = Columns(
        title=f"{_COUNTERFACTUAL}: IMDb",
        licence="Apache-2.0",
        form="tsv",
        fields={"text": "Text"},
        gold="Sentiment",
        labels=_REVIEWS,
        needs=("batch_id",),
        group="batch_id",
    )


class CounterfactualNli(ReleasedSuite):
    """Premises or hypotheses, and versions that people rewrote: for each original one text for each other label.

    Name ``NLI/revised_premise/test.tsv`` or ``NLI/revised_hypothesis/test.tsv``. The originals are in ``NLI/original``.
    """

    columns = Columns(
        title=f"{_COUNTERFACTUAL}: SNLI",
        licence="Apache-2.0",
        form="tsv",
        fields=_SENTENCES,
        gold="gold_label",
        labels={label: label for label in _NLI},
        beside=lambda path: (path.parent.parent / "original" / path.name, path),
        times=2,
        file="a file of revised_premise or revised_hypothesis",
    )
