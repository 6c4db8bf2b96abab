"""``robustfim grow``: a chat model proposes tests on a topic, and those that fail are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import Chosen, print_line, shared_options
from robustfim.errors import UsageError
from robustfim.parts import ModelPart

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim_blackbox.chat.growth import Growth, Proposal, TopicTest
    from robustfim_blackbox.chat.service import Chat

__all__ = ["command"]

_SAMPLE = 5
"""Examples of the data that are shown where there is no test yet."""


@click.command(
    name="grow", epilog="Example: robustfim grow 'negated praise' suites/sentiment.yaml --chat url=… --chat model=…"
)
@click.argument("topic")
@click.argument("suite", type=click.Path(path_type=Path))
@click.option("--chat", multiple=True, required=True, metavar="KEY=VALUE",
              help="The chat model: url=http://localhost:8000/v1, model=NAME, budget.requests=50 …")  # fmt: skip
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Requests for proposals.")
@click.option("--proposals", type=click.IntRange(min=1, max=100), default=10, show_default=True,
              help="Tests to propose in a round.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The file of tests; TOPIC.jsonl beside SUITE by default. One that is there grows.")  # fmt: skip
@click.option("--yes", is_flag=True, help="Ask nothing, and keep every failing proposal as unreviewed.")
@shared_options("seed", "offline", "max_calls", "store", "plugins", "color")
def command(
    topic: str, suite: Path, chosen: Chosen, chat: Sequence[str], rounds: int, proposals: int, out: Path | None,
    yes: bool,
) -> int:  # fmt: skip
    """Let a chat model propose tests on TOPIC for SUITE's model, and keep those that fail.

    Each round shows the chat model some tests that fail or nearly do, asks for more, and asks the tested model about
    them (AdaTest, Ribeiro and Lundberg 2022). You accept a failing test, reject it, or give it the right label. What
    you keep is written at once as a test of CheckList's JSON lines, with a suite that runs it. Exit codes: 0 done, 1 a
    budget ended before, 4 wrong usage.
    """
    from robustfim import context
    from robustfim.collect import sample
    from robustfim.predict import CallLimitReached
    from robustfim_blackbox.chat.grown_file import GrownFile
    from robustfim_blackbox.chat.growth import Growth, TopicTest

    if not (slug := re.sub(r"\W+", "_", topic).strip("_")):
        raise UsageError(f"the topic {topic!r} has no word that could name a file.")
    console, named = chosen.console(), _chat(chat)
    pair = chosen.one_model_and_data(suite)
    if pair.model is None:
        raise UsageError(f"{suite}: growing tests needs a model, and the suite names none.")
    seed = pair.model.file.data.get("seed", 0) if chosen.seed is None else chosen.seed
    model = pair.model.make()
    labels: tuple[str, ...] = ModelPart(model).labels
    if not labels:
        raise UsageError(f"{suite}: {pair.model.use.use} answers in its own words; tests grow for models with labels.")
    drawn = [] if pair.data is None else sample(pair.data.make(), pair.data.use.use, 10 * _SAMPLE, seed)
    fields = list(drawn[0].fields) if drawn else ["text"]
    file = GrownFile(out or suite.parent / f"{slug}.jsonl", topic, fields)
    begun = len(file.tests)
    first = (
        file.tests
        or [
            TopicTest(each.fields, each.label) for each in drawn if each.label in labels and list(each.fields) == fields
        ][:_SAMPLE]
    )
    kept, answers, ended = list(file.tests), _Answers(console, labels, input), ""
    around = context(
        model, drawn, seed=seed, plugins=pair.manager, offline=chosen.offline, max_calls=chosen.max_calls,
        store=chosen.store,
    )  # fmt: skip
    with closing(around):
        growth = Growth(topic, named, around, fields, first, proposals)
        try:
            for number in range(rounds):
                failing = growth.round(number)
                print_line(console, f"round {number + 1} of {rounds}: {len(failing)} failing proposals")
                for each in failing:
                    test = each.test if yes else answers.of(each, growth)
                    if test is not None:
                        kept.append(test)
                        growth.tests.append(test)
                        file.write(kept, named.model)
                if answers.quit:
                    break
        except CallLimitReached as error:
            ended = str(error)
        told = around.told
    _tell(console, growth, answers, kept[begun:], yes)
    for line in told:
        print_line(console, line)
    if ended:
        print_line(console, ended)
    if kept:
        own = suite.parent / f"{slug}.yaml"
        written = pair.model.file.data
        path = os.path.relpath(file.path, own.parent)
        made = file.write_suite(own, slug, written["model"], written.get("plugins"), path)
        print_line(
            console, f"wrote {file.path}: {len(kept)} tests; robustfim run {own}{'' if made else ' (as it was)'}"
        )
    return 1 if ended else 0


class _Answers:
    """Asks a person about failing proposals."""

    def __init__(self, console: Console, labels: Sequence[str], ask: Callable[[str], str]) -> None:
        self._console, self._labels, self._ask = console, labels, ask
        self.rejected = self.relabelled = 0
        self.quit = False

    def of(self, proposal: Proposal, growth: Growth) -> TopicTest | None:
        """Ask about one; None for what is not kept."""
        from dataclasses import replace

        if self.quit:
            return None
        test = proposal.test
        self._console.print()
        for name, text in test.fields.items():
            print_line(self._console, text if len(test.fields) == 1 else f"{name}: {text}")
        print_line(
            self._console,
            f"proposed {test.label}; the model says {proposal.said.label}, and {test.label} with {proposal.share:.2f}",
        )
        listed = ", ".join(f"{place} {label}" for place, label in enumerate(self._labels, 1))
        while True:
            try:
                said = self._ask(f"a accept · r reject · the right label ({listed}) · q quit: ").strip()
            except (EOFError, KeyboardInterrupt):
                said = "q"
            right = self._labels[int(said) - 1] if said.isdecimal() and 0 < int(said) <= len(self._labels) else said
            if said == "q":
                self.quit = True
                return None
            if said == "r":
                self.rejected += 1
                growth.reject(test)
                return None
            if said == "a" or right == test.label:
                return replace(test, reviewed=True)
            if right in self._labels:
                self.relabelled += 1
                if right == proposal.said.label:
                    print_line(self._console, "so the model is right: it is kept as a test that passes.")
                return replace(test, label=right, reviewed=True)
            print_line(self._console, f"{said!r} is no answer.")


def _chat(values: Sequence[str]) -> Chat:
    """Read ``--chat``."""
    from pydantic import TypeAdapter, ValidationError

    from robustfim.suite import SuiteFile, parse_override
    from robustfim_blackbox.chat.service import Chat, ChatService

    file = SuiteFile(Path("the command line"), {})
    for text in values:
        location, value = parse_override(text, "--chat")
        file.override(("chat", *location), value, f"--chat {text}")
    try:
        found: Chat = TypeAdapter(Chat).validate_python(file.data["chat"])
    except ValidationError as error:
        problem: Any = error.errors()[0]
        raise UsageError(f"--chat {'.'.join(map(str, problem['loc']))}: {problem['msg'].lower()}.") from None
    ChatService(found)  # so that a wrong option is told before anything is loaded
    return found


def _tell(console: Console, growth: Growth, answers: _Answers, kept: Sequence[TopicTest], unreviewed: bool) -> None:
    """Say what became of the proposals."""
    counts = growth.counts
    kinds = ("failed", "passed", "known", "unknown label", "unreadable", "unpredicted")
    parts = [f"{counts[what]:,} {what}" for what in kinds if counts[what]]
    print_line(console, f"{counts['proposed']:,} proposed: {', '.join(parts) or 'nothing of use'}")
    if unreviewed and kept:
        print_line(
            console, f"{len(kept)} kept unreviewed: their labels are the chat model's, and nobody looked at them."
        )
    elif not unreviewed:
        print_line(console, f"{len(kept)} kept, {answers.relabelled} of them relabelled; {answers.rejected} rejected")
