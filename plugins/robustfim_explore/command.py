"""``robustfim explore``: the report's page with the model behind it, served to the person at this machine."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import INPUT, OUTPUT_FILE, Chosen, print_line, shared_options
from robustfim.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["command"]


@click.command(name="explore", epilog="Example: robustfim explore reports/sentiment/results.json")
@click.argument("place", type=INPUT, metavar="RECORD|SUITE")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Serve on this address; any but this machine's own lets others in by the link.")  # fmt: skip
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="The port; by default a free one.")
@click.option("--open", "browse", is_flag=True, help="Open the page in the browser.")
@click.option("--no-model", "without", is_flag=True, help="Load no model: the page without its live parts.")
@click.option(
    "--review", type=OUTPUT_FILE, metavar="FILE", help="The review file; reviews/<suite>.json where it is not given."
)
@click.option("--who", help="Your name, to be kept with your answers.")
@click.option("--paraphraser", default="phrases", show_default=True, metavar="NAME",
              help="The source of adversaries for the user study.")  # fmt: skip
@shared_options("model", "override", "seed", "offline", "reports", "plugins", "color")
def command(
    place: Path, host: str, port: int, browse: bool, without: bool, review: Path | None, who: str | None,
    paraphraser: str, chosen: Chosen,
) -> None:  # fmt: skip
    """Serve a run's page with its model behind it: edit texts, review failures, try perturbations.

    RECORD is a results.json, or the folder that holds it; of a SUITE the record in the folder for reports is taken. The
    page is reached by the link that is printed, which holds a secret. Ctrl-C ends it; what was reviewed is kept.
    """
    from rich.text import Text

    from robustfim_explore.gate import is_loopback
    from robustfim_explore.subject import open_subject

    try:
        from robustfim_explore.desk import Desk
        from robustfim_explore.serving import bind, server
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("starlette", "uvicorn", "anyio", "h11"):
            raise UsageError(f"this needs {library}: pip install 'robustfim[explore]'.") from error
        raise
    console = chosen.console()
    subject = open_subject(place, chosen, model=not without, review=review, who=who, paraphraser=paraphraser)
    desk = Desk(subject)
    desk.answers.told()  # A review file that cannot be read is told of now.
    bound = bind(host, port)
    token, own = secrets.token_urlsafe(24), bound.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{own}/?token={token}"
    if not is_loopback(host):
        _warn(console, host)
    if subject.why:
        print_line(console, f"no live model: {subject.why}")
    print_line(console, f"what is reviewed is written to {subject.review}")
    print_line(console, Text(link))  # with its token: it is what the browser needs
    print_line(console, "Ctrl-C ends it.")
    if browse:
        click.launch(link)
    try:
        server(desk, bound, token=token, host=host).run(sockets=[bound])
    except KeyboardInterrupt:
        pass
    finally:
        desk.close()
    print_line(console, f"ended; what was reviewed is in {subject.review}")


def _warn(console: Console, host: str) -> None:
    print_line(
        console,
        f"warning: {host} is reached from other machines. Whoever has the link reads the run's texts, asks the model "
        "and writes reviews in your name, and the connection is not encrypted: anyone on the way can read the link. "
        "A tunnel is safer: ssh -L PORT:127.0.0.1:PORT.",
    )
