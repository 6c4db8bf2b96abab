"""The counts of ``benchmarks.faults``, and their text."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["KINDS", "Found", "render"]

KINDS = ("suites", "data", "plugins", "stores", "kills", "answers")

_TITLES = {
    "suites": "Broken suites", "data": "Broken data files", "plugins": "Faulty plugins and models",
    "stores": "Broken stores", "kills": "Killed runs",
    "answers": "Odd answers of endpoints",
}  # fmt: skip
_PAST = (
    "What got past is a traceback, exit 3, exit 0 without a proof, more than 30 seconds, or an error in the words of a "
    "library with none of ours before them, or with one character 200 times in a row."
)
_WAYS = {
    "a traceback": "traceback|exit 3|leaves by", "a pass without a proof": "wrong pass",
    "a library's words": "a library's words", "a long name told whole": "characters: ", "more than 30 seconds": "hangs",
    "the benchmark itself breaks off": "ends the process with 1$", "the process dies": "ends the process with -",
}  # fmt: skip
"""Ways to get past, and what a violation says of each."""

_TOLD = {
    "suites": f"A suite that passes, with one to four of its words, lines, keys, values or bytes changed. {_PAST}",
    "data": f"Fourteen formats in turn, each with one to four changes of its bytes. {_PAST}",
    "plugins": f"Each member of a role or a hook with each fault, in turn. {_PAST} "
    "Exit 0 with a fault that harms is one, too.",
    "stores": f"Values or bytes of the prediction store changed. {_PAST} So is a record that is another.",
    "kills": (
        "Runs killed one to three times, at a batch of two texts or while a file is written, alone or two at once on "
        "one store and one folder. What got past is a report cut in half, a resumed record or file of examples that "
        "differs from that of a run that nobody stopped, another exit code, or more than a batch lost a kill."
    ),
    "answers": "A local server that cuts, misshapes, delays, repeats or refuses its answers; no wait asked for is "
    f"longer than 0.05 s. {_PAST} So is a pass with an answer that is none.",
}


@dataclass
class Found:
    """The counts of a campaign of ``benchmarks.faults``.

    Attributes:
        tried: The number of cases of each kind.
        codes: The number of times each exit code occurred for each kind.
        violations: One line for each violation of a rule: the kind and number of the case, and what happened.
        again: The violations of an earlier campaign that occurred again when they were tried again; None if no earlier
            campaign was tried again.
    """

    tried: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    again: list[str] | None = None

    def add(self, other: Found) -> None:
        """Add the counts of another process to these counts."""
        self.tried += other.tried
        self.codes += other.codes
        self.violations += other.violations

    @classmethod
    def read(cls, text: str) -> Found:
        """Read the counts from the output of a campaign.

        Args:
            text: The output.
        """
        kinds = "|".join(KINDS)
        codes, tried = Counter[str](), Counter[str]()
        for line, number in re.findall(rf"^((?:{kinds}): .+): ([\d,]+)$", text, re.MULTILINE):
            codes[line] += int(number.replace(",", ""))
        for line in re.findall(r"^[\d,]+ cases in \d+ s: (\{.*\})$", text, re.MULTILINE):
            tried.update(ast.literal_eval(line))
        return cls(tried, codes, re.findall(rf"^(?:{kinds}) \d+: .+$", text, re.MULTILINE))


def _case(violation: str) -> str:
    return violation.partition(":")[0]


def render(found: Found, command: str) -> str:
    """Write the counts as Markdown, one section for each kind of case.

    Args:
        found: The counts.
        command: The command that made the counts.
    """
    sections = []
    for kind in KINDS:
        if not found.tried[kind]:
            continue
        codes = {line.partition(": ")[2]: number for line, number in found.codes.items() if line.startswith(f"{kind}:")}
        past = sum(line.startswith(f"{kind} ") for line in found.violations)
        rows = [("cases", found.tried[kind]), *sorted(codes.items()), ("got past", past)]
        if found.again is not None and past:
            mine = [line for line in found.violations if line.startswith(f"{kind} ")]
            ways = {way: {_case(line) for line in mine if re.search(said, line)} for way, said in _WAYS.items()}
            rows[-1] = ("cases that got past", len({_case(line) for line in mine}))
            rows += [(f"… {way}", len(cases)) for way, cases in ways.items() if cases]
            left = {_case(line) for line in found.again if line.startswith(f"{kind} ")}
            rows.append(("of them past again after mending", len(left)))
        table = "\n".join(f"| {name} | {number:,} |" for name, number in rows)
        sections.append(
            f"## {_TITLES[kind]}\n\nMeasured by `{command}`.\n\n{_TOLD[kind]}\n\n|  |  |\n| --- | --- |\n{table}"
        )
    return "\n\n".join(sections)
