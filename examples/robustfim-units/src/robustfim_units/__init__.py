"""The face of the plugin units: what it offers. It imports nothing heavy."""

from robustfim import hookimpl


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the perturbation by the name that suites use."""
    return {"perturbations": {"units": "robustfim_units.perturbation:Units"}}
