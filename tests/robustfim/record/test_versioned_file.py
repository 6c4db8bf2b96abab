from pathlib import Path

import pytest
from pydantic import BaseModel

from robustfim.errors import UsageError
from robustfim.record.versioned_file import read_versioned


class Note(BaseModel):
    text: str


def read(path: Path) -> Note:
    return read_versioned(path, Note, key="note", version=2, what="note", hint="Write one.")


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_older_or_equal_version_is_read(tmp_path: Path, version: int) -> None:
    path = tmp_path / "note.json"
    path.write_text(f'{{"note": {version}, "text": "a", "more": 1}}', encoding="utf-8")
    assert read(path) == Note(text="a")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"note": 3, "text": "a"}', "has note 3; this robustfim reads up to 2: upgrade it."),
        (b'{"note": "1", "text": "a"}', "is not a note: it has no 'note' number. Write one."),
        (b"[1]", "is not a note: it has no 'note' number. Write one."),
        (b'{"note": 1}', "is not a note: text: Field required. Write one."),
        (b'{"note": 1, "te', "is not a note: Unterminated string"),
        (b"[" * 100_000, "is not a note: "),  # Python's words for it are others from 3.14 on
        (b'{"note": ' + b"9" * 5000 + b"}", "is not a note: Exceeds the limit (4300 digits)"),
        (b"\xff\xfe", "is not a note: it does not begin as JSON does"),
        (b'{"note": 1, "text": "\xff"}', "is not a note: it is not UTF-8 text: byte 21 cannot be read. Write one."),
    ],
)
def test_anything_else_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "note.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as refusal:
        read(path)
    assert message in str(refusal.value)
    assert "note.json" in str(refusal.value)


def test_a_missing_file_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no note at .*absent.json\. Write one\."):
        read(tmp_path / "absent.json")


def test_a_file_without_an_end_is_refused_at_its_beginning() -> None:
    with pytest.raises(UsageError, match="it does not begin as JSON does"):
        read(Path("/dev/zero"))
