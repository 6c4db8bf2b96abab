"""``robustfim finetune``."""
