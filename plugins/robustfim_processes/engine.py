"""The engine ``processes``: workers on this machine, each a process of its own."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge, wait
from typing import IO, Annotated, Any, cast

from pydantic import Field

from robustfim.contract import EngineContract
from robustfim.errors import ModelError
from robustfim.roles import Link, WorkerLost

__all__ = ["Processes"]

_CALL = "from robustfim_processes.worker_main import serve; serve()"


class Processes:
    """Starts worker processes on this machine; each loads the model once.

    Args:
        workers: The number of workers; by default one per processor, or one per GPU of ``gpus``.
        in_flight: Batches that each worker holds at once, so that it need not wait for the next batch.
        gpus: Numbers of the GPUs to divide among the workers; each worker sees one GPU.
        threads: Threads per worker; by default the number of processors divided by the workers.
    """

    def __init__(
        self,
        *,
        workers: Annotated[int, Field(ge=1, le=1024)] | None = None,
        in_flight: Annotated[int, Field(ge=1, le=64)] = 2,
        gpus: list[int] | None = None,
        threads: Annotated[int, Field(ge=1)] | None = None,
    ) -> None:
        cores = os.cpu_count() or 1
        workers = workers or (len(gpus) if gpus else cores)
        self.contract = EngineContract(workers=workers, in_flight=in_flight)
        self._gpus, self._threads = gpus, threads or max(1, cores // workers)
        self._started = 0

    def start(self, spec: bytes) -> Link:
        """Start a worker process."""
        number = self._started
        self._started += 1
        environment = dict(os.environ) | {"OMP_NUM_THREADS": str(self._threads)}
        if self._gpus:
            environment["CUDA_VISIBLE_DEVICES"] = str(self._gpus[number % len(self._gpus)])
        return _Process(f"worker {number + 1}", spec, environment)

    def wait(self, links: Sequence[Link]) -> list[Link]:
        """Wait until at least one worker process has answered or died."""
        by_connection = {link.connection: link for link in cast(Sequence[_Process], links)}
        return [by_connection[each] for each in wait(list(by_connection))]  # type: ignore[index]  # all are connections


class _Process:
    """A worker process, and the connection to it."""

    def __init__(self, name: str, spec: bytes, environment: dict[str, str]) -> None:
        self.name = name
        key = secrets.token_bytes(32)
        # Nothing that a worker prints may mix with what the run prints.
        output = sys.stderr.fileno() if _has_file(sys.stderr) else subprocess.DEVNULL
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._process = subprocess.Popen(  # noqa: S603  # this interpreter, and nothing of a user's
                [sys.executable, "-c", _CALL], stdin=subprocess.PIPE, stdout=output, env=environment
            )
            cast(IO[bytes], self._process.stdin).write(f"{(server.getsockname(), key)!r}\n".encode())
            cast(IO[bytes], self._process.stdin).flush()
            self.connection = self._accepted(server, key)
        self.connection.send_bytes(spec)

    def _accepted(self, server: socket.socket, key: bytes) -> Connection[Any, Any]:
        """Wait until the process has called back, and has shown that it knows the key."""
        server.settimeout(0.5)
        while True:
            try:
                line, _ = server.accept()
            except TimeoutError:
                if self._process.poll() is not None:
                    raise ModelError(f"{self.name} cannot be started: {_cause(self._process.returncode)}.") from None
                continue
            line.settimeout(None)
            connection: Connection[Any, Any] = Connection(line.detach())
            try:
                deliver_challenge(connection, key)
                answer_challenge(connection, key)
            except (AuthenticationError, OSError, EOFError):
                connection.close()  # a stranger on this machine
                continue
            return connection

    def send(self, task: bytes) -> None:
        """Send the process a task; if it has died, ``receive`` reports it."""
        try:
            self.connection.send_bytes(task)
        except OSError:
            return

    def receive(self) -> bytes:
        """Take the process's next answer.

        Raises:
            WorkerLost: The process has died.
        """
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            self._process.wait(timeout=10)
            raise WorkerLost(_cause(self._process.returncode)) from None

    def stop(self) -> None:
        """End the process, even during a task; it has five seconds to close its resources."""
        self._process.terminate()
        self.connection.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _has_file(stream: Any) -> bool:
    try:
        return bool(stream.fileno() >= 0)
    except (OSError, ValueError, AttributeError):
        return False


def _cause(code: int | None) -> str:
    """Say how a process ended."""
    if code is not None and code < 0:
        import signal

        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"ended by {name}" + (", perhaps for want of memory" if name == "SIGKILL" else "")
    return f"ended with exit code {code}"
