"""``robustfim mine``: mine rules from paraphrases that change the label, and let people review them."""
