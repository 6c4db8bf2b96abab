"""COPA and Balanced COPA: from XML, JSON Lines, or the instances that come with robustfim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import PositiveInt

from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.reading import read_text
from robustfim_cues.choices.copa_lines import read_lines
from robustfim_cues.choices.copa_xml import read_xml

__all__ = ["Copa"]


class Copa:
    """Instances of COPA: a premise, a question (cause or effect) and two alternatives, one of them right.

    Fields ``premise``, ``question``, ``choice1`` and ``choice2``; labels ``1`` and ``2``; columns ``number``,
    ``pair`` and ``mirrored``.

    Args:
        path: An XML file in the published form of COPA and Balanced COPA (Roemmele et al. 2011, Kavumba et al. 2019),
            or a JSON Lines file. By default, the instances written for robustfim.
        part: Which instances: all, the original ones, or the mirrored ones.
        split: A file written by ``robustfim cues split``; each example gets the column ``split``, easy or hard.
        limit: The largest number of instances; null for all.

    Raises:
        UsageError: The file's suffix is unknown.
    """

    def __init__(
        self,
        path: Path | None = None,
        part: Literal["all", "original", "mirrored"] = "all",
        split: Path | None = None,
        limit: PositiveInt | None = None,
    ) -> None:
        if path is not None and path.suffix not in (".xml", ".jsonl"):
            raise UsageError(f"{path} must end in .xml or .jsonl.")
        self._path, self._part, self._split, self._limit = path, part, split, limit
        self._place = path or "the instances that ship"

    def load(self) -> Iterator[Example]:
        """Read the instances, in the file's order."""
        sides = None
        if self._split is not None:
            from robustfim_cues.models.split import read_split

            sides = read_split(self._split)
        seen: set[str] = set()
        made = 0
        for example in self._read():
            number = example.meta["number"]
            if number in seen:
                raise DataError(
                    f"{self._place}: two instances have the number {number}; give each instance a number of its own."
                )
            seen.add(number)
            if self._part != "all" and example.meta["mirrored"] != (self._part == "mirrored"):
                continue
            if sides is not None:
                if example.id not in sides:
                    raise DataError(
                        f"{self._split}: the split has no line for instance {number}; make it anew for this data."
                    )
                example = Example(example.fields, example.label, {**example.meta, "split": sides[example.id]})
            yield example
            made += 1
            if made == self._limit:
                return
        if not made:
            what = "instance" if self._part == "all" else f"{self._part} instance"
            raise DataError(f"{self._place}: there is no {what}.")

    def _read(self) -> Iterable[Example]:
        if self._path is None:
            shipped = files("robustfim_cues") / "instances" / "instances.jsonl"
            return read_lines(shipped.read_text(encoding="utf-8").split("\n"), "instances.jsonl")
        if self._path.suffix == ".xml":
            return list(read_xml(self._path))
        return read_lines(read_text(self._path).split("\n"), str(self._path))
