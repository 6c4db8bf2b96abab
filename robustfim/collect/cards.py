"""Cards: readers' ratings of perturbations, assigned to the checks of a suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from robustfim.collect.check import Check
from robustfim.errors import DataError
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.options import options_model
from robustfim.record import Card, read_cards
from robustfim.record.check_record import LABEL_KEPT
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain
from robustfim.suite.format import Use

__all__ = ["Cards"]


@dataclass(frozen=True)
class Cards:
    """People's ratings of perturbed texts (cards) that apply to a run, and the required naturalness.

    Attributes:
        by_name: Name of a perturbation to its ratings, which hold for the options with which the rated texts were made.
        own: Name of a check to ratings from the suite's own file, which hold for the check with all its options.
        natural: The lowest accepted naturalness rating, 0, 1 or 2; None to accept any text.
    """

    by_name: Mapping[str, Card] = field(default_factory=dict)
    own: Mapping[str, Card] = field(default_factory=dict)
    natural: int | None = None

    @classmethod
    def of(cls, config: RunConfig, manager: PluginManager) -> Cards:
        """Gather people's ratings of perturbed texts from the plugins and the suite, which takes precedence.

        Raises:
            UsageError: The suite's file is missing or malformed.
            PluginError: A plugin's cards are malformed.
        """
        suite, known, own = config.suite, manager.cards(), dict[str, Card]()
        if suite.cards is not None:
            try:
                read = read_cards(config.file.base(("cards",)) / suite.cards)
            except DataError as error:
                raise config.file.error(str(error), ("cards",)) from None
            # Named after a check and a perturbation at once, it speaks of the perturbation.
            own = {name: card for name, card in read.items() if name not in manager.offers("perturbations")}
            known |= read
        return cls(known, own, suite.natural)

    def dealt(self, check: Check) -> Check:
        """Return a check with people's ratings of its texts; mark it as skipped if they are not natural enough."""
        name = check.spec.perturb.use
        card = self.by_name.get(name)
        if card is not None and not card.speaks_of(_options(check)):
            card = None
        card = self.own.get(check.name, card)
        if card is not None and not _as_asked(check):
            card = card.model_copy(update={"holds": None, "sound": None})
        check = replace(check, card=card)
        why = self._too_odd(check)
        if why is None or check.spec.skip is not None:
            return check
        return replace(check, spec=check.spec.model_copy(update={"skip": f"natural: {self.natural}, and {why}"}))

    def _too_odd(self, check: Check) -> str | None:
        """Why a check's texts may not be natural enough; None where they are."""
        name, least = check.spec.perturb.use, self.natural
        if not least or check.perturbation.contract.unchanged:
            return None
        if check.card is None:
            other = f" with {', '.join(sorted(_options(check)))} as here" if name in self.by_name else ""
            return f"nobody has read texts of {name!r}{other}: it has no card"
        if check.card.naturalness < least:
            return f"by its card {name!r} is of class {check.card.naturalness}"
        return None


def _options(check: Check) -> dict[str, Any]:
    """What a check says of how its texts are made, beyond the defaults."""
    perturb = check.spec.perturb
    fields = options_model(type(check.perturbation.made), "").model_fields
    defaults = as_plain({name: field_info.default for name, field_info in fields.items()})
    said = {name: value for name, value in as_plain(perturb.options).items() if defaults.get(name, ...) != value}
    if perturb.words != 1:
        said["words"] = perturb.words
    if perturb.search is not None:
        said["search"] = perturb.search.use
    return said


def _as_asked(check: Check) -> bool:
    """Whether a check expects what its perturbation's readers were asked about."""
    promised, expects = check.perturbation.contract.expects, check.spec.expect.use
    asked = Use.read(promised).use if promised else ""
    return expects == asked or {expects, asked} <= {*LABEL_KEPT}
