"""Looking at what a perturbation makes, from the command line."""

from __future__ import annotations

import csv
import io

import pytest

from tests.robustfim.command_line import CommandLine, refused

ROWS = (
    'text,label\n"A wonderful <b>film</b>, really.",positive\n"=1+1 is a dull film.",negative\n"I saw it.",negative\n'
)


@pytest.fixture
def data(robustfim: CommandLine) -> str:
    (robustfim.folder / "mine.csv").write_text(ROWS, encoding="utf-8")
    return "--data use=csv --data path=mine.csv"


def test_pairs_are_shown_with_their_edits_and_the_share_of_texts(robustfim: CommandLine, data: str) -> None:
    shown = robustfim(f"perturb synonyms {data}")
    assert shown.code == 0, shown
    assert "[-film-]{+movie+}" in shown.out
    assert "synonyms applies to 2 of 3 texts (66.7 %); 2 are shown" in shown.out
    assert robustfim(f"perturb synonyms {data}").out == shown.out


def test_one_text_from_standard_input_is_changed_several_times(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(text: str) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")

    monkeypatch.setattr("sys.stdin", read("a fine film"))
    shown = robustfim("perturb typos --sample 3")
    assert shown.out.count("{+") == 3, shown
    assert "3 texts that typos makes of this one" in shown.out
    monkeypatch.setattr("sys.stdin", read("a fine film"))
    assert robustfim("perturb numbers").out == "numbers finds nothing to change\n"
    monkeypatch.setattr("sys.stdin", read(" "))
    refused(robustfim("perturb typos"), "give --data, or a text", "echo 'a fine film' | robustfim perturb typos")


def test_pairs_are_written_as_a_table_and_as_a_page_that_runs_nothing(robustfim: CommandLine, data: str) -> None:
    shown = robustfim(f"perturb synonyms {data} --sample 2 --csv pairs.csv --html pairs.html")
    assert shown.code == 0, shown
    with (robustfim.folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    assert all("film → movie" in row["edits"] or row["edits"] for row in rows)
    assert not any(cell.startswith("=") for row in rows for cell in row.values())
    page = (robustfim.folder / "pairs.html").read_text(encoding="utf-8")
    assert "<del>" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert ">synonyms applies to 2 of 3 texts (66.7\u00a0%); 2 are shown.</h1>" in page
    assert "<details open>" in page
    assert "default-src &#39;none&#39;" in page


def test_options_reach_the_perturbation(robustfim: CommandLine, data: str) -> None:
    shown = robustfim(f"perturb case {data} --option kinds=[upper]")
    assert "{+DULL+}" in shown.out


def test_an_unknown_name_is_refused(robustfim: CommandLine, data: str) -> None:
    refused(robustfim(f"perturb synonims {data}"), "Did you mean 'synonyms'?")
