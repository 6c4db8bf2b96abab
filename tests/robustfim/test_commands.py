"""What commands share: options in one decorator, given as one value."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from robustfim.collect import named_part
from robustfim.commands import Chosen, shared_options
from robustfim.errors import UsageError
from tests.robustfim.command_line import CommandLine


@click.command()
@shared_options("model", "data", "store", "plugins", "color", data={"required": True, "help": "The data to read."})
@click.option("--seed", default=7)
def command(chosen: Chosen, seed: int) -> None:
    """Show what was chosen."""
    told = [chosen.model, chosen.data, str(chosen.store), chosen.plugins, chosen.color, chosen.seed, seed]
    click.echo(json.dumps(told))


def shown(*words: str) -> click.testing.Result:
    return CliRunner().invoke(command, words)


def test_a_command_is_given_its_shared_options_in_one_value_and_its_own_apart() -> None:
    told = json.loads(shown("--data", "use=csv", "--data", "path=a.csv", "-p", "shout", "--color", "no").output)
    # Its own --seed is not the shared one, which it has not.
    assert told == [[], ["use=csv", "path=a.csv"], ".robustfim/store.sqlite", ["shout"], "no", None, 7]
    assert json.loads(shown("--data", "use=csv", "--no-store").output)[2] == "None"


def test_an_option_may_be_told_otherwise_and_one_that_is_left_out_is_refused() -> None:
    assert "The data to read.  [required]" in shown("--help").output
    assert "Missing option '--data'" in shown().output
    assert "No such option" in shown("--data", "use=csv", "--max-calls", "3").output


def test_words_say_again_what_changes_the_suite() -> None:
    chosen = Chosen(model=("use=x",), override=("seed=2",), plugins=("a.py",), seed=3, offline=True)
    assert chosen.words == ("--model", "use=x", "-o", "seed=2", "-p", "a.py", "--seed", "3")


def test_the_command_line_is_laid_over_a_suite_or_stands_for_one(robustfim: CommandLine) -> None:
    chosen = Chosen(model=("batch_size=3",), override=("checks.both.limit=0.3",), plugins=("toy.py",))
    suite = chosen.suite(Path("toy.yaml"))
    assert suite.data["model"] == {"use": "wordsum", "batch_size": 3}
    assert suite.data["checks"]["both"]["limit"] == 0.3
    (pair,) = Chosen(data=("use=films",), plugins=("toy.py",)).model_and_data()
    assert pair.model is None
    assert pair.data is not None
    assert len(list(pair.data.make().load())) == 8
    with pytest.raises(UsageError, match="--data use=NAME"):
        Chosen(data=("path=x",), plugins=("toy.py",)).model_and_data()


def test_a_file_or_folder_that_stands_alone_is_read_as_what_it_holds(tmp_path: Path) -> None:
    saved, trained, tuned = (tmp_path / name for name in ("saved", "trained", "tuned"))
    for folder, name, text in (
        (saved, "state.json", "{}"),
        (trained, "config.json", '{"architecture": "cnn"}'),
        (tuned, "config.json", '{"model_type": "bert"}'),
    ):
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
    for model, data, read in (
        (trained, "a: b.csv", ("reference/cnn", "csv")),
        (tuned, "rows.jsonl", ("huggingface", "jsonl")),
        (tuned, saved, ("huggingface", "hub")),
    ):
        given = Chosen(model=(str(model),), data=(str(data), "text=review")).suite().data
        assert (given["model"], given["data"]) == (
            {"use": read[0], "path": str(model)},
            {"use": read[1], "path": str(data), "text": "review"},
        )
    assert Chosen(model=("reference/cnn",)).suite().data["model"] == {"use": "reference/cnn"}
    for unknown in ("./nothing", str(saved), "fitted.joblib"):
        with pytest.raises(UsageError, match=r"unknown model .* stands under 'path', .* a pickle, your function calls"):
            Chosen(model=(unknown,)).model_and_data()[0].model.make()  # type: ignore[union-attr]  # one is named


def test_one_option_names_a_part_with_its_options(robustfim: CommandLine) -> None:
    manager = Chosen(plugins=("toy.py",)).manager()
    part = named_part("models", "{use: wordsum, batch_size: 2}", manager, "--model")
    assert part.make().contract.batch_size == 2
    with pytest.raises(UsageError, match=r"--trainer 'wordsumm' is|unknown model 'wordsumm'"):
        named_part("models", "wordsumm", manager, "--trainer")
