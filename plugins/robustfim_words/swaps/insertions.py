"""Insertions: a word or a phrase that adds emphasis, or nothing, at a place that can bear it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import article_before, indefinite_article
from robustfim_words.text.casing import capitalised, caseless, like, title
from robustfim_words.text.clauses import FINITE, subordinate
from robustfim_words.text.collocations import in_collocation
from robustfim_words.text.gradable import DEGREES, gradable, names_a_kind
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.text_kind import KINDS, kind_of, text_kind
from robustfim_words.text.tokens import Token, sentence_bounds
from robustfim_words.text.tone import leaning, sided

__all__ = ["Adverbs", "Intensifiers", "Openers"]

_DEGREE = frozenset(
    """
    as so too how very more most less least quite rather that this such enough what all no not n't
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text
_SUBJECTS = frozenset(["i", "we", "he", "she", "they", "it"])
_AUXILIARIES = frozenset(
    "am is are was were have has had will would can could should must do does did".split()  # noqa: SIM905  # words read better as a text
)
_CLASSIFYING = frozenset(
    """
    cold hot warm fresh old young dark deep high low light heavy good strong dry sweet big large small long short
    emotional serious
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Adjectives that may tell a kind before a noun ("cold drinks"): strengthened behind a verb or an article only."""
_DENIED = ("n't", "n #39;t", "n&#39;t")
"""How a verb ends that denies, as written and in news of broken apostrophes."""
_SUCH = frozenset("gem jewel joy hell heck mess treat beast monster bear devil".split())  # noqa: SIM905  # words read better as a text
"""Nouns whose "of a" leads to the thing itself: "a gem of a film"."""
_STANCE = frozenset(
    """
    really actually honestly certainly definitely surely probably maybe perhaps possibly apparently frankly personally
    obviously clearly simply just even never only hardly barely almost nearly truly absolutely likely genuinely indeed
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words beside which another adverb of assurance is one too many."""
_SEEMING = frozenset("seems seemed turns turned appears appeared mean means guess may might happens happened".split())  # noqa: SIM905  # words read better as a text
_FELT = frozenset(
    """
    love like enjoy hate dislike want need hope appreciate believe feel care understand recommend regret admire
    deserve wish look sound doubt trust prefer respect miss
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Verbs of what is felt or wanted, which any adverb of assurance may strengthen; others bear "actually" only."""
_NEITHER = frozenset(["neither", "nor", "either", "dunno", "wanna", "gonna"])
_TELLING = frozenset(["when", "where", "while", "until", "if", "whether", "unless", "before", "after", "how", "why"])
"""Words that open clauses: behind one, "and she runs" may go on with it."""
_JOINING = frozenset(["and", "but", "so", "because"])
_OPINIONS = ("review", "message")
_PERSONAL = frozenset(["i", "my", "me", "i'm", "i've", "i'd", "i'll"])
_ADDRESSING = frozenset(["you", "you're", "your", *_PERSONAL])
_OPENS = frozenset(
    """
    and but or so yet if because although though unless honestly frankly well oh yes no okay ok hey
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text
_REPORTING = frozenset(["said", "says", "say", "told", "according", "reported", "reportedly", "announced"])
_BUSINESS = re.compile(
    r"\b(?:attached|please|meeting|regarding|agreement|forward\w*|confirm\w*|draft|representative|inform|sincerely)\b",
    re.IGNORECASE,
)
"""Words of letters that nobody opens with "Well," or "Look,"."""
_ADDRESSES = frozenset("dad daddy mum mummy mom mommy grandma grandpa granny grandad nan".split())  # noqa: SIM905  # words read better as a text
_FIRST_SENTENCE = 60
"""Characters at the beginning of a news report, its headline as a rule, before which no sentence is opened."""
_LEANS = 0.9
"""How far, in natural logarithms of odds, a sentence leans to praise or to blame that judges."""
_GREETS = frozenset(
    """
    thank thanks sorry congratulations bravo please dear hello hi dont don't do avoid spare skip
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text


class _Insertions(WithTagger):
    """Draws a few of the insertions that fit at each place."""

    def __init__(self, name: str, alternatives: int) -> None:
        if alternatives < 1:
            raise UsageError(f"alternatives: {alternatives} is below 1")
        self._name, self._alternatives = name, alternatives

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List insertions at each place that can bear one.

        Args:
            example: The source example.
            random: Draws the words.
        """
        for field, text in example.fields.items():
            tokens = tagger().tag(text)
            quoted = fixed(text, tokens)
            for index in range(len(tokens)):
                fitting = self._fitting(text, tokens, index) if index not in quoted else ()
                for word in random.sample(fitting, min(self._alternatives, len(fitting))):
                    yield self._insert(field, text, tokens, index, word)

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        """List what may be inserted before a token."""
        raise NotImplementedError(f"{type(self).__name__} does not say what fits")

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        """Insert a word before a token; an article before it agrees, and a first capital moves."""
        token = tokens[index]
        head = token.text
        article = article_before(text, tokens, index)
        shouted = head.isupper() and len(head) > 1
        if article is not None:
            small = indefinite_article(word)
            small = title(small) if article.text[0].isupper() else small
            before = text[article.start : token.end]
            written = word.upper() if shouted else word
            return Edit(field, article.start, token.end, before, f"{small} {written} {head}", f"{self._name}: {word}")
        after = f"{like(head, word)} {head[0].lower() + head[1:] if token.starts and not shouted else head}"
        return Edit(field, token.start, token.end, head, after, f"{self._name}: {word}")


class Intensifiers(_Insertions):
    """Strengthens an adjective: "a very good film", "absolutely superb".

    Only adjectives that can be strengthened, by adverbs that fit their degree ("very superb" is none); not behind
    another degree ("so good", "too long") or a negation, where the strengthening would weaken.

    Args:
        alternatives: Adverbs offered at each adjective, drawn at random, at least 1.

    Raises:
        UsageError: ``alternatives`` is below 1.
    """

    def __init__(self, *, alternatives: int = 3) -> None:
        super().__init__("intensifiers", alternatives)
        table = read_table(LEXICONS / "intensifiers.tsv", ("adverb", f"strengthens: {'|'.join(DEGREES)}|both"))
        self._adverbs = {
            degree: [adverb for adverb, strengthened in table if strengthened in (degree, "both")] for degree in DEGREES
        }

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        token = tokens[index]
        degree = gradable().get(token.text.lower())
        if degree is None or token.tag != "JJ" or token.pos != "ADJ" or in_name(tokens, index):
            return ()
        before = _lowered(tokens[max(0, index - 3) : index])
        if any(other.text.lower() in ("none", "neither", "nor", "nothing") for other in _sentence(tokens, index)):
            return ()
        near = tokens[index - 1] if index else None
        if near is not None and (near.tag in ("RB", "RBR", "RBS", "WRB", "JJ", "NN") or near.text in ("-", "‑")):
            return ()
        if any(word in _DEGREE or word.endswith(_DENIED) or word in ("never", "nothing", "hardly") for word in before):
            return ()
        if before[-2:-1] == ["of"] and before[0] in _SUCH:
            return ()  # "a gem of a romantic comedy"
        follower = tokens[index + 1] if index + 1 < len(tokens) else None
        if follower is not None and (
            follower.text.lower() in ("enough", "as", "old", "than") or follower.text in ("-", "‑")
        ):
            return ()
        if follower is not None and (
            follower.kind == "number" or follower.text in "$£€" or in_collocation(tokens, index)
        ):
            return ()
        if follower is not None and follower.text.lower() in ("amount", "amounts", "deal", "number", "many", "few"):
            return ()
        if token.starts and caseless(text) and follower is not None and follower.tag == "NN":
            beyond = tokens[index + 2] if index + 2 < len(tokens) else None
            if beyond is not None and beyond.tag in FINITE:
                return ()  # a title: "lucky break is harmless"
        if follower is not None and capitalised(follower) and not (follower.starts or text.isupper()):
            return ()  # "the huge Three Gorges Dam"
        if names_a_kind(tokens, index):
            return ()
        bare = near is None or near.tag not in ("DT", "RB", "VBZ", "VBD", "VBP", "VB")
        if token.text.lower() in _CLASSIFYING and bare and follower is not None and follower.tag[:2] == "NN":
            return ()
        return [word for word in self._adverbs[degree] if word == "very" or not _reports(text, tokens)]


def _reports(text: str, tokens: Sequence[Token]) -> bool:
    """Tell whether a text is news, which strengthens with "very" alone."""
    told = any(token.text.lower() in _REPORTING for token in tokens)
    return text_kind(text) in (("", "news") if told or in_headline(tokens) else ("news",))


class Adverbs(_Insertions):
    """Puts an adverb of assurance beside the verb of a pronoun: "I certainly enjoyed it", "It is really short".

    In reviews and messages, and texts of no known kind, only; not in relative clauses, and not beside another such
    adverb.

    Args:
        alternatives: Adverbs offered at each verb, drawn at random, at least 1.
        source: A list of adverbs, one a line; the shipped one by default.
        texts: The kind of the texts (review, news, question, message); ``auto`` tells it from each text's words.

    Raises:
        UsageError: ``alternatives`` is below 1, the list cannot be read, or the kind is unknown.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("adverbs", alternatives)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        self._adverbs = [word for (word,) in read_table(source or LEXICONS / "adverbs.txt", ("adverb",))]

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        token = tokens[index]
        subject = tokens[index - 1] if index else None
        if (
            subject is None
            or subject.text.lower() not in _SUBJECTS
            or kind_of(text, self._texts) not in ("", *_OPINIONS)
        ):
            return ()
        denied = token.text.lower().endswith(("n't", "n’t"))  # two words to the tagger, so that it has no tag
        if not denied and (token.tag not in FINITE or token.pos not in ("VERB", "AUX")):
            return ()
        if token.text.lower() in _SEEMING | {"see", "suppose"} or text[subject.end : token.start] != " ":
            return ()
        opening = tokens[index - 2] if index > 1 and not subject.starts else None
        if opening is not None and opening.text not in (",", ";", ":", "(") and opening.text.lower() not in _JOINING:
            return ()
        if any(other.text.lower() in _STANCE | _NEITHER for other in _sentence(tokens, index)):
            return ()
        first, _ = sentence_bounds(tokens, index)
        if any(other.text.lower() in _TELLING for other in tokens[first:index]) or subordinate(tokens, index):
            return ()
        follower = tokens[index + 1] if index + 1 < len(tokens) else None
        if follower is None or follower.tag in ("RB", "RBR", "RBS") or follower.kind == "mark":
            return ()
        if token.text.lower() in _AUXILIARIES or denied:
            done = any(other.tag in ("VBG", "VBN") for other in tokens[index + 1 : index + 3])
            return [word for word in self._adverbs if word != "really"] if done else self._adverbs
        base = inflection.lemma(token.text.lower(), token.tag)
        if base is None:
            return ()  # "dunno"
        felt = base in _FELT or (base == "like" and token.tag != "VB")
        return self._adverbs if felt else [word for word in self._adverbs if word == "actually"]

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        """Insert the adverb behind an auxiliary, and before any other verb."""
        token = tokens[index]
        if token.text.lower() not in _AUXILIARIES or token.pos != "AUX" or token.text.lower().endswith(("n't", "n’t")):
            return super()._insert(field, text, tokens, index, word)
        return Edit(field, token.start, token.end, token.text, f"{token.text} {word}", f"{self._name}: {word}")


class Openers(_Insertions):
    """Opens a sentence with a phrase that adds nothing: "To be honest, ", "In my opinion, "; in news "As reported, ".

    The phrases fit the kind of the text. Not where the sentence already has an opening of its kind, asks, or greets,
    and not in headlines.

    Args:
        alternatives: Phrases offered at each sentence, drawn at random, at least 1.
        source: A list of phrases, one a line, each with its comma or colon, for texts of every kind; the shipped
            ones, for each kind its own, by default.
        texts: The kind of the texts (review, news, question, message); ``auto`` tells it from each text's words.

    Raises:
        UsageError: ``alternatives`` is below 1, the table is malformed, or the kind is unknown.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("openers", alternatives)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        columns = ("phrase", "opens: opinion|frank|message|news|again")
        self._openers: dict[str, list[str]] = {}
        if source is not None:
            self._openers["any"] = [phrase for (phrase,) in read_table(source, ("phrase",))]
            return
        for phrase, opens in read_table(LEXICONS / "openers.tsv", columns):
            self._openers.setdefault(opens, []).append(phrase)

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        token = tokens[index]
        if not token.starts or token.kind != "word" or token.text.lower() in _OPENS | _GREETS:
            return ()
        if token.tag in ("UH", "CC", "IN", "WP", "WRB", "WDT", "VB", "MD", "RB", "RBR", "RBS", "CD") or (
            token.start and text[token.start - 1] in "\"'“‘(["
        ):
            return ()
        sentence = tokens[index : sentence_bounds(tokens, index)[1]]
        if len(sentence) < 4 or sentence[-1].text in "?…" or any(other.text in (",", ":") for other in sentence[1:4]):
            return ()
        if index in in_headline(tokens) or not _states(sentence) or _of_two(sentence):
            return ()
        opened = self._opens(text, sentence, token)
        again = opened and text_kind(text) != "news" and _bears_out(tokens, index, sentence)
        opened = (*opened, "again") if again else opened
        return [phrase for opens in opened for phrase in self._openers.get(opens, ())]

    def _opens(self, text: str, sentence: Sequence[Token], token: Token) -> Sequence[str]:
        """Tell which phrases open a sentence of a text."""
        kind = kind_of(text, self._texts)
        after_dateline = text[: token.start].rstrip()[-1:] in ("-", "–", "—")
        if kind == "news":
            if token.start < _FIRST_SENTENCE or after_dateline or _shouts(sentence):
                return ()
            return ("any",) if any(other.text.lower() in _REPORTING for other in sentence) else ("news", "any")
        if kind == "question" or _shouts(sentence):
            return ()
        if kind == "message":
            return ("any",) if _BUSINESS.search(text) else ("message", "any")
        words = _lowered([other for other in sentence if other.starts or not capitalised(other)])
        judges = any(word in gradable() or sided(word) is not None for word in words)
        personal = token.text.lower().replace("’", "'") in _PERSONAL or token.text.lower() in _SUBJECTS - {"it"}
        if not kind and judges and "please" not in words and not _ADDRESSING.isdisjoint(words):
            return ("frank", "any")
        if kind != "review" or not (judges or personal):
            return ("any",)
        return ("frank", "any") if personal else ("opinion", "frank", "any")

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        token = tokens[index]
        head = token.text
        bare = re.split("['’]", head)[0]
        known = bare.lower() in read_stop_words(STOP_WORDS) or inflection.is_word(bare) or not bare.isalpha()
        known = known or token.tag == "JJ"
        keeps = bare == "I" or not known or (head.isupper() and len(head) > 1) or token.pos == "PROPN"
        keeps = keeps or head.lower() in _ADDRESSES
        follower = tokens[index + 1] if index + 1 < len(tokens) else None
        named = in_name(tokens, index) and follower is not None and capitalised(follower)
        named = named or any(other.text == head and not other.starts for other in tokens)
        named = named and head.lower() not in read_stop_words(STOP_WORDS)
        lowered = head if keeps or named or not capitalised(token) else head[0].lower() + head[1:]
        phrase = word.lower() if caseless(text) else word
        return Edit(field, token.start, token.end, head, f"{phrase} {lowered}", f"openers: {word}")


def _states(sentence: Sequence[Token]) -> bool:
    """Tell whether a sentence has a subject and, outside relative clauses, a verb: "a film that moves" has none."""
    informing = sentence[1].text.lower() in ("is", "was") and sentence[2].text.lower() == "to"
    if informing or sentence[0].tag in ("VBZ", "VBD", "VBN", "JJ") or _lowered(sentence)[0].endswith(_DENIED):
        return False  # "drops you into a dream", "rich in ideas", "this is to inform you"
    heads = takewhile(lambda each: each.text.lower() not in ("that", "who", "which"), sentence)
    return any(_finite(each) for each in (heads if sentence[0].text.lower() in ("a", "an") else sentence))


def _lowered(tokens: Sequence[Token]) -> list[str]:
    return [token.text.lower().replace("’", "'") for token in tokens]


def _bears_out(tokens: Sequence[Token], index: int, sentence: Sequence[Token]) -> bool:
    """Tell whether a sentence praises or blames as the one before it does, so that "In fact," may open it."""
    if not index or tokens[index - 1].text != ".":
        return False
    before = leaning(_sentence(tokens, index - 1))
    return min(abs(before), abs(leaning(sentence))) > _LEANS and before * leaning(sentence) > 0


def _of_two(sentence: Sequence[Token]) -> bool:
    """Tell whether a headline runs into what follows it: "Plan Is Dropped The mayor said"."""
    small = read_stop_words(STOP_WORDS)
    return any(
        capitalised(each) and not each.starts and each.text.split("'")[0] != "I" and each.text.lower() in small
        for each in sentence[1:]
    )


def _finite(token: Token) -> bool:
    return token.tag in FINITE or "'" in token.text.replace("’", "'")


def _shouts(sentence: Sequence[Token]) -> bool:
    return sum(token.text.isupper() and len(token.text) > 1 for token in sentence) > len(sentence) / 2


def _sentence(tokens: Sequence[Token], index: int) -> Sequence[Token]:
    """Return the tokens of the sentence that a token belongs to."""
    return tokens[slice(*sentence_bounds(tokens, index))]
