import json
import os
import signal
from pathlib import Path

import pytest

from robustfim.whole_file import write_json, write_whole


def test_a_file_is_replaced_and_its_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a/b/c.txt"
    assert write_whole(path, b"one") == path
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [each.name for each in path.parent.iterdir()] == ["c.txt"]


def test_what_cannot_be_written_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.txt"
    path.write_bytes(b"old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["c.txt"]


@pytest.mark.parametrize("text", ["é", "\ud83d"], ids=["text", "half of a surrogate pair"])
def test_json_has_null_for_what_is_not_finite_and_holds_any_text(tmp_path: Path, text: str) -> None:
    path = write_json(tmp_path / "a.json", {"numbers": [1.5, float("nan"), float("-inf")], "text": text, "none": []})
    assert json.loads(path.read_text(encoding="utf-8")) == {"numbers": [1.5, None, None], "text": text, "none": []}
    assert path.read_text(encoding="utf-8").startswith('{\n "numbers": [\n  1.5,\n  null,')


def test_a_folder_in_the_way_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError):  # noqa: PT011  # IsADirectoryError here, PermissionError elsewhere
        write_whole(tmp_path, b"x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("written", [0, 1, 4], ids=["before", "in the middle", "at the end"])
def test_a_process_that_is_killed_while_it_writes_leaves_the_older_file(tmp_path: Path, written: int) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    child = os.fork()
    if not child:

        def write_and_die(self: Path, data: bytes) -> int:
            with self.open("wb") as file:
                file.write(data[:written])
            os.kill(os.getpid(), signal.SIGKILL)
            return 0

        Path.write_bytes = write_and_die  # type: ignore[assignment, method-assign]  # it is the child's own
        write_whole(path, b"new!")
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert path.read_bytes() == b"old"


def test_json_names_what_nobody_sees(tmp_path: Path) -> None:
    text = "a\u202eb\u200b\U000e0041\U000e0139é"
    written = write_json(tmp_path / "a.json", [text]).read_text(encoding="utf-8")
    assert "a\\u202eb\\u200b\\udb40\\udc41\\udb40\\udd39é" in written
    assert json.loads(written) == [text]
