"""Writes and reads again at once, so many times; prints where it was read from and what was seen.

`python -m tests.faults.replica_reads ROUNDS`: a line of JSON, `{"from_replica": how often,
"seen": how often what had just been written was there, "slowest": seconds, "primary": whether the
first database answered all the while}`.
"""

import json
import os
import sys
import time

import django
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.models import User
from config.postgresql import breaker
from quizzes.lib.read_replica import reads_from_replica

IS_REPLICA = RawSQL("pg_is_in_recovery()", (), output_field=BooleanField())


@reads_from_replica
def read_name(pk: int) -> tuple[str, bool]:
    """Return the name of a person, and whether a replica told it."""
    row = User.objects.annotate(is_replica=IS_REPLICA).values_list("name", "is_replica").get(pk=pk)
    name, is_replica = row
    return str(name), bool(is_replica)


def main(rounds: int) -> None:
    """Give somebody a new name, and read it, so many times."""
    (pk,) = User.objects.order_by("pk").values_list("pk", flat=True)[:1]
    from_replica = seen = 0
    slowest = 0.0
    for number in range(rounds):
        User.objects.filter(pk=pk).update(name=f"number {number}")
        began = time.monotonic()
        name, is_replica = read_name(pk)
        slowest = max(slowest, time.monotonic() - began)
        seen += name == f"number {number}"
        from_replica += is_replica
    outcome = {"from_replica": from_replica, "seen": seen, "slowest": slowest}
    print(json.dumps({**outcome, "primary": not breaker.is_open}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
