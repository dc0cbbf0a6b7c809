"""Sessions of people who are signed in, for measurements that have no browser."""

import time

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from accounts.models import User
from accounts.sessions import SessionStore


def open_session(user: User) -> str:
    """Sign a person in, as by a password just now; return the key of the session."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    # As allauth notes a sign-in: pages with right answers ask who it is where there is none.
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.create()
    return str(session.session_key)


def sign_in(user: User) -> Client:
    """Return a client of this process in which a person is signed in."""
    client = Client(HTTP_HOST="localhost")
    client.cookies[settings.SESSION_COOKIE_NAME] = open_session(user)
    return client
