"""What a check says: the figures it measured, and what is wrong with them in plain words."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that is wrong, and what to change.

    Attributes:
        problem: In one sentence, with the figures.
        remedy: What to do about it.
    """

    problem: str
    remedy: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        summary: What was seen, in a few words.
        findings: What is wrong with it; nothing if it is fit.
        figures: What was measured, for programs.
    """

    name: str
    summary: str
    findings: tuple[Finding, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def is_fit(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that was looked at."""

    checks: tuple[Check, ...]

    @property
    def is_fit(self) -> bool:
        """Whether nothing is wrong anywhere."""
        return all(check.is_fit for check in self.checks)

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong."""
        return [finding for check in self.checks for finding in check.findings]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"fit": self.is_fit, "checks": [asdict(check) for check in self.checks]}
