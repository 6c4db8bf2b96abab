"""Which examples are tested: the difficult arm, the control arm, what a check draws of them, and the lock.

Open to plugins: ``lock``, the file that says what is tested.
"""
