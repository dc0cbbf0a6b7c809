"""People: who they are, the groups that tie them together, their sessions and tokens."""

import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models, transaction
from django.db.models.functions import Lower, Trim
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from accounts.addresses import normalize
from accounts.zones import validate_zone
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.base_models import ChangeNumberedModel


class UserManager(BaseUserManager["User"]):
    """Makes people from an address and a password; addresses are kept in one normal form.

    Only code that runs on the server calls it, never a sign-up page: whoever runs the site vouches
    for the address, so it is confirmed.
    """

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make a person; without a password nobody can sign in as them."""
        address = normalize(email)
        user = self.model(**{"email": address, "confirmed_email": address} | fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str, **fields: Any) -> "User":
        """Make an administrator, as `createsuperuser` asks; it is recorded."""
        with transaction.atomic(using=self._db):
            user = self.create_user(email, password, is_superuser=True, **fields)
            record(AuditCode.ACCOUNT_CREATED, about=user, after={"administrator": True})
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a person by address, whatever its case."""
        return self.get(email=normalize(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """A person. Roles come from memberships; an administrator is a superuser, nobody else is."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), unique=True)
    # The address that its owner has confirmed, not a yes or no: another `email` is not confirmed,
    # whichever way it came here.
    confirmed_email = models.EmailField(blank=True, default="", db_default="", editable=False)
    name = models.CharField(_("name"), max_length=150, blank=True)
    # Not written by the person: a grade may be filed under it elsewhere.
    school_id = models.CharField(
        _("school id"),
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text=_("What the school files this person under: a student or staff number."),
    )
    language = models.CharField(
        _("language"), max_length=5, blank=True, choices=[("en", "English"), ("es", "Español")]
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, default="UTC", validators=[validate_zone]
    )
    # Not chosen, it is what the browser last sent, and follows it when they sign in.
    time_zone_chosen = models.BooleanField(default=False, db_default=False, editable=False)
    is_active = models.BooleanField(_("active"), default=True)
    # Beside the roles in classes: whoever teaches one may make another without it.
    may_make_classes = models.BooleanField(
        _("may make classes"),
        default=False,
        db_default=False,
        help_text=_("An instructor who has no class yet makes their first one by it."),
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    # Set when everything that says who it was is gone; the row stays for what rests on it.
    erased_at = models.DateTimeField(null=True, editable=False)
    # A stranger who takes a quiz that is open to anyone: nobody signs in as one (ADR 59).
    guest_since = models.DateTimeField(null=True, editable=False)
    # The account whose owner has kept what they did as this guest.
    kept_by = models.ForeignKey(
        "self", models.PROTECT, null=True, editable=False, related_name="guests"
    )
    kept_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    searched_columns: ClassVar = ("email", "name", "school_id")

    teaches: bool | None = None
    """Whether they teach any group, where that is known already: it came with their session."""

    assists: bool | None = None
    """Whether they are a teaching assistant of any group, where that is known already."""

    has_second_factor: bool | None = None
    """Whether signing in asks for one, where that is known: it came with their session or token."""

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            # Two addresses that differ only in case are one person.
            models.UniqueConstraint(Lower("email"), name="user_email_once"),
            # Two people under one number would get each other's grades.
            models.UniqueConstraint(
                fields=["school_id"],
                condition=~models.Q(school_id=""),
                name="user_school_id_once",
                violation_error_message=_("Another person has this school id."),
            ),
            # With a blank at an end it would be another number that looks the same.
            models.CheckConstraint(
                condition=models.Q(school_id=Trim("school_id")), name="user_school_id_trimmed"
            ),
            # Whoever got hold of one would have nothing but its attempts.
            models.CheckConstraint(
                condition=models.Q(guest_since=None)
                | models.Q(
                    is_active=False,
                    is_superuser=False,
                    may_make_classes=False,
                    confirmed_email="",
                    school_id="",
                ),
                name="user_guest_has_no_rights",
            ),
            # What somebody did under their own address stays theirs.
            models.CheckConstraint(
                condition=models.Q(kept_by=None, kept_at=None)
                | models.Q(kept_by__isnull=False, kept_at__isnull=False, guest_since__isnull=False),
                name="user_kept_is_a_guest",
            ),
        ]

    def __str__(self) -> str:
        if self.erased_at is not None:
            return gettext("Erased person %(number)s") % {"number": self.uuid.hex[:6]}
        if self.guest_since is not None:
            return gettext("Guest %(number)s") % {"number": self.uuid.hex[:6]}
        return self.name or self.email

    def get_full_name(self) -> str:
        """Return the name, or "": the admin shows it above the e-mail."""
        return self.name

    @property
    def author_name(self) -> str:
        """The name under what this person wrote."""
        return gettext("former author") if self.erased_at is not None else str(self)

    def clean(self) -> None:
        """Keep the school id without blanks at its ends."""
        super().clean()
        self.school_id = self.school_id.strip()

    @property
    def is_confirmed(self) -> bool:
        """Return whether the owner of the address has confirmed it: without, no role counts."""
        return bool(self.email) and self.email == self.confirmed_email

    @property
    def shown_school_id(self) -> str:
        """The school id as this person reads it: it was filed under the address of its owner."""
        return self.school_id if self.is_confirmed else ""

    @property
    def is_staff(self) -> bool:
        """Django's word for who may do everything in the admin; instructors get in by role."""
        return self.is_superuser and self.is_confirmed


class Term(models.Model):
    """A part of the year in which classes meet, as a semester."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=100, unique=True)
    begins_on = models.DateField(_("begins on"))
    ends_on = models.DateField(_("ends on"))

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ["-begins_on", "name"]
        constraints = [
            # One that is over before it begins would have no classes.
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("begins_on")),
                name="term_ends_after_it_begins",
                violation_error_message=_("It ends before it begins."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Group(models.Model):
    """A class or a team: ties learners, instructors and the quizzes assigned to them.

    An archived one is read only: nobody comes or goes, and its quizzes are closed for it.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=150, unique=True)
    term = models.ForeignKey(
        Term,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="classes",
        verbose_name=_("term"),
    )
    archived_at = models.DateTimeField(_("archived"), null=True, editable=False)
    people = models.ManyToManyField(User, through="Membership", related_name="teams")

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a person is in a group; who has more rights comes later."""

    LEARNER = "learner", _("learner")
    ASSISTANT = "assistant", _("teaching assistant")
    INSTRUCTOR = "instructor", _("instructor")

    @property
    def rank(self) -> int:
        """Return the place among the roles by rights: 0 for learners."""
        return list(type(self)).index(self)


class Membership(ChangeNumberedModel):
    """One person's role in one group."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.LEARNER)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            # A person has one role in a group, so that "may they?" has one answer.
            models.UniqueConstraint(fields=["group", "user"], name="membership_once"),
        ]
        indexes = [models.Index(fields=["group", "change_number"], name="membership_by_change")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()} ({self.group})"


