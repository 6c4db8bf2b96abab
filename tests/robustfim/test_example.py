from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.example import Example, content_id

fields = st.dictionaries(st.text(min_size=1), st.text(), min_size=1, max_size=4)


def test_the_id_is_the_hash_of_the_sorted_fields_as_json() -> None:
    canonical = '{"hypothesis": "Böse.", "premise": "Gut."}'.encode()
    expected = hashlib.blake2b(canonical, digest_size=6).hexdigest()
    assert Example({"premise": "Gut.", "hypothesis": "Böse."}).id == expected


@given(fields)
def test_the_order_of_the_fields_does_not_change_the_id(given_fields: dict[str, str]) -> None:
    backwards = dict(reversed(given_fields.items()))
    assert content_id(backwards) == content_id(given_fields)
    assert len(content_id(given_fields)) == 12


def test_texts_moved_between_fields_have_another_id() -> None:
    assert content_id({"a": "x", "b": "y"}) != content_id({"a": "y", "b": "x"})


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_id_is_the_same_in_another_process(hash_seed: str) -> None:
    code = "from robustfim.example import content_id; print(content_id({'text': 'good', 'b': 'fine'}))"
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert printed.stdout.strip() == content_id({"b": "fine", "text": "good"})


def test_label_and_other_columns_take_no_part_in_the_id() -> None:
    assert Example({"text": "a"}, "positive", {"pair": 3}).id == Example({"text": "a"}).id


def test_half_of_a_surrogate_pair_has_an_id() -> None:
    assert Example({"text": "cut \ud83d"}).id != Example({"text": "cut "}).id


def test_an_example_cannot_be_changed_from_outside() -> None:
    given_fields, meta = {"text": "good"}, {"pair": 1}
    example = Example(given_fields, meta=meta)
    given_fields["text"], meta["pair"] = "bad", 2
    assert example.fields["text"] == "good"
    assert example.meta["pair"] == 1
    with pytest.raises(TypeError):
        example.fields["text"] = "bad"  # type: ignore[index]  # what the test is about
    with pytest.raises(AttributeError):
        example.label = "x"  # type: ignore[misc]  # what the test is about


def test_the_text_joins_the_fields_in_the_order_of_the_data() -> None:
    assert Example({"b": "first", "a": "second"}).text == "first\nsecond"


@pytest.mark.parametrize("wrong", [None, 3, 2.5, b"good", ["good"]])
def test_a_field_that_is_no_text_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="the field 'text' of an example must be a text, not"):
        Example({"text": wrong})


@pytest.mark.parametrize("wrong", [1, True, b"positive"])
def test_a_label_that_is_no_text_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="the label of an example must be a text or None, not"):
        Example({"text": "good"}, wrong)


@given(fields, st.none() | st.text())
def test_an_example_survives_pickling_and_copying(given_fields: dict[str, str], label: str | None) -> None:
    example = Example(given_fields, label, {"row": 1})
    for other in (pickle.loads(pickle.dumps(example)), copy.deepcopy(example)):  # noqa: S301  # pickled here
        assert other == example
        assert other.id == example.id
        assert hash(other) == hash(example)


def test_equal_examples_are_one_key_of_a_mapping() -> None:
    counted = {Example({"text": "a"}, "x"): 1, Example({"text": "a"}, "x"): 2, Example({"text": "a"}, "y"): 3}
    assert len(counted) == 2


def test_all_accepted_labels_are_gold_the_first_one_first() -> None:
    several = Example({"question": "When?"}, "1871", accepted=("in 1871",))
    assert several.gold == ("1871", "in 1871")
    assert Example({"text": "x"}, "a").gold == ("a",)
    assert Example({"text": "x"}).gold == ()
    assert pickle.loads(pickle.dumps(several)) == several  # noqa: S301  # our own bytes


@pytest.mark.parametrize("accepted", ["in 1871", ["in 1871"], (1871,)])
def test_accepted_labels_are_a_tuple_of_texts(accepted: Any) -> None:
    with pytest.raises(TypeError, match="must be a tuple of texts"):
        Example({"text": "x"}, "1871", accepted=accepted)
