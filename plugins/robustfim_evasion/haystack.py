"""The perturbation ``haystack``: the text hidden among many harmless sentences."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from robustfim.errors import UsageError
from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.options import at_least
from robustfim_evasion.tables import table

__all__ = ["Haystack"]

_BREAK = "\n\n"


class Haystack(Disguises):
    """Hides the text as a paragraph at the start, in the middle or at the end of a long harmless text.

    The texts imitate payloads in long prompts and documents. A model that averages its tokens gives them little weight,
    and a model that truncates may not read them. The run reports texts beyond the model's window.

    Args:
        kinds: Positions of the text, ``start``, ``middle``, ``end``; all by default.
        sentences: The number of harmless sentences around the text, from 2 to the 50 of ``tables/harmless.yaml``.
    """

    name = "haystack"

    def __init__(self, *, kinds: list[str] | None = None, sentences: int = 20) -> None:
        self._pool: list[str] = table("harmless")["sentences"]
        if at_least("sentences", sentences, 2) > len(self._pool):
            raise UsageError(
                f"sentences: {sentences} is more than the {len(self._pool)} sentences that robustfim ships"
            )
        self._sentences = sentences
        super().__init__(kinds=kinds)

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        places = {"start": 0, "middle": self._sentences // 2, "end": self._sentences}
        return {kind: self._at(place) for kind, place in places.items()}

    def _at(self, place: int) -> Disguise:
        def write(text: str, random: Random) -> str:
            drawn = random.sample(self._pool, self._sentences)
            before, behind = " ".join(drawn[:place]), " ".join(drawn[place:])
            return _BREAK.join(part for part in (before, text, behind) if part)

        def read(text: str) -> str:
            if place:
                text = text.partition(_BREAK)[2]
            return text.rpartition(_BREAK)[0] if place < self._sentences else text

        return Disguise(write, read)
