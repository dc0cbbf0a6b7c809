"""Makes an author with a token and an empty bank: `python -m tools.author BANK`.

Run in the environment of a site by `./dev stack --check`; prints `{"token": …, "bank": id}`.
"""

import json
import os
import secrets
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from accounts.models import Scope
from accounts.services import get_or_create_user, issue_token
from quizzes.bank import services as bank


def main(slug: str) -> None:
    """Make the person, the token and the bank, and print what a program needs of them."""
    person = get_or_create_user(
        email=f"{slug}@ochenta.example",
        name="Stack check",
        password=secrets.token_urlsafe(),
        administrator=True,
    )
    _, token = issue_token(user=person, name=slug, scopes=[Scope.READ, Scope.AUTHORING], days=1)
    target = bank.update_or_create_bank(
        slug=slug, group=None, fields={"title": {"en": "Stack check"}}, by=None
    )
    print(json.dumps({"token": token, "bank": str(target.uuid)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
