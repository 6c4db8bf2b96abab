"""The maker of tables makes a shipped table again, without names that mean something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim_words import make_tables
from robustfim_words.languages.language import TABLES
from robustfim_words.make_tables import meant_otherwise
from robustfim_words.text.lexicon import LEXICONS


@pytest.mark.parametrize("code", ["de", "fr"])
def test_the_numbers_of_a_language_are_made_again(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / code).mkdir()
    (tmp_path / code / "language.yaml").write_text("home: XX", encoding="utf-8")
    monkeypatch.setattr(make_tables, "TABLES", tmp_path)
    for name in ("_world", "_words", "_first_names", "_last_names"):  # of libraries that tests do without
        monkeypatch.setattr(make_tables, name, lambda *_: [("a", "b")])
    make_tables.main([code])
    assert {path.name for path in (tmp_path / code).glob("*.tsv")} == {"numbers.tsv", "words.tsv", "world.tsv"}
    rows = (tmp_path / code / "numbers.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[1:] == (TABLES / code / "numbers.tsv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize(("table", "kind"), [("cities", "city"), ("census", "person")])
def test_no_table_lists_a_name_by_which_something_else_is_meant(table: str, kind: str) -> None:
    rows = (LEXICONS / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    left_out = {name for name, its in meant_otherwise() if its == kind}
    assert left_out
    assert left_out.isdisjoint(row.partition("\t")[0] for row in rows)
