"""A plugin that offers a study: principal components of the embeddings of a model that chooses.

Run ``robustfim -p examples/components.py study components --data use=copa --model use=huggingface/choice --model
path=FOLDER``. It repeats the analysis of Kavumba et al. (2019): the difference of what the model makes of the right
and of the wrong alternative, one vector an instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from robustfim import hookimpl
from robustfim.commands import Chosen, shared_options
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Study, describe_environment
from robustfim.roles import Model
from robustfim.statistics import percent

__all__ = ["command", "components", "differences", "robustfim_studies"]

Array = NDArray[np.float64]

_LISTED = 5


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study components``."""
    return {"components": (f"{__name__}:command", "Find the principal components of a chooser's embeddings.")}


@click.command(
    name="components",
    epilog="Example: robustfim -p examples/components.py study components --data use=copa --model ./my-chooser",
)
@shared_options("model", "data", "seed", "offline", "plugins", model={"required": True}, data={"required": True})
def command(chosen: Chosen) -> Study:
    """Find the principal components of the right alternative's embedding less the wrong one's."""
    (pair,) = chosen.model_and_data()
    if pair.model is None or pair.data is None:
        raise UsageError("the study needs a model and data: --model use=huggingface/choice and --data use=copa.")
    model: Model = pair.model.make()
    examples = [each for each in pair.data.make().load() if each.label in ("1", "2")]
    if len(examples) < 2:
        raise UsageError(f"--data has {len(examples)} choices with a gold label; the study needs two or more.")
    found, right = differences(model, examples)
    points, fractions = components(found)
    sides = {"right": right, "wrong": ~right}
    return Study(
        study="components",
        title="Along which directions right and wrong alternatives differ for the model",
        environment=describe_environment(pair.manager.records(), None),
        seed=chosen.seed or 0,
        model_calls=len(examples),
        findings=[
            f"The first component holds {percent(float(fractions[0]))} of the variance of {len(examples)} differences, "
            f"the first two {percent(float(fractions[:2].sum()))}. The model answers {int(right.sum())} rightly."
        ],
        tables=[
            Table(title="Components", header=["component", "of the variance"],
                  rows=[[str(number), percent(float(part))] for number, part in enumerate(fractions[:_LISTED], 1)],
                  notes=[f"Embeddings have {found.shape[1]} numbers: the vector that the last linear layer reads."]),
        ],
        figures=[
            Figure(title="Each instance by its first two components", across="first component", up="second component",
                   series=[Series(name=f"answered {name}", kind="dots", points=points[rows].tolist())
                           for name, rows in sides.items() if rows.any()]),
        ],
        results={"shares": fractions.tolist(), "points": points.tolist(), "right": right.tolist()},
    )  # fmt: skip


def differences(model: Model, examples: Sequence[Example]) -> tuple[Array, NDArray[np.bool_]]:
    """Return each right alternative's embedding less the wrong one's.

    Args:
        model: A model of choices whose last layer is one of PyTorch's ``Linear`` and gives each alternative its score.
        examples: Choices with a gold label, ``"1"`` or ``"2"``.

    Returns:
        What that layer reads, ``[examples, dims]``, and whether the model's answer is right, ``[examples]``.

    Raises:
        ModelError: No linear layer reads one vector an alternative.
    """
    from torch import nn
    from torch.nn.modules.module import register_module_forward_pre_hook

    rows, right = [], []
    for example in examples:
        read: list[Any] = []

        def keep(module: nn.Module, given: tuple[Any, ...], read: list[Any] = read) -> None:
            if isinstance(module, nn.Linear):
                read.append(given[0])

        with register_module_forward_pre_hook(keep):
            (row,) = np.asarray(model.predict([example]))
        if not read or read[-1].shape[:-1] != (2,):
            raise ModelError(
                "the model has no linear layer of PyTorch that reads a vector for each of two alternatives; "
                "'huggingface/choice' has."
            )
        gold = int(str(example.label)) - 1
        embeddings = read[-1].detach().cpu().double().numpy()
        rows.append(embeddings[gold] - embeddings[1 - gold])
        right.append(int(row.argmax()) == gold)
    return np.stack(rows), np.array(right)


def components(vectors: Array) -> tuple[Array, Array]:
    """Return the first two principal components of vectors, and the share of the variance of all.

    Args:
        vectors: ``[examples, dims]``.

    Returns:
        Coordinates ``[examples, 2]``, and the shares ``[min(examples, dims)]``, which add up to 1; zeros where all
        vectors are equal. The sign of a component is that of its largest entry in size.
    """
    centred = vectors - vectors.mean(axis=0)
    u, sigma, v = np.linalg.svd(centred, full_matrices=False)
    signs = np.sign(v[np.arange(len(v)), np.abs(v).argmax(axis=1)])
    total = np.square(sigma).sum()
    points = np.zeros((len(vectors), 2))
    points[:, : len(sigma)] = (u * sigma * signs)[:, :2]
    return points, np.square(sigma) / (total or 1.0)
