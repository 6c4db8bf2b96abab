"""The report ``model_card``: a section for a model card."""

from __future__ import annotations

from robustfim.record import Record
from robustfim.statistics import percent
from robustfim_ci.evidence import checks_table, digests, unproved
from robustfim_ci.markdown import code, escaped
from robustfim_ci.output import FileReport
from robustfim_ci.rates import headline

__all__ = ["ModelCardReport"]


class ModelCardReport(FileReport):
    """Writes a section for a model card, in Markdown: the checks with their rates, and the command that repeats them.

    Args:
        path: The file to write; ``model_card.md`` in the suite's report folder when None.
    """

    file = "model_card.md"

    def text(self, record: Record) -> str:
        """Write the section, which no text of the record can leave."""
        accuracy = record.model.accuracy
        told = "" if accuracy is None else f", accuracy {percent(accuracy, record.model.accuracy_interval)}"
        data = f"{record.data.examples:,} examples of {code(record.data.use)}{told}"
        again = f" Repeat it: {code(record.command)}" if record.command else ""
        parts = [
            "## Robustness",
            f"{escaped(headline(record))}, on {data}. Rates are of examples that a small change breaks, with 95 % "
            f"intervals; a check passes where the limit is proved.",
            checks_table(record),
            unproved(record),
            f"Measured by robustfim {escaped(record.environment.robustfim)} on {escaped(record.started[:10])}, "
            f"findings {digests(record)['findings'][:16]}.{again}",
        ]
        return "\n\n".join(filter(None, parts)) + "\n"
