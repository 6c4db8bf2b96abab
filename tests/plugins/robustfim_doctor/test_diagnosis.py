from __future__ import annotations

import io

from rich.console import Console

from robustfim_doctor.diagnosis import Diagnosis, print_diagnoses

LONG = "labels: " + ", ".join(f"label-{number}" for number in range(60))
FOUND = [
    Diagnosis("plugins", "files", "ok", "offers three data sources"),
    Diagnosis("labels", "labels", "problem", LONG, ("--data 'labels=[a, b]'",)),
]


def shown(found: list[Diagnosis]) -> str:
    file = io.StringIO()
    print_diagnoses(Console(file=file, width=80, highlight=False), found)
    return file.getvalue()


def test_long_messages_are_broken_and_remedies_left_whole() -> None:
    lines = shown(FOUND).splitlines()
    assert max(map(len, lines)) <= 80
    assert "            --data 'labels=[a, b]'" in [line.rstrip() for line in lines]
    assert LONG in " ".join("\n".join(lines).split())


def test_the_last_line_names_the_problems() -> None:
    assert shown(FOUND).splitlines()[-1] == "1 problem: labels"
    assert shown(FOUND[:1]).splitlines()[-1] == "no problem found"


def test_a_note_on_the_model_or_the_data_is_named_where_no_problem_is() -> None:
    note = Diagnosis("model and data", "labels", "note", "not surely do the answers go with the labels")
    assert shown([*FOUND[:1], note]).splitlines()[-1] == "no problem found, 1 note: labels"


def test_control_characters_of_a_message_do_not_reach_the_terminal() -> None:
    told = shown([Diagnosis("labels", "labels", "note", "red \x1b[31m")])
    assert "\x1b" not in told


def test_folded_problems_go_first_and_what_is_well_is_counted() -> None:
    found = [
        Diagnosis("versions", "python", "ok", "3.12"),
        Diagnosis("libraries", "torch", "note", "not installed"),
        Diagnosis("libraries", "numpy", "problem", "too old"),
        Diagnosis("model and data", "model", "ok", "a model"),
    ]
    file = io.StringIO()
    print_diagnoses(Console(file=file, width=80, highlight=False), found, folded=True)
    lines = [" ".join(line.split()) for line in file.getvalue().splitlines() if line.strip()]
    assert lines == [
        "libraries",
        "problem numpy too old",
        "model and data",
        "ok model a model",
        "well: 1 of versions (-v lists them)",
        "notes: 1 of libraries (-v lists them)",
        "1 problem: numpy",
    ]
