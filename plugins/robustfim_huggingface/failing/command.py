"""``robustfim push``: the failing texts of a run as a dataset, on the hub or in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from robustfim.commands import Chosen, print_line, shared_options
from robustfim.errors import DataError, UsageError
from robustfim.result import Run
from robustfim.whole_file import write_whole
from robustfim_huggingface.checkpoint.library import reason
from robustfim_huggingface.failing.files import files

__all__ = ["command"]


@click.command(name="push", epilog="Example: robustfim push reports/reviews/results.json --to me/reviews-failures")
@click.argument("record", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option("--to", "repository", metavar="REPO", help="The dataset on the hub, made private where it is not there.")
@click.option("--public", is_flag=True, help="Make a new one public: everybody can read the texts of your data.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Write the files to this folder, to be looked at or loaded by datasets.")  # fmt: skip
@shared_options("color")
def command(chosen: Chosen, record: Path, repository: str | None, public: bool, out: Path | None) -> None:
    """Push the failing texts of a run to a dataset of the Hugging Face hub.

    RESULTS is a results.json, or the folder that holds it.
    A row is a failing text: the check, the original and the gold label, the answers before and after, and what was
    edited. It is one file in Parquet for each suite, which the next push of that suite replaces, and a card where there
    is none. The hub asks for the token of 'hf auth login', or HF_TOKEN.
    """
    if repository is None and out is None:
        raise UsageError("say where to: --to REPO sends the failing texts to the hub, --out FOLDER writes them.")
    run = Run.load(record)
    if not run.failures:
        raise UsageError(f"{record} has no failing text, so there is nothing to push.")
    made = files(run)
    console, what = chosen.console(), f"{len(run.failures):,} failing texts"
    if out is not None:
        for name, data in made.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(out / name, data)
        print_line(console, f"wrote {out}: {what}")
    if repository is not None:
        print_line(console, f"pushed {what} to {_send(repository, made, private=not public, suite=run.record.suite)}")


def _send(repository: str, made: dict[str, bytes], *, private: bool, suite: str) -> str:
    """Commit the files to a dataset of the hub, and give its address."""
    try:
        from huggingface_hub import CommitOperationAdd, HfApi
    except ImportError:
        raise UsageError("the hub needs huggingface_hub: pip install 'robustfim[huggingface]'") from None
    api = HfApi()
    try:
        url = api.create_repo(repository, repo_type="dataset", private=private, exist_ok=True)
        kept = "README.md" in api.list_repo_files(repository, repo_type="dataset")
        operations = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=data)
            for name, data in made.items()
            if not (kept and name == "README.md")
        ]
        api.create_commit(repository, operations, repo_type="dataset", commit_message=f"Failing texts of {suite}")
    except Exception as error:  # the hub's client raises errors of several libraries
        raise DataError(f"{repository} could not be written: {reason(error)}") from error
    return str(url)
