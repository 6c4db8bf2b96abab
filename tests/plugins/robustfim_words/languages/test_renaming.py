"""An entity is renamed wherever it stands, and what stands before and after it stays right."""

from __future__ import annotations

import re
from itertools import product

import pytest

from robustfim_words.languages.language import known_languages, language
from robustfim_words.languages.perturbation import QUOTED
from tests.plugins.robustfim_words.languages.spoken import SENTENCES, candidates, made


def texts(name: str, code: str, text: str) -> list[str]:
    return [candidate.example.fields["text"] for candidate in candidates(made(name, code), text)]


@pytest.mark.parametrize("code", known_languages())
def test_a_person_has_one_name_all_over_the_text(code: str) -> None:
    spoken = language(code)
    first = next(name for name in sorted(spoken.first_names) if spoken.knows(name))
    last = sorted(spoken.last_names)[5]
    for new in texts("people", code, f"{first} {last}, {first}, {last}."):
        ((one, two, three, four),) = re.findall(r"\A(\S+) (\S+), (\S+), (\S+)\.\Z", new)
        assert (one, two) == (three, four)
        assert one != first
        assert two != last
        assert one in spoken.first_names
        assert spoken.first_names[one][0] == spoken.first_names[first][0]


def test_an_accent_written_as_an_apostrophe_belongs_to_the_word() -> None:
    assert not texts("people", "it", "Meta' delle persone sa leggere.")
    assert texts("people", "it", "Anna sa leggere.")


def test_a_number_word_that_is_another_word_stays() -> None:
    assert not texts("numbers", "it", "Quando sei arrivato?")
    assert texts("numbers", "it", "Ho letto sette libri.")


@pytest.mark.parametrize("code", known_languages())
def test_a_name_of_the_other_gender_is_one(code: str) -> None:
    spoken = language(code)
    for first in sorted(name for name in spoken.first_names if spoken.knows(name))[:20]:
        for new in texts("name_gender", code, f"{first}!"):
            assert {spoken.first_names[new[:-1]][0], spoken.first_names[first][0]} == {"f", "m"}


@pytest.mark.parametrize("code", known_languages())
def test_a_name_that_is_part_of_a_longer_one_stays(code: str) -> None:
    spoken = language(code)
    for first in sorted(name for name in spoken.first_names if spoken.knows(name))[:20]:
        for text in (f"{first}-Xyzzy", f"Xyzzy {first}", f"{first} Xyzzy Xyzzy", f"{first} und {first}xyz"):
            assert not texts("people", code, text), text


@pytest.mark.parametrize(
    ("code", "text", "names"),
    [
        ("de", "Frau Müller hat geantwortet, Müller!", "Müller"),
        ("de", "Meine Nichte Lena spielt damit.", "Lena"),
        ("de", "Der Trainer Jürgen Klopp lacht, Klopp jubelt.", "Jürgen Klopp"),
        ("de", "Dr. Fischer nimmt sich Zeit.", "Fischer"),
        ("fr", "Marie Dupont a signé, Dupont a payé.", "Marie Dupont"),
        ("fr", "Ma voisine Claire parle fort.", "Claire"),
        ("fr", "Mme Lefebvre est venue.", "Lefebvre"),
        ("fr", "Antoine Griezmann est blessé.", "Antoine Griezmann"),
        ("fr", "Selon Jean-Pierre Moreau, tout va bien.", "Jean-Pierre Moreau"),
    ],
)
def test_a_title_a_role_or_a_first_name_shows_a_person(code: str, text: str, names: str) -> None:
    renamed = texts("people", code, text)
    assert renamed
    assert not any(name in new for new in renamed for name in names.split())


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Er schenkte Anna Blumen."),
        ("de", "Ich fahre einen Mercedes Benz."),
        ("de", "Frau Bundeskanzlerin, hören Sie zu."),
        ("de", "Der Film Anna Karenina läuft."),
        ("de", "Angela Merkels Rede war gut."),
        ("fr", "J'ai acheté Marie Claire hier."),
        ("fr", "Il habite rue Victor Hugo."),
        ("fr", "Monsieur le Président est venu."),
    ],
)
def test_a_word_beside_a_name_or_a_title_is_not_always_a_name(code: str, text: str) -> None:
    assert not texts("people", code, text)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Ein 19 Jahre altes Auto."),
        ("de", "Mit 60 Jahren läuft sie."),
        ("de", "Er feiert seinen 40. Geburtstag."),
        ("fr", "Une femme de 34 ans."),
        ("fr", "À 60 ans, elle court."),
        ("fr", "Il fête ses 40 ans."),
    ],
)
def test_an_age_is_found_in_the_forms_that_people_write(code: str, text: str) -> None:
    assert texts("ages", code, text)


