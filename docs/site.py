"""``python -m docs.site``: the documentation as a site in ``site/``, link-checked, with ``llms.txt`` for models.

The pages of ``docs/`` stay as they are; the start page is the README, with the report of its first command live in it,
the results of the benchmarks and CHANGELOG.md become pages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

__all__ = ["build", "main", "pages"]

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
BROUGHT = {"README.md": "index.md", "CHANGELOG.md": "changes.md"} | {
    f"benchmarks/results/{page.name}": f"results/{page.name.replace('README', 'index')}"
    for page in sorted(RESULTS.glob("*.md"))
}
"""Pages that lie elsewhere, and their names on the site."""
FIRST = "first-run.html"
"""The report of the README's first command, which the start page shows in place of its picture."""
LINK = re.compile(r"\]\(([^)\s:#]*)(#[^)\s]*)?\)")


def pages() -> Iterator[tuple[str, str]]:
    """The pages of the site, in the order of ``nav`` in mkdocs.yml.

    Yields:
        The title in the navigation, and the file.
    """
    yield from _listed(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])


def build(out: Path) -> None:
    """Build the site.

    Args:
        out: The folder; what it held is replaced.

    Raises:
        RuntimeError: A link leads nowhere, or Zensical says something else is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        shutil.copytree(ROOT / "docs" / "pictures", source / "docs" / "pictures")
        for page in (ROOT / "docs").glob("*.md"):
            (source / "docs" / page.name).write_text(_moved(page), encoding="utf-8")
        (source / "docs" / "results").mkdir()
        for given, name in BROUGHT.items():
            (source / "docs" / name).write_text(_moved(ROOT / given), encoding="utf-8")
        start = source / "docs" / BROUGHT["README.md"]
        start.write_text(_live(start.read_text(encoding="utf-8")), encoding="utf-8")
        for name in ("mkdocs.yml", "docs/site.css", "docs/site.js"):
            shutil.copy(ROOT / name, source / name)
        _first_run(source / "docs" / FIRST)
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(source / "mkdocs.yml")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=source)
        if done.returncode:
            raise RuntimeError(re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr))
        _for_language_models(source / "docs", source / "site")
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(source / "site", out)


def main() -> None:
    """Build the site into ``site/``, or into the folder that the command line names."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    build(out)
    print(f"wrote {out}: {sum(1 for _ in out.rglob('*.html'))} pages")


def _first_run(page: Path) -> None:
    """Run the first suite, and keep its report."""
    with tempfile.TemporaryDirectory() as reports:
        command = ["run", "suites/sentiment.yaml", "-q", "--reports", reports, "--html", str(page)]
        subprocess.run([sys.executable, "-m", "robustfim", *command], capture_output=True, check=False, cwd=ROOT)


def _live(text: str) -> str:
    """Put the report in place of the picture of its head: its texts can be tried there."""
    frame = f'<iframe class="first-run" src="{FIRST}" title="The report of this run: click a changed word"></iframe>'
    return re.sub(r"!\[[^\]]*\]\(pictures/report-head\.png\)", frame, text)


def _listed(entries: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        for title, below in entry.items():
            yield from _listed(below) if isinstance(below, list) else [(title, below)]


def _moved(page: Path) -> str:
    """A page with its links as they are on the site; what is no page of it is named without a link."""
    text = page.read_text(encoding="utf-8")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(lambda link: _link(link, page), part) for part in parts)


def _link(link: re.Match[str], page: Path) -> str:
    place, anchor = link[1], (link[2] or "").encode("ascii", "ignore").decode()  # as the site's anchors, without λ
    if not place:
        return f"]({anchor})"
    path = (page.parent / place).resolve().relative_to(ROOT).as_posix()
    there = BROUGHT.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
    here = BROUGHT.get(page.relative_to(ROOT).as_posix(), page.name)
    return "]" if there is None else f"]({os.path.relpath(there, Path(here).parent)}{anchor})"


def _for_language_models(source: Path, site: Path) -> None:
    """Write ``llms.txt``, which lists the pages, and ``llms-full.txt``, which holds them."""
    listed, whole = (
        ["# robustfim", "", "> Finds where a text classifier breaks, proves it, and gates releases on it.", ""],
        [],
    )
    for title, name in pages():
        text = (source / name).read_text(encoding="utf-8")
        place = "./" if name == "index.md" else f"{name.removesuffix('.md').removesuffix('/index')}/"
        listed.append(f"- [{title}]({place}): {_opening(text)}")
        whole.append(text.strip())
    (site / "llms.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(whole) + "\n", encoding="utf-8")


def _opening(text: str) -> str:
    """The first sentence below a page's title."""
    paragraphs = [each.strip() for each in text.split("\n\n")[1:]]
    paragraph = next((each for each in paragraphs if each[:1].isalnum() or each[:1] in "`*["), "What changed.")
    plain = re.sub(r"\[([^\]]*)\](?:\([^)]*\))?", r"\1", " ".join(paragraph.split()))
    return re.split(r"(?<=[.:])\s", plain)[0].rstrip(":.") + "."


if __name__ == "__main__":
    main()
