from __future__ import annotations

import json

import pytest

from robustfim.errors import PluginError
from robustfim.plugin.traceback import plugin_traceback


def caught(cause: Exception | None) -> PluginError:
    with pytest.raises(PluginError) as error:
        raise PluginError("broken") from cause
    return error.value


def test_an_error_without_a_cause_has_no_traceback() -> None:
    assert plugin_traceback(caught(None)) == ""


def test_the_traceback_is_that_of_the_cause() -> None:
    try:
        json.loads("{")
    except ValueError as error:
        text = plugin_traceback(caught(error))
    lines = text.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert 'json.loads("{")' in text
    assert lines[-1].startswith("json.decoder.JSONDecodeError: Expecting property name")


def test_frames_of_robustfim_are_left_out() -> None:
    from robustfim.record import Record
    from tests.robustfim.toys import Bench, Rewrite, check, example

    def rewrite(text: str) -> str:
        raise LookupError(text)

    record, _ = Bench([example("a film")]).run(check(Rewrite(rewrite)))
    assert isinstance(record.traceback, str)
    assert Record.__name__ == "Record"
    assert "test_traceback.py" in record.traceback
    assert "/robustfim/propose/proposal.py" not in record.traceback
    assert record.traceback.endswith("LookupError: a film")
