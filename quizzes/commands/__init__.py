"""The commands of `manage.py`, for all apps: one more interface beside the pages and REST."""
