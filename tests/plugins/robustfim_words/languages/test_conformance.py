"""Every perturbation of every language keeps the promises of its role, and changes a sentence of the language."""

from __future__ import annotations

import pytest

from robustfim_testing import check_perturbation
from robustfim_words.languages.language import known_languages, language
from tests.plugins.robustfim_words.languages.spoken import NAMES, SENTENCES, able, candidates, made


@pytest.mark.parametrize(("code", "name"), [*able()])
def test_it_keeps_the_promises_of_a_perturbation(code: str, name: str) -> None:
    check_perturbation(made(name, code), SENTENCES[code])


@pytest.mark.parametrize(("code", "name"), [*able()])
def test_it_leaves_quotations_and_addresses_as_they_are(code: str, name: str) -> None:
    for text in SENTENCES[code]:
        quoted = f"„{text}“ (https://example.org/{text.split()[0]})"
        for candidate in candidates(made(name, code), quoted):
            assert quoted in candidate.example.fields["text"] or name in ("openers", "negation")


@pytest.mark.parametrize("code", known_languages())
def test_a_language_has_the_tables_of_fifteen_perturbations(code: str) -> None:
    assert len([name for other, name in able() if other == code]) >= 15
    assert len(NAMES) == 20


@pytest.mark.parametrize("code", known_languages())
def test_what_decides_its_candidates_is_named_with_a_hash(code: str) -> None:
    (version,) = made("people", code).resources().values()
    assert version == language(code).version
    assert version.startswith(f"{code} ")
