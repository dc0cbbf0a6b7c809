"""Cards to study, and what devices say of them."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from accounts.models import User
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.study import services
from quizzes.study.domain import replay
from quizzes.study.models import StudyCard, StudyOffer
from tests.factories import NOW

PHONE, LAPTOP = UUID(int=1), UUID(int=2)


def create_card_question(into: Bank, name: str, *, languages: str = "en es") -> Question:
    """Publish a card; its back has its name and language in it."""
    words = {language: {"prompt": f"Front {name} {language}"} for language in languages.split()}
    backs = {language: {"back": f"Back {name} {language}"} for language in words}
    item = QuestionDocument(kind="flashcard", scoring_method="study", words=words, feedback=backs)
    question = bank_services.add_question(bank=into, name=name, item=item, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def offer(bank: Bank, group=None) -> Bank:
    StudyOffer.objects.create(bank=bank, group=group)
    return bank


def study(learner: User, bank: Bank, now: datetime = NOW) -> list[StudyCard]:
    """Have a learner study a bank, and return their cards."""
    services.add_deck(learner=learner, bank=bank.uuid, now=now)
    return list(StudyCard.objects.filter(learner=learner).order_by("pk"))


def entry(card: StudyCard, action: str = replay.REVIEW, at: datetime = NOW, **fields):
    if action == replay.REVIEW:
        fields.setdefault("rating", replay.GOOD)
    fields.setdefault("client_id", uuid4())
    return services.EntryInput(card=card.uuid, action=action, device_at=at, **fields)


def send(learner, *inputs, now: datetime = NOW, device: UUID = PHONE, sent_at=None):
    """Record what a device sends, whose clock is right unless it says something else."""
    outcomes = services.record_entries(
        learner=learner, device=device, sent_at=sent_at or now, inputs=inputs, now=now
    )
    return [outcome.status for outcome in outcomes]


def state_of(card: StudyCard) -> dict[str, Any]:
    """Return what is stored of the state of a card."""
    card.refresh_from_db()
    return {name: getattr(card, name) for name in replay.STATE_FIELDS}
