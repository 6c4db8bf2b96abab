"""The sensitivity of a model of choices to cues, by gradients."""
