"""Negation: a statement is negated, or a negation is removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import one_of, some_of
from robustfim_words.swaps.turning import Turning, judging
from robustfim_words.text import inflection
from robustfim_words.text.casing import like
from robustfim_words.text.clauses import FINITE, NOUNS, clause, main_clauses
from robustfim_words.text.denials import affirmed, auxiliaries, denies
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, Tokens
from robustfim_words.text.tone import sided

__all__ = ["KINDS", "Negation"]

KINDS = ("add", "remove")
_SUPPORT = {"VBD": "did", "VBZ": "does", "VBP": "do"}
"""The form of "do" that negates a verb, by the verb's tag."""
_FORM = {form: tag for tag, form in _SUPPORT.items()}
_BEHIND = {"perfect": ("VBN",), "support": ("VB",)}
"""Tags of which one must follow "have" or "do" for it to be an auxiliary, not a main verb."""
_VERBS = (*FINITE, "VB")
_COMPARED = ("JJR", "RBR", "JJS", "RBS")
_ADDS = (",", ";", ":", "-", "--", "(", "–", "—", "...", "…")
"""Marks behind which a sentence goes on."""
_LISTED = ("JJ", "VBG", "VBN")
"""Tags of the words beside a comma between adjectives."""
_PHRASE = 3
"""The smallest number of words and marks of a phrase. Shorter ones are exclamations."""
_NEAR = 8
"""The number of words after a verb among which its complement stands."""


class Negation(Turning):
    """Negates praise or blame, or removes its negation: "I liked it" and "I didn't like it".

    If the label of a text stands for praise ("positive"), a statement of praise is negated, or the negation of a
    statement of blame is removed. If the label stands for blame, praise and blame are exchanged. The gold labels of the
    data decide which labels stand for praise or blame. A text without a gold label must have only praise or only blame.

    Auxiliaries and forms of "be" get a "not", other verbs get a form of "do" with "not", and a phrase without a verb
    begins with "hardly" ("hardly a warm film"). Questions, conditions, wishes, habits, comparisons, opinions of other
    people, statements beside another negation, and texts whose other sentences would contradict are not changed.

    One negated statement does not reverse a whole text. A check therefore requires that the probability of the gold
    label does not rise (``directional``, ``direction: down``, ``watch: gold``). With ``sentences: one``, only texts of
    one sentence change, and only if the edit reverses all praise or blame in them. A check then requires that the
    probability falls, ``by: 0.05``; a model that ignores negation fails it.

    Args:
        kinds: ``add``, ``remove``; both by default.
        sentences: ``any``, or ``one`` for texts of one sentence.

    Raises:
        UsageError: A kind or ``sentences`` is unknown.
    """

    def __init__(self, *, kinds: list[str] | None = None, sentences: str = "any") -> None:
        self._kinds = some_of("kinds", kinds, KINDS)
        super().__init__(one_of("sentences", sentences, ("any", "one")) == "one")

    def _turned(
        self, field: str, text: str, tokens: Tokens, sentence: range, side: bool, random: Random
    ) -> Iterator[Edit]:
        """List the changes of one sentence: denials where it has none, the one that it has taken away."""
        said = tokens[sentence.start : sentence.stop]
        if not self._whole and (main_clauses(said) > 1 or any(token.tag in _COMPARED for token in said)):
            return
        kept = fixed(text, tokens)
        denials = [index for index in sentence if denies(tokens[index].text)]
        if not denials and "add" in self._kinds:
            if _ends(said):
                yield from _phrase_denied(field, text, said)
            for index in sentence:
                ends = self._whole or _ends(tokens[index : sentence.stop])
                if ends and index + 1 in sentence and index not in kept and _judges(tokens, index, sentence):
                    yield from _denied(field, text, tokens, index)
        elif len(denials) == 1 and "remove" in self._kinds:
            less = closed_class("of nothing less").isdisjoint(token.small for token in said)
            if less and _ends(tokens[denials[0] : sentence.stop]):
                yield from _affirmed(field, text, tokens, denials[0])


def _ends(said: Tokens) -> bool:
    """Tell whether a statement ends with its judgement: inside are no marks but the commas between adjectives."""
    for place, token in enumerate(said[:-1]):
        judges = token.tag == "JJ" or (token.tag not in FINITE and sided(token.small) is not None)
        if judges and said[place + 1].tag == "TO":
            return False
        behind = next((each.tag for each in said[place + 1 :] if each.tag != "RB"), "")
        if token.text in _ADDS and not (said[place - 1].tag in _LISTED and behind in _LISTED):
            return False
    return True


