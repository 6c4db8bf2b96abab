from __future__ import annotations

import errno
import hashlib
import math
import os
import resource
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.errors import UsageError
from robustfim.predict.store import Store, key_of

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def canonical(value: Any) -> str:
    """A value with its types, the order of mappings aside."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return f"{type(value).__name__} {value!r}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "store.sqlite"


# ---- keys ---------------------------------------------------------------------------------------------


def test_a_key_is_the_hash_of_compact_json() -> None:
    expected = hashlib.blake2b(b'["text",{"a":1,"b":[null,"\\u00e9"]}]', digest_size=16).digest()
    assert key_of("text", {"b": [None, "é"], "a": 1}) == expected


@given(plain, plain)
def test_keys_are_equal_exactly_when_the_values_are(first: Any, second: Any) -> None:
    assert (key_of(first) == key_of(second)) is (canonical(first) == canonical(second))
    assert key_of(first) == key_of(first)
    assert len(key_of(first)) == 16


def test_parts_cannot_run_into_each_other() -> None:
    assert key_of("a", "bc") != key_of("ab", "c")
    assert key_of("a") != key_of(["a"])


def test_half_of_a_surrogate_pair_has_a_key() -> None:
    assert key_of("\ud83d") != key_of("")


# ---- values -------------------------------------------------------------------------------------------


def keys(number: int) -> list[bytes]:
    return [key_of(i) for i in range(number)]


def test_what_was_put_is_found_and_nothing_else() -> None:
    store = Store(None)
    first, second, third = keys(3)
    store.put({first: [0.25, 0.75], second: None})
    assert store.get([third, second, first, first]) == {first: [0.25, 0.75], second: None}
    assert store.get([]) == {}


def test_a_value_put_again_is_replaced() -> None:
    store = Store(None)
    (key,) = keys(1)
    store.put({key: 1})
    store.put([(key, 2)])
    assert store.get([key]) == {key: 2}


def test_numbers_come_back_exactly() -> None:
    store = Store(None)
    values = [0.1, 1 / 3, 5e-324, -0.0, math.inf, 2**60]
    store.put(dict(zip(keys(6), values, strict=True)))
    found = store.get(keys(6))
    assert [found[key] for key in keys(6)] == values
    store.put({keys(1)[0]: math.nan})
    assert math.isnan(store.get(keys(1))[keys(1)[0]])


def test_many_keys_are_looked_up_at_once() -> None:
    store = Store(None)
    store.put({key: i for i, key in enumerate(keys(1700))})
    found = store.get(keys(2000))
    assert sorted(found.values()) == list(range(1700))


def test_what_was_put_is_there_for_the_next_run_and_for_another_at_once(path: Path) -> None:
    first = Store(path)
    (key,) = keys(1)
    first.put({key: [1.0]})
    second = Store(path)  # while the first is still open
    assert second.get([key]) == {key: [1.0]}
    first.close()
    second.close()
    assert Store(path).get([key]) == {key: [1.0]}


def test_memory_keeps_nothing_for_another() -> None:
    (key,) = keys(1)
    Store(None).put({key: 1})
    assert Store(None).get([key]) == {}


def test_a_put_that_fails_leaves_nothing_in_the_file_and_everything_in_memory(path: Path) -> None:
    store = Store(path)
    good, bad, later = keys(3)
    with sqlite3.connect(path) as other:
        other.execute(
            f"CREATE TRIGGER refuse BEFORE INSERT ON answers WHEN NEW.key = x'{bad.hex()}' "
            "BEGIN SELECT RAISE(ABORT, 'refused by a trigger'); END"
        )
    store.put({good: 1, bad: 2})
    store.put({later: 3})
    assert store.get([good, bad, later]) == {good: 1, bad: 2, later: 3}
    assert len(store.warnings) == 1
    assert "cannot be used further: refused by a trigger. The run goes on in memory" in store.warnings[0]
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM answers").fetchone() == (0,)


def test_a_store_whose_table_is_gone_goes_on_in_memory(path: Path) -> None:
    store = Store(path)
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE answers")
    assert store.get(keys(1)) == {}
    store.put({keys(1)[0]: 1})
    assert store.get(keys(1)) == {keys(1)[0]: 1}
    assert "no such table" in store.warnings[0]


def test_a_full_disk_ends_no_run_and_what_was_written_before_is_still_read(path: Path) -> None:
    store = Store(path)
    first, second = keys(2)
    store.put({first: "before"})
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count={pages}")  # a disk without another page
    store.put({second: "x" * 100_000})
    assert store.get([first, second]) == {first: "before", second: "x" * 100_000}
    assert ["is full" in warning for warning in store.warnings] == [True]
    store.put({first: "after"})
    assert store.get([first]) == {first: "after"}
    assert store.get([first], float) == {}
    assert store.unreadable == 2, "neither in memory nor in the file stands what was asked for"
    store.close()
    assert Store(path).get([first, second]) == {first: "before"}


def test_a_disk_that_is_full_when_a_run_begins_ends_no_run(path: Path) -> None:
    Store(path).put({keys(1)[0]: "before"})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))  # no room for SQLite's index beside it
    try:
        store = Store(path)
        store.put({keys(1)[0]: "after"})
        assert store.get(keys(1)) == {keys(1)[0]: "after"}
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ["goes on in memory" in warning for warning in store.warnings] == [True]


# ---- nothing that is read is trusted ------------------------------------------------------------------


@pytest.mark.parametrize("value", ["[0.1", "", "[0.1]]", "9" * 5000, "[" * 9000, b"\xff\xfe", 7, None, "[1.0]"])
def test_a_value_that_was_changed_in_the_file_is_missing(path: Path, value: object) -> None:
    store = Store(path)
    good, bad = keys(2)
    store.put({good: [0.25, 0.75], bad: [0.25, 0.75]})
    with sqlite3.connect(path) as other:
        kept = "UPDATE OR IGNORE answers SET value = ? WHERE key = ?"
        other.execute(kept, (b"" if value is None else value, bad))
    assert store.get([good, bad]) == {good: [0.25, 0.75]}
    assert store.unreadable == 1
    assert store.warnings == []


def test_an_answer_to_another_text_is_missing(path: Path) -> None:
    store = Store(path)
    one, other = keys(2)
    store.put({one: [1.0, 0.0], other: [0.0, 1.0]})
    with sqlite3.connect(path) as file:
        file.execute(
            "UPDATE answers SET (value, checksum) = (SELECT value, checksum FROM answers WHERE key = ?) WHERE key = ?",
            (one, other),
        )
    assert store.get([one, other]) == {one: [1.0, 0.0]}


def test_a_value_with_a_right_checksum_that_its_reader_refuses_is_missing(path: Path) -> None:
    store = Store(path)
    one, other = keys(2)
    store.put({one: 3, other: [3]})
    assert store.get([one, other], lambda value: 1 / value) == {one: 1 / 3}
    assert store.unreadable == 1


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TRIGGER spy AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
        "DROP TABLE answers; CREATE VIEW answers AS SELECT x'00' AS key, '[1.0]' AS value, x'00' AS checksum",
        "CREATE TABLE another (a)",
    ],
    ids=["trigger", "view", "table"],
)
def test_a_file_with_other_tables_than_a_stores_is_put_aside(path: Path, schema: str) -> None:
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.executescript(schema)
    store = Store(path)
    assert path.with_suffix(".damaged").exists()
    assert "was damaged; it is put aside as store.damaged" in store.warnings[0]
    store.put({keys(1)[0]: 1})
    assert store.get(keys(1)) == {keys(1)[0]: 1}


@given(st.binary(max_size=60), st.integers(0, 3))
def test_whatever_bytes_stand_in_a_value_a_read_gives_what_was_put_or_nothing(raw: bytes, at: int) -> None:
    store = Store(None)
    four = keys(4)
    store.put({key: [0.5, index] for index, key in enumerate(four)})
    store._connection.execute("UPDATE answers SET value = CAST(? AS TEXT) WHERE key = ?", (raw, four[at]))
    expected = {key: [0.5, index] for index, key in enumerate(four) if index != at}
    assert {**expected, **store.get(four)} == {**expected, **({four[at]: [0.5, at]} if raw == b"[0.5,%d]" % at else {})}


# ---- files --------------------------------------------------------------------------------------------


def test_a_file_that_is_no_database_is_put_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this was never a database\n" * 100)
    store = Store(path)
    store.put({keys(1)[0]: 1})
    assert store.get(keys(1)) == {keys(1)[0]: 1}
    assert path.with_suffix(".damaged").read_bytes().startswith(b"this was never")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (b"CREATE TABLE answers", b"CREATE \x8aABLE answers"),  # SQLite's message holds the name, which is no text
        (b"key BLOB PRIMARY", b"k\xff\xfe BLOB PRIMARY"),  # the table has another column, whose name is no text
        (b"tableanswersanswers", b"tableans\x8aersanswers"),
    ],
)
def test_a_file_whose_names_are_no_text_is_put_aside(path: Path, was: bytes, now: bytes) -> None:
    store = Store(path)
    store.put({keys(1)[0]: 1})
    store.close()
    raw = path.read_bytes()
    assert raw.count(was) == 1
    path.write_bytes(raw.replace(was, now))
    damaged = Store(path)
    assert damaged.get(keys(1)) == {}
    damaged.put({keys(1)[0]: 2})
    assert damaged.get(keys(1)) == {keys(1)[0]: 2}
    assert "was damaged; it is put aside as store.damaged" in damaged.warnings[0]


def test_what_is_kept_in_memory_stays_when_the_file_fails_again(path: Path) -> None:
    store, (one, other) = Store(path), keys(2)
    store._connection.close()
    assert store.get([one]) == {}
    store.put({one: 1})
    assert store.get([other]) == {}
    assert store.get([one, other]) == {one: 1}
    assert len(store.warnings) == 1


def test_a_file_damaged_in_the_middle_is_put_aside_when_that_is_found(path: Path) -> None:
    store = Store(path)
    store.put(dict.fromkeys(keys(2000), "x" * 200))
    store.close()
    raw = bytearray(path.read_bytes())
    assert len(raw) > 100_000
    raw[8192:90_000] = b"\xff" * (90_000 - 8192)
    path.write_bytes(raw)
    damaged = Store(path)
    found = damaged.get(keys(2000))
    assert len(found) < 2000
    assert path.with_suffix(".damaged").exists()
    damaged.put({keys(1)[0]: "new"})
    assert Store(path).get(keys(2000)) == {keys(1)[0]: "new"}


def test_a_truncated_file_is_begun_anew(path: Path) -> None:
    store = Store(path)
    store.put(dict.fromkeys(keys(500), "x" * 200))
    store.close()
    path.write_bytes(path.read_bytes()[:5000])
    store = Store(path)
    assert len(store.get(keys(500))) < 500
    store.put({keys(1)[0]: 1})
    assert store.get(keys(1)) == {keys(1)[0]: 1}


def test_a_store_of_another_layout_is_begun_anew(path: Path) -> None:
    store = Store(path)
    store.put({keys(1)[0]: 1})
    store.close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version=99")
    assert Store(path).get(keys(1)) == {}


def test_a_path_through_a_file_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"store\.sqlite cannot be used: .*Name another with --store\."):
        Store(tmp_path / "file" / "store.sqlite")


def test_a_folder_in_the_place_of_the_file_is_a_usage_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be used: unable to open database file"):
        Store(path)
    assert path.is_dir()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_usage_error(path: Path) -> None:
    path.parent.mkdir(mode=0o500)
    with pytest.raises(UsageError, match="cannot be used"):
        Store(path)


def test_the_default_folder_is_kept_out_of_git_and_another_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path / ".robustfim" / "store.sqlite").close()
    assert (tmp_path / ".robustfim" / ".gitignore").read_text() == "*\n"
    Store(tmp_path / "mine" / "store.sqlite").close()
    assert not (tmp_path / "mine" / ".gitignore").exists()


WRITER = """
import sys
from pathlib import Path
from robustfim.predict.store import Store, key_of
store = Store(Path(sys.argv[1]))
for i in range(40):
    store.put({key_of(sys.argv[2], i): [sys.argv[2], i], key_of("both", i): i})
