"""Findings that authors let stand, and take up again; of the question as it is, and no other."""

from accounts.models import User
from quizzes.bank.access import check_editor
from quizzes.bank.lint import Finding, Severity
from quizzes.bank.models import Draft, Question, Waiver
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid


def waive(
    *, question: Question, code: str, about: str = "", digest: str, by: User | None
) -> Waiver:
    """Let a finding stand; once is enough. Of another state of the question: Conflict.

    What keeps a question from being published or makes it unfair cannot be meant: Invalid.
    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    if Finding(code).severity == Severity.ERROR:
        raise Invalid("finding_is_grave", finding=code)
    if _digest(question) != digest:
        raise Conflict("draft_changed", question=question.name)
    waiver, _made = Waiver.objects.get_or_create(
        question=question, code=code, about=about, digest=digest, defaults={"by": by}
    )
    return waiver


def revoke_waiver(
    *, question: Question, code: str, about: str = "", digest: str, by: User | None
) -> bool:
    """Revoke the waiver of a finding; return whether there was one. No editor: NotFound."""
    check_editor(by, question.bank)
    waivers = Waiver.objects.filter(question=question, code=code, about=about, digest=digest)
    gone, _of_each = waivers.delete()
    return bool(gone)


def _digest(question: Question) -> str:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data).digest()
