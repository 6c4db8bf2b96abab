"""Random data files such as other programs write, for ``benchmarks.faults``: random rows in a random format."""

# ruff: noqa: E501  # tables of odd things, as wide as they are

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import zipfile
from typing import Any

__all__ = ["write_table"]

_TEXTS = [
    "a good film", "an awful plot", "", " ", "\t", "a, b; c | d", 'he said "no"', "two\nlines", "a\r\nb", "\u2028", "é ß",
    "e\u0301", "\u200b", "\ud83d\ude00", "\u202egood", "\ufeffgood", "x" * 60_000, "=1+1", "NULL", "nan", "\\", "'",
    "a\x00b", "\x1b[31mred", "<script>", "0", "good " * 300,
]  # fmt: skip
_LABELS = ["negative", "positive", "0", "1", "", "Positive", " positive", "neutral", "nan", "true", "1.0", "9" * 400]
_VALUES: list[Any] = [
    None, True, 0, 1, -1, 1.5, 10**400, float("nan"), float("inf"), [], ["positive"], [None], {"text": ["positive"]}, {},
    [["a"]], {"a": {"b": []}}, "x",
]  # fmt: skip
_ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "shift_jis", "utf-7"]
_SUFFIXES = ["", "", "", ".gz", ".bak", ".txt"]


def write_table(rng: random.Random) -> tuple[str, str, bytes, bool]:
    """Write a data file and a suite that reads it.

    Args:
        rng: The random source.

    Returns:
        The suite, the file's name, the file's content, and whether the file is valid, so that it must be read.
    """
    right = rng.random() < 0.3
    rows = _rows(rng, right)
    kind = rng.choice(["csv", "csv", "jsonl", "jsonl", "tsv", "parquet", "xlsx", "json"])
    if right and kind in ("xlsx", "json"):
        kind = "csv"
    encoding = "utf-8" if right else rng.choice(_ENCODINGS)
    content = _write(rows, kind, encoding, rng, right)
    if not right and rng.random() < 0.15:
        content = content[: rng.randrange(len(content) + 1)]
    if rng.random() < 0.2:
        content = gzip.compress(content, mtime=0)
        if not right and rng.random() < 0.3:
            content = content[: rng.randrange(len(content) + 1)]
        right &= kind != "parquet"
    file = f"d.{kind}{'' if right else rng.choice(_SUFFIXES)}"
    use = {"tsv": "csv", "json": "jsonl", "xlsx": "csv"}.get(kind, kind)
    if not right and rng.random() < 0.1:
        use = rng.choice(["csv", "jsonl", "parquet", "squad", "copa", "pairs", "hub"])
    options: dict[str, Any] = {"use": use, "path": file}
    if kind == "tsv":
        options["delimiter"] = "\t"
    if right:
        options["limit"] = rng.choice([None, len(rows), 1000])
    else:
        options.update(
            rng.sample(
                [
                    ("limit", rng.choice([0, 1, 3, -1, 10**12, 1.5, "all"])), ("encoding", rng.choice(_ENCODINGS)),
                    ("text", rng.choice(["text", "id", "txet", ["text", "label"], [], "", ["text", "text"]])),
                    ("label", rng.choice(["label", None, "text", "gold", "", 5])),
                    ("labels", rng.choice([["negative", "positive"], {"0": "negative"}, [], ["a", "a"], {"x": 5}, "n"])),
                    ("delimiter", rng.choice([",", ";", "", "ab", "\n", "é"])),
                ],
                rng.choice([0, 0, 1, 2]),
            )
        )  # fmt: skip
    suite = {
        "suite": "toy", "plugins": ["toy.py"], "model": "wordsum", "data": options, "allow_weak": True, "one_label": True,
        "checks": {"film": {"perturb": {"use": "rename", "table": {"film": "movie"}}, "limit": 1}},
    }  # fmt: skip
    return json.dumps(suite), file, content, right


