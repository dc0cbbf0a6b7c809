"""Not a byte of study depends on a key that is not revealed, or that a quiz may still ask."""

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.lib import clock
from quizzes.study.models import StudyCard
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_quiz
from tests.quizzes.api.programs import program
from tests.quizzes.study.helpers import create_card_question, offer
from tests.quizzes.web.test_secrecy import alone_with, masked, twin
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

PLACES = re.compile(r"bank-\d")


def walk_study(users, number, right, *, revealed):
    """Yield what study shows of a failed quiz: its key is not revealed, or is live again."""
    question = twin(create_bank(users, f"bank-{number}"), "same", right)
    reveal_key = "after_submit" if revealed else "after_last_attempt"
    quiz = create_quiz(
        users, [question], slug=("one", "two")[number], reveal_key=reveal_key, max_attempts=9
    )
    learner = alone_with(quiz, number)
    cards = create_bank(users, f"cards-{number}")
    create_card_question(cards, "known")
    offer(cards, learner.memberships.get().group)
    # Of four options, c is wrong in both and none is chosen that is right in one alone.
    take_quiz(quiz, learner, {0: "c"}, now=clock.now())
    client, api = logged_in_client(learner), program(learner, "attempt")
    study, card, stored = reverse("study"), reverse("study_card"), reverse("stored_cards")
    for address in (study, card, stored, reverse("study_settings"), "/"):
        yield masked(client.get(address))
    yield masked(client.post(study, {"action": "begin"}, follow=True))
    client.post(study, {"action": "add", "bank": str(cards.uuid)})
    for address in (study, card, stored):
        yield masked(client.get(address))
    yield masked(client.get(f"{card}?card={uuid4()}"))
    own = StudyCard.objects.filter(learner=learner)
    for row in own.exclude(option="").order_by("pk"):
        assert client.get(f"{card}?card={row.uuid}").status_code == 404
    for route in ("decks", "cards", "settings"):
        yield masked(api.get(f"study/{route}"))
    row = own.get(source="bank")
    entry = {
        "id": str(uuid4()),
        "card": str(row.uuid),
        "action": "review",
        "rating": 3,
        "at": clock.now().isoformat(),
    }
    body = {"device": str(uuid4()), "sent_at": entry["at"], "entries": [entry]}
    status, headers, _ = masked(api.post("study/entries", body))
    yield status, headers
    later = clock.now().isoformat()
    review = {"card": str(row.uuid), "action": "review", "rating": 1, "at": later}
    saves = [{"idempotency_key": str(uuid4()), "answer": review}]
    sent = json.dumps({"saves": saves, "sent_at": later})
    yield masked(client.post(reverse("save_reviews"), sent, content_type="application/json"))
    for address in (study, card, stored, "/"):
        yield masked(client.get(address))


@pytest.mark.parametrize("revealed", [False, True])
def test_no_byte_of_study_depends_on_a_key_that_may_not_be_shown(users, revealed):
    """The first key has one option, the second another: as many cards would come of either."""
    walks = [
        list(walk_study(users, number, right, revealed=revealed))
        for number, right in enumerate("ab")
    ]
    for number, (first, other) in enumerate(zip(*walks, strict=True)):
        assert _without_places(first) == _without_places(other), number
    pages = "".join(str(answer[-1]) for answer in walks[0])
    assert "Back known" in pages
    assert "only here" not in pages


def _without_places(answer):
    return tuple(PLACES.sub("bank", part) if isinstance(part, str) else part for part in answer)
