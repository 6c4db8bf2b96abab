"""The output on the terminal.

Open to plugins: ``diff``, edits within a line; and ``series``, sessions that are shown as they run.
"""
