"""The output on the terminal.

Open to plugins: ``series``, sessions that are shown as they run.
"""
