"""Copies of rows are written by SQL of PostgreSQL."""

from django.db import connection

collect_ignore = [] if connection.vendor == "postgresql" else ["test_copied_rows.py"]
