"""What a certificate says, as the value that is signed. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from quizzes.lib.hash_chain import format_time, parse_time

FORM = 1
TYPE = "certificate"


@dataclass(frozen=True, slots=True)
class CertificateContent:
    """What is signed: the quiz and that it was passed; name and score only where chosen."""

    certificate: UUID
    quiz: UUID
    title: Mapping[str, str]
    quiz_version: int
    pass_mark: Fraction
    submitted_at: datetime
    issued_at: datetime
    name: str = ""
    points: Fraction | None = None
    maximum: Fraction | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what is signed; what is not shown is not in it."""
        content: dict[str, Any] = {
            "type": TYPE,
            "form": FORM,
            "certificate": str(self.certificate),
            "quiz": str(self.quiz),
            "title": dict(self.title),
            "quiz_version": self.quiz_version,
            "pass_mark": str(self.pass_mark),
            "submitted_at": format_time(self.submitted_at),
            "issued_at": format_time(self.issued_at),
        }
        if self.name:
            content["name"] = self.name
        if self.points is not None:
            content |= {"points": str(self.points), "maximum": str(self.maximum)}
        return content

    @classmethod
    def from_json(cls, stored: Any) -> "CertificateContent":
        """Read what `to_json` wrote; anything else, also with something added: ValueError."""
        try:
            has_score = "points" in stored
            content = cls(
                certificate=UUID(stored["certificate"]),
                quiz=UUID(stored["quiz"]),
                title={str(lang): str(text) for lang, text in stored["title"].items()},
                quiz_version=int(stored["quiz_version"]),
                pass_mark=Fraction(stored["pass_mark"]),
                submitted_at=parse_time(stored["submitted_at"]),
                issued_at=parse_time(stored["issued_at"]),
                name=stored.get("name", ""),
                points=Fraction(stored["points"]) if has_score else None,
                maximum=Fraction(stored["maximum"]) if has_score else None,
            )
        except (TypeError, LookupError, AttributeError, ArithmeticError) as error:
            raise ValueError("not a certificate") from error
        if content.to_json() != stored:
            raise ValueError("not a certificate as this program writes it")
        return content
