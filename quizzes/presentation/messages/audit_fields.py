"""What the fields of audit events and their choices are called, in the reader's language."""

import json
from collections.abc import Mapping
from datetime import datetime

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.models import Role, Scope
from quizzes.attempts.models import State
from quizzes.bank.models import BankRight
from quizzes.challenges.models import ChallengeVerdict
from quizzes.course_grades.models import MissingPolicy
from quizzes.presentation.messages.attempts import describe_scoring_method
from quizzes.presentation.messages.notifications import KIND_LABELS
from quizzes.presentation.messages.problems import language_name
from quizzes.presentation.messages.sentences import Sentences
from quizzes.results.models import Purpose, RegradeAction, RegradePolicy

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
    "enemies": _("of these one at most in an attempt"),
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

AUDIT_CHOICES: Mapping[str, Mapping[str, Promise]] = {
    "action": dict(RegradeAction.choices),
    "missing": dict(MissingPolicy.choices),
    "policy": dict(RegradePolicy.choices),
    "purpose": dict(Purpose.choices),
    "right": dict(BankRight.choices),
    "role": dict(Role.choices),
    "scopes": dict(Scope.choices),
    "state": dict(State.choices),
    "verdict": dict(ChallengeVerdict.choices),
    "wanted": KIND_LABELS,
}
"""What choices are called where the model that an event is about has none of that name."""


def describe_audit_value(name: str, field: object, subject_type: str = "") -> str:
    """Return what a field was or is, in words: choices as they are called, moments, lists by line.

    `subject_type`: the model whose choices are meant, by its name.
    """
    if field is None:
        return "–"
    if isinstance(field, bool):
        return gettext("yes") if field else gettext("no")
    if isinstance(field, list):
        return "\n".join(describe_audit_value(name, part, subject_type) for part in field) or "–"
    if isinstance(field, dict):
        return (
            "\n".join(
                f"{_describe_key(key)}: {describe_audit_value(key, field[key])}" for key in field
            )
            or "–"
        )
    if not isinstance(field, str):
        return json.dumps(field, ensure_ascii=False)
    return _describe_choice(name, field, subject_type) or _describe_moment(field) or field


def _describe_key(name: str) -> str:
    """Return what a part of a field is called: a language, or a field of its own."""
    label = language_name(name)
    return describe_audit_field(name) if label == name else label


def _describe_choice(name: str, field: str, subject_type: str) -> str:
    """Return what a choice is called; "" if it is none."""
    if name == "scoring_method" and field:
        return describe_scoring_method(field)
    own = dict(getattr(_find_model_field(name, subject_type), "choices", None) or ())
    return str((own or AUDIT_CHOICES.get(name, {})).get(field, ""))


def _describe_moment(text: str) -> str:
    """Return a moment as it is written to somebody, with its zone; "" if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if moment.tzinfo is None:
        return ""
    local = timezone.localtime(moment)
    return f"{date_format(local, gettext('j M Y, H:i'))} {zones.abbreviate(moment)}"


def describe_audit_field(name: str, subject_type: str = "") -> str:
    """Return what a field is called; one without words here as its model (`subject_type`) says."""
    if name in AUDIT_FIELDS:
        return str(AUDIT_FIELDS[name])
    field = _find_model_field(name, subject_type)
    return str(getattr(field, "verbose_name", name.replace("_", " ")))


def _find_model_field(name: str, subject_type: str) -> object:
    """Return the field of this name of the model that is called so; None if there is none."""
    for model in apps.get_models():
        if model._meta.model_name == subject_type:
            try:
                return model._meta.get_field(name)
            except FieldDoesNotExist:
                return None
    return None
