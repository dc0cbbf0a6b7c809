"""The checks of a bank in this process: `seed QUESTIONS` fills it, `visit` opens its page once.

`visit` prints seconds of CPU of the first and the second request, and bytes of the page, as JSON;
`edit` saves one draft and then visits.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Final
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from accounts.models import User
from bench.sessions import sign_in
from quizzes.bank import bulk, services
from quizzes.bank.models import Bank, Draft
from quizzes.document import QuestionDocument
from quizzes.lib import clock

WORDS: Final = (
    "river bridge harbour market castle village forest valley garden window station museum "
    "library orchard meadow temple quarry lantern compass railway vineyard glacier canyon island"
).split()
DONE = 200
EDITOR = "bench@example.org"


def _build_documents(count: int) -> Iterator[tuple[dict[str, str], QuestionDocument]]:
    """Yield questions in two languages; each third has something to look at, each tenth more."""
    for number in range(count):
        ids = {name: str(uuid4()) for name in "abcd"}
        yield ids, _build_document(number, ids)


def _build_document(number: int, ids: dict[str, str]) -> QuestionDocument:
    digests = (byte for n in range(20) for byte in sha256(f"{number} {n}".encode()).digest())

    def write(length: int) -> str:
        return " ".join(WORDS[next(digests) % len(WORDS)] for _ in range(length))

    english = {
        "prompt": f"Which of these hold for `case_{number}` of {write(12)}?",
        "options": {id_: f"{name}: {write(6)} {number}" for name, id_ in ids.items()},
    }
    spanish = {
        "prompt": f"¿Cuáles valen para `case_{number + (number % 3 == 0)}` de {write(12)}?",
        "options": {id_: f"{name}: {write(6)} {number}" for name, id_ in ids.items()},
    }
    feedback = {"options": {id_: f"Because {write(8)}." for id_ in ids.values()}}
    right = [ids["a"], ids["b"], ids["c"]] if number % 10 == 0 else [ids["a"], ids["b"]]
    return QuestionDocument(
        kind="multiple_choice",
        scoring_method="right_minus_wrong",
        content={"options": [{"id": id_, "pinned": False} for id_ in ids.values()]},
        key={"right": right},
        words={"en": english, "es": spanish},
        feedback={"en": feedback} if number % 7 == 0 else {"en": feedback, "es": feedback},
    )


def seed(count: int) -> None:
    """Fill a bank and make an administrator."""
    bank = services.update_or_create_bank(
        slug="bench", group=None, fields={"title": {"en": "Bench"}}, by=None
    )
    states = [
        bulk.QuestionState(f"q{number}", item, ids)
        for number, (ids, item) in enumerate(_build_documents(count))
    ]
    for start in range(0, count, 500):
        bulk.update_or_create_questions(
            bank=bank, states=states[start : start + 500], by=None, now=clock.now()
        )
    User.objects.create_superuser(EDITOR, "a long pass word", name="Bench")


def edit() -> None:
    """Save one draft of the middle, changed."""
    drafts = Draft.objects.select_related("question").order_by("pk")
    draft = drafts[drafts.count() // 2]
    item = QuestionDocument.from_json({**draft.data, "feedback": {}})
    services.save_draft(question=draft.question, item=item, revision=None, by=None)


def visit() -> None:
    """Open the page twice; a page that is not shown ends it."""
    client, bank = sign_in(User.objects.get(email=EDITOR)), Bank.objects.get(slug="bench")
    client.get("/admin/bank/bank/")  # what any first page costs is not that of the checks
    seconds, sizes = [], []
    for _ in range(2):
        begun = time.process_time()
        response = client.get(f"/admin/bank/bank/{bank.pk}/checks/")
        seconds.append(time.process_time() - begun)
        sizes.append(len(response.content))
        if response.status_code != DONE:
            sys.exit(f"the page of checks answered with {response.status_code}")
    sys.stdout.write(json.dumps({"first": seconds[0], "second": seconds[1], "bytes": sizes[1]}))


if __name__ == "__main__":
    if sys.argv[1] == "seed":
        seed(int(sys.argv[2]))
    if sys.argv[1] == "edit":
        edit()
    if sys.argv[1] in {"visit", "edit"}:
        visit()
