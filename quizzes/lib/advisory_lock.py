"""A lock by name that lasts for a transaction: of any number of processes, one does a thing."""

from hashlib import sha256

from django.db import connection


def try_advisory_lock(name: str) -> bool:
    """Lock this name until the transaction ends; return whether nobody else has it locked.

    SQLite has one writer at a time, whose transaction is locked when it begins.
    """
    if connection.vendor != "postgresql":
        return True
    key = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
        return bool(cursor.fetchone()[0])
