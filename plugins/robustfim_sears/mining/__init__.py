"""``robustfim mine``: from paraphrases that flip a label to rules that people review."""
