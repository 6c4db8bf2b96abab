"""The perturbation ``paraphrase``: any paraphraser's texts, the surest first, none below τ."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.example import Example
from robustfim.roles import Paraphrase
from robustfim.seeds import random_for
from robustfim_sears.paraphrase.perturbation import Paraphrased
from tests.plugins.robustfim_sears.small import Swaps


class Three(Swaps):
    """Knows three paraphrases of each text, of which one is the text itself."""

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        return [
            [Paraphrase(f"{text}?", 0.6), Paraphrase(text, 1.0), Paraphrase(f"{text}!", 0.8), Paraphrase("x", 0.2)]
            for text in texts
        ]


def proposed(perturbation: Paraphrased, **fields: str) -> list[dict[str, str]]:
    found = perturbation.propose(Example(fields), random_for(0, "p"))
    return [dict(candidate.example.fields) for candidate in found]


def test_the_surest_paraphrase_comes_first_and_none_below_tau() -> None:
    assert proposed(Paraphrased(by=Three({})), text="a film") == [{"text": "a film!"}, {"text": "a film?"}]
    assert proposed(Paraphrased(by=Three({}), least=0.7), text="a film") == [{"text": "a film!"}]
    assert proposed(Paraphrased(by=Three({})), one="a", two="b") == [
        {"one": "a!", "two": "b"}, {"one": "a", "two": "b!"}, {"one": "a?", "two": "b"}, {"one": "a", "two": "b?"},
    ]  # fmt: skip
