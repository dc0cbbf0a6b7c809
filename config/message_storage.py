"""Messages to people, in a cookie that no other host of the domain can write."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class MessageCookieStorage(CookieStorage):
    """Django's, under our name."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class MessageStorage(FallbackStorage):
    """Django's default: what is too long for the cookie goes into the session."""

    storage_classes = (MessageCookieStorage, SessionStorage)
