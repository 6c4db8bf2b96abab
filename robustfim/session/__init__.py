"""One run of one suite, from its checks to its record and exit code."""
