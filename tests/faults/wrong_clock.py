"""The site on a machine whose clock somebody sets while it runs, by the hours in `step`.

The file lies in the data folder; while there is none, the clock is right.
"""

import os
import threading
import time
from datetime import UTC, datetime, timedelta

import time_machine
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# This needs Django to be set up.
from django.conf import settings


def set_when_told() -> None:
    """Wait for the file, set this process's clock, and say so by another file."""
    step = settings.DATA_DIR / "step"
    while not step.exists():
        time.sleep(0.05)
    hours = float(step.read_text())
    time_machine.travel(datetime.now(UTC) + timedelta(hours=hours), tick=True).start()
    (settings.DATA_DIR / f"set-{os.getpid()}").write_text(str(time.time()))


threading.Thread(target=set_when_told, daemon=True).start()
