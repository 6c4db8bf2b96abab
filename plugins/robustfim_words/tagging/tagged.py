"""Tags for other plugins: this plugin's tagger as an implementation of the core's tagger protocol."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.roles import TaggedToken
from robustfim_words.tagging.resourced import Tagging
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.guard import fixed

__all__ = ["WordTagger"]


class WordTagger(Tagging):
    """Tags words with the shipped spaCy pipeline, or with the dictionary where spaCy is not installed."""

    def tag(self, texts: Sequence[str]) -> list[list[TaggedToken]]:
        """Tag texts.

        Returns:
            For each text its tokens as :func:`~robustfim_words.text.tokens.tokenise` splits them,
            ``[texts][tokens]``.
        """
        shared = tagger()
        shared.prepare_texts(texts)
        return [
            [TaggedToken(token.text, token.start, token.end, token.pos, token.tag) for token in shared.tag(text)]
            for text in texts
        ]

    def fixed(self, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        """Find the titles of works, addresses and tags in texts, which no edit should change."""
        return [
            tuple((tokens[index].start, tokens[index].end) for index in sorted(fixed(text, tokens)))
            for text in texts
            for tokens in [tagger().tag(text)]
        ]
