"""``robustfim study``: the commands of the experiments. Each prints a table and writes a record and a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import COUNT, POSITIVE, Chosen
from robustfim_study.group import StudyGroup
from robustfim_study.published import beside_paper
from robustfim_study.suite_options import EXAMPLES, of_a_suite

if TYPE_CHECKING:
    from robustfim.record import Study
    from robustfim_study.sample_run import SampleRun

__all__ = ["accuracy", "agreement", "command", "contrast", "human", "resilience", "scorers"]


@click.group(name="study", cls=StudyGroup)
def command() -> None:
    """Measure what predicts failures: the papers' experiments, on your model and data.

    Each experiment prints a table and writes reports/SUITE/study-NAME.json and .html; with --csv
    and --latex its tables for a paper.
    """


@command.command(epilog="Example: robustfim study scorers suites/sentiment.yaml --examples 60")
@click.option("--score", "scores", multiple=True, metavar="NAME",
              help="Measure this score, too; may be repeated. 'robustfim plugins' lists them.")  # fmt: skip
@EXAMPLES
@of_a_suite
def scorers(suite: Path, scores: Sequence[str], examples: int, chosen: Chosen) -> Study:
    """Find out which score best predicts the failures of SUITE.

    The suite's checks are run on a random sample, and every score is judged by how well it ranks the examples that
    fail: AUROC, Spearman's and Pearson's correlation with bootstrap intervals, and failures found per 100 calls by
    decile, beside those of a random choice.
    """
    from robustfim_study.scorers import DEFAULT_SCORES, scorers_study

    sample = _sample_run(suite, chosen, examples, [*scores], DEFAULT_SCORES)
    return scorers_study(sample)


@command.command(epilog="Example: robustfim study resilience suites/sentiment.yaml --candidates 5")
@click.option("--checks", type=click.Choice(["substitutions", "suite"]), default="substitutions", show_default=True,
              help="Nearest neighbours, random words and synonyms in place of 10 % of the words, as published; or the "
              "suite's own checks.")  # fmt: skip
@click.option("--candidates", type=COUNT, default=20, show_default=True,
              help="Candidates an example of each substitution.")  # fmt: skip
@click.option("--paper", is_flag=True,
              help="Print the published numbers beside yours, and list how the two experiments differ.")  # fmt: skip
@EXAMPLES
@of_a_suite
def resilience(suite: Path, checks: str, candidates: int, paper: bool, examples: int, chosen: Chosen) -> Study:
    """Correlate log λmax with how little it takes to change a label.

    With the share of candidates that change the label, under substitutions of words or under each check of SUITE (a
    guided order becomes a random one), and with the smallest step in embedding space that does.
    """
    from robustfim_study.resilience import SCORES, resilience_study, substitutions

    own = substitutions(candidates) if checks == "substitutions" else None
    plain = {"order": "random", "search": None}
    sample = _sample_run(
        suite, chosen, examples, [], SCORES, check_options=plain, checks=own, needs=SCORES, study="'study resilience'"
    )
    study = resilience_study(sample)
    return beside_paper(study, "resilience") if paper else study


@command.command(epilog="Example: robustfim study accuracy suites/sentiment.yaml --by margin")
@click.option("--by", default="fisher", show_default=True, metavar="NAME", help="The score that says what is hard.")
@click.option("--norm", default=1.0, show_default=True, type=POSITIVE,
              help="Norm of the longest step along the eigenvector, in units of the embedding.")  # fmt: skip
@EXAMPLES
@of_a_suite
def accuracy(suite: Path, by: str, norm: float, examples: int, chosen: Chosen) -> Study:
    """Compare the accuracy of the easiest and hardest examples of SUITE when they are perturbed.

    By the suite's checks, against the number of examples; and by steps along the top eigenvector of the Fisher
    information, and along a random direction, against their norm.
    """
    from robustfim_study.accuracy import RANDOM, STEPS, accuracy_study, step_check

    norms = [norm * step / 10 for step in range(1, 11)]
    added = {STEPS: step_check(norms), RANDOM: step_check(norms, "random")}
    sample = _sample_run(
        suite, chosen, examples, [by], (), added=added, steps=True, needs=[by], gold=True, study="'study accuracy'"
    )
    return accuracy_study(sample, by=by)


@command.command(
    epilog="Example: robustfim study contrast suites/sentiment.yaml --data use=csv --data path=edits.csv --pair pair",
)
@click.option("--pair", required=True, metavar="COLUMN", help="Column that the rows of a pair share.")
@click.option("--role", metavar="COLUMN", help="Column that tells the original of a pair; without it, the first row.")
@click.option(
    "--original", default="original", show_default=True, metavar="VALUE", help="Value of originals in --role."
)
@click.option("--score", default="fisher", show_default=True, metavar="NAME", help="The score that is compared.")
@click.option("--paper", type=click.Choice(["counterfactual", "contrast-sets"]),
              help="Print the published numbers for edits of this kind beside yours, and list how the two experiments "
              "differ.")  # fmt: skip
@of_a_suite
def contrast(
    suite: Path, pair: str, role: str | None, original: str, score: str, paper: str | None, chosen: Chosen
) -> Study:  # fmt: skip
    """Compare the difficulty of originals with that of their contrast or counterfactual edits.

    The data of SUITE, or those of --data, have a column that tells which rows belong together.
    """
    from robustfim.errors import UsageError
    from robustfim_study.contrast import contrast_study, paired
    from robustfim_study.scoring import score_suite

    if paper and score != "fisher":
        raise UsageError(f"--paper has published numbers of λmax only, not of {score!r}: use '--score fisher'.")
    scored = score_suite(chosen, suite, score=score, look=lambda examples: paired(examples, pair, role, original))[0]
    study = contrast_study(scored, score=score, pair=pair, role=role, original=original)
    return beside_paper(study, paper) if paper else study


@command.command(epilog="Example: robustfim study agreement suites/sentiment.yaml --against reference/lstm")
@click.option("--against", multiple=True, metavar="MODEL", help="Another model: its name, or '{use: NAME, path: …}'; "
              "may be repeated. A suite with 'models' needs none.")  # fmt: skip
@click.option("--score", default="fisher", show_default=True, metavar="NAME", help="The score that is compared.")
@of_a_suite
def agreement(suite: Path, against: Sequence[str], score: str, chosen: Chosen) -> Study:
    """Find out whether several models find the same examples of SUITE difficult."""
    from robustfim.errors import UsageError
    from robustfim_study.agreement import agreement_study
    from robustfim_study.scoring import named_apart, named_model, score_suite

    others = [named_model(each) for each in against]
    if len(others) + len(chosen.suite(suite).data.get("models", [None])) < 2:
        raise UsageError("agreement needs two models or more: name others with --against, or 'models' in the suite.")
    scored = score_suite(chosen, suite, score=score, others=others)
    return agreement_study(named_apart(scored), score=score)


@command.command(
    epilog="Example: robustfim study human suites/hate.yaml --column disagreement_in_case",
)
@click.option("--column", required=True, metavar="COLUMN",
              help="A measure of difficulty for people: disagreement, seconds or ratings; numbers, or true and "
              "false.")  # fmt: skip
@click.option("--easier", is_flag=True, help="A higher number in the column is easier.")
@click.option("--score", "scores", multiple=True, metavar="NAME", help="A score; may be repeated.  [default: fisher, "
              "boundary, margin]")  # fmt: skip
@of_a_suite
def human(suite: Path, column: str, easier: bool, scores: Sequence[str], chosen: Chosen) -> Study:
    """Find out whether what is difficult for the model is difficult for people.

    Each score is correlated with a column of the data of SUITE, or of those of --data.
    """
    from robustfim_study.human import human_study, people_of
    from robustfim_study.scoring import score_suite

    names = list(dict.fromkeys(scores)) or ["fisher", "boundary", "margin"]
    (scored,) = score_suite(
        chosen, suite, score=names[0], more=names[1:], look=lambda examples: people_of(examples, column)
    )
    return human_study(scored, column=column, easier=easier, seed=chosen.seed or 0)


def _sample_run(
    suite: Path,
    chosen: Chosen,
    examples: int,
    asked: Sequence[str],
    wanted: Sequence[str],
    **how: Any,
) -> SampleRun:
    """Run the suite's checks on a random sample; scores that were asked for must exist, others may be missing."""
    from robustfim_study.sample_run import known_scores, run_sample

    scores = [*dict.fromkeys([*asked, *known_scores(chosen, suite, wanted)])]
    return run_sample(chosen, suite, scores=scores, examples=examples, console=chosen.console(), **how)
