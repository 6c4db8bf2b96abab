"""From the names in a suite to objects: the model, the data, the scores and the checks with their plugins.

Open to plugins: ``check``, ``collection`` and ``model_and_data``, what hooks are given and commands make.
"""
