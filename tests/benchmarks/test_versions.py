"""Two versions side by side: what a reader is shown, and what is counted of it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.versions import Versioned, mixed, section, versions


def test_a_pair_that_both_versions_made_is_read_once_and_kinds_are_drawn_alike() -> None:
    rows = [{"kind": kind, "source": f"{kind} {at}", "result": "changed"} for kind in "ab" for at in range(40)]
    other = [{**row, "result": "otherwise"} for row in rows[:20]]
    pairs = mixed({"before": rows, "now": [*other, *rows[20:]]}, 3)
    assert len({(row["source"], row["result"]) for row, _ in pairs}) == len(pairs)
    drawn = [[row["kind"] for row, by in pairs if version in by] for version in ("before", "now")]
    assert [(kinds.count("a"), kinds.count("b")) for kinds in drawn] == [(25, 25), (25, 25)]
    assert any(by == ["before", "now"] for _, by in pairs)


def test_a_row_counts_each_version_s_pairs_and_the_texts_that_it_changes() -> None:
    both, now = frozenset(["before", "now"]), frozenset(["now"])
    pairs = [Versioned("people", both, sound=False), Versioned("people", now, sound=True)]
    told = section(pairs, {("people", "before"): (1, 10), ("people", "now"): (5, 10)}).splitlines()
    row = next(line for line in told if line.startswith("| `people` |"))
    assert [cell.split(" [")[0] for cell in row.strip("| ").split(" | ")] == ["`people`", "0%", "50%", "10%", "50%"]


def test_the_table_has_pairs_and_counts_of_both_versions(tmp_path: Path) -> None:
    table = tmp_path / "versions.tsv"
    table.write_text("# head\npeople\ta\tb\tbefore now\t1\npeople\t-\tnow\t3\t9\n", encoding="utf-8")
    pairs, changed = versions(table)
    assert pairs == [Versioned("people", frozenset(["before", "now"]), sound=True)]
    assert changed == {("people", "now"): (3, 9)}
