"""Sessions in the database that know their person, and whether they teach: one query a request.

When a session was last used is written at most once a minute for staff, and once in ten minutes for
others: a learner who answers questions writes their answers and nothing else.
"""

import json
import logging
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError
from django.db.models import CharField, DateTimeField, Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.access import has_staff_role, memberships_in_force, second_factor_exists
from accounts.models import Role, Session, User
from accounts.remembered_sessions import RememberedSession, memory
from accounts.selectors import SIGNED_IN_BY, was_second_factor_given
from quizzes.audit.origin import find_origin
from quizzes.lib.prepared_query import PreparedQuery

log = logging.getLogger(__name__)

LAST_SEEN_PRECISION, STAFF_LAST_SEEN_PRECISION = timedelta(minutes=10), timedelta(minutes=1)
"""How exactly it is known when a session was last used."""


def _live(key: str, now: datetime) -> QuerySet[Session]:
    memberships = memberships_in_force().filter(user=OuterRef("user"))
    sessions = Session.objects.select_related("user").annotate(
        teaches=Exists(memberships.filter(role=Role.INSTRUCTOR)),
        assists=Exists(memberships.filter(role=Role.ASSISTANT)),
        has_second_factor=second_factor_exists(OuterRef("user")),
    )
    return sessions.filter(session_key=key, expire_date__gt=now)


_LIVE = PreparedQuery(_live, CharField(), DateTimeField())


class SessionStore(DatabaseStore):
    """Django's database sessions over our own table (the extension point its manual names)."""

    owner: User | None = None
    may_be_remembered = False
    """Whether a row may be some seconds old: on pages that write nothing into their session."""
    _row: Session | None = None
    _remembered: RememberedSession | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the model of our own table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Store whose session it is beside its data."""
        session = cast("Session", super().create_model_instance(data))
        person = data.get(SESSION_KEY)
        session.user_id = int(person) if person else None
        if self._row is not None and self._row.session_key == session.session_key:
            session.address, session.user_agent = self._row.address, self._row.user_agent
            session.last_seen_at = self._row.last_seen_at
            session.expire_date = self._row.expire_date  # it began with the sign-in, and ends
        else:
            origin = find_origin()
            session.address, session.user_agent = origin.address[:45], origin.user_agent[:200]
        self._row = session
        return session

    def load(self) -> dict[str, Any]:
        """Read the session; a second factor that was given to a provider counts for as long."""
        generation = memory.generation
        session_data: dict[str, Any] = super().load()
        if self.may_be_remembered and self._row is not None and self._remembered is None:
            memory.remember(self._row, session_data, generation)
        steps = session_data.get(SIGNED_IN_BY, [])
        if self.owner is not None and was_second_factor_given(steps, self.owner):
            self.owner.has_second_factor = True
        return session_data

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Return the data; what is remembered was verified when it was read."""
        if self._remembered is not None:
            return dict(json.loads(self._remembered.payload))
        return super().decode(session_data)

    def save(self, must_create: bool = False) -> None:
        """Write the session; what changed since a remembered one was read is kept."""
        if self._remembered is not None and not must_create:
            self._take_changes_into_newest(json.loads(self._remembered.payload))
        super().save(must_create)

    def _take_changes_into_newest(self, before: dict[str, Any]) -> None:
        """Read the row anew, and change in its data what this request has changed."""
        changed, key = dict(self.items()), self._session_key
        self._remembered, self.may_be_remembered = None, False
        newest = self.load()
        self._session_key = key  # one that has ended meanwhile is not begun anew
        for name in before.keys() - changed.keys():
            newest.pop(name, None)
        newest.update((name, value) for name, value in changed.items() if before.get(name) != value)
        self._session_cache = newest

    def _find_row(self, now: datetime) -> Session | None:
        key = self.session_key
        remembered = memory.find(key) if key and self.may_be_remembered else None
        if remembered is None or remembered.row.expire_date <= now:
            self._remembered = None
            return _LIVE.first(key, now) if key else None
        self._remembered = remembered
        return remembered.copy_row()

    def _get_session_from_db(self) -> Session | None:
        now = timezone.now()
        session = self._find_row(now)
        if session is not None and session.user is not None:
            session.user.teaches = vars(session)["teaches"]
            session.user.assists = vars(session)["assists"]
            session.user.has_second_factor = vars(session)["has_second_factor"]
        if session is None or _end_if_idle(session, now):
            self._session_key = None
            return None
        _note_use(session, now)
        self.owner, self._row = session.user, session
        return session


def _is_staff(session: Session) -> bool:
    return session.user is not None and has_staff_role(session.user)


def _end_if_idle(session: Session, now: datetime) -> bool:
    """End a session of staff that was not used for too long; return whether it was."""
    idle = timedelta(minutes=settings.STAFF_IDLE_MINUTES)
    if not idle or now - session.last_seen_at <= idle or not _is_staff(session):
        return False
    session.delete()
    return True


def _note_use(session: Session, now: datetime) -> None:
    """Write down that a session is used. Where the database takes no writes, pages still open."""
    precision = STAFF_LAST_SEEN_PRECISION if _is_staff(session) else LAST_SEEN_PRECISION
    if session.user is None or now - session.last_seen_at < precision:
        return
    session.last_seen_at = now
    try:
        Session.objects.filter(pk=session.pk).update(last_seen_at=now)
    except DatabaseError:
        log.warning("the use of a session cannot be written")
