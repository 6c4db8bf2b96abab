"""The plugins that come with the core: expectations, the unchanged perturbation, the JSON report."""