class Session(AbstractBaseSession):
    """A sign-in on a device; knows its person, so that one query finds both."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="sessions")
    address = models.CharField(max_length=45, default="", help_text="where they signed in from")
    user_agent = models.CharField(max_length=200, default="")
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.user} until {self.expire_date:%Y-%m-%d}"


class Scope(models.TextChoices):
    """What a program may do with a token."""

    READ = "read", _("read quizzes and own results")
    ATTEMPT = "attempt", _("take quizzes")
    RESULTS = "results", _("read results of the classes one teaches")
    AUTHORING = "authoring", _("import and export the question banks one may change")
    AUDIT = "audit", _("read the audit log of oneself and the classes one teaches")
    CLASSES = "classes", _("join classes, and run those one teaches")
    PERSONAL_DATA = "personal_data", _("copy what is stored about oneself, and have it erased")


class ApiToken(AbstractAuthToken):
    """A program's key: only its hash is kept; it has a purpose, scopes and an end."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    name = models.CharField(_("purpose"), max_length=100, default="")
    scopes = models.JSONField(_("scopes"), default=list)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    used_from = models.JSONField(default=list, editable=False, help_text="addresses, newest last")
    second_factor_given = models.BooleanField(
        default=False, editable=False, help_text="made by somebody who has a second factor"
    )

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key}…)"


class FailedLogins(models.Model):
    """Times of recent failed sign-ins for one key: an account, an account on one device.

    `user`: the person whose sign-ins they are, if there is one; they can be unlocked.
    """

    key = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="failed_logins")
    times = models.JSONField(default=list, help_text="seconds since 1970")
    limit = models.PositiveSmallIntegerField(default=10, help_text="attempts that this key has")
    updated_at = models.DateTimeField(_("last attempt"), auto_now=True, db_index=True)

    class Meta:
        verbose_name = _("failed sign-ins")
        verbose_name_plural = _("failed sign-ins")

    def __str__(self) -> str:
        return str(self.user or self.key)


