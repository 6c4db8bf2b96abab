"""Workers as Ray actors, on a Ray that is started on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pytest

import robustfim
from robustfim.engine.pool import WorkerPool
from robustfim.engine.proxies import prediction_stream
from robustfim.engine.worker import WorkSpec
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.plugin.sources import PluginOptions
from robustfim.run_options import RunOptions
from robustfim.suite.file import read_suite_file
from robustfim_ray.engine import Ray
from robustfim_testing import EngineConformance
from tests.robustfim.command_line import SUITE, TOY

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")

BATCHES = [[Example({"text": f"a {word} film {n}"}) for word in ("great", "awful")] for n in range(8)]


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    import ray  # only now: what the engine sets before it imports Ray is tested, too

    ray.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("ray")
    (folder / "toy.py").write_text(TOY.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "toy.yaml").write_text(SUITE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def pool(engine: Ray, warnings: list[str]) -> WorkerPool:
    spec = WorkSpec(read_suite_file(Path("toy.yaml")), RunOptions(), PluginOptions())
    return WorkerPool(
        engine, spec, fingerprint="/probabilities", versions={}, robustfim=robustfim.__version__, warn=warnings.append
    )


@pytest.mark.slow
def test_actors_answer_one_that_is_killed_is_replaced_and_nothing_is_left(folder: Path) -> None:
    warnings: list[str] = []
    own = pool(Ray(workers=2), warnings)
    found = dict(prediction_stream(own)(BATCHES))
    import ray

    assert sorted(found) == list(range(8))
    assert found[0][0][1] > 0.8
    assert found[0][1][1] < 0.1
    assert all(node["NodeManagerAddress"] == "127.0.0.1" for node in cast(Any, ray).nodes())
    ray.kill(cast(Any, own._links[0])._actor)
    assert dict(prediction_stream(own)(BATCHES)) == found
    assert [warning for warning in warnings if warning.startswith("ray worker 1 died")] == warnings != []
    own.close()
    assert not ray.is_initialized()


@pytest.mark.slow
class TestRay(EngineConformance):
    def make(self) -> Any:
        return Ray(workers=2)


@pytest.mark.slow
def test_more_than_the_cluster_has_is_refused(folder: Path) -> None:
    own = pool(Ray(workers=1, gpus=2), [])
    with pytest.raises(ModelError, match="a worker asks for 2 GPUs, the cluster has 0"):
        own.start()
    own.close()


def test_a_cluster_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"engine ray: 127\.0\.0\.1:1: "):
        Ray(workers=1, address="127.0.0.1:1").start(b"")
