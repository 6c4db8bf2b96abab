"""docs/gallery.md shows what the perturbations make today."""

from __future__ import annotations

import pytest

from docs.gallery import TEXTS, page
from tests.docs.page import DOCS, Page


@pytest.mark.slow
def test_the_gallery_is_what_the_perturbations_make() -> None:
    shown = (DOCS / "gallery.md").read_text(encoding="utf-8")
    Page.read("gallery.md").check_text(shown, page(), "python -m docs.gallery")


def test_every_pair_of_the_gallery_is_of_a_sentence_of_the_page() -> None:
    rows = [line for line in (DOCS / "gallery.md").read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) > 40
    assert all(any(text.split()[-2] in row for text in TEXTS) for row in rows)
