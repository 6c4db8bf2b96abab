"""What the README and docs/first-steps.md print is run as it is printed, and what they say is so."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.cli.command_line import cli
from robustfim.outcome import ExitCode, Outcome
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import Record
from tests.installation import install

ROOT = Path(__file__).parents[1]
FIRST_STEPS = (ROOT / "docs/first-steps.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROBUSTFIM = [sys.executable, "-m", "robustfim"]
OWN = "A perturbation of your own"
REVIEWS = """\
review,sentiment
I'm glad that Kirsten Dunst made this film in Paris,positive
The train to Berlin is 12 minutes late and so is the plot,negative
It isn't good; it is the worst film of the last 20 years,negative
Nicole Kidman is wonderful and the ending is great,positive
"""


def block(heading: str, language: str, number: int = 0) -> str:
    """The text of a code block below a heading: of the first steps, or else of the README."""
    page = FIRST_STEPS if f"\n## {heading}\n" in FIRST_STEPS else README
    section = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return str(re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[number])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the README's plugin and suite."""
    (tmp_path / "drawl.py").write_text(block(OWN, "python"), encoding="utf-8")
    (tmp_path / "drawl.yaml").write_text(block(OWN, "yaml"), encoding="utf-8")
    return tmp_path


def run(folder: Path, command: str, site: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``robustfim …`` in a folder, with a folder of installed packages."""
    program, *arguments = shlex.split(command.replace("\\\n", " "))
    assert program == "robustfim"
    path = os.pathsep.join(filter(None, [str(site or ""), str(ROOT), str(ROOT / "plugins")]))
    return subprocess.run(
        [*ROBUSTFIM, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def here(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run ``robustfim …`` in a folder and in this process, which is quicker."""
    program, *arguments = shlex.split(command.replace("\\\n", " "))
    assert program == "robustfim"
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as stop,
    ):  # fmt: skip
        main(arguments)
    assert isinstance(stop.value.code, int)
    return subprocess.CompletedProcess(arguments, stop.value.code, out.getvalue(), err.getvalue())


CRITIC = """\
from robustfim.example import Example
from robustfim_reference.model import FastText

model = FastText()


def judge(texts):
    return model.predict([Example({"text": text}) for text in texts])
"""


def exit_code(command: str) -> object:
    """Run ``robustfim …`` in this process and in the current folder, which is quicker."""
    program, *arguments = shlex.split(command)
    assert program == "robustfim"
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return stop.value.code


def record(folder: Path, suite: str) -> dict[str, Any]:
    """The run record that a run left behind."""
    found: dict[str, Any] = Record.load(folder / f"reports/{suite}").model_dump(mode="json", by_alias=True)
    return found


def without_its_plugin(folder: Path) -> None:
    """Take ``plugins`` out of the suite."""
    suite = folder / "drawl.yaml"
    text = suite.read_text(encoding="utf-8")
    assert "plugins: [drawl.py]\n" in text
    suite.write_text(text.replace("plugins: [drawl.py]\n", ""), encoding="utf-8")


