"""The doctor: checks an installation, and reports what is missing or broken, with remedies."""

from __future__ import annotations

import importlib
import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from importlib import metadata

from robustfim.blame import told
from robustfim.errors import PluginError
from robustfim.hookspecs import PROJECT
from robustfim.plugin import KINDS, PluginManager, PluginOptions, load_plugins
from robustfim_doctor.diagnosis import Diagnosis

__all__ = ["diagnose_device", "diagnose_hub", "diagnose_plugins", "diagnose_resources"]

_HUB = "https://huggingface.co"
_SECONDS = 5.0


def diagnose_plugins(options: PluginOptions) -> tuple[list[Diagnosis], PluginManager | None]:
    """Check the plugins: load each plugin alone, then all working plugins together.

    Returns:
        The diagnoses, and the manager; None if the plugins cannot be loaded together.

    Raises:
        UsageError: ``-p`` names a plugin that does not exist.
    """
    diagnoses, broken = [], []
    for point in sorted(
        metadata.entry_points(group=PROJECT), key=lambda entry_point: (entry_point.name, entry_point.value)
    ):
        if point.name in options.block:
            diagnoses.append(Diagnosis("plugins", point.name, "note", "blocked by -p."))
            continue
        alone = PluginManager()
        try:
            alone.register(point.load(), point.name)
            diagnoses.append(_offers(alone, point.name))
        except PluginError as error:
            diagnoses.append(Diagnosis("plugins", point.name, "problem", str(error), (f"-p no:{point.name}",)))
        except (Exception, SystemExit) as error:  # a stranger's module may raise anything on import
            message = f"{point.value} cannot be imported: {told(error)}"
            diagnoses.append(Diagnosis("plugins", point.name, "problem", message, (f"-p no:{point.name}",)))
        if diagnoses[-1].state == "problem" and not diagnoses[-1].facts:
            broken.append(point.name)
    try:
        manager = load_plugins(PluginOptions(options.load, (*options.block, *broken)))
        shared = [
            f"{word} {name}"
            for kind, word in KINDS.items()
            for name, offer in manager.offers(kind).items()
            if offer.shared
        ]
    except PluginError as error:
        return [*diagnoses, Diagnosis("plugins", "together", "problem", str(error))], None
    if shared:
        message = f"several plugins offer one name, so a suite writes the plugin before it: {', '.join(shared)}."
        diagnoses.append(Diagnosis("plugins", "together", "note", message))
    return diagnoses, manager


def _offers(manager: PluginManager, name: str) -> Diagnosis:
    """Import everything that one plugin offers."""
    counts: dict[str, int] = {}
    failing: dict[str, str] = {}
    for kind, word in KINDS.items():
        for offer in manager.offers(kind).values():
            try:
                counts[word] = counts.get(word, 0) + bool(offer.cls)
            except PluginError as error:
                failing[offer.name] = str(error)
    if failing:
        message = f"{len(failing)} of what it offers cannot be imported: {'; '.join(failing.values())}"
        return Diagnosis("plugins", name, "problem", message, facts={"failing": sorted(failing)})
    listed = ", ".join(f"{word} {number}" for word, number in counts.items())
    return Diagnosis("plugins", name, "ok", f"offers {listed}" if listed else "offers no name; it follows runs")


def diagnose_resources(manager: PluginManager) -> Iterator[Diagnosis]:
    """Diagnose the resources that plugins report, such as lexicons, weights and language models."""
    try:
        resources = manager.resources()
    except PluginError as error:
        yield Diagnosis("resources", "resources", "problem", str(error))
        return
    for name, (state, message) in resources.items():
        yield Diagnosis("resources", name, state, message)


def diagnose_device() -> Iterator[Diagnosis]:
    """Diagnose the processor, and the accelerators that torch finds, if torch is installed."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS")
    bounded = f"; OMP_NUM_THREADS bounds them to {limit}" if limit else ""
    yield Diagnosis("device", "cpu", "ok", f"{usable} threads{bounded}")
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        yield Diagnosis("device", "accelerator", "ok", "none is looked for: torch is not installed.")
        return
    try:
        # The only place of the core that loads torch, and only where it is installed: a torch that cannot be
        # imported is what the doctor is asked about.
        torch = importlib.import_module("torch")
        if torch.cuda.is_available():
            device = ", ".join(torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count()))
            device = f"cuda: {device}"
        else:
            device = "mps" if torch.backends.mps.is_available() else "none that torch sees; models compute on the cpu."
    except Exception as error:  # a broken installation may raise anything
        message = f"torch {version} cannot be imported: {type(error).__name__}: {error}"
        yield Diagnosis("device", "accelerator", "problem", message, ("pip install --force-reinstall torch",))
        return
    yield Diagnosis("device", "accelerator", "ok", f"{device} (torch {version})")


def diagnose_hub() -> Diagnosis:
    """Diagnose whether the model hub answers, at ``HF_ENDPOINT`` or huggingface.co."""
    endpoint = os.environ.get("HF_ENDPOINT") or _HUB
    if urllib.parse.urlsplit(endpoint).scheme not in ("http", "https"):
        return Diagnosis("hub", "hub", "problem", f"HF_ENDPOINT={endpoint!r} is not an address that begins with http.")
    request = urllib.request.Request(endpoint, method="HEAD")  # noqa: S310  # the scheme was checked
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310  # the scheme was checked
            return Diagnosis("hub", "hub", "ok", f"{endpoint} answers ({answer.status})")
    except urllib.error.HTTPError as error:
        if error.code < 500:  # the hub is there, and refuses this page
            return Diagnosis("hub", "hub", "ok", f"{endpoint} answers ({error.code})")
        return Diagnosis("hub", "hub", "problem", f"{endpoint} answers {error.code} {error.reason}.")
    except (OSError, ValueError) as error:
        message = f"{endpoint} does not answer: {getattr(error, 'reason', error)}. --offline uses what is on disk."
        return Diagnosis("hub", "hub", "problem", message)
