"""Drops or installs the triggers that refuse a forged record, in a database of a measurement.

`python -m bench.record_triggers drop|install`: as the owner of the tables, as only a bench may.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.db import connection

from quizzes.lib import triggers

ACTS = {"drop": triggers.drop_triggers, "install": triggers.install_triggers}


def list_refusing() -> list[triggers.Trigger]:
    """Return the triggers that refuse; those that number changes are no part of them."""
    return [row for row in triggers.list_triggers() if isinstance(row, triggers.Trigger)]


if __name__ == "__main__":
    refusing = list_refusing()
    ACTS[sys.argv[1]](connection, refusing)
    print(json.dumps({"triggers": len(refusing)}))
