"""TextBlob: a text of polarity above 0 is positive."""

from textblob import TextBlob


def predict(texts: list[str]) -> list[str]:
    """Give the label of each text."""
    return ["positive" if TextBlob(text).sentiment.polarity > 0 else "negative" for text in texts]
