"""Language models as judges of changed texts: how likely, how acceptable, how alike they are."""
