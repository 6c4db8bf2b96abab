"""Reports for continuous integration systems such as GitHub, GitLab and Jenkins."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.hookspecs import Described, Offers, hookimpl

__all__ = ["robustfim_ci_reports", "robustfim_offers", "robustfim_options"]


@hookimpl
def robustfim_offers() -> Offers:
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
    """Return the names of the reports for the CI system in which a run takes place; ``junit`` if it is unknown."""
    if environment.get("GITHUB_ACTIONS") == "true":
        return ("github", "sarif", "markdown")
    if environment.get("GITLAB_CI") == "true":
        return ("junit", "gitlab")
    return ("junit",)


@hookimpl
def robustfim_options(command: str) -> Described:
    """Add the command-line options ``--junit-xml`` and ``--markdown`` to a command on a single run."""
    if command == "compare":
        return {}
    junit = ("junit", "Write a JUnit report to this file.")
    return {
        "--junit-xml": junit,
        "--junitxml": junit,
        "--markdown": ("markdown", "Write a comment for a pull request to this file."),
    }
