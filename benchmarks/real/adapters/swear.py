"""better-profanity: whether a text holds a word of its list, in any spelling."""

from better_profanity import profanity


def predict(texts: list[str]) -> list[str]:
    """Give the label of each text."""
    return ["hateful" if profanity.contains_profanity(text) else "non-hateful" for text in texts]
