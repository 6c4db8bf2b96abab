"""A lexicon of sentiment: a text is positive from a compound score of 0.05."""

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()


def predict(texts):
    """Give one answer a text."""
    return ["positive" if analyzer.polarity_scores(text)["compound"] >= 0.05 else "negative" for text in texts]
