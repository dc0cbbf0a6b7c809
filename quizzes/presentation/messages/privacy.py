"""What is said of exports and erasures: what prevents one, and what to do about it."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

ERASURE_BLOCKERS: Mapping[str, Promise] = {
    "address_not_confirmed": _("Confirm your e-mail address first."),
    "already_erased": _("This person has been erased already."),
    "attempt_not_ended": _(
        "An attempt is still running or waits to be graded. Submit it, or wait until its time is"
        " over; then ask again."
    ),
    "legal_hold": _(
        "A legal hold is on this person or on one of their classes. Nothing is erased until an"
        " administrator has removed it."
    ),
    "last_administrator": _(
        "This is the last administrator. Make another person an administrator first."
    ),
}


def describe_blocker(code: str) -> str:
    """Return what prevents an erasure, and what to do, in a sentence or two."""
    return str(ERASURE_BLOCKERS[code])


EXPORT_FILES: Mapping[str, Promise] = {
    "account": _("your account: name, address, school id, language, time zone"),
    "groups": _("the classes you are in, and as what"),
    "invitations": _("invitations to your address"),
    "invitation_mails": _("how many mails you had sent to people whom you invite, by day"),
    "join_codes": _("the join codes that you made"),
    "results_without_account": _("guests whose results you have kept in your account"),
    "class_lists_read": _("the lists of people that you had read for a class"),
    "devices": _("where you are signed in"),
    "tokens": _("the tokens of your programs, without their secrets"),
    "failed_sign_ins": _("failed sign-ins that count now, in seconds since 1970"),
    "addresses": _("your e-mail addresses, and whether they are confirmed"),
    "second_factors": _("which second factors you have, without their secrets"),
    "identities": _("who you are where other sites sign you in"),
    "mails_waiting": _("mails about your account that wait to be sent"),
    "admin_changes": _("what you changed on the pages for teaching"),
    "accommodations": _("more time and attempts that you were given, and why"),
    "quizzes_paused": _("the quizzes that you paused for everybody"),
    "standing_accommodation": _("more time that you have at every quiz, and why"),
    "attempts": _("your attempts, with their times"),
    "time_given": _("running attempts that were given more time"),
    "journal": _("every answer that you saved, in the order in which it arrived"),
    "erasures": _("that answers of yours were erased"),
    "gradings": _("when and why your attempts were graded"),
    "challenges": _("what you said against questions"),
    "challenge_answers": _("what came of it, as far as you may see it now"),
    "certificates": _("the certificates of your passes, and what they show"),
    "practice": _("which questions you practised"),
    "practice_tries": _("what you answered in practice, and when"),
    "practice_steps": _("hints that you opened in practice, and answers that you had shown"),
    "study_log": _("how you rated cards that you studied, and when"),
    "study_cards": _("the cards that you study, and how well you know them"),
    "study_decks": _("which banks you study"),
    "study_settings": _("how much you want to study in a day"),
    "notifications": _("what you were notified of by mail, and when"),
    "messages": _("what instructors wrote to you during attempts"),
    "messages_sent": _("what you wrote to learners during their attempts"),
    "notification_preferences": _("of what you chose to be notified, and of what not"),
    "regrades": _("the regrades that you committed, with your reasons"),
    "graded_by_hand": _("when you graded answers of others"),
    "banks": _("the question banks that you own"),
    "banks_shared": _("the question banks that are shared with you"),
    "drafts": _("the questions whose drafts you changed last"),
    "questions_published": _("the questions that you published"),
    "files_uploaded": _("the files that you uploaded into question banks"),
    "findings_waived": _("the findings that you marked as intended"),
    "quizzes_published": _("the quizzes that you published"),
    "language_matches": _("what you decided of questions in two languages"),
    "imports": _("the files that you imported, by name"),
    "data_requests": _("what you asked for of your data"),
    "legal_holds": _("why your data must not be erased for now"),
    "results": _("your results, as far as you may see them now"),
    "answers": _("your answers in words, with their points and the comments of graders"),
    "quiz_grades": _("your grade in each quiz, as far as you may see it now"),
    "audit_events": _("what the audit log has by you and about you"),
}
"""What each table of an export contains, by the name of its file."""


def render_export_readme(names: Iterable[str]) -> str:
    """Return the text that explains an export's files, in the active language."""
    lines: list[str | Promise] = [
        _("These are the data that are stored about you."),
        "",
        _(
            "data.json has all of it for programs; each table is a file for spreadsheets, too."
            " Times are in UTC. An apostrophe before a cell keeps a spreadsheet from running it."
        ),
        _("Passwords and other secrets are not here, nor right answers that you may not see yet."),
        "",
        *(f"{name}.csv: {EXPORT_FILES[name]}" for name in names),
        *("data.json: " + gettext("all tables"), "receipts/: " + gettext("your signed receipts")),
    ]
    return "".join(f"{line}\n" for line in lines)
