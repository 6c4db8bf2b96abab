"""Languages: each is a grammar and tables of words, and the perturbations work on any of them."""
