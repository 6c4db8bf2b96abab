"""The growth of tests: a chat model proposes them, the tested model answers, and what fails goes on (AdaTest)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.example import Example
from robustfim_blackbox.chat.service import Asked, Chat, ChatService, Services

if TYPE_CHECKING:
    from robustfim.prediction import Prediction
    from robustfim.roles import Context

__all__ = ["Growth", "Proposal", "TopicTest"]

_SHOWN = 7
"""Tests that the chat model is shown in each round."""

_NEAR = 20
"""They are drawn from so many that come nearest to failing."""

_REJECTED = "rejected by people, for growing tests"

_PROMPT = """\
You write tests for a text classifier. Topic: {topic}
Its labels: {labels}
A test is a text and the label that a careful reader gives it. Write {number} new tests on the topic that the \
classifier is likely to get wrong, unlike those below. Answer with one JSON object a line and nothing else, such as
{form}

Tests so far:
{tests}
New tests:"""


@dataclass(frozen=True)
class TopicTest:
    """A text and the label that it should get."""

    fields: Mapping[str, str]
    label: str
    reviewed: bool = False

    @property
    def key(self) -> str:
        """What stands for its text, whatever the label."""
        return json.dumps(dict(self.fields))


@dataclass(frozen=True)
class Proposal:
    """A proposed test and what the model says of it."""

    test: TopicTest
    said: Prediction

    @property
    def fails(self) -> bool:
        """Whether the model gives another label."""
        return self.said.label != self.test.label

    @property
    def share(self) -> float:
        """The probability that the model gives to the test's label."""
        return dict(zip(self.said.labels, self.said.probabilities, strict=True)).get(self.test.label, 0.0)


class Growth:
    """Proposes tests on a topic from those so far, round by round (Ribeiro and Lundberg, ACL 2022).

    Args:
        topic: What the tests are about, in a few words.
        chat: The chat model that proposes.
        context: Asks the tested model, and keeps answers.
        fields: The text fields of a test.
        tests: The tests so far; of what fails among them, and of what comes near, the chat model is shown some.
        number: Tests to propose in a round.

    Attributes:
        tests: The tests so far; what is accepted is added by whoever asks.
        counts: What became of all proposals: ``proposed``, ``unreadable`` (no JSON, other keys), ``unknown label``,
            ``known`` (there already, or rejected before), ``unpredicted``, ``passed`` and ``failed``.
    """

    def __init__(
        self, topic: str, chat: Chat, context: Context, fields: Sequence[str], tests: Sequence[TopicTest], number: int
    ) -> None:
        self._topic, self._context, self._fields, self._number = topic, context, list(fields), number
        self._labels = tuple(context.model.labels)
        self._near: list[TopicTest] = []
        self._service: ChatService = context.shared(Services).of(chat)
        self._seen: set[str] = set()
        self.tests, self.counts = list(tests), Counter[str]()

    def round(self, number: int) -> list[Proposal]:
        """Ask for tests, and the model about them.

        Returns:
            Those that fail, the surest mistake first.

        Raises:
            ModelError: The endpoint or the model failed.
            CallLimitReached: A budget is used up; what was answered until then is kept.
        """
        # Another number is another answer of the store, though the prompt may be the same.
        asked = Asked((("user", self._prompt(number)),), 1.0, number)
        (answer,) = self._service.complete([asked], self._context)
        if answer.unusable:
            self._service.unusable[answer.unusable] += 1
            return []
        fresh = self._read(answer.text)
        predictions = self._context.predict([Example(dict(each.fields), each.label) for each in fresh])
        found = [Proposal(test, said) for test, said in zip(fresh, predictions, strict=True) if said is not None]
        self.counts["unpredicted"] += len(fresh) - len(found)
        failing = sorted((each for each in found if each.fails), key=lambda each: each.share)
        passing = sorted((each for each in found if not each.fails), key=lambda each: each.share)
        self._near += [each.test for each in passing]
        self.counts["failed"] += len(failing)
        self.counts["passed"] += len(passing)
        return failing

    def reject(self, test: TopicTest) -> None:
        """Remember that a person does not want a test, in this run and later ones."""
        self._context.keep(_REJECTED, {test.key: True})

    def _prompt(self, number: int) -> str:
        form = json.dumps({**dict.fromkeys(self._fields, "…"), "label": self._labels[0]}, ensure_ascii=False)
        shown = "\n".join(
            json.dumps({**each.fields, "label": each.label}, ensure_ascii=False) for each in self._chosen(number)
        )
        return _PROMPT.format(
            topic=self._topic, labels=", ".join(self._labels), number=self._number, form=form, tests=shown or "(none)"
        )

    def _chosen(self, number: int) -> list[TopicTest]:
        """Draw tests to be shown, of those to whose label the model gives least."""
        known = [*self.tests, *self._near]
        said = self._context.predict([Example(dict(each.fields), each.label) for each in known])
        ranked = sorted(
            (Proposal(test, each) for test, each in zip(known, said, strict=True) if each is not None),
            key=lambda each: each.share,
        )[:_NEAR]
        drawn = self._context.random("grow", self._topic, str(number)).sample(ranked, min(_SHOWN, len(ranked)))
        return [each.test for each in drawn]

    def _read(self, answer: str) -> list[TopicTest]:
        """Read the proposals of an answer that are new and can be asked about."""
        listed = []
        for line in answer.splitlines():
            try:
                row: Any = json.loads(line.strip().rstrip(","))
            except ValueError:
                # A fence or a sentence around the tests is none; what begins as a test is one that is broken.
                if line.lstrip().startswith("{"):
                    self.counts.update(["proposed", "unreadable"])
                continue
            for each in row if isinstance(row, list) else [row]:
                listed.append(each)
        found = []
        for row in listed:
            self.counts["proposed"] += 1
            texts = [row.get(name) for name in self._fields] if isinstance(row, dict) else [None]
            label = row.get("label") if isinstance(row, dict) else None
            if not all(isinstance(text, str) and text.strip() for text in texts) or not isinstance(label, str):
                self.counts["unreadable"] += 1
            elif label not in self._labels:
                self.counts["unknown label"] += 1
            else:
                found.append(TopicTest(dict(zip(self._fields, map(str, texts), strict=True)), label))
        known = (
            self._seen
            | {each.key for each in self.tests}
            | self._context.kept(_REJECTED, [t.key for t in found]).keys()
        )
        fresh = {each.key: each for each in found if each.key not in known}
        self._seen |= fresh.keys()
        self.counts["known"] += len(found) - len(fresh)
        return list(fresh.values())
