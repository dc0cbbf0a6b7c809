"""Every table that names a person: what of it is exported, and what an erasure does with it.

Pure: models and columns by name, so that also those of the interfaces above are here. A test goes
through all models and fails for a relation to people, or an address, that is not listed.
"""

from dataclasses import dataclass
from enum import Enum


class OnErasure(Enum):
    """What an erasure does with the rows of a table."""

    DELETED = "deleted"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """Rows that name a person by `field`, of the model `app.Model`.

    `columns` are what an export has of them, as lookups; without any, `reason` says why. `file` is
    the name of their table in an export. `reason` also says why an erasure
    leaves rows. `by_address`: the field is an address, not a key, and counts for who confirmed it.
    """

    model: str
    field: str
    file: str = ""
    columns: tuple[str, ...] = ()
    on_erasure: OnErasure = OnErasure.KEPT
    reason: str = ""
    by_address: bool = False


DELETED, KEPT = OnErasure.DELETED, OnErasure.KEPT
IN_RESULTS = "in results and answers, as far as the learner may see it; scores and digests stay"
AUTHORED = "what was written stays, under the name of a former author"
RECORD = "the record stays verifiable; it names nobody but the number of the person"
OF_OTHERS = "is about other people; that it was done is in the audit log; names nobody any more"