def assert_drawled(folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    """The check ran, on many candidates, and every edit is the plugin's."""
    assert done.returncode in (ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE), done.stdout + done.stderr
    found = record(folder, "drawl")
    (check,) = found["checks"]
    assert check["id"] == "drawl.yaml::drawl"
    assert check["outcome"] in ("passed", "failed", "inconclusive")
    assert check["candidates"]["tested"] >= 100
    assert {edit["origin"] for failure in found["failures"] for edit in failure["edits"]} <= {"drawl"}


# ---- a perturbation of one's own ----------------------------------------------------------------------


def test_the_plugin_is_about_ten_lines() -> None:
    assert len([line for line in block(OWN, "python").splitlines() if line.strip()]) == 10


def test_the_plugin_runs_as_a_file_beside_the_suite(project: Path) -> None:
    assert_drawled(project, here(project, block(OWN, "bash", 0)))


def test_the_plugin_runs_as_a_module(project: Path) -> None:
    without_its_plugin(project)
    refused = here(project, block(OWN, "bash", 0))
    assert refused.returncode == ExitCode.USAGE
    assert "unknown perturbation 'drawl'" in refused.stderr
    assert_drawled(project, here(project, block(OWN, "bash", 1)))


@pytest.mark.slow
def test_the_plugin_runs_from_an_entry_point(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    package, site = tmp_path_factory.mktemp("package"), tmp_path_factory.mktemp("site")
    shutil.move(project / "drawl.py", package)
    (package / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n\n'
        f'[project]\nname = "drawl"\nversion = "1.0"\n\n{block(OWN, "toml")}',
        encoding="utf-8",
    )
    install(package, site)
    without_its_plugin(project)
    assert_drawled(project, run(project, block(OWN, "bash", 0), site))
    plugins = record(project, "drawl")["environment"]["plugins"]
    assert {"name": "drawl", "version": "1.0", "sha256": None} in plugins


# ---- suites and command lines -------------------------------------------------------------------------


def test_the_suite_is_valid(tmp_path: Path) -> None:
    (tmp_path / "reviews.yaml").write_text(block("A suite", "yaml"), encoding="utf-8")
    done = here(tmp_path, "robustfim run reviews.yaml --co")
    assert done.returncode == ExitCode.OK, done.stderr
    assert done.stdout.split()[:2] == ["reviews.yaml::synonyms", "reviews.yaml::people"]


@pytest.fixture
def own_model_and_data(tmp_path: Path) -> Path:
    """A folder with a small saved model, some reviews and the suites."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    words = re.findall(r"\w+", REVIEWS.lower())
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "'", ",", ";", ".", *dict.fromkeys(words)]
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path / "my-model")
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        id2label={0: "negative", 1: "positive"}, label2id={"negative": 0, "positive": 1},
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = transformers.BertForSequenceClassification(config).eval()
    tokenizer = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    rows = list(csv.DictReader(io.StringIO(REVIEWS)))
    with torch.no_grad():  # two texts on each side of the boundary, and right on all: only right ones are changed
        leads = model(**tokenizer([row["review"] for row in rows], padding=True, return_tensors="pt")).logits @ (
            torch.tensor([-1.0, 1.0])
        )
        model.classifier.bias[1] -= leads.sort().values[1:3].mean()
    model.save_pretrained(tmp_path / "my-model")
    with (tmp_path / "test.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["review", "sentiment"])
        writer.writerows(
            [row["review"], "positive" if lead > leads.median() else "negative"]
            for row, lead in zip(rows, leads.tolist(), strict=True)
        )
    shutil.copytree(ROOT / "suites", tmp_path / "suites")
    return tmp_path


def test_the_suite_runs_on_a_model_and_data_of_ones_own(own_model_and_data: Path) -> None:
    done = here(own_model_and_data, block("Your own model and data", "bash", 0))
    assert done.returncode in (ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE), done.stdout + done.stderr
    found = record(own_model_and_data, "sentiment")
    assert found["model"]["use"] == "huggingface"
    assert found["model"]["labels"] == ["negative", "positive"]
    assert found["data"]["examples"] == len(REVIEWS.splitlines()) - 1
    tested = {check["name"]: check["candidates"]["tested"] for check in found["checks"]}
    names = ("synonyms", "people", "places", "numbers", "typos", "eigenvector")
    assert sum(tested[name] > 0 for name in names) >= 4, tested  # the model is right about a few of them only
    assert (own_model_and_data / "reports/sentiment/report.html").is_file()


def test_the_command_line_for_a_model_and_data_of_the_hub_has_valid_options(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "suites", tmp_path / "suites")
    done = here(tmp_path, f"{block('Your own model and data', 'bash', 1).strip()} --co")
    assert done.returncode == ExitCode.OK, done.stderr
    assert "sentiment.yaml::synonyms" in done.stdout


@pytest.mark.slow
def test_three_commands_lead_from_a_function_and_a_csv_to_a_report(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "critic.py").write_text(CRITIC, encoding="utf-8")
    reviews = ROOT / "plugins/robustfim_reference/reviews/reviews.jsonl"
    rows = [json.loads(line) for line in reviews.read_text(encoding="utf-8").splitlines()]
    with (tmp_path / "reviews.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["text", "label"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows[::4])
    commands = block("Your own model and data", "bash", 2).replace("\\\n", " ").splitlines()
    assert [command.split()[1] for command in commands] == ["doctor", "scan", "run"]
    for command in commands:
        done = here(tmp_path, command)
        assert done.returncode == ExitCode.OK, done.stdout + done.stderr
    assert (tmp_path / "reports/reviews/report.html").is_file()
    assert len(record(tmp_path, "reviews")["checks"]) >= 5


def test_the_readmes_own_command_has_valid_options() -> None:
    (command,) = re.findall(r"^robustfim scan .*?(?=\n```)", README, re.DOTALL | re.MULTILINE)
    _, name, *words = shlex.split(command.replace("\\\n", " "))
    made = cli.get_command(cli.make_context("robustfim", ["--nothing"], resilient_parsing=True), name)
    assert made is not None
    chosen = made.make_context(name, words).params
    assert str(chosen["write"]) == "reviews.yaml"


def test_a_pair_of_columns_and_names_for_labels_are_written_as_the_readme_says(tmp_path: Path) -> None:
    rows = ["premise,hypothesis,gold", "A man sleeps,He rests,1", "A dog barks,It is silent,0"]
    (tmp_path / "pairs.csv").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "drawl.yaml").write_text(block(OWN, "yaml"), encoding="utf-8")
    (tmp_path / "drawl.py").write_text(block(OWN, "python"), encoding="utf-8")
    pair, labels = re.findall(r"`(--data '(?:text|labels)=[^`]*')`", FIRST_STEPS)
    command = f"robustfim run drawl.yaml --data use=csv --data path=pairs.csv {pair} --data label=gold {labels}"
    done = here(tmp_path, command)
    assert done.returncode in (ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE), done.stdout + done.stderr
    examples = record(tmp_path, "drawl")["examples"]
    assert [example["label"] for example in examples] == ["positive", "negative"]
    assert list(examples[0]["fields"]) == ["premise", "hypothesis"]


def test_every_command_and_option_that_the_readme_names_exists() -> None:
    pages = re.sub(r"```.*?```", "", README + FIRST_STEPS, flags=re.DOTALL)
    words = "\n".join(re.findall(r"`([^`\n]+)`", pages))
    commands = set(re.findall(r"^(?:\.venv/bin/)?robustfim ([a-z]+)", words, re.MULTILINE))
    context = cli.make_context("robustfim", ["--help-nothing"], resilient_parsing=True)
    assert {"run", "scan", "plan"} <= commands <= set(cli.list_commands(context))
    known = {name for parameter in cli.commands["run"].params for name in parameter.opts} | {"--help"}
    named = set(re.findall(r"^(--?[a-z][a-z-]*)", words, re.MULTILINE))
    assert {"-k", "--lf", "--strict", "--offline"} <= named <= known


def test_the_kinds_of_data_that_first_steps_lists_are_offered() -> None:
    listed = re.search(r"Your data can be (.*?)\. ", FIRST_STEPS, re.DOTALL)
    assert listed
    names = re.findall(r"`(\w+)`", listed[1])
    assert len(names) >= 4
    assert set(names) <= set(load_plugins(PluginOptions()).offers("data"))


# ---- what the README says -----------------------------------------------------------------------------


def test_the_table_of_outcomes_has_them_all() -> None:
    table = README.split("## What the outcomes mean", 1)[1].split("\n\n", 2)[1]
    named = {name for row in table.splitlines()[2:] for name in row.split("|")[1].strip().split(", ")}
    assert named == {*(outcome.value for outcome in Outcome), "beside a baseline"}


def test_the_exit_codes_are_those_that_the_readme_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "OK": 0, "FAILED": 1, "INTERRUPTED": 2, "INTERNAL_ERROR": 3, "USAGE": 4, "NOTHING_COLLECTED": 5,
        "INCONCLUSIVE": 6,
    }  # fmt: skip
    assert "2 interrupted, 3 internal error, 4 wrong usage, 5 nothing to run" in README
    monkeypatch.chdir(project)
    assert exit_code("robustfim run drawl.yaml -o checks.drawl.limit=1.0") == 0
    assert exit_code("robustfim run drawl.yaml -o checks.drawl.limit=0") == 1
    assert exit_code("robustfim run drawl.yaml -o checks.drawl.limt=0") == 4
    assert exit_code("robustfim run drawl.yaml -k nothing") == 5


def test_a_second_run_sends_no_text_to_the_model(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    exit_code("robustfim run drawl.yaml")
    first = record(project, "drawl")
    exit_code("robustfim run drawl.yaml")
    second = record(project, "drawl")
    assert first["model_calls"] > 0
    assert second["model_calls"] == 0
    assert second["failures"] == first["failures"]
    assert (project / ".robustfim/store.sqlite").is_file()


def test_the_command_that_comes_with_a_failure_shows_it_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    exit_code("robustfim run drawl.yaml")
    failure = record(project, "drawl")["failures"][0]
    capsys.readouterr()
    assert exit_code(failure["reproduce"]) == ExitCode.FAILED
    assert failure["example"] in capsys.readouterr().out
    printed, shown = shlex.split(block("What the outcomes mean", "bash")), shlex.split(failure["reproduce"])
    assert (shown[:2], shown[3]) == (printed[:2], printed[3])
    assert shown[2] == "drawl.yaml::drawl"


def test_the_readme_counts_the_reviews_that_ship() -> None:
    reviews = (ROOT / "plugins/robustfim_reference/reviews/reviews.jsonl").read_text(encoding="utf-8").splitlines()
    assert f"on {len(reviews)} reviews that ship with it" in README


def test_ci_runs_the_readmes_two_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "'## Run it'" in script
    assert "'## Test it'" in script
    assert "robustfim run suites/sentiment.yaml" in block("Run it", "bash")
    assert "-m pytest" in block("Test it", "bash")


def test_the_two_commands_install_what_exists() -> None:
    extras = re.findall(r"\.\[(\w+)\]", block("Run it", "bash") + block("Test it", "bash"))
    assert extras == ["dev"], "the first command needs no extra"
    assert all(f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8") for extra in extras)
