"""Trains the part-of-speech tagger that ships in ``tagger/``: ``python -m benchmarks.taggers.speech --help``.

Input are two CoNLL-U files, such as Universal Dependencies' English Web Treebank. Output is a spaCy
pipeline folder of some megabytes and its model card.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.taggers.treebank import Sentence, read_conllu

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["Sentence", "accuracy", "invented", "main", "read_conllu", "settle", "texts_of", "write_corpus"]

CONFIG = Path(__file__).with_name("speech.cfg")
SENTENCES_A_TEXT = 5
RARE = 3
INVENTED_SHARE = 2 / 3
SPACED_SHARE = 0.15
"""Share of the training texts whose tokens are all set apart by spaces, as tokenised corpora have them."""


def texts_of(sentences: Iterable[Sentence], random: Random) -> Iterator[list[Sentence]]:
    """Join neighbouring sentences of one document to texts of 1 to 5."""
    text: list[Sentence] = []
    size = random.randint(1, SENTENCES_A_TEXT)
    for sentence in sentences:
        if text and (len(text) >= size or text[-1].document != sentence.document):
            yield text
            text, size = [], random.randint(1, SENTENCES_A_TEXT)
        text.append(sentence)
    if text:
        yield text


def invented(sentences: Iterable[Sentence], random: Random) -> Iterator[Sentence]:
    """Replace rare words by invented words, so that a tagger learns to tag unknown words.

    A word that occurs at most three times is replaced with probability 2/3. The new word has the beginning of another
    rare word with the same fine tag, and the last letters of the old word. The tagger then learns from the shape, the
    ending and the position of the word.

    Args:
        sentences: Gold sentences.
        random: The random source.

    Yields:
        The sentences in order, with the same tags and spaces.
    """
    known = list(sentences)
    counts = Counter(word for sentence in known for word in sentence.words)
    rare: dict[str, list[str]] = {}
    for sentence in known:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            if counts[word] <= RARE and word.isalpha() and len(word) > 3 and tag[:2] in ("NN", "VB", "JJ", "RB"):
                rare.setdefault(tag, []).append(word)
    swapped = {(word, tag) for tag, words in rare.items() for word in words}
    for sentence in known:
        words = list(sentence.words)
        for place, (word, tag) in enumerate(zip(words, sentence.tags, strict=True)):
            if (word, tag) in swapped and random.random() < INVENTED_SHARE:
                head, tail = random.choice(rare[tag]), word[-max(2, len(word) // 2) :]
                cut = head[: max(2, len(head) // 2)]
                mixed = (cut[:1].upper() if word[0].isupper() else cut[:1].lower()) + cut[1:] + tail
                words[place] = mixed.upper() if word.isupper() else mixed
        yield replace(sentence, words=tuple(words))


def write_corpus(sentences: Iterable[Sentence], path: Path, *, seed: int, spaced: float) -> None:
    """Write sentences as a spaCy corpus of short texts, a fraction of them with a space between all tokens."""
    import spacy
    from spacy.tokens import Doc, DocBin

    random = Random(seed)  # noqa: S311  # reproducible, not secret
    vocab, corpus = spacy.blank("en").vocab, DocBin(attrs=["TAG", "POS"])
    for text in texts_of(sentences, random):
        apart = random.random() < spaced
        corpus.add(
            Doc(
                vocab,
                words=[word for sentence in text for word in sentence.words],
                spaces=[apart or space for sentence in text for space in sentence.spaces],
                tags=[tag for sentence in text for tag in sentence.tags],
                pos=[pos for sentence in text for pos in sentence.pos],
            )
        )
    corpus.to_disk(path)


def accuracy(nlp: Language, sentences: Sequence[Sentence], *, lower: bool = False) -> tuple[float, float]:
    """Measure a pipeline on raw text: its own tokens, aligned with the gold ones by spaCy's scorer.

    Args:
        nlp: A pipeline that sets ``tag`` and ``pos``.
        sentences: Gold sentences, each scored as a text of its own.
        lower: Whether the pipeline is to read the texts in lower case.

    Returns:
        The accuracy of the fine tags and of the coarse tags over tokens, from 0 to 1.
    """
    from spacy.tokens import Doc
    from spacy.training import Example

    examples = []
    for sentence in sentences:
        words = [word.lower() if lower else word for word in sentence.words]
        gold = Doc(
            nlp.vocab, words=words, spaces=list(sentence.spaces), tags=list(sentence.tags), pos=list(sentence.pos)
        )
        examples.append(Example(nlp.make_doc(gold.text), gold))
    scores = nlp.evaluate(examples)
    return float(scores["tag_acc"]), float(scores["pos_acc"])


def settle(folder: Path, labels: Iterable[str]) -> None:
    """Remove from a trained pipeline's folder all data about the machine, the time and the training texts.

    Args:
        folder: The pipeline's folder.
        labels: The only strings that its vocabulary must keep; words are identified by their hashes.
    """
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    meta |= {
        "name": "robustfim_words_tagger",
        "version": "1.0.0",
        "spacy_version": ">=3.8,<4.0",
        "description": "English part-of-speech tagger of robustfim_words",
        "license": "CC BY-SA 4.0",
        "performance": {},
    }
    meta.pop("spacy_git_version", None)
    (folder / "meta.json").write_text(json.dumps(meta, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "vocab" / "strings.json").write_text(json.dumps(sorted(labels), indent=0) + "\n", encoding="utf-8")
    config = (folder / "config.cfg").read_text(encoding="utf-8")
    config = re.sub("^(train|dev) = .*", r"\1 = null", config, flags=re.MULTILINE)
    (folder / "config.cfg").write_text(config.rstrip("\n") + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


CARD = """# Model card: the part-of-speech tagger of robustfim_words

