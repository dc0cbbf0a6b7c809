"""Sessions in the database that know their person, and whether they teach: one query a request."""

from datetime import datetime
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import CharField, DateTimeField, Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.access import memberships_in_force, second_factor_exists
from accounts.models import Role, Session, User
from quizzes.lib.prepared_query import PreparedQuery


def _live(key: str, now: datetime) -> QuerySet[Session]:
    teaching = memberships_in_force().filter(user=OuterRef("user"), role=Role.INSTRUCTOR)
    sessions = Session.objects.select_related("user").annotate(
        teaches=Exists(teaching), has_second_factor=second_factor_exists(OuterRef("user"))
    )
    return sessions.filter(session_key=key, expire_date__gt=now)


_LIVE = PreparedQuery(_live, CharField(), DateTimeField())


class SessionStore(DatabaseStore):
    """Django's database sessions over our own table (the extension point its manual names)."""

    owner: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the model of our own table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Store whose session it is beside its data."""
        session = cast("Session", super().create_model_instance(data))
        person = data.get(SESSION_KEY)
        session.user_id = int(person) if person else None
        return session

    def _get_session_from_db(self) -> Session | None:
        session = _LIVE.first(self.session_key, timezone.now()) if self.session_key else None
        if session is None:
            self._session_key = None
            return None
        self.owner = session.user
        if self.owner is not None:
            self.owner.teaches = vars(session)["teaches"]
            self.owner.has_second_factor = vars(session)["has_second_factor"]
        return session
