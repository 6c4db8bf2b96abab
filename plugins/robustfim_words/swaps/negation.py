"""Negation: a statement becomes its denial, and a denial a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.swaps.denials import SET_AGAINST, WEIGHED, deny_fragment, deny_whole, judged_outside
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import indefinite_article
from robustfim_words.text.clauses import FINITE, joined, only_sentence, subordinate
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.options import one_of, some_of
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Token, sentence_bounds

__all__ = ["KINDS", "Negation"]

KINDS = ("add", "remove")
_AUXILIARIES = {
    **{"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "am": "am not"},
    **{"do": "don't", "does": "doesn't", "did": "didn't", "can": "can't", "could": "couldn't", "will": "won't"},
    **{"would": "wouldn't", "should": "shouldn't", "has": "hasn't", "have": "haven't", "had": "hadn't"},
    **{"it's": "it isn't", "that's": "that isn't", "there's": "there isn't", "he's": "he isn't", "she's": "she isn't"},
    **{"they're": "they aren't", "we're": "we aren't", "you're": "you aren't", "i'm": "I'm not"},
}
_POSITIVE = {
    negated: plain
    for plain, negated in _AUXILIARIES.items()
    if negated.endswith("n't") and " " not in negated and plain not in ("do", "does", "did")
}
_DO = {"VBD": "didn't", "VBZ": "doesn't", "VBP": "don't"}
_INFLECTION = {"didn't": "VBD", "doesn't": "VBZ", "don't": "VBP"}
_SUBJECTS = frozenset("i we you he she they it everyone everybody".split())  # noqa: SIM905  # words read better as a text
_DENIALS = frozenset(
    """
    not never no nobody nothing none hardly barely neither nor without n't nowhere few little only
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text
_POLAR = frozenset(
    """
    finger any anything anyone anybody ever yet either anywhere much at even necessarily exactly all
    """.split()  # noqa: SIM905  # words read better as a text
)
_FEELING = frozenset(["hope", "happy", "glad", "sorry", "sad", "unfortunately", "fortunately", "luckily"])
"""Words that open a sentence with what is felt about it, which a denial would contradict."""
_SAID = frozenset("say help wait stress beat believe imagine complain get recommend praise go wrong bear stand".split())  # noqa: SIM905  # words read better as a text
"""Verbs with which "can't" and "don't" make idioms: "can't wait", "can't say enough"."""