A spaCy pipeline for English, CPU only: a hash-embedding tok2vec ({width} dimensions) with two linear heads, fine tags
(Penn Treebank, `token.tag_`) and coarse ones (UPOS, `token.pos_`). It exists so that words can be swapped
with the part of speech and the form they have in their sentence.

| | |
| --- | --- |
| trained on | Universal Dependencies English Web Treebank, {train} sentences ({words} tokens) |
| its sha256 | `{train_hash}` |
| measured on | {dev} sentences of its development file, as raw text (the pipeline's own tokens, aligned) |
| its sha256 | `{dev_hash}` |
| fine tags (XPOS) | {tag:.4f} accuracy, {tag_lower:.4f} in lower case |
| coarse tags (UPOS) | {pos:.4f} accuracy, {pos_lower:.4f} in lower case |
| size | {size:.1f} MB |
| spaCy | {spacy} |
| seed | {seed} |

The treebank is licensed CC BY-SA 4.0 (Silveira et al. 2014, "A gold standard dependency corpus for English";
https://universaldependencies.org/treebanks/en_ewt). The folder holds weights and the names of the tags, no word
of the treebank; it is given on under CC BY-SA 4.0 as well.

Each sentence was seen as it is and once more with its rare words replaced by invented ones of the same ending, so
that the tagger reads unknown words by shape, ending and place. A third of the texts was read in lower case,
{spaced:.0%} with a space between all tokens, because review corpora come in these forms. The development file also
chose the best of the checkpoints, so its accuracy is slightly optimistic. The treebank's text is from the web
(weblogs, newsgroups, e-mail, reviews, answers) of the 2000s; other English, above all titles and names that look
like common words, is tagged worse.

The folder is a configuration, JSON and msgpack; it holds no pickle, and loading it runs no code of its own.

The command, with the two files named above, writes the same files each time (one CPU core, some ten minutes):

```
python -m benchmarks.taggers.speech --train train.conllu --dev dev.conllu --out tagger --seed {seed}
```
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and write the tagger.

    Args:
        arguments: The command line after the program's name; None for the real one.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.taggers.speech", description=main.__doc__)
    parser.add_argument("--train", type=Path, required=True, help="CoNLL-U file to learn from")
    parser.add_argument("--dev", type=Path, required=True, help="CoNLL-U file to choose the best checkpoint on")
    parser.add_argument("--out", type=Path, required=True, help="folder of the pipeline, replaced")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, help="passes over the data, as in the configuration if left out")
    options = parser.parse_args(arguments)

    import spacy
    from spacy.cli.train import train

    learn, measure = list(read_conllu(options.train)), list(read_conllu(options.dev))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        doubled = [*learn, *invented(learn, Random(options.seed))]  # noqa: S311  # reproducible, not secret
        write_corpus(doubled, folder / "train.spacy", seed=options.seed, spaced=SPACED_SHARE)
        write_corpus(measure, folder / "dev.spacy", seed=options.seed, spaced=0)
        overrides = {
            "paths.train": str(folder / "train.spacy"),
            "paths.dev": str(folder / "dev.spacy"),
            "system.seed": options.seed,
            "training.eval_frequency": min(400, max(10, sum(len(each.words) for each in doubled) // 500)),
        }
        if options.epochs is not None:
            overrides["training.max_epochs"] = options.epochs
        train(CONFIG, folder / "out", overrides=overrides)
        if options.out.exists():
            shutil.rmtree(options.out)
        shutil.copytree(folder / "out" / "model-best", options.out)
    nlp = spacy.load(options.out)
    settle(options.out, {label for labels in nlp.pipe_labels.values() for label in labels})
    nlp = spacy.load(options.out)
    (tag, pos), (tag_lower, pos_lower) = accuracy(nlp, measure), accuracy(nlp, measure, lower=True)
    size = sum(file.stat().st_size for file in options.out.rglob("*") if file.is_file()) / 1e6
    card = CARD.format(
        width=nlp.config["components"]["tok2vec"]["model"]["encode"]["width"],
        train=f"{len(learn):,}",
        words=f"{sum(len(sentence.words) for sentence in learn):,}",
        train_hash=_sha256(options.train),
        dev=f"{len(measure):,}",
        dev_hash=_sha256(options.dev),
        spacy=version("spacy"),
        spaced=SPACED_SHARE,
        seed=options.seed,
        **{"tag": tag, "pos": pos, "tag_lower": tag_lower, "pos_lower": pos_lower, "size": size},
    )
    (options.out / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    print(f"XPOS {tag:.4f} ({tag_lower:.4f} in lower case), UPOS {pos:.4f} ({pos_lower:.4f}), {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