def _phrase_denied(field: str, text: str, sentence: Tokens) -> Iterator[Edit]:
    """Deny a sentence that is a phrase without a verb: "a warm , funny film" and "hardly a warm , funny film"."""
    token = sentence[0]
    alone = token.tag == "JJ" and sentence[1].tag[:2] not in ("NN", "JJ", ",")
    begins = alone or token.small in closed_class("articles") - {"the"}
    if len(sentence) < _PHRASE or not begins:
        return
    phrase = takewhile(lambda each: each.small not in closed_class("begins a clause"), sentence)
    if not any(each.tag in _VERBS or auxiliaries().get(each.small) for each in phrase):
        after = f"hardly {token.text[0].lower()}{token.text[1:]}"
        yield _written(field, text, token.start, token.end, after, "negation: a phrase denied")


def _judges(tokens: Tokens, index: int, sentence: range) -> bool:
    """Tell whether a verb speaks for a whole clause, not one inside another, of what is judged, and may be denied."""
    token, behind = tokens[index], tokens[index + 1 : min(index + 1 + _NEAR, sentence.stop)]
    if _inside(tokens, index, sentence):
        return False
    if any(each.small in closed_class("never denied") for each in behind[:2]):
        return False
    said = takewhile(lambda each: each.tag != "CC" and each.small not in closed_class("begins a clause"), behind)
    if all(sided(each.small) is None for each in (token, *said)):
        return False
    lemma = inflection.lemma(token.small, token.tag)
    judges = (
        auxiliaries().get(token.small) or sided(lemma or "") is not None or lemma in closed_class("verbs that judge")
    )
    return lemma in closed_class("verbs of works") or (bool(judges) and judging(tokens, index))


def _inside(tokens: Tokens, index: int, sentence: range) -> bool:
    """Tell whether a word stands in a clause inside another one: behind "because", "who"."""
    return any(token.small in closed_class("begins a clause") for token in clause(tokens, index, sentence.start))


def _denied(field: str, text: str, tokens: Tokens, index: int) -> Iterator[Edit]:
    """Deny the clause whose finite verb is a token, by a contracted "not" or one written out."""
    token, after = tokens[index], tokens[index + 1]
    kind, form = auxiliaries().get(token.small, ("", ""))
    begins = token.starts and token.tag == "VBZ" and text.islower()
    last = index - 1 - (index > 1 and tokens[index - 1].tag == "RB")
    subject = kind == "pronoun" or begins or (not token.starts and tokens[last].tag in NOUNS)
    if not subject:
        return
    if kind and after.tag in _BEHIND.get(kind, (after.tag,)):
        for said in _both(form):
            yield _written(field, text, token.start, token.end, said, f"negation: {token.small} denied")
    elif token.pos in ("VERB", "AUX") and token.tag in _SUPPORT:
        base = inflection.lemma(token.text, token.tag)
        if base is not None:
            for said in _both(auxiliaries()[_SUPPORT[token.tag]][1]):
                yield _written(field, text, token.start, token.end, f"{said} {base}", f"negation: {token.text} denied")


def _both(form: str) -> Sequence[str]:
    """Return a denial with "n't" as it is, and with "not"."""
    words = form.split()
    plain = affirmed().get(words[-1])
    if plain is None:
        return (form,)
    return form, " ".join([*words[:-1], "cannot" if plain == "can" else f"{plain} not"])


def _affirmed(field: str, text: str, tokens: Tokens, index: int) -> Iterator[Edit]:
    """Take a denial away: "isn't", "is not", "didn't like", "never liked"."""
    if not 0 < index < len(tokens) - 1:
        return
    before, token, after = tokens[index - 1 : index + 2]
    plain, origin = affirmed().get(token.small, ""), f"negation: {token.small} taken away"
    spoken = token if plain else before
    support = plain or before.small
    if support in _FORM and after.tag == "VB":
        form = inflection.inflect(after.text, _FORM[support])
        if form is not None:
            yield _written(field, text, spoken.start, after.end, form, origin)
    elif plain and support not in _FORM:
        yield _written(field, text, token.start, token.end, plain, origin)
    elif not plain and token.tag == "RB" and _bears(before, after):
        yield Edit(field, before.end, token.end, text[before.end : token.end], "", origin)


def _bears(before: Token, after: Token) -> bool:
    """Tell whether "not" or "never" can go from between two words: behind an auxiliary, or a subject and its verb."""
    small = before.small
    return (small in auxiliaries() and small not in _FORM) or (before.tag in NOUNS and after.tag in FINITE)


def _written(field: str, text: str, start: int, end: int, after: str, origin: str) -> Edit:
    """Make an edit in the case and with the apostrophes of the text."""
    before = text[start:end]
    after = like(before, after.replace("'", "’") if "’" in text else after)
    return Edit(field, start, end, before, after.lower() if text.islower() else after, origin)
