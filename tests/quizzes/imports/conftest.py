"""Tests of what happens on one database alone are collected there alone."""

from django.db import connection

# Only SQLite locks the whole database while an import is written.
collect_ignore = [] if connection.vendor == "sqlite" else ["test_staged_import.py"]
