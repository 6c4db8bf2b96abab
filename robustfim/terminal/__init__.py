"""What a person sees on the terminal.

Open to plugins: ``area``, how well a score ranks failures; ``diff``, edits within a line; and ``series``, sessions that
are shown as they run.
"""
