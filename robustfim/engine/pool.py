"""The pool of workers of a run, with its tasks in progress, for any engine."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from robustfim.engine.worker import Greeting, WorkSpec, raise_told
from robustfim.errors import ModelError, UsageError
from robustfim.parts import EnginePart
from robustfim.roles import Engine, Link, WorkerLost

__all__ = ["WorkerPool"]

_STRIKES = 3
"""The number of workers that one task may kill."""

_FAILED_STARTS = 3
"""The number of workers in a row that may die before they are ready."""


class WorkerPool:
    """A pool of worker processes: it keeps all busy, replaces those that die, and yields answers as they come.

    Tasks, stored answers and limits are handled in the main process only.

    Args:
        engine: The engine, which starts the workers.
        spec: The data from which workers make the model and the checks.
        fingerprint: The model's fingerprint in this process; a worker with a different fingerprint is refused.
        versions: The versions of the plugins in this process; a worker with different versions is refused.
        robustfim: The version of robustfim in this process; a worker with a different version is refused.
        warn: Called with a sentence for the user.
    """

    def __init__(
        self, engine: Engine, spec: WorkSpec, *, fingerprint: str, versions: dict[str, str], robustfim: str,
        warn: Callable[[str], None],
    ) -> None:  # fmt: skip
        try:
            self._spec = pickle.dumps(spec)
        except Exception as error:  # whatever a script laid over the suite
            raise UsageError(
                "engine: workers make the model from the suite's words, and robustfim cannot send the Python object "
                f"in this suite ({error}). Name the model, as in {{use: python, call: module:function}}, or use "
                "'engine: inline'."
            ) from error
        self._engine, self._warn = engine, warn
        self._own = Greeting(fingerprint, robustfim, versions)
        self._links: list[Link] = []
        self._busy: dict[Link, deque[int]] = {}
        self._unready: set[Link] = set()
        self._failed_starts = 0

    def start(self) -> None:
        """Start all workers, and wait until each is ready.

        Raises:
            ModelError: A worker cannot load the model, or its model has a different fingerprint.
        """
        for _ in range(self._engine.contract.workers - len(self._links)):
            self._hire()
        while self._unready:
            for link in self._engine.wait([*self._unready]):
                self._ready(link)

    def run(self, tasks: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Run tasks on the workers, and yield the results as they come.

        Args:
            tasks: Kinds and arguments, as for :class:`robustfim.engine.worker.Worker`.

        Yields:
            Pairs of the index of a task and its result, in any order.

        Raises:
            ModelError: The model raised, or a task killed three workers.
            PluginError: A plugin raised an error.
        """
        waiting = deque(range(len(tasks)))
        strikes: Counter[int] = Counter()
        try:
            self.start()
            while waiting or any(self._busy.values()):
                self._fill(waiting, tasks)
                for link in self._engine.wait(
                    [each for each, own in self._busy.items() if own or each in self._unready]
                ):
                    if link in self._unready:
                        self._ready(link)
                        continue
                    try:
                        kind, answer = pickle.loads(link.receive())  # noqa: S301  # from a worker of this run
                    except WorkerLost as lost:
                        self._replace(link, lost, waiting, strikes, tasks)
                        continue
                    index = self._busy[link].popleft()
                    yield index, raise_told(kind, answer)
        except BaseException:
            self.close()  # what is under way belongs to nobody any more
            raise

    def close(self) -> None:
        """Stop all workers."""
        for link in self._links:
            link.stop()
        self._links.clear()
        self._busy.clear()
        self._unready.clear()
        EnginePart(self._engine).close()

    # ---- workers ----------------------------------------------------------------------------------------

    def _hire(self) -> None:
        link = self._engine.start(self._spec)
        self._links.append(link)
        self._busy[link] = deque()
        self._unready.add(link)
        link.send(pickle.dumps(("greet",)))

    def _ready(self, link: Link) -> None:
        """Read a worker's greeting, and refuse one that would answer otherwise than this process."""
        try:
            greeting = raise_told(*pickle.loads(link.receive()))  # noqa: S301  # from a worker of this run
        except WorkerLost as lost:
            self._failed_starts += 1
            self._drop(link)
            if self._failed_starts >= _FAILED_STARTS:
                raise ModelError(f"{_FAILED_STARTS} workers died before they were ready; the last: {lost}") from lost
            self._hire()
            return
        except (ModelError, RuntimeError) as error:
            raise ModelError(f"{link.name} cannot make the model: {error}") from error
        self._failed_starts = 0
        self._unready.discard(link)
        mine = self._own
        if greeting.robustfim != mine.robustfim:
            raise ModelError(f"{link.name} has robustfim {greeting.robustfim}, this process {mine.robustfim}.")
        for name, version in mine.plugins.items():
            if greeting.plugins.get(name) != version:
                other = greeting.plugins.get(name) or "does not load it"
                raise ModelError(f"{link.name} has another plugin {name!r} ({other}) than this process ({version}).")
        if greeting.fingerprint != mine.fingerprint:
            raise ModelError(
                f"{link.name} makes another model than this process: its fingerprint is {greeting.fingerprint}, not "
                f"{mine.fingerprint}. The same files must lie on both machines."
            )

    def _replace(
        self, link: Link, lost: WorkerLost, waiting: deque[int], strikes: Counter[int], tasks: Sequence[tuple[Any, ...]]
    ) -> None:
        """Take a dead worker's tasks back, and start another in its place."""
        batches = self._busy[link]
        if batches:  # the first is what it was at
            strikes[batches[0]] += 1
            if strikes[batches[0]] >= _STRIKES:
                raise ModelError(
                    f"{_STRIKES} workers died at the same batch of texts, the last with: {lost}. The batch begins "
                    f"with {_first_text(tasks[batches[0]])!r}."
                )
        waiting.extendleft(reversed(batches))
        self._warn(f"{link.name} died ({lost}); its batches are sent again, and another takes its place.")
        self._drop(link)
        self._hire()

    def _drop(self, link: Link) -> None:
        link.stop()
        self._links.remove(link)
        self._unready.discard(link)
        del self._busy[link]

    def _fill(self, waiting: deque[int], tasks: Sequence[tuple[Any, ...]]) -> None:
        """Give each worker its next tasks, a round at a time."""
        for depth in count(1):
            if not waiting or depth > self._engine.contract.in_flight:
                return
            for link, own in self._busy.items():
                if waiting and link not in self._unready and len(own) < depth:
                    index = waiting.popleft()
                    link.send(pickle.dumps(tasks[index]))
                    own.append(index)


def _first_text(task: tuple[Any, ...]) -> str:
    for part in task[1:]:
        if isinstance(part, list | tuple) and part:
            first = getattr(part[0], "source", part[0])
            return str(getattr(first, "text", first))[:80]
    return str(task[0])
