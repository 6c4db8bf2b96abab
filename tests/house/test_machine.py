"""No committed file knows the machine it was written on."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import ROOT, committed, shown

CORPUS_WORDS = "plugins/robustfim_words/tagger/vocab/"
"""The tagger's vocabulary, a list of words that may look like anything."""

FOLDERS = re.compile(rb"(?<![\w.~}\])/])/(?:home|root|work|tmp|Users|mnt|workspace)(?:/|\b(?=[\"'` ]))")
INDEX = re.compile(rb"index-url|index_url|trusted-host|trusted_host|find-links|file://")


def matches(pattern: re.Pattern[bytes]) -> list[str]:
    here = Path(__file__)
    return [
        f"{shown(path)}:{number}: {line.strip()[:80].decode(errors='replace')}"
        for path in committed()
        if path != here and not shown(path).startswith(CORPUS_WORDS) and pattern.search(content(path))
        for number, line in enumerate(content(path).split(b"\n"), 1)
        if pattern.search(line)
    ]


@cache
def content(path: Path) -> bytes:
    return path.read_bytes()


def test_no_committed_file_names_a_folder_of_a_machine() -> None:
    assert not matches(FOLDERS)


@pytest.mark.parametrize("text", [b'"/home/me/data"', b"open('/tmp')", b"in /workspace/x, read", b"cd /root/x"])
def test_the_rule_sees_a_folder_of_a_machine(text: bytes) -> None:
    assert FOLDERS.search(text)


@pytest.mark.parametrize("text", [b"a film at home/work", b"{tmp_path}/tmp/x", b"https://host/home/x", b"./root/"])
def test_the_rule_leaves_other_slashes_alone(text: bytes) -> None:
    assert not FOLDERS.search(text)


def test_no_committed_file_names_a_package_index() -> None:
    assert not matches(INDEX)


def test_every_dependency_is_a_name_on_the_package_index() -> None:
    for name in ("pyproject.toml", "constraints.txt"):
        text = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
        assert not re.search(r" @ |://|\+cpu\b", text), f"{name} pins something to one host"
