"""alt-profanity-check: the probability that a text is offensive."""

from profanity_check import predict_prob


def predict(texts: list[str]) -> list[list[float]]:
    """Give the probabilities of each text: non-hateful, hateful."""
    return [[1 - hateful, hateful] for hateful in predict_prob(texts).tolist()]
