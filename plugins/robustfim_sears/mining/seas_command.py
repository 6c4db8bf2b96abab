"""``robustfim study seas``: the best adversary of each text, as in figure 3 of Ribeiro, Singh and Guestrin (2018)."""

from __future__ import annotations

from pathlib import Path

import click

from robustfim.commands import COUNT, INPUT, Chosen, shared_options
from robustfim.exhibit import Table
from robustfim.record import DataRecord, Study, describe_environment
from robustfim.statistics import Rate
from robustfim_sears.mining.mining import at_risk
from robustfim_sears.mining.parts import open_mine
from robustfim_sears.mining.seas import find_seas
from robustfim_sears.rule.corpus import Corpus

__all__ = ["command"]


@click.command(name="seas", epilog="Example: robustfim study seas suites/reviews.yaml --examples 50")
@click.argument("suite", type=INPUT)
@click.option("--examples", type=COUNT, default=100, show_default=True, metavar="N",
              help="Size of the random sample of the data.")  # fmt: skip
@click.option("--paraphraser", multiple=True, metavar="NAME | KEY=VALUE",
              help="The source of paraphrases and their score, 'phrases' by default; or an option of it.")  # fmt: skip
@click.option("--tau", type=click.FloatRange(0, 1),
              help="Least score S of a text that means the same; by default the paraphraser's own.")  # fmt: skip
@shared_options("model", "data", "override", "seed", "offline", "max_calls", "store", "plugins")
def command(suite: Path, examples: int, paraphraser: tuple[str, ...], tau: float | None, chosen: Chosen) -> Study:
    """List the best adversary of each text: the paraphrase of the highest score that changes the label.

    With gold labels only texts that the model labels rightly are paraphrased.
    """
    subject = open_mine(suite, chosen, paraphraser)
    use, drawn = subject.data.use, subject.sample(examples)
    run = subject.context(drawn, max_calls=chosen.max_calls, store=chosen.store)
    made = subject.prepared(run)
    tau = made.contract.tau if tau is None else tau
    corpus = Corpus.of(drawn, run.tagger)
    answers = at_risk(corpus, run.predict([source.example for source in corpus.sources]))
    labels = [None if answer is None else answer.label for answer in answers]
    asked = [index for index, label in enumerate(labels) if label is not None]
    seas, counts = find_seas(corpus, labels, made, run, tau, asked)
    best = {sea.source: sea for sea in reversed(seas)}  # those of a text stand with the highest score first
    rows = [
        [corpus.sources[index].text.text, sea.text, f"{sea.score:.3g}", f"{sea.before} → {sea.after}"]
        for index, sea in sorted(best.items())
    ]
    found = Rate(len(best), len(asked))
    run.close()
    return Study(
        study="seas", title="Which paraphrase of each text changes the label?", suite=subject.suite,
        data=DataRecord(use=use.use, options=use.options, examples=len(drawn)), seed=subject.seed,
        environment=describe_environment(subject.model.manager.records(), None),
        findings=[
            f"Texts with an adversary: {found}.",
            f"{counts['paraphrases']} paraphrases, {counts['below tau']} below τ = {tau:g}; "
            f"{counts['flipped']} change the label.",
        ],
        tables=[
            Table(title="The best adversary of each text", header=["text", "adversary", "S", "label"], texts=[0, 1, 3],
                  rows=rows, notes=[f"S: the {made.contract.score} score of the paraphraser, at least τ = {tau:g}."])
        ] * bool(rows),
        results={
            "texts": len(asked), "adversaries": len(best), "tau": tau,
            "best": [dict(zip(("text", "adversary", "score", "before", "after"), (
                corpus.sources[index].text.text, sea.text, sea.score, sea.before, sea.after), strict=True))
                for index, sea in sorted(best.items())],
        },
    )  # fmt: skip
