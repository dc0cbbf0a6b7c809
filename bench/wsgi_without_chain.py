"""The site without chain, codes and receipt for gunicorn: `bench.wsgi_without_chain`."""

import os
from contextlib import ExitStack

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from bench.without_chain import leave_out
from config.wsgi import application

__all__ = ["application"]

LEFT_OUT = ExitStack()
"""Kept as long as the process lives: dropped, it would put everything back."""
LEFT_OUT.enter_context(leave_out())
