"""The plugin's face: what it offers, and what it chooses for which CI system."""

from __future__ import annotations

import importlib

import pytest

import robustfim_ci
from robustfim.roles import Report


def test_every_report_that_the_face_offers_exists() -> None:
    for name, target in robustfim_ci.robustfim_offers()["reports"].items():
        module, _, attribute = target.partition(":")
        report: Report = getattr(importlib.import_module(module), attribute)()
        assert module == f"robustfim_ci.{name}"
        assert callable(report.write)


@pytest.mark.parametrize(
    ("environment", "reports"),
    [
        ({"CI": "true", "GITHUB_ACTIONS": "true"}, ("github", "sarif", "markdown")),
        ({"CI": "true", "GITLAB_CI": "true"}, ("junit", "gitlab")),
        ({"JENKINS_URL": "https://ci"}, ("junit",)),
        ({"GITHUB_ACTIONS": "false"}, ("junit",)),
        ({}, ("junit",)),
    ],
)
def test_the_reports_suit_the_ci_system(environment: dict[str, str], reports: tuple[str, ...]) -> None:
    assert robustfim_ci.robustfim_ci_reports(environment) == reports
    assert set(reports) <= set(robustfim_ci.robustfim_offers()["reports"])
