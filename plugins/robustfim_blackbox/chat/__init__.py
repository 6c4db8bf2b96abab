"""Chat models, as models under test, as writers of texts and as judges."""
