"""Chat models: as the model under test, as writers of texts and as judges, through one service."""
