"""What runs in a worker process of the engine ``processes``."""

from __future__ import annotations

import ast
import signal
import sys
from multiprocessing.connection import Client

__all__ = ["serve"]


def serve() -> None:
    """Answer tasks until the run that started this process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then closes the connection
    address, key = ast.literal_eval(sys.stdin.readline())
    with Client(address, authkey=key) as connection:
        from robustfim.engine.worker import Worker

        worker = Worker(connection.recv_bytes())
        while True:
            try:
                connection.send_bytes(worker.answer(connection.recv_bytes()))
            except (EOFError, BrokenPipeError, ConnectionResetError):
                return
