"""The mean over pairs of a data set and a model, by a linear mixed model with crossed random effects."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Effect", "effect"]


@dataclass(frozen=True)
class Effect:
    """The estimated mean over all data sets and models, measured or not, and the standard deviations around it.

    Attributes:
        mean: The estimated mean μ.
        interval: The 95 % confidence interval of μ.
        data: The standard deviation between data sets.
        model: The standard deviation between models.
        rest: The residual standard deviation, of a model on a data set and of the drawn examples.
        cells: The number of measured pairs of a data set and a model.
    """

    mean: float
    interval: tuple[float, float]
    data: float
    model: float
    rest: float
    cells: int

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.mean:+.3f} [{low:+.3f}, {high:+.3f}]".replace("-", "−")


def effect(cells: Mapping[tuple[str, str], float]) -> Effect:
    """Fit y = μ + a(data set) + b(model) + e by restricted maximum likelihood (Baayen et al. 2008).

    y is a measured number, a and b are random effects and e is the residual. The interval of μ uses Student's t; its
    degrees of freedom are the number of data sets or of models, whichever is smaller, minus 1. Satterthwaite's degrees
    of freedom are never fewer, so the interval is too wide rather than too narrow.

    Args:
        cells: A mapping from each pair of a data set and a model to a number, which must not be NaN.

    Raises:
        ValueError: There are fewer than two data sets or models.
    """
    import numpy as np
    import pandas as pd
    from scipy.stats import t
    from statsmodels.regression.mixed_linear_model import MixedLM
    from statsmodels.tools.sm_exceptions import ConvergenceWarning, SingularMatrixWarning

    frame = pd.DataFrame(
        [(data, model, value) for (data, model), value in cells.items()], columns=["data", "model", "y"]
    )
    levels = min(frame["data"].nunique(), frame["model"].nunique())
    if levels < 2:
        raise ValueError("cells of two data sets and two models at least are needed")
    within = {"data": "0 + C(data)", "model": "0 + C(model)"}
    fitting = MixedLM.from_formula("y ~ 1", frame, groups=np.ones(len(frame)), vc_formula=within, re_formula="0")
    with warnings.catch_warnings():
        for each in (ConvergenceWarning, SingularMatrixWarning):
            warnings.simplefilter("ignore", each)  # a component of 0 lies on the bound
        fitted = fitting.fit(reml=True)
    mean, half = float(fitted.fe_params.iloc[0]), float(t.ppf(0.975, levels - 1) * fitted.bse_fe.iloc[0])
    parts = dict(zip(fitting.exog_vc.names, fitted.vcomp, strict=True))
    spread = {name: math.sqrt(max(0.0, float(parts[name]))) for name in within}
    return Effect(mean, (mean - half, mean + half), **spread, rest=math.sqrt(fitted.scale), cells=len(frame))
