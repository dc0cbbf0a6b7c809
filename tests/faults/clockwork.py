"""The deadline engine by itself, until there is nothing due: `python -m tests.faults.clockwork`.

What fails is tried again soon, as in the site; with `once` a first look that fails is the last.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from config.deadline_engine import DeadlineEngine


def main() -> None:
    engine = DeadlineEngine()
    while not engine.stop.wait(pause := engine.look()):
        if (engine.fails and "once" in sys.argv) or not (engine.fails or pause < 1):
            break


if __name__ == "__main__":
    main()
