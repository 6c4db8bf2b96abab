"""Workers as Ray actors, on the machines of a cluster or on this machine."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from robustfim.contract import EngineContract
from robustfim.errors import ModelError, UsageError
from robustfim.roles import Link, WorkerLost

__all__ = ["Ray"]


class Ray:
    """Starts each worker as a Ray actor, which loads the model once.

    Without ``address``, Ray is started on this machine, accepts connections from this machine only, and is stopped at
    the end. All machines of a cluster must have the same robustfim, plugins, suite files and model files at the same
    paths.

    Args:
        workers: The number of actors; by default one for each processor of the cluster, or for each GPU if ``gpus`` is
            set.
        address: The address of a running cluster, such as ``auto`` or ``ray://head:10001``.
        gpus: The number of GPUs of an actor; a fraction lets actors share a GPU.
        cpus: The number of processors, and of threads, of an actor.
        in_flight: The number of batches sent to an actor in advance.

    Raises:
        UsageError: Ray is not installed.
    """

    libraries: ClassVar = {"ray": "robustfim[ray]"}

    def __init__(
        self,
        *,
        workers: Annotated[int, Field(ge=1, le=10_000)] | None = None,
        address: str | None = None,
        gpus: Annotated[float, Field(ge=0)] = 0.0,
        cpus: Annotated[float, Field(gt=0)] = 1.0,
        in_flight: Annotated[int, Field(ge=1, le=64)] = 2,
    ) -> None:
        self._in_flight = in_flight
        self._address, self._gpus, self._cpus = address, gpus, cpus
        self._asked = workers
        self._ray: Any = None
        self._owned = False
        self._started = 0

    @property
    def contract(self) -> EngineContract:
        """The number of actors to start. If ``workers`` is None, the cluster is asked once how many actors fit."""
        if self._asked is None:
            resources = self._connected().cluster_resources()
            per, kind = (self._gpus, "GPU") if self._gpus else (self._cpus, "CPU")
            self._asked = max(1, int(resources.get(kind, 1) // per))
        return EngineContract(workers=self._asked, in_flight=self._in_flight)

    def start(self, spec: bytes) -> Link:
        """Start a worker as a Ray actor, and return the link to it.

        Raises:
            ModelError: Ray cannot be started or reached, or the cluster has fewer CPUs or GPUs than an actor needs.
        """
        ray = self._connected()
        have = ray.cluster_resources()
        for kind, wanted in (("CPU", self._cpus), ("GPU", self._gpus)):
            if wanted > have.get(kind, 0):
                raise ModelError(
                    f"engine ray: a worker asks for {wanted:g} {kind}s, the cluster has {have.get(kind, 0):g}."
                )
        self._started += 1
        actor = ray.remote(_Actor).options(num_cpus=self._cpus, num_gpus=self._gpus, max_restarts=0).remote(spec)
        return _ActorLink(ray, actor, f"ray worker {self._started}")

    def wait(self, links: Sequence[Link]) -> list[Link]:
        """Wait until at least one actor has answered or died."""
        first = {link.pending[0]: link for link in cast(Sequence[_ActorLink], links)}
        ready, _ = self._connected().wait(list(first), num_returns=1)
        return [first[each] for each in ready]

    def close(self) -> None:
        """Stop Ray if this engine started it; a cluster keeps running."""
        if self._ray is not None and self._owned:
            self._ray.shutdown()
        self._ray = None

    def _connected(self) -> Any:
        if self._ray is None:
            if self._address is None:  # read when Ray is imported: what it starts here listens to this machine alone
                os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
                os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            try:
                import ray
            except ModuleNotFoundError as error:
                raise UsageError("the engine 'ray' needs Ray: pip install 'robustfim[ray]'") from error
            self._owned = not ray.is_initialized()
            if self._owned:
                try:
                    self._start_or_join(ray)
                except Exception as error:  # Ray raises what it likes
                    where = self._address or "this machine"
                    raise ModelError(f"engine ray: {where}: {type(error).__name__}: {error}") from error
            self._ray = ray
        return self._ray

    def _start_or_join(self, ray: Any) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        if self._address is not None:
            host, _, port = self._address.removeprefix("ray://").rpartition(":")
            if host and port.isdecimal():  # Ray itself tries for many minutes where nobody listens
                socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            ray.init(address=self._address, **quiet)
            return
        processors = max(os.cpu_count() or 1, int(self._cpus * (self._asked or 1)))
        ray.init(num_cpus=processors, include_dashboard=False, **quiet)


class _Actor:
    """What runs in a Ray actor."""

    def __init__(self, spec: bytes) -> None:
        from robustfim.engine import Worker

        self._worker = Worker(spec)

    def answer(self, task: bytes) -> bytes:
        return self._worker.answer(task)

    def close(self) -> None:
        self._worker.close()


class _ActorLink:
    """An actor, and the answers that it owes."""

    def __init__(self, ray: Any, actor: Any, name: str) -> None:
        self.name = name
        self.pending: deque[Any] = deque()
        self._ray, self._actor = ray, actor

    def send(self, task: bytes) -> None:
        """Give it a task, without waiting."""
        self.pending.append(self._actor.answer.remote(task))

    def receive(self) -> bytes:
        """Take its next answer.

        Raises:
            WorkerLost: The actor, or its machine, has died.
        """
        try:
            answer: bytes = self._ray.get(self.pending.popleft())
        except self._ray.exceptions.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise WorkerLost(f"{type(error).__name__}: {first}") from None
        return answer

    def stop(self) -> None:
        """End it; where it is at nothing it has five seconds to close what it has opened."""
        if not self.pending:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(self._actor.close.remote(), timeout=5)
        self.pending.clear()
        self._ray.kill(self._actor)
