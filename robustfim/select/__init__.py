"""The choice of the tested examples: the difficult and the control arm, the draws of each check, and the lock file.

Open to plugins: what this package exports, the lock file.
"""

from __future__ import annotations

from robustfim.select.lock import LOCK, LockFile

__all__ = ["LOCK", "LockFile"]
