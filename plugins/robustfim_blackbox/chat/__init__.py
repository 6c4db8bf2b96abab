"""Chat models: as what is tested, as writers of texts and as judges, over one service."""
