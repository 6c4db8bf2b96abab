"""A critic: a function that judges reviews, and reviews that it judges right."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from pathlib import Path

CRITIC = """\
GOOD = {"great", "good", "brilliant", "moving", "funny"}
BAD = {"bad", "dull", "awful", "boring", "weak"}


def judge(texts):
    answers = []
    for text in texts:
        words = [word.strip(".,!").lower() for word in text.split()]
        liked = sum(word in GOOD for word in words) > sum(word in BAD for word in words)
        answers.append("positive" if liked else "negative")
    return answers


def constant(texts):
    return ["positive" for _ in texts]
"""
MODEL = "--model use=python --model call=critic:judge --model 'labels=[negative, positive]'"
DATA = "--data use=csv --data path=reviews.csv"
_PEOPLE = ("Kirsten Dunst", "Tom Hanks", "Penelope Cruz", "Denzel Washington", "Meryl Streep", "Brad Pitt")
_PLACES = ("Paris", "Berlin", "Rome", "Tokyo")
_WORDS = {"great": 1, "good": 1, "brilliant": 1, "moving": 1, "bad": 0, "dull": 0, "awful": 0}


def reviews() -> list[tuple[str, int]]:
    """168 reviews, each with 1 for a good one and 0 for a bad one; 96 are good."""
    return [
        (f"{person} is {word} in this film about three friends in {place}, and it's {word} on a Tuesday.", liked)
        for person, place, (word, liked) in itertools.product(_PEOPLE, _PLACES, _WORDS.items())
    ]


def write_reviews(folder: Path, label: Callable[[int, int], str], name: str = "reviews.csv") -> None:
    """Write the function, and the reviews with the label that ``label(number, liked)`` gives each."""
    (folder / "critic.py").write_text(CRITIC, encoding="utf-8")
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "label"])
        rows.writerows([text, label(number, liked)] for number, (text, liked) in enumerate(reviews()))
