"""From the names in a suite to objects: the model, the data, the scores and the checks with their plugins."""
