"""What is said of a receipt that was checked: a verdict, then what follows from it."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quizzes.attempts.receipt_file import ReceiptCheck


def describe_verdict(verdict: str) -> str:
    """Return the sentence of a verdict on form and signature."""
    return {
        "genuine": _(
            "This receipt is genuine: this site signed it, and nothing that was signed has changed."
        ),
        "unreadable": _(
            "This is not a receipt of this site, or it is not complete. Choose the file as it was"
            " downloaded."
        ),
        "key_unknown": _(
            "This receipt was signed with a key that this site does not know. It comes from"
            " another site, or it was made up."
        ),
        "signature_wrong": _(
            "This receipt is not genuine: it was changed after it was signed, or never signed here."
        ),
    }[verdict]


def describe_check(check: ReceiptCheck) -> list[tuple[str, str]]:
    """Return (right, wrong or note; sentence) for all that was checked, the verdict first."""
    genuine = check.verdict == "genuine"
    sentences = [("right" if genuine else "wrong", describe_verdict(check.verdict))]
    if genuine and check.is_practised:
        sentences += [*_describe_practice(), *_describe_answers(check), _describe_record(check)]
    elif genuine:
        sentences += [*_describe_answers(check), _describe_record(check)]
    return sentences


def _describe_practice() -> list[tuple[str, str]]:
    return [("note", _("It is of an answer in practice, which enters no grade."))]


def _describe_answers(check: ReceiptCheck) -> list[tuple[str, str]]:
    if check.answers is None:
        return []
    if not check.wrong_answers:
        proved = ngettext(
            "The answer in the file is the one that was handed in.",
            "All %(count)s answers in the file are those that were handed in.",
            check.answers,
        )
        return [("right", proved % {"count": check.answers})]
    numbers = ", ".join(str(slot + 1) for slot in check.wrong_answers if slot >= 0)
    changed = _("Answers in the file are not those that were handed in. Questions: %(numbers)s.")
    return [("wrong", changed % {"numbers": numbers or "?"})]


def _describe_record(check: ReceiptCheck) -> tuple[str, str]:
    if check.record == "agrees":
        return "right", _("What is stored today is still what this receipt says.")
    if check.record == "differs":
        return "wrong", _(
            "What is stored today is not what this receipt says. Show it to an administrator."
        )
    if check.is_practised:
        return "note", _(
            "Whether the stored answer still agrees with it is shown to its learner when they are"
            " signed in."
        )
    return "note", _(
        "Whether the stored answers still agree with it is shown to its learner and instructors"
        " when they are signed in."
    )
