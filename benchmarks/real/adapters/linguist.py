"""lingua-language-detector: the language of a text, of four."""

from lingua import IsoCode639_1, LanguageDetectorBuilder

_CODES = (IsoCode639_1.DE, IsoCode639_1.EN, IsoCode639_1.ES, IsoCode639_1.FR)
_DETECTOR = LanguageDetectorBuilder.from_iso_codes_639_1(*_CODES).build()


def predict(texts: list[str]) -> list[dict[str, float]]:
    """Give the probability of each language for each text."""
    answers = [_DETECTOR.compute_language_confidence_values(text) for text in texts]
    return [{each.language.iso_code_639_1.name.lower(): each.value for each in answer} for answer in answers]
