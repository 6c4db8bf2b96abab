"""Read and write instances with two alternatives."""