"""


def test_a_store_waits_while_another_run_begins_it(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(lambda: Store(path).close())
        time.sleep(0.3)
        assert not opening.done()
        other.execute("CREATE TABLE of_another_time (a)")
        other.execute("DROP TABLE of_another_time")
        other.execute("COMMIT")
        opening.result(timeout=30)  # one that began by reading could no longer write
    other.close()


def test_a_store_waits_for_a_file_that_is_not_yet_in_its_journal_mode(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # SQLite does not wait for this one, and says at once that the file is locked
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(lambda: Store(path).close())
        time.sleep(0.3)
        assert not opening.done()
        other.execute("COMMIT")
        opening.result(timeout=30)
    other.close()


@pytest.mark.slow
def test_several_processes_begin_and_write_one_store_together(path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], env=environment, stderr=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    for writer in writers:
        _, problems = writer.communicate(timeout=60)
        assert writer.returncode == 0, problems.decode()
    expected = {key_of(name, i): [name, i] for name in ("one", "two", "three") for i in range(40)}
    expected |= {key_of("both", i): i for i in range(40)}  # type: ignore[misc]  # values of two kinds
    assert Store(path).get(list(expected)) == expected


def test_a_disk_without_room_for_a_folder_ends_no_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, **_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "mkdir", full)  # no disk can be filled here
    store = Store(path)
    store.put({keys(1)[0]: 1})
    assert store.get(keys(1)) == {keys(1)[0]: 1}
    assert ["goes on in memory" in warning for warning in store.warnings] == [True]
