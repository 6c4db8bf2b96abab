"""Part-of-speech tagging of this plugin's tokens, by a spaCy pipeline or by a dictionary."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError, did_you_mean
from robustfim_words.tagging.base import Tagger
from robustfim_words.text import inflection
from robustfim_words.text.lexicon import files_hash
from robustfim_words.text.tokens import Token, Tokens, tokenise

__all__ = ["SHIPPED", "SpacyTagger", "check_pipeline", "tagger", "with_spacy"]

SHIPPED = Path(__file__).parents[1] / "tagger"
"""The pipeline that is used if you name none."""

_BATCH = 64
_MISTAKEN = frozenset(["NN", "NNP", "IN", "FW"])
"""Tags that pipelines give to adjectives unknown to them."""


class SpacyTagger(Tagger):
    """Tags with a spaCy pipeline, which is loaded when the first text is tagged.

    Args:
        pipeline: The name of an installed pipeline, or the folder of one.
    """

    def __init__(self, pipeline: str | Path = SHIPPED) -> None:
        super().__init__()
        self._pipeline = pipeline
        self._nlp: Any = None

    @property
    def version(self) -> str:
        """The version of spaCy and the pipeline's name and version; for a folder also the hash of its files."""
        library = f"spaCy {importlib.metadata.version('spacy')}"
        if not Path(self._pipeline).is_dir():
            return f"{library}, {self._pipeline} {importlib.metadata.version(str(self._pipeline))}"
        meta = json.loads((Path(self._pipeline) / "meta.json").read_text(encoding="utf-8"))
        return f"{library}, {meta.get('name')} {meta.get('version')} {files_hash(Path(self._pipeline))}"

    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        if self._nlp is None:
            self._nlp = _load(self._pipeline)
        # Half a surrogate pair is no text for spaCy; its replacement has the same length.
        clean = (text.encode("utf-8", "replace").decode("utf-8") for text in texts)
        for text, doc in zip(texts, self._nlp.pipe(clean, batch_size=_BATCH), strict=True):
            yield _align(tokenise(text), doc)


def _load(pipeline: str | Path) -> Any:
    """Load a pipeline without the parts that no tag and no entity depends on."""
    import spacy

    nlp = spacy.load(pipeline, exclude=["parser", "lemmatizer", "entity_linker", "textcat"])
    nlp.max_length = 10**9
    probe = nlp("It works.")
    if not all(token.tag_ and token.pos_ for token in probe):
        raise UsageError(
            f"pipeline: {str(pipeline)!r} must set fine and coarse part-of-speech tags. The pipeline has only "
            f"the parts {', '.join(nlp.pipe_names)}."
        )
    return nlp


def _align(tokens: Tokens, doc: Any) -> tuple[Token, ...]:
    """Give each of our tokens the tags and the entity of the spaCy token with the same characters, if there is one.

    A compound with a hyphen, several tokens to spaCy, has those of its last part, a participle as an adjective.
    """
    places, last_parts = {}, {}
    for piece in doc:
        start = piece.idx
        end = start + len(piece)
        entity = f"{piece.ent_iob_}-{piece.ent_type_}" if piece.ent_type_ else ""
        places[start, end] = last_parts[end] = piece.tag_, piece.pos_, entity
    aligned = []
    for token in tokens:
        tags = places.get((token.start, token.end))
        if tags is None:
            end = token.base_end
            tags = places.get((token.start, end))
        if tags is None and "-" in token.text:
            tags = last_parts.get(token.end)
            tags = ("JJ", "ADJ", "") if tags is not None and tags[0] in ("VBN", "VBD", "VBG") else tags
        aligned.append(token if tags is None else _mended(Token(*token[:5], *tags)))
    return tuple(aligned)


def _mended(token: Token) -> Token:
    """Take a word in small letters for the adjective that it is, where the dictionary knows it as no noun."""
    if token.tag not in _MISTAKEN or not token.text.islower():
        return token
    known = inflection.parts_of_speech(token.text)
    adjective = "ADJ" in known and "NOUN" not in known and (token.tag != "IN" or set(known) == {"ADJ"})
    return token._replace(tag="JJ", pos="ADJ") if adjective else token


def with_spacy() -> bool:
    """Check whether spaCy is installed, without importing it."""
    return importlib.util.find_spec("spacy") is not None


def check_pipeline(pipeline: str | Path | None) -> str | Path | None:
    """Check, without importing spaCy, that a pipeline is installed, and return its name.

    Raises:
        UsageError: spaCy or the pipeline is not installed.
    """
    if pipeline is None:
        return None
    if not with_spacy():
        raise UsageError(f"pipeline: {str(pipeline)!r} needs spaCy: pip install 'robustfim[spacy]'")
    if isinstance(pipeline, Path) or Path(pipeline).exists():
        if not (Path(pipeline) / "config.cfg").is_file():
            raise UsageError(f"pipeline: {str(pipeline)!r} is no folder of a spaCy pipeline: it has no config.cfg")
        return pipeline
    installed = sorted(point.name for point in importlib.metadata.entry_points(group="spacy_models"))
    if pipeline not in installed:
        raise UsageError(
            f"pipeline: {pipeline!r} is not installed.{did_you_mean(pipeline, installed)} "
            f"Installed: {', '.join(installed) or 'none'}; 'python -m spacy download {pipeline}' fetches it."
        )
    return pipeline


def tagger(pipeline: str | Path | None = None) -> Tagger:
    """Return the tagger for a pipeline; repeated calls return the same tagger, so that a text is tagged once.

    Args:
        pipeline: The name or folder of a pipeline. None stands for the shipped pipeline, or for the dictionary if
            spaCy is not installed.
    """
    return _made(pipeline)


@lru_cache(maxsize=8)  # of a function with no default: f() and f(None) would be two entries
def _made(pipeline: str | Path | None) -> Tagger:
    if pipeline is not None:
        return SpacyTagger(pipeline)
    if with_spacy():
        return SpacyTagger()
    from robustfim_words.tagging.dictionary import DictionaryTagger

    return DictionaryTagger()
