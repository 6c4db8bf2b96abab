"""The failing texts of a run as a dataset of the hub."""
