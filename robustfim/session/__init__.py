"""One run of one suite, from its checks to its record and exit code.

Open to plugins: what this package exports, for commands that run suites of their own; ``pair_judge``, by which
constraints look at the pairs of a run.
"""

from __future__ import annotations

from robustfim.session.open import open_session, open_sessions
from robustfim.session.report_files import prepare_folder
from robustfim.session.session import Session

__all__ = ["Session", "open_session", "open_sessions", "prepare_folder"]
