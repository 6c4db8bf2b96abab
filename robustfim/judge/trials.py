"""The table of a run's trials: how much each example fails each check. All rates are estimated from this table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.decision import ABSTAINS
from robustfim.judge.harm import Harm, harm_of, was_right
from robustfim.record import Record
from robustfim.record.files import write_files
from robustfim.record.rows import TRIALS
from robustfim.statistics.clusters import ClusterOf
from robustfim.statistics.mean import Mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Trials", "write_record"]


@dataclass(frozen=True, eq=False)
class Trials:
    """A table of results with one row for each pair of a check and an example that it tested.

    Attributes:
        check: The check's id. Every attribute is a column, ``[rows]``.
        example: The example's id.
        value: How much the example fails the check, in [0, 1]: 0 or 1, or a number between if the check takes a mean.
        right_before: 1 if the model is right about the unchanged text, 0 if it is wrong, −1 if there is no gold label,
            or the model does not know it.
        right_after: If the model is right about the unchanged text: 0 if the answer to a perturbed text is wrong, else
            1. Otherwise −1.
        abstained: Whether the model abstains before any change.
        by_step: Whether only a move of the embedding, and no perturbed text, makes the example fail.
        stratum: The group (arm or stratum) from which the example was drawn; None if unknown.
        cluster: The example's cluster; None if the example is independent.
    """

    check: NDArray[Any]
    example: NDArray[Any]
    value: NDArray[np.float64]
    right_before: NDArray[np.int64]
    right_after: NDArray[np.int64]
    abstained: NDArray[np.bool_]
    by_step: NDArray[np.bool_]
    stratum: NDArray[Any]
    cluster: NDArray[Any]

    def __len__(self) -> int:
        return len(self.example)

    @classmethod
    def made(cls, example: Iterable[str], **columns: Iterable[Any]) -> Trials:
        """Build a table of results from some of its columns; the other columns get the value for "unknown"."""
        import numpy as np

        ids = np.array([*example], dtype=object)
        made: dict[str, Any] = {
            name: np.array([*columns.get(name, [least] * len(ids))], dtype=_KINDS.get(name, object))
            for name, least in _UNKNOWN.items()
        }
        return cls(example=ids, **made)

    @classmethod
    def none(cls) -> Trials:
        """Return an empty table."""
        return cls.made(())

    @classmethod
    def together(cls, tables: Iterable[Trials]) -> Trials:
        """Return one table with the rows of several tables."""
        import numpy as np

        tables = [cls.none(), *tables]
        return cls(**{name: np.concatenate([getattr(table, name) for table in tables]) for name in vars(tables[0])})

    @classmethod
    def of_record(cls, record: Record) -> Trials:
        """Read the trials of a run from its record."""
        import numpy as np

        examples, labels = record.example_by_id, record.model.labels
        before = {id: was_right(example, example.prediction, labels) for id, example in examples.items()}
        breaks: dict[tuple[str, str], bool] = {}
        steps: dict[tuple[str, str], bool] = {}
        for failure in record.failures:
            row, source = (failure.check, failure.example), examples.get(failure.example)
            if source is not None:
                before[failure.example] = was_right(source, failure.before.label, labels)
            breaks[row] = breaks.get(row, False) or harm_of(failure, source, labels) is Harm.BROKEN
            steps[row] = steps.get(row, True) and failure.step is not None
        strata = {id: example.arm for id, example in examples.items()}
        clusters = {id: example.cluster for id, example in examples.items() if example.cluster is not None}
        numbers = {check.id: check.numbers for check in record.checks}
        rows = [(check.id, id) for check in record.checks for id in check.examples]
        names, ids = zip(*rows, strict=True) if rows else ((), ())
        values = [
            float((check, id) in steps) if (known := numbers[check]) is None else known.get(id, 0.0)
            for check, id in rows
        ]
        right = np.array([-1 if (was := before.get(id)) is None else was for _, id in rows], dtype=int)
        return cls.made(
            ids,
            check=names,
            value=values,
            stratum=map(strata.get, ids),
            cluster=map(clusters.get, ids),
            right_before=right,
            right_after=np.where(right == 1, [not breaks.get(row, False) for row in rows], -1),
            abstained=[id in examples and examples[id].prediction == ABSTAINS for id in ids],
            by_step=[steps.get(row, False) for row in rows],
        )

    def mirrored(self, partners: Mapping[str, str], strata: Mapping[str, str], clusters: ClusterOf) -> Trials:
        """Return a table in which a result for a pair of examples counts for both of them.

        Args:
            partners: Id of each pair's first example to the id of the second, which gets the first one's value if that
                is larger.
            strata: Example id to arm or stratum.
            clusters: Example id to cluster (group of dependent examples).
        """
        rows = dict(zip(self.example.tolist(), self.value.tolist(), strict=True))
        for own, other in partners.items():
            rows[other] = max(rows[own], rows.get(other, 0.0))
        names = [*self.check[:1]] * len(rows)
        places = map(strata.get, rows), map(clusters.get, rows)
        return Trials.made(rows, check=names, value=rows.values(), stratum=places[0], cluster=places[1])

    def where(self, rows: Any) -> Trials:
        """Return a table with some of the rows: those of a boolean mask, ``[rows]``, or of a list of row numbers."""
        return type(self)(**{name: column[rows] for name, column in vars(self).items()})

    def of_checks(self, *checks: str) -> Trials:
        """Return a table with the rows of the given checks."""
        rows = self.check != self.check
        for check in checks:
            rows |= self.check == check
        return self.where(rows)

    def within(self, examples: Collection[str]) -> Trials:
        """Return a table with the rows of the given example ids, such as the examples of a slice."""
        return self.where([id in examples for id in self.example])

    def by_example(self) -> Trials:
        """Merge the rows of each example into its first row, with the largest ``value``."""
        import numpy as np

        first: dict[str, int] = {}
        places = [first.setdefault(id, row) for row, id in enumerate(self.example)]
        value = np.zeros(len(self))
        np.maximum.at(value, places, self.value)
        return replace(self, value=value).where([*first.values()])

    def mean(self, largest: int = 0) -> Mean:
        """Return the mean of the column ``value``, from a table with one row per example.

        Args:
            largest: For a check that may stop early, the size of the largest cluster (group of dependent examples) in
                the data; else 0.
        """
        return Mean.of(dict(zip(self.example.tolist(), self.value.tolist(), strict=True)), self.clusters, largest)

    @property
    def tested(self) -> set[str]:
        """The ids of the tested examples."""
        return set(self.example.tolist())

    @property
    def failing(self) -> set[str]:
        """The ids of the failing examples."""
        return set(self.example[self.value > 0].tolist())

    @property
    def clusters(self) -> dict[str, str]:
        """Example id to cluster, without the examples that are independent."""
        return {
            id: own for id, own in zip(self.example.tolist(), self.cluster.tolist(), strict=True) if own is not None
        }


def write_record(record: Record, path: Path) -> Path:
    """Write the record of a run as a small JSON file, with its rows in a database beside the file.

    Raises:
        OSError: A file cannot be written; an existing file is left unchanged.
    """
    trials = Trials.of_record(record)
    columns = [getattr(trials, name).tolist() for name in TRIALS]
    right = slice(TRIALS.index("right_before"), TRIALS.index("right_after") + 1)
    columns[right] = [[None if each < 0 else each for each in column] for column in columns[right]]
    return write_files(path, record, zip(*columns, strict=True))


_UNKNOWN: Mapping[str, Any] = {
    "check": "", "value": 0.0, "right_before": -1, "right_after": -1, "abstained": False, "by_step": False,
    "stratum": None, "cluster": None,
}  # fmt: skip
_KINDS = {"value": float, "right_before": int, "right_after": int, "abstained": bool, "by_step": bool}
