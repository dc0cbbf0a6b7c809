"""Makes a database ready in one process: `python -m config.deploy [--static] [--demo]`.

Tables, the cache's table, then what is asked for. Every step may be repeated at any time.
"""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command

from quizzes.lib.private_folder import restrict_new_files

# The documentation's second viewer does not work under a strict policy, and is large.
UNUSED = ["redoc*"]


def prepare(*, static: bool, demo: bool) -> None:
    """Migrate; collect the static files and load the demonstration if asked to."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
    # Where the site serves the files from where they lie, there is nothing to collect.
    if static and not getattr(settings, "WHITENOISE_USE_FINDERS", False):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
    if demo:
        # Passwords that everybody can read in the fixtures are for this machine alone.
        call_command("load_demo", draw_passwords=not settings.EMBEDDED)


def main(arguments: list[str]) -> None:
    """Read the flags; an unknown one ends with a sentence and changes nothing."""
    unknown = set(arguments) - {"--static", "--demo"}
    if unknown:
        sys.exit(f"config.deploy knows --static and --demo, not {', '.join(sorted(unknown))}.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if settings.EMBEDDED:
        restrict_new_files()
    prepare(static="--static" in arguments, demo="--demo" in arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