class InvitationState(models.TextChoices):
    """What became of an invitation."""

    OPEN = "open", _("waiting")
    EXPIRED = "expired", _("expired")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Invitation(ChangeNumberedModel):
    """An address that is asked to join, with a role in a class or without; it counts once accepted.

    By the link in its mail, or signed in with the confirmed address. The link has a token, of which
    only the digest is kept here. `mails` is how many mails were asked for; each has another token,
    and only that of the newest counts. `name` and `school_id` are those of the list of the class.
    """

    email = models.EmailField(_("e-mail"), db_index=True)
    name = models.CharField(_("name"), max_length=150, blank=True)
    school_id = models.CharField(_("school id"), max_length=64, blank=True, editable=False)
    language = models.CharField(
        _("language"), max_length=5, choices=[("en", "English"), ("es", "Español")], default="en"
    )
    group = models.ForeignKey(
        Group,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="invitations",
        verbose_name=_("class"),
    )
    role = models.CharField(
        _("role"),
        max_length=10,
        choices=Role,
        blank=True,
        default="",
        help_text=_("in the class, or instructor of classes to be made"),
    )
    invited_by = models.ForeignKey(
        User, models.SET_NULL, null=True, related_name="+", verbose_name=_("invited by")
    )
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    mails = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(_("invited"), db_index=True)
    expires_at = models.DateTimeField(_("expires"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, editable=False)
    declined_at = models.DateTimeField(_("declined"), null=True, editable=False)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, editable=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            # No invitation makes an administrator; without a class, it may make an instructor.
            models.CheckConstraint(
                condition=models.Q(group__isnull=True, role__in=["", "instructor"])
                | models.Q(group__isnull=False) & ~models.Q(role=""),
                name="invitation_role_in_class",
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, declined_at=None)
                | models.Q(accepted_at=None, withdrawn_at=None)
                | models.Q(declined_at=None, withdrawn_at=None),
                name="invitation_ends_once",
            ),
            # A list that is sent twice invites nobody twice.
            models.UniqueConstraint(
                fields=["group", "email"],
                condition=models.Q(accepted_at=None, declined_at=None, withdrawn_at=None),
                name="invitation_open_once",
            ),
        ]
        indexes = [models.Index(fields=["change_number"], name="invitation_by_change")]

    def __str__(self) -> str:
        return self.email

    def state_at(self, now: datetime) -> InvitationState:
        """Return what has become of it by now."""
        if self.accepted_at is not None:
            return InvitationState.ACCEPTED
        if self.declined_at is not None:
            return InvitationState.DECLINED
        if self.withdrawn_at is not None:
            return InvitationState.WITHDRAWN
        return InvitationState.OPEN if self.expires_at > now else InvitationState.EXPIRED


class NoticeKind(models.TextChoices):
    """What a person is told of their account by mail."""

    INVITATION = "invitation"
    ENROLLED = "enrolled"
    PASSWORD_CHANGED = "password_changed"
    ADDRESS_CHANGED = "address_changed"
    SECOND_FACTOR_CHANGED = "second_factor_changed"
    IDENTITY_CHANGED = "identity_changed"
    ERASURE_REQUESTED = "erasure_requested"
    ERASURE_REFUSED = "erasure_refused"
    ERASED = "erased"


class SecurityNotice(models.Model):
    """A mail that waits to be sent: written with the change that it tells of, gone once sent.

    It is about the account of a person, or about an invitation.
    """

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    invitation = models.ForeignKey(Invitation, models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=30, choices=NoticeKind)
    recipient = models.EmailField()
    context = models.JSONField(default=dict, help_text="what the text names: an address, a host")
    happened_at = models.DateTimeField()
    next_try_at = models.DateTimeField(db_index=True)
    tries = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.kind} to {self.recipient}"


class JoinCode(models.Model):
    """What lets people with an account into a class as learners, until it ends."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="join_codes")
    code = models.CharField(_("code"), max_length=20, unique=True)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(_("expires"))
    ended_at = models.DateTimeField(null=True)
    max_uses = models.PositiveIntegerField(_("how many people may use it"), null=True)
    uses = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("join code")
        verbose_name_plural = _("join codes")
        constraints = [
            # A new code ends the one before it, so that ending "the code" ends them all.
            models.UniqueConstraint(
                fields=["group"], condition=models.Q(ended_at=None), name="join_code_once"
            ),
            # Counted as people join; two who join at once do not both take the last place.
            models.CheckConstraint(
                condition=models.Q(max_uses=None) | models.Q(uses__lte=models.F("max_uses")),
                name="join_code_within_limit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} ({self.group})"


class RosterImport(ChangeNumberedModel):
    """A list of people that was read for a class, kept until it is committed or a week old."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="roster_imports")
    created_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_index=True)
    source = models.CharField(max_length=200, help_text="name of the file; empty: pasted")
    role = models.CharField(max_length=10, choices=Role, default=Role.LEARNER)
    language = models.CharField(max_length=5, default="en", help_text="of the mails to new people")
    people = models.JSONField(default=list, help_text="the lines as they were read")
    committed_at = models.DateTimeField(null=True)
    summary = models.JSONField(default=dict, help_text="how many people became what")

    def __str__(self) -> str:
        return f"{self.source or 'pasted'} ({self.group})"


class InvitationMailCount(models.Model):
    """How many mails a person had sent on one day, to those whom they invite or add to a class."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    day = models.DateField(db_index=True, help_text="in UTC")
    mails = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "day"], name="invitation_mail_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.mails} on {self.day}"
