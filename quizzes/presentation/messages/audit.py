"""What the audit log tells: a short name and a sentence for each of its codes."""

from collections import defaultdict
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.sharing import EVERYONE

AUDIT_LABELS: Mapping[AuditCode, Promise] = {
    AuditCode.SIGNED_IN: _("Sign-in"),
    AuditCode.SIGNED_OUT: _("Sign-out"),
    AuditCode.SIGN_IN_FAILED: _("Failed sign-in"),
    AuditCode.SIGN_IN_LOCKED: _("Locked sign-in"),
    AuditCode.SIGN_IN_UNLOCKED: _("Unlocked sign-in"),
    AuditCode.REFUSALS_COUNTED: _("Refusals counted"),
    AuditCode.ACCOUNT_CREATED: _("New account"),
    AuditCode.GUEST_KEPT: _("Results without an account kept"),
    AuditCode.PASSWORD_CHANGED: _("Password changed"),
    AuditCode.ADDRESS_CONFIRMED: _("Address confirmed"),
    AuditCode.ADDRESS_CHANGED: _("Address changed"),
    AuditCode.SECOND_FACTOR_CHANGED: _("Second factor changed"),
    AuditCode.IDENTITY_LINKED: _("Identity linked"),
    AuditCode.IDENTITY_UNLINKED: _("Identity unlinked"),
    AuditCode.RIGHTS_CHANGED: _("Rights changed"),
    AuditCode.SESSIONS_ENDED: _("Sessions ended"),
    AuditCode.MEMBERSHIP_ADDED: _("Added to a class"),
    AuditCode.MEMBERSHIP_CHANGED: _("Role changed"),
    AuditCode.MEMBERSHIP_REMOVED: _("Removed from a class"),
    AuditCode.ROSTER_IMPORTED: _("List of people added"),
    AuditCode.SCHOOL_ID_CHANGED: _("School id changed"),
    AuditCode.GROUP_CHANGED: _("Class changed"),
    AuditCode.TERM_CHANGED: _("Term changed"),
    AuditCode.INVITATION_MADE: _("Person invited"),
    AuditCode.INVITATION_RENEWED: _("Invitation sent again"),
    AuditCode.INVITATION_ACCEPTED: _("Invitation accepted"),
    AuditCode.INVITATION_DECLINED: _("Invitation declined"),
    AuditCode.INVITATION_WITHDRAWN: _("Invitation withdrawn"),
    AuditCode.NOTIFICATION_SENT_AGAIN: _("Notification sent again"),
    AuditCode.NOTIFICATIONS_CHANGED: _("Notifications chosen"),
    AuditCode.TOKEN_CREATED: _("Token made"),
    AuditCode.TOKEN_REVOKED: _("Token revoked"),
    AuditCode.TOKEN_USED: _("Token used from a new address"),
    AuditCode.KEYS_VIEWED: _("Keys viewed"),
    AuditCode.BANK_EXPORTED: _("Bank exported"),
    AuditCode.BANK_CHANGED: _("Bank changed"),
    AuditCode.BANK_SHARED: _("Bank shared"),
    AuditCode.BANK_UNSHARED: _("Sharing of a bank ended"),
    AuditCode.STUDY_OFFERED: _("Cards offered for study"),
    AuditCode.STUDY_OFFER_WITHDRAWN: _("Offer of cards withdrawn"),
    AuditCode.RESULTS_EXPORTED: _("Results exported"),
    AuditCode.AUDIT_EXPORTED: _("Audit log exported"),
    AuditCode.CHECKPOINT_EXPORTED: _("Checkpoint exported"),
    AuditCode.AUDIT_PRUNED: _("Audit log pruned"),
    AuditCode.IMPORT_CONFIRMED: _("Import started"),
    AuditCode.BANK_IMPORTED: _("Import written"),
    AuditCode.QUESTION_PUBLISHED: _("Question published"),
    AuditCode.QUESTION_RENAMED: _("Question renamed"),
    AuditCode.QUESTION_RETIRED: _("Question retired"),
    AuditCode.QUIZ_PUBLISHED: _("Quiz published"),
    AuditCode.QUIZ_RETIRED: _("Quiz retired"),
    AuditCode.QUIZ_COPIED: _("Quiz copied"),
    AuditCode.QUIZ_CHANGED: _("Settings of a published quiz changed"),
    AuditCode.QUIZ_SLOTS_CHANGED: _("Questions of a quiz changed"),
    AuditCode.ASSIGNMENT_CHANGED: _("Assignment changed"),
    AuditCode.GRADE_SCHEME_CHANGED: _("Course total changed"),
    AuditCode.TIME_GIVEN: _("Time given"),
    AuditCode.ATTEMPT_PAUSED: _("Attempt paused"),
    AuditCode.ATTEMPT_RESUMED: _("Pause of an attempt ended"),
    AuditCode.MESSAGE_SENT: _("Message to a learner sent"),
    AuditCode.GRADED_BY_HAND: _("Graded by hand"),
    AuditCode.ANSWER_ACCEPTED: _("Answer accepted"),
    AuditCode.REGRADE_COMMITTED: _("Regrade"),
    AuditCode.CHALLENGE_ANSWERED: _("Challenge answered"),
    AuditCode.CERTIFICATE_MADE: _("Certificate made"),
    AuditCode.CERTIFICATE_CHANGED: _("What a certificate shows changed"),
    AuditCode.CERTIFICATE_WITHDRAWN: _("Certificate withdrawn"),
    AuditCode.ATTEMPTS_GIVEN_UP: _("Further attempts given up"),
    AuditCode.ATTEMPT_MOVED: _("Attempt moved to another device"),
    AuditCode.ATTEMPT_REOPENED: _("Attempt reopened"),
    AuditCode.ATTEMPT_VOIDED: _("Attempt voided"),
    AuditCode.ANSWERS_ERASED: _("Answers erased"),
    AuditCode.ERASURE_REQUESTED: _("Erasure requested"),
    AuditCode.ERASURE_WITHDRAWN: _("Request for erasure withdrawn"),
    AuditCode.ERASURE_REFUSED: _("Request for erasure refused"),
    AuditCode.PERSON_ERASED: _("Person erased"),
    AuditCode.PERSON_EXPORTED: _("Data of a person exported"),
    AuditCode.LEGAL_HOLD_CHANGED: _("Legal hold changed"),
    AuditCode.RETENTION_APPLIED: _("Retention applied"),
}
AUDIT_SENTENCES: Mapping[AuditCode, Promise] = {
    AuditCode.SIGNED_IN: _("%(actor)s signed in."),
    AuditCode.SIGNED_OUT: _("%(actor)s signed out."),
    AuditCode.SIGN_IN_FAILED: _("A sign-in failed: %(subject)s."),
    AuditCode.SIGN_IN_LOCKED: _("A sign-in was refused after too many attempts: %(subject)s."),
    AuditCode.SIGN_IN_UNLOCKED: _("%(actor)s unlocked the sign-in of a person: %(subject)s."),
    AuditCode.REFUSALS_COUNTED: _("%(count)s more refusals within one minute are not listed."),
    AuditCode.ACCOUNT_CREATED: _("%(actor)s created an account: %(subject)s."),
    AuditCode.GUEST_KEPT: _("%(actor)s kept what they had done without an account."),
    AuditCode.PASSWORD_CHANGED: _("%(actor)s changed a password: %(subject)s."),
    AuditCode.ADDRESS_CONFIRMED: _("An address was confirmed: %(subject)s."),
    AuditCode.ADDRESS_CHANGED: _("%(actor)s changed an address: %(subject)s."),
    AuditCode.SECOND_FACTOR_CHANGED: _("%(actor)s changed a second factor: %(subject)s."),
    AuditCode.IDENTITY_LINKED: _("%(actor)s linked an identity provider: %(subject)s."),
    AuditCode.IDENTITY_UNLINKED: _("%(actor)s unlinked an identity provider: %(subject)s."),
    AuditCode.RIGHTS_CHANGED: _("%(actor)s changed the rights of an account: %(subject)s."),
    AuditCode.SESSIONS_ENDED: _("%(actor)s ended the sessions of an account: %(subject)s."),
    AuditCode.MEMBERSHIP_ADDED: _("%(actor)s added a person to %(group)s: %(subject)s."),
    AuditCode.MEMBERSHIP_CHANGED: _("%(actor)s changed a role in %(group)s: %(subject)s."),
    AuditCode.MEMBERSHIP_REMOVED: _("%(actor)s removed a person from %(group)s: %(subject)s."),
    AuditCode.ROSTER_IMPORTED: _("%(actor)s added a list of people to %(subject)s."),
    AuditCode.SCHOOL_ID_CHANGED: _("%(actor)s changed the school id of %(subject)s."),
    AuditCode.GROUP_CHANGED: _("%(actor)s changed the class %(subject)s."),
    AuditCode.TERM_CHANGED: _("%(actor)s changed the term %(subject)s."),
    AuditCode.INVITATION_MADE: _("%(actor)s invited %(subject)s."),
    AuditCode.INVITATION_RENEWED: _("%(actor)s sent the invitation of %(subject)s again."),
    AuditCode.INVITATION_ACCEPTED: _("%(actor)s accepted the invitation of %(subject)s."),
    AuditCode.INVITATION_DECLINED: _("%(actor)s declined the invitation of %(subject)s."),
    AuditCode.INVITATION_WITHDRAWN: _("%(actor)s withdrew the invitation of %(subject)s."),
    AuditCode.NOTIFICATION_SENT_AGAIN: _("%(actor)s had a notification tried again: %(subject)s."),
    AuditCode.NOTIFICATIONS_CHANGED: _("%(actor)s changed of what %(subject)s is notified."),
    AuditCode.TOKEN_CREATED: _("%(actor)s made the token %(subject)s."),
    AuditCode.TOKEN_REVOKED: _("%(actor)s revoked the token %(subject)s."),
    AuditCode.TOKEN_USED: _("The token %(subject)s was used from this address for the first time."),
    AuditCode.KEYS_VIEWED: _("%(actor)s opened a page with right answers: %(subject)s."),
    AuditCode.BANK_EXPORTED: _("%(actor)s exported the bank %(subject)s."),
    AuditCode.BANK_CHANGED: _("%(actor)s changed the bank %(subject)s."),
    AuditCode.BANK_SHARED: _("%(actor)s shared the bank %(subject)s with %(shared_with)s."),
    AuditCode.BANK_UNSHARED: _(
        "%(actor)s no longer shares the bank %(subject)s with %(shared_with)s."
    ),
    AuditCode.STUDY_OFFERED: _("%(actor)s offered the cards of the bank %(subject)s for study."),
    AuditCode.STUDY_OFFER_WITHDRAWN: _(
        "%(actor)s no longer offers the cards of the bank %(subject)s for study."
    ),
    AuditCode.RESULTS_EXPORTED: _("%(actor)s exported results."),
    AuditCode.AUDIT_EXPORTED: _("%(actor)s exported the audit log."),
    AuditCode.CHECKPOINT_EXPORTED: _("%(actor)s exported checkpoint %(subject)s."),
    AuditCode.AUDIT_PRUNED: _("%(events)s old events were removed from the audit log."),
    AuditCode.IMPORT_CONFIRMED: _("%(actor)s started an import into the bank %(subject)s."),
    AuditCode.BANK_IMPORTED: _("An import was written into the bank %(subject)s."),
    AuditCode.QUESTION_PUBLISHED: _("%(actor)s published the question %(subject)s."),
    AuditCode.QUESTION_RENAMED: _("%(actor)s renamed the question %(subject)s."),
    AuditCode.QUESTION_RETIRED: _("%(actor)s retired the question %(subject)s."),
    AuditCode.QUIZ_PUBLISHED: _("%(actor)s published the quiz %(subject)s."),
    AuditCode.QUIZ_RETIRED: _("%(actor)s retired the quiz %(subject)s."),
    AuditCode.QUIZ_COPIED: _("%(actor)s made the quiz %(subject)s as a copy of another."),
    AuditCode.QUIZ_CHANGED: _("%(actor)s changed settings of the published quiz %(subject)s."),
    AuditCode.QUIZ_SLOTS_CHANGED: _("%(actor)s changed what the quiz %(subject)s asks."),
    AuditCode.ASSIGNMENT_CHANGED: _("%(actor)s changed the assignment %(subject)s."),
    AuditCode.GRADE_SCHEME_CHANGED: _("%(actor)s changed how the total of %(subject)s is made."),
    AuditCode.TIME_GIVEN: _("%(actor)s gave more time: %(subject)s."),
    AuditCode.ATTEMPT_PAUSED: _("%(actor)s paused the attempt %(subject)s."),
    AuditCode.ATTEMPT_RESUMED: _("%(actor)s ended the pause of the attempt %(subject)s."),
    AuditCode.MESSAGE_SENT: _("%(actor)s wrote to the learner of the attempt %(subject)s."),
    AuditCode.GRADED_BY_HAND: _("%(actor)s graded an answer by hand: %(subject)s."),
    AuditCode.ANSWER_ACCEPTED: _("%(actor)s accepted another answer to the question %(subject)s."),
    AuditCode.REGRADE_COMMITTED: _("%(actor)s committed a regrade of the quiz %(subject)s."),
    AuditCode.CHALLENGE_ANSWERED: _("%(actor)s answered a challenge of the question %(subject)s."),
    AuditCode.CERTIFICATE_MADE: _("%(actor)s made a certificate of a pass at %(subject)s."),
    AuditCode.CERTIFICATE_CHANGED: _(
        "%(actor)s changed what a certificate of a pass at %(subject)s shows."
    ),
    AuditCode.CERTIFICATE_WITHDRAWN: _(
        "%(actor)s withdrew a certificate of a pass at %(subject)s."
    ),
    AuditCode.ATTEMPTS_GIVEN_UP: _(
        "%(actor)s gave up further attempts at the quiz %(subject)s, to see what is right."
    ),
    AuditCode.ATTEMPT_MOVED: _("%(actor)s went on with an attempt on another device: %(subject)s."),
    AuditCode.ATTEMPT_REOPENED: _("%(actor)s reopened an attempt: %(subject)s."),
    AuditCode.ATTEMPT_VOIDED: _("%(actor)s voided the attempt %(subject)s."),
    AuditCode.ANSWERS_ERASED: _("%(actor)s erased the answers of a person: %(subject)s."),
    AuditCode.ERASURE_REQUESTED: _("%(actor)s asked for the erasure of a person: %(subject)s."),
    AuditCode.ERASURE_WITHDRAWN: _("%(actor)s withdrew a request for erasure: %(subject)s."),
    AuditCode.ERASURE_REFUSED: _("%(actor)s refused the erasure of a person: %(subject)s."),
    AuditCode.PERSON_ERASED: _("%(actor)s erased the data of a person: %(subject)s."),
    AuditCode.PERSON_EXPORTED: _("%(actor)s exported the data of a person: %(subject)s."),
    AuditCode.LEGAL_HOLD_CHANGED: _("%(actor)s changed the legal hold on %(subject)s."),
    AuditCode.RETENTION_APPLIED: _("%(actor)s removed what was over its retention."),
}


def describe_actor(event: AuditEvent) -> str:
    """Return who did it; without a person, whether it came by a request or from the site itself."""
    if event.actor_label:
        return event.actor_label
    if event.actor_erasure_id is not None:
        return gettext("A person whose data were erased")
    return gettext("Somebody who is not signed in") if event.address else gettext("The site itself")


def _describe_audience(event: AuditEvent) -> str:
    """Return with whom a bank is or was shared; "" where an event is about something else."""
    audience = {**(event.before or {}), **(event.after or {})}.get("shared_with", "")
    return gettext("everyone who teaches") if audience == EVERYONE else str(audience)


def _describe_nameless(event: AuditEvent) -> str:
    if event.subject_erasure_id is not None:
        return gettext("a person whose data were erased")
    return gettext("no account of this site")


def describe_audit_event(event: AuditEvent) -> str:
    """Return what was done, in a sentence."""
    values: Mapping[str, object] = {
        **(event.before or {}),
        **(event.after or {}),
        "shared_with": _describe_audience(event),
        "actor": describe_actor(event),
        "subject": event.subject_label or _describe_nameless(event),
    }
    return str(AUDIT_SENTENCES[AuditCode(event.code)]) % defaultdict(str, values)
