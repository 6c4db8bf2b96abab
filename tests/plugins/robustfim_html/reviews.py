"""Invented reviews, their predictions, and what breaks them."""

from __future__ import annotations

import math
from random import Random
from typing import Literal

from robustfim.example import content_id
from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, StepRecord

__all__ = ["LABELS", "examples", "failure"]

LABELS = ["negative", "positive"]
OPENINGS = (
    "The film",
    "This sequel",
    "Her second feature",
    "The whole third act",
    "A quiet drama, it",
    "The script",
    "Mara Lindqvist’s debut",
)
VERBS = (
    "drags along",
    "shines",
    "never finds its feet",
    "moves with real grace",
    "loses its nerve",
    "earns every tear",
    "stumbles early",
)
MIDDLES = (
    "with a cast that plainly enjoys the work",
    "although the lighthouse scenes are beautifully shot",
    "because nobody told the editor to stop",
    "in spite of a clumsy score",
    "and the twist with the ferryman is a pleasant surprise",
    "while the dialogue stays flat as a harbour in August",
)
ENDINGS = (
    "I would see it again.",
    "Two hours I will not get back.",
    "It is good, not great.",
    "My neighbour slept through it.",
    "A rare pleasure.",
    "Don’t bother.",
)
SWAPS = {
    "film": "movie",
    "quiet": "silent",
    "clumsy": "awkward",
    "beautifully": "nicely",
    "pleasant": "nice",
    "flat": "level",
    "good": "decent",
    "great": "grand",
    "rare": "uncommon",
    "plainly": "clearly",
    "sequel": "follow-up",
    "early": "soon",
    "drama": "play",
    "script": "screenplay",
    "scenes": "shots",
    "surprise": "shock",
    "neighbour": "neighbor",
}


def _sentence(random: Random, number: int) -> str:
    text = f"{random.choice(OPENINGS)} {random.choice(VERBS)} {random.choice(MIDDLES)}. {random.choice(ENDINGS)}"
    return (
        text
        + (f" {random.choice(MIDDLES).capitalize()}. {random.choice(ENDINGS)}" if random.random() < 0.4 else "")
        + (f" Seat {number}." if random.random() < 0.5 else f" Row {number}.")
    )


def _pair(positive: float) -> list[float]:
    return [round(1 - positive, 4), round(positive, 4)]


def _prediction(positive: float) -> PredictionRecord:
    return PredictionRecord(label=LABELS[positive >= 0.5], probabilities=_pair(positive))


def examples(random: Random, number: int, difficult: int, control: int) -> tuple[list[ExampleRecord], float]:
    rows: list[tuple[str, float, float]] = []
    for i in range(number):
        positive = min(max(random.betavariate(0.45, 0.4), 0.002), 0.998)
        lambda_max = positive * (1 - positive) * math.exp(random.gauss(1.2, 1.3))
        rows.append((_sentence(random, i), positive, lambda_max))
    ranked = sorted(range(number), key=lambda i: -rows[i][2])
    hard = set(ranked[:difficult])
    rest = [i for i in range(number) if i not in hard]
    drawn = set(random.sample(rest, min(control, len(rest))))
    made = []
    for i, (text, positive, lambda_max) in enumerate(rows):
        arm: Literal["difficult", "control", "all"] | None = (
            "difficult" if i in hard else "control" if i in drawn else None
        )
        if difficult == control == 0:
            arm = "all"
        right = random.random() < 0.9
        prediction = LABELS[positive >= 0.5]
        made.append(
            ExampleRecord(
                id=content_id({"text": text}),
                fields={"text": text},
                label=prediction if right else LABELS[positive < 0.5],
                prediction=prediction,
                probabilities=_pair(positive),
                arm=arm,
                scores={
                    "fisher": lambda_max,
                    "boundary": abs(math.log(positive / (1 - positive))) / (1 + lambda_max),
                    "entropy": None if i % 97 == 5 else -sum(p * math.log(p) for p in (positive, 1 - positive)),
                },
            )
        )
    return made, rows[ranked[max(difficult - 1, 0)]][2]


def _edits(random: Random, use: str, text: str) -> list[EditRecord]:
    """Edit one or two places, as the perturbation would."""
    words: list[tuple[int, str]] = []
    place = 0
    for word in text.split(" "):
        words.append((place, word))
        place += len(word) + 1
    if use in {"synonyms", "rules"}:
        known = [(start, word.strip(".,’")) for start, word in words if word.strip(".,’") in SWAPS]
        chosen = sorted(random.sample(known, min(len(known), random.choice((1, 1, 2)))))
        if chosen:
            return [
                EditRecord(
                    field="text", start=s, end=s + len(w), before=w, after=SWAPS[w], origin=f"lexicon {w} → {SWAPS[w]}"
                )
                for s, w in chosen
            ]
    start, word = random.choice([pair for pair in words if len(pair[1]) > 4])
    at = random.randrange(1, 4)
    if use == "typos" and random.random() < 0.5:
        return [
            EditRecord(field="text", start=start + at, end=start + at + 1, before=word[at], after="", origin="omission")
        ]
    return [
        EditRecord(
            field="text",
            start=start + at,
            end=start + at + 2,
            before=word[at : at + 2],
            after=word[at + 1] + word[at],
            origin="transposition",
        )
    ]


def failure(random: Random, check: str, use: str, example: ExampleRecord, number: int) -> Failure:
    probabilities = example.probabilities or [0.5, 0.5]
    positive = probabilities[1]
    after = random.uniform(0.02, 0.48) if positive >= 0.5 else random.uniform(0.52, 0.98)
    text = example.fields["text"]
    step, edits, perturbed = None, [], text
    if use == "eigenvector":
        step = StepRecord(direction="eigenvector", norm=random.choice((0.5, -0.5, 1.0)))
    else:
        edits = _edits(random, use, text)
        for edit in sorted(edits, key=lambda edit: -edit.start):
            perturbed = perturbed[: edit.start] + edit.after + perturbed[edit.end :]
    identity = content_id({"check": check, "example": example.id, "number": str(number), "text": perturbed})
    return Failure(
        id=identity,
        check=check,
        example=example.id,
        arm=example.arm,
        fields={"text": perturbed},
        edits=edits,
        step=step,
        before=_prediction(positive),
        after=_prediction(after),
        margin=abs(after - 0.5),
        reproduce=f"robustfim run suites/sentiment.yaml -k {check.partition('::')[2]} --failure {identity}",
    )
