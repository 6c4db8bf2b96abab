"""HateSonar: hate speech, offensive language, or neither."""

from hatesonar import Sonar

_SONAR = Sonar()


def predict(texts: list[str]) -> list[list[float]]:
    """Give the probabilities of each text: non-hateful, hateful."""
    neither = [next(c["confidence"] for c in _SONAR.ping(t)["classes"] if c["class_name"] == "neither") for t in texts]
    return [[fraction, 1 - fraction] for fraction in neither]
