"""What the checks say of one question, at the places of its authoring page."""

from django.db.models import QuerySet

from quizzes.bank.lint import lint_question
from quizzes.bank.models import Question, Waiver
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.draft_notes import Note
from quizzes.presentation.messages.findings import FINDINGS
from quizzes.presentation.messages.problems import describe_problem


def list_lint_notes(question: Question, document: QuestionDocument) -> tuple[Note, ...]:
    """Return what is worth a look in a draft, beyond what keeps it from being published.

    What an author let stand is not said again.
    """
    looked = lint_question(document)
    waived = set(_waived(question, looked.digest).values_list("code", flat=True))
    return tuple(
        Note(finding.path, describe_problem(finding.code, finding.figures), blocks=False)
        for finding in looked.findings
        if finding.code in FINDINGS and finding.code not in waived
    )


def _waived(question: Question, digest: str) -> QuerySet[Waiver]:
    return Waiver.objects.filter(question=question, digest=digest)