def _rows(rng: random.Random, right: bool) -> list[dict[str, Any]]:
    """Make rows of an id, a text, a label, and often a column more; sorted by label as often as not."""
    rows: list[dict[str, Any]] = [
        {"id": i, "text": f"a {word} film number {i}", "label": label}
        for i, (word, label) in enumerate([("good", "positive"), ("awful", "negative")] * rng.choice([3, 10, 40]))
    ]
    if rng.random() < 0.5:
        rows.sort(key=lambda row: str(row["label"]), reverse=rng.random() < 0.5)
    if right:
        return rows
    for _ in range(rng.choice([0, 1, 2, 5, 40])):
        row, way = rng.choice(rows), rng.randrange(7)
        if way == 0:
            row["text"] = rng.choice(_TEXTS)
        elif way == 1:
            row["label"] = rng.choice(_LABELS)
        elif way == 2:
            row[rng.choice(["text", "label", "id"])] = rng.choice(_VALUES)
        elif way == 3:
            row[rng.choice(["more", "", "text ", "id"])] = rng.choice(_TEXTS)
        elif way == 4:
            row.pop(rng.choice(sorted(row) or ["text"]), None)
        elif way == 5:
            rows.append(dict(row))
        else:
            rows.append({"id": 0, "text": row.get("text"), "label": rng.choice(_LABELS)})
    return [] if rng.random() < 0.02 else rows


def _write(rows: list[dict[str, Any]], kind: str, encoding: str, rng: random.Random, right: bool) -> bytes:
    if kind == "parquet":
        return _parquet(rows)
    if kind == "xlsx":
        return _packed(rows)
    if kind in ("csv", "tsv"):
        text = _delimited(rows, "\t" if kind == "tsv" else ",", rng, right)
    elif kind == "json":
        text = json.dumps(rows if rng.random() < 0.5 else {"data": rows}, indent=rng.choice([None, 1]))
    else:
        lines = [json.dumps(row, ensure_ascii=rng.random() < 0.5) for row in rows]
        if not right:
            for _ in range(rng.choice([0, 0, 1, 3])):
                _break_line(lines, rng)
        text = "\n".join(lines)
    return text.encode(encoding, "surrogatepass" if encoding.startswith("utf-") and encoding != "utf-7" else "replace")


def _delimited(rows: list[dict[str, Any]], comma: str, rng: random.Random, right: bool) -> str:
    """Write cells, some rows longer or shorter than the header, or without its quotes."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    ends = "\n" if right else rng.choice(["\n", "\n", "\r\n", "\r"])
    writer = csv.writer(out, delimiter=comma, lineterminator=ends)
    table: list[list[Any]] = [columns, *([row.get(name) for name in columns] for row in rows)]
    if not right:
        for _ in range(rng.choice([0, 0, 0, 1, 3])):
            record = rng.choice(table)
            if rng.random() < 0.5:
                record.append(rng.choice([*_TEXTS, "text"]))
            elif record:
                record.pop()
    for record in table:
        if not right and rng.random() < 0.01:
            out.write(comma.join(map(str, record)) + ends)
        else:
            writer.writerow(record)
    return out.getvalue()


def _break_line(lines: list[str], rng: random.Random) -> None:
    if not lines:
        return
    place = rng.randrange(len(lines))
    line = lines[place]
    lines[place] = rng.choice(
        [
            line[:-1], line + ",", "[" + line + "]", line[:-1] + ', "text": "again"}', line + line, "null", "5", '"x"', "",
            line.replace('"id": ', '"id": -'), line.replace('"text"', "'text'"), '{"text": NaN}', "[" * 5000, "\ufeff" + line,
            '{"text": "x", "label": ' + "9" * 5000 + "}", '{"text": "\\ud800", "label": "positive"}', "// " + line,
        ]
    )  # fmt: skip


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.Table.from_pylist(rows)
    except (pyarrow.ArrowException, OverflowError, UnicodeError, TypeError):  # kinds that no column holds together
        table = pyarrow.Table.from_pylist([{key: ascii(value)[:50] for key, value in row.items()} for row in rows])
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _packed(rows: list[dict[str, Any]]) -> bytes:
    """Pack a sheet as a spreadsheet program does; its bytes are those of a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("xl/worksheets/sheet1.xml", f"<sheet>{len(rows)}</sheet>")
    return out.getvalue()
