"""From YAML to a typed suite: the file with the line of every key, the format, and what is laid over it.

Open to plugins: ``config``, ``file`` and ``format``, the suite that a hook and a command are given.
"""
