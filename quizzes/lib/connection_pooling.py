"""Whether a pooler hands out the connections of the database."""

from django.db.backends.base.base import BaseDatabaseWrapper


def is_pooled(database: BaseDatabaseWrapper) -> bool:
    """Return whether each transaction may have another session (`?pool_mode=transaction`)."""
    return bool(database.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"))
