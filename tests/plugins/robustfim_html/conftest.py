from __future__ import annotations

import pytest

from robustfim.record import Record
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.synthetic import build


@pytest.fixture(scope="session")
def record() -> Record:
    return build()


@pytest.fixture(scope="session")
def page(record: Record) -> str:
    return render(record)


@pytest.fixture(scope="session")
def document(page: str) -> Element:
    return parse(page)
