"""One run of one suite, from its checks to its record and exit code.

Open to plugins: ``open`` and ``report_files``, for commands that run suites of their own; ``pair_judge``, by which
constraints look at the pairs of a run.
"""
