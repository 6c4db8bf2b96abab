"""Word vectors: read a file in the text form of GloVe or word2vec."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from robustfim.errors import DataError
from robustfim.reading import require_file

__all__ = ["read_vectors"]


def read_vectors(path: Path, wanted: Collection[str], most: int = 0) -> tuple[list[str], Any]:
    """Read the vectors of words from a file: a word and its numbers on each line, separated by spaces.

    Files of word2vec begin with a line of two numbers, the number of words and of dimensions; files of GloVe have no
    such line. Counter-fitted vectors (Mrkšić et al. 2016) have either form. If a file lists a word in several cases,
    the first spelling counts.

    Args:
        path: The file, UTF-8.
        wanted: Lower-case words to read wherever they stand in the file.
        most: The number of other words to read from the beginning of the file, where the most frequent words stand.
            Words with characters other than letters are skipped.

    Returns:
        The words in lower case, in the file's order, and their vectors ``[words, dims]``, single precision.

    Raises:
        DataError: The file is missing, has another form, or has none of the words.
    """
    import numpy as np

    require_file(path)
    words: dict[str, Any] = {}
    dims, others = 0, 0
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                parts = line.rstrip().split(" ")
                if number == 1 and len(parts) == 2 and all(part.isdecimal() for part in parts):
                    continue  # word2vec's first line
                dims = dims or len(parts) - 1
                if dims < 1 or len(parts) <= dims:
                    raise DataError(
                        f"{path}:{number}: the word has {len(parts) - 1} numbers instead of {dims}. Correct or delete "
                        "this line."
                    )
                word = " ".join(parts[:-dims]).lower()
                known = word in wanted
                if word in words or not (known or (word.isalpha() and others < most)):
                    continue
                others += not known
                try:
                    vector = np.array(parts[-dims:], dtype=np.float32)
                except ValueError as error:
                    raise DataError(f"{path}:{number}: {error}. Correct the line or delete it.") from None
                if not np.isfinite(vector).all():
                    raise DataError(f"{path}:{number}: the vector of {word!r} is not finite. Delete the line.")
                words[word] = vector
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text: byte {error.start} cannot be read; is it word2vec's binary form? "
            "Save it as text, one word a line."
        ) from None
    if not any(word in words for word in wanted):
        raise DataError(
            f"{path} has a vector for none of the {len(wanted)} words of the data; is it of another language?"
        )
    return list(words), np.stack(list(words.values()))
