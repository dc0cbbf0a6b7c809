"""What the fields of audit events and their choices are called, in the reader's language."""

import json
from collections.abc import Mapping

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Role
from quizzes.bank.models import BankRight
from quizzes.challenges.models import ChallengeVerdict
from quizzes.course_grades.models import MissingPolicy
from quizzes.presentation.messages.sentences import Sentences
from quizzes.results.models import Purpose, RegradeAction

AUDIT_FIELDS: Sentences = {
    "action": _("action"),
    "address": _("address"),
    "administrator": _("administrator"),
    "answers": _("answers"),
    "archived": _("archived"),
    "attempt": _("attempt"),
    "attempts": _("attempts"),
    "audience": _("for whom"),
    "audit_events": _("events of the audit log"),
    "before": _("older than"),
    "begins_on": _("begins on"),
    "categories": _("categories"),
    "code": _("code"),
    "confirmed": _("address confirmed"),
    "count": _("how many"),
    "credit": _("credit"),
    "days": _("days"),
    "deadline_at": _("deadline"),
    "device_changes": _("changes of device"),
    "due_at": _("due"),
    "ends_on": _("ends on"),
    "erasure": _("erasure"),
    "events": _("events"),
    "expires_at": _("expires"),
    "factor": _("second factor"),
    "file": _("file"),
    "filters": _("filters"),
    "first_seal": _("first seal"),
    "format": _("format"),
    "from": _("copied from"),
    "gave_up_at": _("gave up"),
    "group": _("class"),
    "guest": _("as a guest"),
    "invitations": _("invitations"),
    "invite": _("invited"),
    "is_active": _("active"),
    "is_public": _("public"),
    "is_published": _("shown to learners"),
    "is_superuser": _("administrator"),
    "key": _("key"),
    "kind": _("kind"),
    "language": _("language"),
    "last_digest": _("digest of the last seal"),
    "last_seal": _("last seal"),
    "learner": _("learner"),
    "licence": _("licence"),
    "may_make_classes": _("may make classes"),
    "memorised_pass_accepted": _("pass by memorising, accepted"),
    "minute": _("minute"),
    "missing": _("missing results"),
    "moved_in": _("moved in"),
    "moved_to": _("moved to"),
    "name": _("name"),
    "new": _("new"),
    "note": _("note"),
    "number": _("number"),
    "open_attempts": _("open attempts"),
    "pass_percent": _("pass mark, per cent"),
    "passed": _("passed"),
    "paused_until": _("paused until"),
    "points_denominator": _("points, denominator"),
    "points_numerator": _("points, numerator"),
    "policy": _("what becomes of attempts"),
    "provider": _("account elsewhere"),
    "purpose": _("purpose"),
    "question": _("question"),
    "questions": _("questions"),
    "quiz": _("quiz"),
    "reason": _("reason"),
    "regrade": _("regrade"),
    "reverts": _("reverts regrade"),
    "right": _("permission"),
    "role": _("role"),
    "rows": _("rows"),
    "rule": _("regrade"),
    "safe_before_key": _("safe to show before the key"),
    "school_id": _("school id"),
    "scopes": _("scopes"),
    "scoring_method": _("scoring"),
    "sessions": _("sessions"),
    "shared_with": _("shared with"),
    "shows_name": _("shows the name"),
    "shows_score": _("shows the score"),
    "signature": _("signature"),
    "slots": _("questions"),
    "source": _("source"),
    "state": _("state"),
    "term": _("term"),
    "text": _("text"),
    "total": _("score"),
    "verdict": _("verdict"),
    "version": _("version"),
    "wanted": _("mails chosen"),
}

AUDIT_CHOICES: Mapping[str, type[TextChoices]] = {
    "action": RegradeAction,
    "missing": MissingPolicy,
    "purpose": Purpose,
    "right": BankRight,
    "role": Role,
    "verdict": ChallengeVerdict,
}


def describe_audit_value(name: str, field: object) -> str:
    """Return what a field was or is: a choice, yes and no in words, anything else as JSON."""
    choices = AUDIT_CHOICES.get(name)
    if field is None:
        return "–"
    if isinstance(field, bool):
        return gettext("yes") if field else gettext("no")
    if choices and field in choices.values:
        return str(choices(field).label)
    return field if isinstance(field, str) else json.dumps(field, ensure_ascii=False)


def describe_audit_field(name: str, subject_type: str = "") -> str:
    """Return what a field is called; one without words here as its model (`subject_type`) says."""
    if name in AUDIT_FIELDS:
        return str(AUDIT_FIELDS[name])
    for model in apps.get_models():
        if model._meta.model_name == subject_type:
            try:
                return str(getattr(model._meta.get_field(name), "verbose_name", name))
            except FieldDoesNotExist:
                break
    return name.replace("_", " ")
