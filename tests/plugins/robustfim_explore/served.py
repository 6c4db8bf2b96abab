"""A real server on this machine's loopback, with a client that has the link."""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any

import httpx

from robustfim.commands import Chosen
from robustfim.record.review import ReviewFile
from robustfim_explore.desk import Desk
from robustfim_explore.gate import HEADER
from robustfim_explore.serving import bind, server
from robustfim_explore.subject import Subject, open_subject
from tests.waiting import until

__all__ = ["TOKEN", "Served"]

TOKEN = secrets.token_urlsafe()


class Served:
    """An explorer that is served from a thread.

    Args:
        place: What is explored.
        folder: Where reviews are kept.
        wait: Whether to wait until the model is there.
        given: The options of the command, and those of ``open_subject``.
    """

    def __init__(self, place: Path | Subject, folder: Path, *, wait: bool = True, **given: Any) -> None:
        self.review = folder / "reviews" / "toy.json"
        if isinstance(place, Subject):
            subject = place
        else:
            model = given.pop("model_wanted", True)
            subject = open_subject(place, Chosen(**given), model=model, review=self.review, who="Ada")
        self.desk = Desk(subject)
        bound = bind("127.0.0.1", 0)
        self.port = bound.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = server(self.desk, bound, token=TOKEN, host="127.0.0.1")
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [bound]}, daemon=True)
        self._thread.start()
        self.client = httpx.Client(base_url=self.url, headers={HEADER: "1"}, timeout=60)
        until(lambda: self._server.started)
        self.link = f"{self.url}/?token={TOKEN}"
        assert self.client.get(self.link).status_code == 200
        until(lambda: wait and self.get("state")["state"] == "loading", expected=False)

    def get(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/api/{path}").json()
        return found

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.client.post(f"/api/{path}", json=body).json()
        return found

    def trial(self, **body: Any) -> dict[str, Any]:
        told = self.post("trials", **body)
        if told.get("state") != "running":
            return told
        until(lambda: self.get(f"trials/{told['trial']}").get("state") == "running", expected=False)
        return self.get(f"trials/{told['trial']}")

    def answers(self) -> list[str]:
        """What was answered so far, in order."""
        return [answer.answer for answer in ReviewFile.load(self.review).answers]

    def forget(self) -> None:
        """Throw away what was reviewed."""
        self.review.unlink(missing_ok=True)
        self.desk.answers.labels.unlink(missing_ok=True)
        self.desk.study.path.unlink(missing_ok=True)

    def close(self) -> None:
        self.client.close()
        self._server.should_exit = True
        self._thread.join(10)
