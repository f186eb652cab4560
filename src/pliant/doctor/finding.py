"""Results of checks: measured values, problems and remedies."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A problem and its remedy.

    Attributes:
        problem: The problem in one sentence, with the measured values.
        remedy: How to fix it.
    """

    problem: str
    remedy: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """The result of one check.

    Attributes:
        name: What was checked.
        summary: The result in a few words.
        findings: The problems; empty if there are none.
        figures: The measured values, for programs.
    """

    name: str
    summary: str
    findings: tuple[Finding, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def is_fit(self) -> bool:
        """Whether the check found no problem."""
        return not self.findings


@dataclass(frozen=True, kw_only=True)
class Report:
    """The results of all checks."""

    checks: tuple[Check, ...]

    @property
    def is_fit(self) -> bool:
        """Whether no check found a problem."""
        return all(check.is_fit for check in self.checks)

    @property
    def findings(self) -> list[Finding]:
        """The problems of all checks."""
        return [finding for check in self.checks for finding in check.findings]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"fit": self.is_fit, "checks": [asdict(check) for check in self.checks]}
