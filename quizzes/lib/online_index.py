"""An index for a table in use: PostgreSQL builds it while others write (docs/operations.md)."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddIndex


class AddIndexOnline(AddIndexConcurrently):
    """Add an index without locking out writers; on SQLite, which has one, as always.

    Its migration must say `atomic = False`.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Add the index."""
        base = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        base.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Remove the index."""
        base = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        base.database_backwards(self, app_label, schema_editor, from_state, to_state)
