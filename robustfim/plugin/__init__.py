"""The door of plugins: the hooks, what each plugin offers, and how it is loaded and made."""
