"""Stores on this disk and in a bucket; here alone, since moto takes seconds to import."""

from tests.object_store import bucket, files, object_server

__all__ = ["bucket", "files", "object_server"]
