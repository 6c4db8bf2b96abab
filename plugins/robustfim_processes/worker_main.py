"""The main module of a worker process of the engine ``processes``."""

from __future__ import annotations

import ast
import signal
import sys
from multiprocessing.connection import Client

__all__ = ["serve"]


def serve() -> None:
    """Answer tasks until the run that started this process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then closes the connection
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # what it has opened is closed
    address, key = ast.literal_eval(sys.stdin.readline())
    with Client(address, authkey=key) as connection:
        from robustfim.engine import Worker

        worker = Worker(connection.recv_bytes())
        try:
            while True:
                connection.send_bytes(worker.answer(connection.recv_bytes()))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            worker.close()