_BEFORE_NOT = ("is", "are", "was", "were", "am", "can", "could", "will", "would", "should")
_PLACES = frozenset("place right reason chance plot story point purpose plan idea clue sense heart soul".split())  # noqa: SIM905  # words read better as a text
"""Nouns of which who has one has what "no" denies."""
_SPOKEN = frozenset(
    """
    certainly obviously clearly definitely surely apparently probably possibly only hardly barely nearly merely simply
    supposedly allegedly arguably undoubtedly admittedly basically literally early family finally eventually ultimately
    mostly largely mainly partly previously recently
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words like adverbs of manner that a denial does not go before: "doesn't certainly"."""
_OBJECT = ("DT", "PRP", "PRP$", "JJ", "NN", "NNS", "TO", "IN", "RP")
"""What may stand behind a verb of its own that is denied."""
_JOINING = ("of", "in", "into", "from", "for", "between", "about", "with", "on", "at")
_QUANTIFIED = frozenset("all any another both each either every many most neither several some such".split())  # noqa: SIM905  # words read better as a text
"""Words of a subject of which a denied verb leaves something standing: "some films don't"."""


class Negation(WithTagger):
    """Denies a statement, or takes its denial away: "I liked it" and "I didn't like it".

    The meaning turns round, so a check expects ``changes`` where its suite names nothing else; ``directional`` with
    ``direction: down`` suits it where a text says more than one thing. Denied are auxiliaries and forms of "be", and
    the verb behind a pronoun or a plain noun phrase, and other statements as a whole ("I don't think …"). Left are
    sentences with another denial, questions, subordinate and joined clauses, what a denial does not turn round
    ("quite", "more than", "the first"), statements beside other praise or blame that would stand, and texts of several
    sentences, since the others would stand as they are.

    Args:
        kinds: ``add``, ``remove``; both by default.
        sentences: ``one`` changes texts of one sentence only; ``any`` one sentence of longer texts as well, which may
            then contradict the others.

    Raises:
        UsageError: A kind or ``sentences`` is unknown.
    """

    keeps_label = False
    expects = "changes"

    def __init__(self, *, kinds: list[str] | None = None, sentences: str = "one") -> None:
        self._kinds = some_of("kinds", kinds, KINDS)
        self._longer = one_of("sentences", sentences, ("one", "any")) == "any"

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one change for each clause that can be turned round.

        Args:
            example: The source example.
            random: Not used: the list is complete.
        """
        for field, text in example.fields.items():
            tokens = tagger().tag(text)
            firsts = [place for place, token in enumerate(tokens) if token.starts]
            for first in firsts if self._longer else only_sentence(tokens):
                yield from self._turned(field, text, tokens, first)

    def _turned(self, field: str, text: str, tokens: Sequence[Token], first: int) -> Iterator[Edit]:
        """List the changes of one sentence."""
        _, end = sentence_bounds(tokens, first)
        sentence, kept, found = tokens[first:end], fixed(text, tokens), False
        if any(token.text == "?" or token.text.lower() == "if" for token in sentence) or text_kind(text) == "news":
            return
        if in_headline(sentence):
            return  # a headline says it, too
        told = range(first, end) if self._longer else range(len(tokens))
        denied = sum(map(_denies, sentence))
        for index in range(first, end):
            if index in kept or subordinate(tokens, index) or joined(sentence, index - first):
                continue
            if judged_outside(tokens, told, index, end):
                continue
            changes: list[Edit] = []
            if "add" in self._kinds and not denied:
                changes = [*_add(field, text, tokens, index), *deny_fragment(field, text, sentence, index - first)]
            elif "remove" in self._kinds and denied == 1:
                changes = list(_remove(field, text, tokens, index, sentence))
            found = found or bool(changes)
            yield from changes
        whole = not found and not denied and "add" in self._kinds and first not in kept
        if whole and not judged_outside(tokens, told, first, end):
            yield from deny_whole(field, text, sentence)


def _add(field: str, text: str, tokens: Sequence[Token], index: int) -> Iterator[Edit]:
    """Deny the clause whose finite verb is a token."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    small = token.text.lower().replace("’", "'")
    unsaid = token.starts and token.tag == "VBZ" and text.islower() and small not in _AUXILIARIES
    if before is None and "'" not in small and not unsaid:
        return
    if after is None or after.kind == "mark" or (token.starts and "'" not in small and not unsaid):
        return
    behind = takewhile(lambda other: not other.starts, tokens[index + 1 : index + 5])
    near = {other.text.lower() for other in behind}
    if (
        near & WEIGHED
        or (after.text.lower() == "to" and not _kind(small))
        or (after.text.lower() in _SAID and small in ("can", "could"))
    ):
        return
    owns = token.pos == "VERB" and _kind(small) == "have" and after.tag in ("DT", "JJ", "NN", "NNS", "PRP$")
    if owns and near & SET_AGAINST:
        return
    if small in _AUXILIARIES and not owns:
        wanted = after.tag in {"have": ("VBN",), "do": ("VB",)}.get(_kind(small), (after.tag,))
        verb = token.pos in ("AUX", "VERB", "PRON", "") or "'" in small
        behind_subject = "'" in small or (before is not None and before.tag[:2] in ("NN", "PR", "DT", "EX", "WD", "WP"))
        follows = after.tag in ("DT", "JJ", "RB", "VBN", "VBG", "VB", "IN", "PRP$", "JJR", "TO", "CD", "NN", "NNS")
        perfect = small.endswith("'s") and (after.tag == "VBN" or after.text.lower() == "been")
        opening = tokens[index - 2] if index > 1 and before is not None and not before.starts else None
        if before is not None and before.text.lower() in _SUBJECTS and opening is not None and opening.pos == "NOUN":
            return  # "the film I have seen"
        relative = small in ("that's", "who's") and before is not None and before.pos in ("NOUN", "PROPN", "PRON")
        first, _ = sentence_bounds(tokens, index)
        if relative or tokens[first].text.lower() in _FEELING:
            return
        if wanted and verb and behind_subject and follows and not perfect and not _emphatic(after):
            yield _written(field, text, token, _AUXILIARIES[small], f"negation: {small} denied")
        return
    if token.pos != "VERB" or token.tag not in _DO or len(token.text) < 2:
        return
    adverb = before if index > 1 and before is not None and _of_manner(before) else None
    if unsaid:
        if after.tag not in _OBJECT:
            return
    elif before is None or (
        before.text.lower() not in _SUBJECTS and not _plain_subject(text, tokens, index - (adverb is not None), after)
    ):
        return
    opening = tokens[index - 2] if before is not None and index > 1 and not before.starts else None
    if (
        before is not None
        and before.text.lower() in _SUBJECTS
        and opening is not None
        and (opening.tag in ("IN", "WRB", "WDT", "WP") or opening.pos in ("NOUN", "PRON", "DET"))
    ):
        return  # a subordinate clause: the main statement would stay
    if after.tag in ("MD", "VBZ", "VBD", "VBP") or token.text.lower() in (
        "seems",
        "mean",
        "guess",
        "used",
        "wish",
        "hope",
    ):
        return
    base = inflection.lemma(token.text, "VBD" if token.tag == "VBD" else token.tag)
    if base is not None and token.text.islower():
        opened = adverb or token
        said = text[opened.start : token.start]
        edit = _written(field, text, token, f"{_DO[token.tag]} {said}{base}", f"negation: {token.text} denied")
        yield Edit(field, opened.start, edit.end, said + edit.before, edit.after, edit.origin)


def _of_manner(token: Token) -> bool:
    """Tell whether an adverb between a subject and its verb is one that a denial goes before."""
    small = token.text.lower()
    return token.tag == "RB" and (small in ("often", "always") or (small.endswith("ly") and small not in _SPOKEN))


def _remove(field: str, text: str, tokens: Sequence[Token], index: int, sentence: Sequence[Token]) -> Iterator[Edit]:
    """Take a denial away."""
    token = tokens[index]
    small = token.text.lower().replace("’", "'")
    if any(other.text.lower() in _POLAR for other in sentence):
        return
    behind = tokens[index + 1].text.lower() if index + 1 < len(tokens) else ""
    if (
        behind in WEIGHED
        or behind in _SAID
        or _emphatic_word(behind)
        or any(
            one.text.lower() == "a" and other.text.lower() in ("lot", "bit", "thing")
            for one, other in pairwise(sentence)
        )
        or (index > 0 and tokens[index - 1].text.lower() == "do" and (index < 2 or tokens[index - 1].starts))
    ):
        return
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before = tokens[index - 1] if index else None
    if small in ("no", "nothing"):
        yield from _affirm_noun(field, text, token, before, after)
    elif small in ("not", "never") and before is not None and after is not None and after.kind == "word":
        if small == "not" and before.text.lower() in ("do", "does", "did") and after.tag == "VB" and index > 1:
            tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[before.text.lower()]
            form = inflection.inflect(after.text.lower(), tag)
            if form is not None and after.text.islower() and not before.starts:
                said = text[before.start : after.end]
                yield Edit(field, before.start, after.end, said, form, "negation: not taken away")
        elif before.text.lower() in _BEFORE_NOT or (small == "never" and _plainly(before, after)):
            yield Edit(field, before.end, token.end, text[before.end : token.end], "", f"negation: {small} taken away")
        return
    if small in _POSITIVE and after is not None and after.kind == "word" and not token.starts:
        yield _written(field, text, token, _POSITIVE[small], f"negation: {small} affirmed")
    elif small in _INFLECTION and after is not None and after.tag == "VB" and before is not None and not token.starts:
        third = {"don't": "VBP"}.get(small, _INFLECTION[small])
        form = inflection.inflect(after.text.lower(), third)
        if form is not None and after.text.islower() and text[token.end : after.start] == " ":
            yield Edit(
                field, token.start, after.end, text[token.start : after.end], form, f"negation: {small} affirmed"
            )


def _plainly(before: Token, after: Token) -> bool:
    """Tell whether "never" stands between a perfect's parts or between a subject and its verb."""
    perfect = before.text.lower() in ("has", "have", "had") and after.tag == "VBN"
    return perfect or (before.tag[:2] in ("NN", "PR") and after.tag in _DO and after.pos == "VERB")


def _affirm_noun(field: str, text: str, token: Token, before: Token | None, after: Token | None) -> Iterator[Edit]:
    """Affirm what "no" or "nothing but" denies: "has a place", "is better than", "is anything but a fool"."""
    if before is None or after is None or text[token.end : after.start] != " ":
        return
    being = before.text.lower() in ("is", "are", "was", "were", "am", "'re", "'s")
    if token.text.lower() == "nothing" and being and after.text.lower() == "but":
        yield _written(field, text, token, "anything", "negation: nothing but turned round")
    elif token.text == "no" and being and after.tag == "JJR":
        yield Edit(field, token.start, after.start, text[token.start : after.start], "", "negation: no taken away")
    elif token.text == "no" and before.text.lower() in ("has", "have", "had") and after.text.lower() in _PLACES:
        yield Edit(field, token.start, token.end, "no", indefinite_article(after.text), "negation: no affirmed")


def _written(field: str, text: str, token: Token, after: str, origin: str) -> Edit:
    """Make the edit of one token, with its case and the text's apostrophes."""
    after = after.replace("'", "’") if "’" in text else after
    if token.text.isupper() and len(token.text) > 1:
        after = after.upper()
    elif token.text[0].isupper():
        after = after[0].upper() + after[1:]
    elif text.islower():
        after = after.lower()
    return Edit(field, token.start, token.end, token.text, after, origin)


def _kind(auxiliary: str) -> str:
    """Return ``have`` or ``do`` for a form of one of them, which is a verb of its own as well; else ``""``."""
    forms = {"have": ("has", "have", "had"), "do": ("do", "does", "did")}
    return next((verb for verb, its in forms.items() if auxiliary in its), "")


def _denies(token: Token) -> bool:
    small = token.text.lower().replace("’", "'")
    return small in _DENIALS or small.endswith(("n't", "n #39;t", "n&#39;t")) or small in ("cannot", "ain't")


def _emphatic(token: Token) -> bool:
    """Tell whether a word behind an auxiliary does not bear a denial before it: "is also", "will still"."""
    return (token.tag == "RB" and token.text.lower().endswith("ly")) or token.text.lower() in (
        "rather",
        "better",
        "also",
        "still",
        "already",
        "even",
        "just",
        "too",
        "indeed",
        "certainly",
        "what",
        "why",
        "ever",
    )


def _emphatic_word(word: str) -> bool:
    """Tell whether an adverb behind a denial goes with it alone: "isn't really", "doesn't necessarily"."""
    return word in ("really", "necessarily", "especially", "particularly", "exactly", "that", "so", "very", "merely")


def _plain_subject(text: str, tokens: Sequence[Token], index: int, follower: Token) -> bool:
    """Tell whether nothing but a noun phrase, or two that "of" joins, stand between a sentence's start and a verb.

    News repeats its headline, which would contradict the denied statement; there only the plainest phrases count.
    """
    first, _ = sentence_bounds(tokens, index)
    head, verb = tokens[first:index], tokens[index + (not tokens[index].tag.startswith("V"))]
    if not head or follower.tag not in _OBJECT or {each.text.lower() for each in head} & _QUANTIFIED:
        return False
    base = inflection.lemma(verb.text, verb.tag)
    participle = verb.tag == "VBD" and base is not None and inflection.inflect(base, "VBN") == verb.text
    if participle and follower.tag not in ("DT", "PRP", "PRP$"):
        return False  # "audiences conditioned to weep"
    rest = list(takewhile(lambda each: not each.starts, tokens[index + 1 :]))
    if any(one.tag == "CC" and other.tag in FINITE for one, other in pairwise(rest)):
        return False  # "the film moves and amuses" would say half of it
    names = text_kind(text) != "news"
    joined = (*_JOINING, *(() if tokens[index].tag == "VBZ" else ("and",)))
    known = ("DT", "JJ", "NN", "NNS", "PRP$", "POS", "CD", *(("NNP", "NNPS", "RB", "VBN", "VBG") if names else ()))
    plain = all(each.tag in known or (names and at and each.text.lower() in joined) for at, each in enumerate(head))
    noun = head[-1].tag in (("NN", "NNS", "NNP") if names else ("NN", "NNS"))
    return plain and noun and (names or head[0].tag in ("DT", "PRP$"))
