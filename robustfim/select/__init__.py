"""Which examples are tested: the difficult arm, the control arm, what a check draws of them, and the lock.

Open to plugins: what this package exports, the file that says what is tested.
"""

from __future__ import annotations

from robustfim.select.lock import LOCK, LockFile

__all__ = ["LOCK", "LockFile"]
