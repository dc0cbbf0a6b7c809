"""The control: the site without a deadline for its database, which the tests must see."""

from psycopg2.extensions import set_wait_callback

from config.wsgi import application

__all__ = ["application"]

set_wait_callback(None)
