from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.taggers.speech import main
from benchmarks.taggers.treebank import read_conllu
from robustfim.errors import DataError

CONLLU = """# newdoc id = one
# text = They can't film.
1\tThey\tthey\tPRON\tPRP\t_\t3\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tfilm\tfilm\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4.1\tfilm\tfilm\tVERB\tVB\t_\t_\t_\t_\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\tSpaceAfter=No

# newdoc id = two
1\tGood\tgood\tADJ\tJJ\t_\t0\troot\t_\t_
"""


def test_a_treebank_is_read_with_its_spaces_and_documents(tmp_path: Path) -> None:
    path = tmp_path / "small.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    first, second = read_conllu(path)
    assert "".join(w + " " * s for w, s in zip(first.words, first.spaces, strict=True)) == "They can't film."
    assert first.tags == ("PRP", "MD", "RB", "VB", ".")
    assert first.pos == ("PRON", "AUX", "PART", "VERB", "PUNCT")
    assert (first.document, second.document) == (0, 1)


@pytest.mark.parametrize(("content", "message"), [("1\tfilm\n", "2 columns"), ("# nothing\n", "no sentence")])
def test_a_file_that_is_no_treebank_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "wrong.conllu"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        list(read_conllu(path))


@pytest.mark.slow
def test_training_writes_a_pipeline_that_tags_and_its_card(tmp_path: Path) -> None:
    import spacy

    path = tmp_path / "small.conllu"
    path.write_text((CONLLU + "\n") * 10, encoding="utf-8")
    out = tmp_path / "tagger"
    assert main(["--train", str(path), "--dev", str(path), "--out", str(out), "--epochs", "50"]) == 0
    doc = spacy.load(out)("They can't film.")
    assert [token.tag_ for token in doc] == ["PRP", "MD", "RB", "VB", "."]
    assert [token.pos_ for token in doc] == ["PRON", "AUX", "PART", "VERB", "PUNCT"]
    card = (out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "20 sentences" in card
    assert str(tmp_path) not in "".join(
        file.read_text(encoding="utf-8", errors="replace") for file in out.rglob("*") if file.is_file()
    )
