"""The attribution that a suite asks for, which computes the importance of words."""

from __future__ import annotations

from robustfim.members import check_members
from robustfim.parts import AttributionPart, ModelPart
from robustfim.plugin.libraries import missing_libraries
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.options import build
from robustfim.predict.attributions import NamedAttribution
from robustfim.predict.decided import without_rule
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.roles import Model
from robustfim.suite.config import RunConfig
from robustfim.suite.file import Location, as_plain
from robustfim.suite.word_share import words_that_may_change

__all__ = ["attribution_asked_for"]


def attribution_asked_for(config: RunConfig, manager: PluginManager, model: Model | None) -> NamedAttribution | None:
    """Construct the method that computes word importance, if the suite or a check needs one.

    Args:
        config: The suite.
        manager: The plugins.
        model: The model, whose weights are not loaded yet; None if the model cannot be constructed.

    Returns:
        The attribution method; None if it is not needed.

    Raises:
        UsageError: No plugin offers an attribution, an option is wrong, or a check needs gradients and the model has
            none.
        PluginError: The attribution cannot be imported or constructed.
    """
    suite, file = config.suite, config.file
    needed = [name for name, spec in suite.checks.items() if words_that_may_change(spec.perturb.words) is not None]
    if not needed and suite.attribution is False:
        return None
    cls = manager.shared("attribution")
    place: Location = ("checks", needed[0], "perturb", "words") if needed else ("attribution",)
    if cls is None:
        raise file.error(
            "no loaded plugin measures how much each word matters. Install one, or do not block it.",
            place,
        )
    if missing := missing_libraries("attribution", cls, "attribution"):
        raise file.error(f"{missing} Without it, let any word change: 'words: 0.1'.", place)
    options = {} if isinstance(suite.attribution, bool) else suite.attribution
    who = manager.sharer("attribution")
    made = build(cls, options, "attribution", file, ("attribution",))
    check_members("attribution", made, "attribution")
    bare = without_rule(model)
    if needed and bare is not None and AttributionPart(made).gradients and not ModelPart(bare).differentiable:
        raise file.error(
            f"{type(bare).__name__} has no gradients, which the importance of words needs. Let any word change "
            "instead: 'words: 0.1'.",
            place,
        )
    return NamedAttribution(made, as_plain(options), (cls.__name__, code_fingerprint(cls), as_plain(options)), who)
