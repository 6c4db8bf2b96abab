"""One run of one suite, from its checks to its record and exit code.

Open to plugins: ``open`` and ``reporting``, for commands that run suites of their own.
"""