PERSONAL_TABLES = (
    PersonalTable(
        "accounts.Membership", "user", "groups", ("group__name", "role"), on_erasure=DELETED
    ),
    PersonalTable(
        "accounts.Invitation",
        "email",
        "invitations",
        (
            "group__name",
            "name",
            "school_id",
            "role",
            "created_at",
            "expires_at",
            "accepted_at",
            "declined_at",
            "withdrawn_at",
        ),
        on_erasure=DELETED,
        by_address=True,
    ),
    PersonalTable("accounts.Invitation", "invited_by", reason=OF_OTHERS),
    PersonalTable(
        "accounts.InvitationMailCount",
        "user",
        "invitation_mails",
        ("day", "mails"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "accounts.JoinCode",
        "created_by",
        "join_codes",
        ("group__name", "created_at", "expires_at", "uses"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "accounts.RosterImport",
        "created_by",
        "class_lists_read",
        ("group__name", "source", "created_at", "committed_at"),
        reason="is of the class, and deleted after a week",
    ),
    PersonalTable(
        "accounts.Session",
        "user",
        "devices",
        ("address", "user_agent", "last_seen_at", "expire_date"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "accounts.ApiToken",
        "user",
        "tokens",
        ("name", "scopes", "created", "expiry", "last_used_at", "used_from", "second_factor_given"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "accounts.FailedLogins",
        "user",
        "failed_sign_ins",
        ("times", "updated_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "account.EmailAddress",
        "user",
        "addresses",
        ("email", "verified", "primary"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "mfa.Authenticator",
        "user",
        "second_factors",
        ("type", "data__name", "created_at", "last_used_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "socialaccount.SocialAccount",
        "user",
        "identities",
        ("provider", "uid", "extra_data", "date_joined", "last_login"),
        on_erasure=DELETED,
    ),
    # After second factors: their removal has a mail written.
    PersonalTable(
        "accounts.SecurityNotice",
        "user",
        "mails_waiting",
        ("kind", "recipient", "happened_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "notifications.Notification",
        "recipient",
        "notifications",
        ("kind", "quiz__slug", "data", "state", "created_at", "sent_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "notifications.NotificationPreference",
        "user",
        "notification_preferences",
        ("kind", "is_wanted", "created_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "accounts.User",
        "kept_by",
        "results_without_account",
        ("uuid", "guest_since", "kept_at"),
        reason="the guest is erased with its owner, and keeps who that was by number alone",
    ),
    PersonalTable(
        "accounts.User_groups", "user", on_erasure=DELETED, reason="of Django, not used here"
    ),
    PersonalTable(
        "accounts.User_user_permissions",
        "user",
        on_erasure=DELETED,
        reason="of Django, not used here",
    ),
    PersonalTable(
        "api.IdempotentWrite",
        "user",
        on_erasure=DELETED,
        reason="answers to programs, kept for a day to be repeated; what they say is elsewhere",
    ),
    PersonalTable(
        "admin.LogEntry",
        "user",
        "admin_changes",
        ("action_time", "content_type__model", "object_id", "change_message"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "attempts.Accommodation",
        "learner",
        "accommodations",
        ("quiz__slug", "time_percent", "extra_attempts", "closes_at", "reason", "created_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "attempts.StandingAccommodation",
        "learner",
        "standing_accommodation",
        (
            *("time_percent", "extra_minutes", "window_minutes"),
            *("reason", "created_at", "updated_at"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "attempts.Attempt",
        "learner",
        "attempts",
        (
            *("uuid", "quiz__slug", "number", "state", "started_at", "deadline_at"),
            *(
                "paused_until",
                "submitted_at",
                "submission_reason",
                "void_reason",
                "reopened_from__uuid",
                "is_staff_attempt",
                "locked_slots",
                "device",
                "device_changes",
            ),
        ),
        reason=RECORD,
    ),
    PersonalTable(
        "attempts.DeadlineExtension",
        "learner",
        "time_given",
        ("attempt__uuid", "deadline_before", "deadline_at", "by_pause", "extended_at"),
        reason=RECORD,
    ),
    PersonalTable(
        "attempts.AttemptMessage",
        "learner",
        "messages",
        ("attempt__uuid", "text", "sent_at"),
        reason=RECORD,
    ),
    PersonalTable(
        "attempts.QuizPause",
        "paused_by",
        "quizzes_paused",
        ("quiz__slug", "paused_until", "created_at", "updated_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "attempts.AttemptMessage",
        "sent_by",
        "messages_sent",
        ("attempt__uuid", "text", "sent_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "attempts.Response",
        "learner",
        "journal",
        (
            *("attempt__uuid", "sequence", "slot", "revision", "status", "answer", "flagged"),
            *("language", "received_at", "client"),
        ),
        reason=RECORD,
    ),
    PersonalTable(
        "attempts.Erasure", "learner", "erasures", ("erased_at", "reason"), reason=RECORD
    ),
    PersonalTable("attempts.Erasure", "by", reason=OF_OTHERS),
    PersonalTable("attempts.QuizGrade", "learner", reason=IN_RESULTS),
    PersonalTable(
        "results.Grading",
        "learner",
        "gradings",
        ("attempt__uuid", "number", "reason", "graded_at", "engine"),
        reason=IN_RESULTS,
    ),
    PersonalTable("results.Grading", "by", reason=OF_OTHERS),
    PersonalTable(
        "results.RegradeRule",
        "by",
        "regrades",
        ("quiz__slug", "number", "policy", "reason", "committed_at"),
        reason=AUTHORED,
    ),
    PersonalTable("results.ItemResult", "learner", reason=IN_RESULTS),
    PersonalTable("results.ManualGrade", "learner", reason=IN_RESULTS),
    PersonalTable(
        "results.ManualGrade", "grader", "graded_by_hand", ("graded_at", "purpose"), reason=RECORD
    ),
    PersonalTable("results.Result", "learner", reason=IN_RESULTS),
    PersonalTable(
        "challenges.Challenge",
        "learner",
        "challenges",
        ("attempt__uuid", "slot", "option", "reason", "comment", "language", "created_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "certificates.Certificate",
        "learner",
        "certificates",
        (
            *("uuid", "attempt__uuid", "name", "shows_score", "is_public"),
            *("created_at", "chosen_at", "withdrawn_at"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "practice.PracticeTry",
        "learner",
        "practice_tries",
        (
            # Not the score: it tells the key, also of what a graded quiz may still ask.
            *("question__quiz__slug", "question__number", "number", "answer", "language"),
            *("tried_at", "idempotency_key"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "practice.PracticeStep",
        "learner",
        "practice_steps",
        (
            *("question__quiz__slug", "question__number", "number", "action", "tries_before"),
            *("language", "taken_at", "idempotency_key"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "practice.PracticeQuestion",
        "learner",
        "practice",
        (
            # The name of a question is its author's, and may tell its key.
            *("quiz__slug", "version__question__bank__slug", "version__question__uuid", "number"),
            *("hints_opened", "asked_for_answer", "created_at"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "study.StudyLogEntry",
        "learner",
        "study_log",
        (
            *("card__uuid", "client_id", "action", "rating", "undoes", "rests_until", "retention"),
            *("language", "device", "device_at", "sent_at", "received_at", "reviewed_at"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "study.StudyCard",
        "learner",
        "study_cards",
        (
            *("uuid", "question__bank__slug", "question__name", "option", "source", "created_at"),
            *("phase", "stability", "difficulty", "due_at", "review_count", "lapses"),
            *("is_suspended", "buried_until", "first_reviewed_at", "last_reviewed_at"),
            "last_language",
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "study.StudyDeck",
        "learner",
        "study_decks",
        ("bank__slug", "created_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "study.StudySettings",
        "learner",
        "study_settings",
        (
            *("new_per_day", "reviews_per_day", "retention", "day_starts_at"),
            *("reminder_hour", "language_choice", "created_at"),
        ),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "study.MistakeSync",
        "learner",
        on_erasure=DELETED,
        reason="which attempts were looked through for mistakes; the cards are exported",
    ),
    PersonalTable("challenges.Challenge", "answered_by", reason=AUTHORED),
    PersonalTable(
        "results.GradingFailure",
        "learner",
        reason="the site's own note, gone once the attempt is graded",
    ),
    PersonalTable("bank.Bank", "owner", "banks", ("slug", "title", "created_at"), reason=AUTHORED),
    PersonalTable(
        "bank.BankShare",
        "person",
        "banks_shared",
        ("bank__slug", "right", "created_at"),
        on_erasure=DELETED,
    ),
    PersonalTable(
        "bank.Draft",
        "updated_by",
        "drafts",
        ("question__bank__slug", "question__name", "updated_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "bank.QuestionVersion",
        "published_by",
        "questions_published",
        ("question__bank__slug", "question__name", "number", "note", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "bank.Media",
        "uploaded_by",
        "files_uploaded",
        ("bank__slug", "name", "media_type", "size", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "bank.Waiver",
        "by",
        "findings_waived",
        ("question__bank__slug", "question__name", "code", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "publishing.QuizVersion",
        "published_by",
        "quizzes_published",
        ("quiz__slug", "number", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "matching.PairDecision",
        "by",
        "language_matches",
        ("name", "language", "same", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "imports.ImportJob",
        "by",
        "imports",
        ("bank__slug", "filename", "format", "state", "created_at"),
        reason=AUTHORED,
    ),
    PersonalTable(
        "privacy.DataRequest",
        "person",
        "data_requests",
        ("kind", "state", "created_at", "due_at", "finished_at", "reason"),
        reason="that an erasure was asked for and done; the reason is emptied",
    ),
    PersonalTable("privacy.DataRequest", "decided_by", reason=OF_OTHERS),
    PersonalTable(
        "privacy.LegalHold",
        "person",
        "legal_holds",
        ("reason", "created_at"),
        reason="nobody is erased while there is one",
    ),
    PersonalTable("privacy.LegalHold", "created_by", reason=OF_OTHERS),
)
"""What names a person by a foreign key."""

PERSONAL_COLUMNS = {
    "uuid": "stays: gradings, receipts and the audit log name the person by it",
    "email": "",
    "confirmed_email": "",
    "name": "",
    "school_id": "",
    "language": "",
    "time_zone": "",
    "time_zone_chosen": "",
    "is_active": "",
    "may_make_classes": "",
    "is_superuser": "",
    "date_joined": "stays: it says nothing of who it was",
    "last_login": "",
    "erased_at": "set by the erasure",
    "guest_since": "of a guest, who has no account; whose account keeps one has it in its list",
    "kept_by": "the same",
    "kept_at": "the same",
}
"""The columns of a person that are exported; and why an erasure leaves some."""

SECRET_COLUMNS = {
    "id": "the database's own number; the person's is `uuid`",
    "password": "a digest that signs in; replaced by one that no password fits",
}
"""The columns that no export has, and why."""

ADDRESSES = {
    "accounts.User.email",
    "accounts.User.confirmed_email",
    "accounts.SecurityNotice.recipient",
    "account.EmailAddress.email",
    "accounts.Invitation.email",
}
"""Columns with addresses, by model: all of them in rows that are listed above."""
