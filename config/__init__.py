"""Plugs the parts together; importing it makes Celery's application known to every task."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
