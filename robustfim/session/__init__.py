"""One run of one suite, from its checks to its record and exit code.

Open to plugins: what this package exports, for commands that run suites of their own.
"""

from __future__ import annotations

from robustfim.session.open import look_at_suite, open_session, open_sessions
from robustfim.session.report_files import prepare_folder
from robustfim.session.session import Session

__all__ = ["Session", "look_at_suite", "open_session", "open_sessions", "prepare_folder"]
