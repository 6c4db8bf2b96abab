"""What is drawn: charts, tables, the head and the look of every page, each written once.

Open to plugins: ``page``, a page of exhibits; ``exhibits``, tables and figures within another page; ``number``, how
numbers are written; ``axis`` and ``bar``. The two with a template engine are imported where they are used.
"""
