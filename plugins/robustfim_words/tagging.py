"""Part-of-speech tagging: our tokens, with the tags of a spaCy pipeline or of a dictionary."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.errors import UsageError, did_you_mean
from robustfim_words.tokens import Token, base_of, tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["SHIPPED", "SpacyTagger", "Tagger", "check_pipeline", "tagger", "with_spacy"]

SHIPPED = Path(__file__).with_name("tagger")
"""The pipeline that is used where the user names none."""

_KEPT_TOKENS = 500_000
_PREPARED_TEXTS = 2_000
_BATCH = 64


class Tagger:
    """Tags texts and remembers the latest of them, up to half a million tokens.

    Attributes:
        description: What the tags come from, in a few words.
    """

    description = ""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Token, ...]] = OrderedDict()
        self._size = 0

    def tag(self, text: str) -> tuple[Token, ...]:
        """Tokenise and tag one text.

        Args:
            text: Any text.

        Returns:
            The tokens of :func:`~robustfim_words.tokens.tokenise`, ``tag`` and ``pos`` filled in where known. A
            word with a possessive ``'s`` has the tags of what stands before it.
        """
        known = self._kept.get(text)
        if known is None:
            known = next(iter(self._tag([text])))
            self._keep(text, known)
        else:
            self._kept.move_to_end(text)
        return known

    def prepare(self, context: Context) -> None:
        """Tag the first 2,000 texts of a run in batches; further ones are tagged when they are asked for."""
        self.prepare_texts(text for example in context.examples for text in example.fields.values())

    def prepare_texts(self, texts: Iterable[str]) -> None:
        """Tag the first 2,000 of some texts in batches."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._kept][:_PREPARED_TEXTS]
        for text, tokens in zip(fresh, self._tag(fresh), strict=True):
            self._keep(text, tokens)

    def _keep(self, text: str, tokens: tuple[Token, ...]) -> None:
        """Remember a text, and forget the oldest ones beyond the limit."""
        self._kept[text] = tokens
        self._size += len(tokens)
        while self._size > _KEPT_TOKENS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])

    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        """Tag texts, in order."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it tags")


class SpacyTagger(Tagger):
    """Tags with a spaCy pipeline, loaded with the first text.

    Args:
        pipeline: The name of an installed pipeline, or the folder of one.
    """

    def __init__(self, pipeline: str | Path = SHIPPED) -> None:
        super().__init__()
        self._pipeline = pipeline
        self._nlp: Any = None
        name = "robustfim_words' own" if pipeline == SHIPPED else str(pipeline)
        self.description = f"spaCy pipeline {name}"

    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        if self._nlp is None:
            self._nlp = _load(self._pipeline)
        # Half a surrogate pair is no text for spaCy; its replacement has the same length.
        clean = (text.encode("utf-8", "replace").decode("utf-8") for text in texts)
        for text, doc in zip(texts, self._nlp.pipe(clean, batch_size=_BATCH), strict=True):
            yield _align(tokenise(text), doc)


def _load(pipeline: str | Path) -> Any:
    """Load a pipeline without the parts that no tag depends on."""
    import spacy

    nlp = spacy.load(pipeline, exclude=["parser", "ner", "lemmatizer", "entity_linker", "textcat"])
    nlp.max_length = 10**9
    probe = nlp("It works.")
    if not all(token.tag_ and token.pos_ for token in probe):
        raise UsageError(
            f"pipeline {str(pipeline)!r} sets no fine and coarse tags; its parts: {', '.join(nlp.pipe_names)}"
        )
    return nlp


def _align(tokens: Sequence[Token], doc: Any) -> tuple[Token, ...]:
    """Give each of our tokens the tags of the spaCy token with the same characters, if there is one.

    A compound with a hyphen, several tokens to spaCy, has those of its last part, a participle as an adjective.
    """
    places = {(piece.idx, piece.idx + len(piece)): (piece.tag_, piece.pos_) for piece in doc}
    last_parts = {piece.idx + len(piece): (piece.tag_, piece.pos_) for piece in doc}
    aligned = []
    for token in tokens:
        end = base_of(token)[1]
        tags = places.get((token.start, token.end)) or places.get((token.start, end))
        if tags is None and "-" in token.text:
            tags = last_parts.get(token.end) or last_parts.get(end)
            tags = ("JJ", "ADJ") if tags is not None and tags[0] in ("VBN", "VBD", "VBG") else tags
        aligned.append(token if tags is None else token._replace(tag=tags[0], pos=tags[1]))
    return tuple(aligned)


def with_spacy() -> bool:
    """Tell whether spaCy is installed, without importing it."""
    return importlib.util.find_spec("spacy") is not None


def check_pipeline(pipeline: str | Path | None) -> None:
    """Check, without importing spaCy, that a pipeline can be loaded.

    Raises:
        UsageError: spaCy or the pipeline is not installed.
    """
    if pipeline is None:
        return
    if not with_spacy():
        raise UsageError(f"pipeline: {str(pipeline)!r} needs spaCy: pip install 'robustfim[spacy]'")
    if isinstance(pipeline, Path) or Path(pipeline).exists():
        if not (Path(pipeline) / "config.cfg").is_file():
            raise UsageError(f"pipeline: {str(pipeline)!r} is no folder of a spaCy pipeline: it has no config.cfg")
        return
    installed = sorted(point.name for point in importlib.metadata.entry_points(group="spacy_models"))
    if pipeline not in installed:
        raise UsageError(
            f"pipeline: {pipeline!r} is not installed.{did_you_mean(pipeline, installed)} "
            f"Installed: {', '.join(installed) or 'none'}; 'python -m spacy download {pipeline}' fetches it."
        )


@lru_cache(maxsize=8)
def tagger(pipeline: str | Path | None = None) -> Tagger:
    """Return the tagger for a pipeline; the same one each time, so that texts are tagged once.

    Args:
        pipeline: The name or folder of a pipeline; None for the shipped one, or for the dictionary where spaCy
            is not installed.
    """
    if pipeline is not None:
        return SpacyTagger(pipeline)
    if with_spacy():
        return SpacyTagger()
    from robustfim_words.dictionary import DictionaryTagger

    return DictionaryTagger()
