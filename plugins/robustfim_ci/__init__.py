"""Reports for continuous integration systems such as GitHub, GitLab and Jenkins."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_ci_reports", "robustfim_offers", "robustfim_options"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the reports of this plugin."""
    return {
        "reports": {
            "evidence": "robustfim_ci.evidence:EvidenceReport",
            "github": "robustfim_ci.github:GitHubReport",
            "gitlab": "robustfim_ci.gitlab:GitLabReport",
            "junit": "robustfim_ci.junit:JUnitReport",
            "markdown": "robustfim_ci.markdown:MarkdownReport",
            "sarif": "robustfim_ci.sarif:SarifReport",
        },
    }


@hookimpl(trylast=True)
def robustfim_ci_reports(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Choose the reports by the variable that a CI system sets to ``true``; ``junit`` if the system is another."""
    if environment.get("GITHUB_ACTIONS") == "true":
        return ("github", "sarif", "markdown")
    if environment.get("GITLAB_CI") == "true":
        return ("junit", "gitlab")
    return ("junit",)


@hookimpl
def robustfim_options(command: str) -> dict[str, tuple[str, str]]:
    """Add ``--junit-xml``, in both of pytest's spellings, and ``--markdown``, except to commands on two runs."""
    if command == "compare":
        return {}
    junit = ("junit", "Write a JUnit report to this file.")
    return {
        "--junit-xml": junit,
        "--junitxml": junit,
        "--markdown": ("markdown", "Write a comment for a pull request to this file."),
    }