@pytest.mark.parametrize("code", known_languages())
@pytest.mark.parametrize("source", [" -- {}", " — {}", "\n\t-- {}, 1802.", " ({}, 1802)", "\n\n― {}", " -- «{}»"])
def test_a_quotation_with_its_source_stays_as_it_was_said(code: str, source: str) -> None:
    first = next(name for name in sorted(language(code).first_names) if language(code).knows(name))
    people = made("people", code)
    assert candidates(people, f"{first}.")
    for text in (f"Xx yy.{source.format(first)}", f"{first} xx yy.{source.format('Xx Yy')}"):
        assert not candidates(people, text), text
    assert people.skipped == {QUOTED: 2}


@pytest.mark.parametrize(
    "text", ["Xx -- Yy -- yy {}.", "Xx ({}).", "Xx. (xx {}) Xx.", "— Xx, yy {}.", "Xx. – Xx {}. Yy."]
)
@pytest.mark.parametrize("code", known_languages())
def test_a_dash_or_a_bracket_alone_is_no_source(code: str, text: str) -> None:
    first = next(name for name in sorted(language(code).first_names) if language(code).knows(name))
    assert not language(code).quotes(text.format(first))
    people = made("people", code)
    candidates(people, text.format(first))
    assert people.skipped == {}


@pytest.mark.parametrize("name", ["typos", "accents", "abbreviations", "articles", "negation"])
def test_the_source_of_a_quotation_keeps_its_form(name: str) -> None:
    for text in SENTENCES["de"]:
        quoted = f"{text} -- {text}"
        for candidate in candidates(made(name, "de"), quoted):
            assert candidate.example.fields["text"].endswith(f" -- {text}")


@pytest.mark.parametrize(("code", "name"), [*product(known_languages(), ("places", "countries", "dates"))])
def test_a_new_name_is_of_the_same_class_and_has_the_same_onset(code: str, name: str) -> None:
    perturbation, spoken = made(name, code), language(code)
    classes = perturbation._classes(spoken)
    changed = 0
    for old in classes:
        for new in texts(name, code, f"{old}!"):
            assert classes[new[:-1]] == classes[old]
            assert spoken.onset(new) == spoken.onset(old)
            changed += 1
    assert changed > 10


def test_a_german_genitive_keeps_its_ending_and_takes_no_name_that_has_none() -> None:
    changed = texts("people", "de", "Annas Haus gehört Anna.")
    assert len(changed) > 10
    for text in changed:
        found = re.fullmatch(r"(\w+)s Haus gehört (\w+)\.", text)
        assert found is not None
        assert found[1] == found[2]
        assert found[1][-1] not in "sßxz"


@pytest.mark.parametrize(
    ("code", "text", "initials"),
    [("fr", "la maison d'Alice", "AEIOUYÉÈH"), ("fr", "la maison de Julie", "BCDFGJKLMNPQRSTVWXZÇ")],
)
def test_an_elided_word_before_a_name_stays_right(code: str, text: str, initials: str) -> None:
    changed = texts("people", code, text)
    assert len(changed) > 5
    assert all(new.split()[-1].removeprefix("d'")[0] in initials for new in changed)
    assert all(new.startswith(text[: text.index("d") + 1]) for new in changed)


def test_a_spanish_e_before_i_stays_right() -> None:
    changed = texts("people", "es", "Ana e Irene llegan.")
    assert {new.split()[2][:1] for new in changed} == {"I", "H"}


@pytest.mark.parametrize(("code", "name"), [*product(known_languages(), ("nationalities", "religions"))])
def test_an_inflected_word_gives_way_to_the_same_form_of_one_of_its_paradigm(code: str, name: str) -> None:
    changed = 0
    for paradigm in language(code).grammar.paradigms[name]:
        rows = list(paradigm.inflected.values())
        for row, place in product(rows, range(len(rows[0]))):
            for text in texts(name, code, f"xx {row[place]} xx"):
                new = text.split()[1]
                assert any(other[place] == new for other in rows), (row[place], new)
                changed += 1
    assert changed > 10


@pytest.mark.parametrize("code", known_languages())
def test_half_of_the_words_of_a_paradigm_are_frequent_in_the_language(code: str) -> None:
    for groups in language(code).grammar.paradigms.values():
        for paradigm in groups:
            rows = list(paradigm.inflected.values())
            known = [row for row in rows if any(language(code).knows(form) for form in row)]
            assert len(known) * 2 >= len(rows), (paradigm.forms, rows)
