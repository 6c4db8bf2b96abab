"""One thread for torch: the models here are so small that threads only wait for each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from tests.robustfim.conftest import robustfim

__all__ = ["robustfim"]


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
