"""Construct the objects and checks that a suite names."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from robustfim.builtin.composed import Composed
from robustfim.collect.cards import Cards
from robustfim.collect.check import Check
from robustfim.collect.resources import named_files
from robustfim.errors import did_you_mean, shown
from robustfim.parts import ExpectationPart, ModelPart, Part
from robustfim.plugin.factory import make_offered
from robustfim.plugin.manager import PluginManager
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.suite.error_list import Gathering
from robustfim.suite.file import Location, SuiteFile, as_plain
from robustfim.suite.format import CheckSpec, Use

__all__ = ["Parts"]


@dataclass(frozen=True)
class Parts:
    """A factory that constructs the objects that a suite names, and checks their options.

    Attributes:
        manager: The loaded plugins.
        file: The suite.
        slices: The names of the suite's slices.
        cards: Readers' ratings of perturbations, and the required naturalness.
        owners: The plugins that offer the names looked up so far, by kind and name.
        made: The objects constructed for this suite, which must be closed.
    """

    manager: PluginManager
    file: SuiteFile
    slices: Sequence[str] = ()
    cards: Cards = field(default_factory=Cards)
    owners: dict[tuple[str, str], str] = field(default_factory=dict)
    made: list[Part] = field(default_factory=list)

    def make(self, kind: str, use: Use, location: Location) -> Any:
        """Construct the object that a suite names.

        Args:
            kind: A key of :data:`robustfim.plugin.offer.KINDS`.
            use: The name and options.
            location: The place in the suite.

        Returns:
            The object; a part knows its plugin, and its key in the store.

        Raises:
            UsageError: A name, an option or a slice is wrong.
            PluginError: The class cannot be imported or constructed, or cannot play its role.
        """
        made, offer = make_offered(self.manager, self.file, kind, use, location, look=self._look_at_part)
        if kind != "engines":
            self._look_at_part(made if isinstance(made, Part) else ModelPart(made, use.use, offer.owner), use, location)
        self.owners[kind, use.use] = offer.owner
        # What an object of a script answers cannot be told from its name: nothing of it is found in the store again.
        own = () if use.given is None else (secrets.token_hex(8),)
        identity = (offer.name, code_fingerprint(offer.cls), as_plain(use.options), *own)
        return replace(made, identity=identity) if isinstance(made, Part) else made

    def _look_at_part(self, part: Part, use: Use, location: Location) -> None:
        """Remember what was made, and refuse an expectation, or a part of one, that speaks of unknown slices."""
        if use.given is None and isinstance(part, Part):  # a format is handed to its source as it is
            self.made.append(part)
        for name in part.slices if isinstance(part, ExpectationPart) else ():
            if name not in self.slices:
                known = ", ".join(self.slices) or "none; 'slices' of the suite defines them"
                message = f"unknown slice {shown(name)}.{did_you_mean(name, self.slices)} Known: {known}."
                raise self.file.error(message, (*location, "slices", name))

    def check(self, name: str, spec: CheckSpec) -> Check:
        """Construct a check of the suite, with its perturbation, constraints and other objects.

        Raises:
            UsageError: A name or an option is wrong, or two options exclude each other.
            PluginError: A class cannot be imported or constructed, or lacks a member that its role needs.
        """
        at: Location = ("checks", name)
        file, perturb = self.file, spec.perturb
        mistakes = Gathering()

        def make(kind: str, use: Use, location: Location) -> Any:
            with mistakes.step():
                return self.make(kind, use, location)

        perturbation = make("perturbations", perturb, (*at, "perturb"))
        constraints = tuple(make("constraints", use, (*at, "constrain", i)) for i, use in enumerate(spec.constrain))
        order = None
        if perturb.order.use != "random":
            order = make("orders", perturb.order, (*at, "perturb", "order"))
        if perturbation is None:
            if "expect" in spec.model_fields_set:
                make("expectations", spec.expect, (*at, "expect"))
            raise mistakes.error()
        if "expect" not in spec.model_fields_set:
            if isinstance(perturbation.made, Composed) and not perturbation.contract.expects:
                different = ", ".join(dict.fromkeys(Use.read(each).use for each in perturbation.made.expectations))
                raise file.error(
                    f"the composed perturbations expect different things ({different}): write 'expect'.", at
                )
            spec = spec.model_copy(update={"expect": Use.read(perturbation.contract.expects)})
        listing = perturbation.made.of if isinstance(perturbation.made, Composed) else [perturbation]
        if not any(each.lists_edits for each in listing) and "words" in perturb.model_fields_set:
            message = f"{perturb.use!r} makes whole candidates, so 'words' does not apply to it."
            mistakes.add(file.error(message, (*at, "perturb", "words")))
        search = None
        if perturb.search is not None:
            search = make("searches", perturb.search, (*at, "perturb", "search"))
            if not perturbation.lists_edits:
                message = (
                    f"a search combines single edits, and {perturb.use!r} makes whole candidates: leave 'search' out, "
                    "or take a perturbation of words, such as 'typos' or 'synonyms'."
                )
                mistakes.add(file.error(message, (*at, "perturb", "search")))
            if "candidates" in perturb.model_fields_set:
                message = (
                    "a search ends with the first text that fails: 'candidates' does not apply to it. "
                    "'search: {use: greedy, queries: 200}' bounds how many texts it asks about."
                )
                mistakes.add(file.error(message, (*at, "perturb", "candidates")))
        if "words" in perturb.model_fields_set and any(each.contract.per_character is not None for each in listing):
            message = "'words' and 'per_character' both say how much changes: leave one of them out."
            mistakes.add(file.error(message, (*at, "perturb", "words")))
        expectation = make("expectations", spec.expect, (*at, "expect"))
        reducer = make("reducers", spec.fails, (*at, "fails"))
        mistakes.tell()
        named: list[tuple[str, Part, Use, Location]] = [("", perturbation, perturb, (*at, "perturb"))]
        if isinstance(perturbation.made, Composed):
            uses = map(Use.read, perturb.options["of"])
            for i, (part, use) in enumerate(zip(perturbation.made.of, uses, strict=True)):
                named.append((f"{use.use}: ", part, use, (*at, "perturb", "of", i)))
        for i, (use, part) in enumerate(zip(spec.constrain, constraints, strict=True)):
            named.append((f"{use.use}: ", part, use, (*at, "constrain", i)))
        files = {
            f"{begin}{option}": path
            for begin, part, use, place in named
            for option, path in named_files(type(part.made), use.options, file, place).items()
        }
        check = Check(
            f"{file.path.name}::{name}", name, spec, perturbation, constraints, expectation, order,
            file.line(at),
            files=files, reducer=reducer, search=search,
        )  # fmt: skip
        check = self.cards.dealt(check)
        if check.needed > check.most:
            message = (
                f"with {spec.fails.use!r} no example can fail: at most {check.most} of each are tested. Test more, or "
                "bear fewer."
            )
            raise file.error(message, (*at, "fails"))
        return check
