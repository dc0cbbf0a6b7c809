"""Sessions in the database that know their person, and whether they teach: one query a request."""

from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import Membership, Role, Session, User


class SessionStore(DatabaseStore):
    """Django's database sessions over our own table (the extension point its manual names)."""

    owner: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Name the table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Note whose session it is beside its data."""
        session = cast("Session", super().create_model_instance(data))
        person = data.get(SESSION_KEY)
        session.user_id = int(person) if person else None
        return session

    def _get_session_from_db(self) -> Session | None:
        teaching = Membership.objects.filter(user=OuterRef("user"), role=Role.INSTRUCTOR)
        found = (
            Session.objects.select_related("user")
            .annotate(teaches=Exists(teaching))
            .filter(session_key=self.session_key, expire_date__gt=timezone.now())
            .first()
        )
        if found is None:
            self._session_key = None
            return None
        self.owner = found.user
        if self.owner is not None:
            self.owner.teaches = found.teaches
        return found
