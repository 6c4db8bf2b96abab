"""vaderSentiment: at a compound score of 0.05 a text is positive, as its README says."""

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

_ANALYZER = SentimentIntensityAnalyzer()


def predict(texts: list[str]) -> list[str]:
    """Give the label of each text."""
    return ["positive" if _ANALYZER.polarity_scores(text)["compound"] >= 0.05 else "negative" for text in texts]
