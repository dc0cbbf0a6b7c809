"""Copying a question within its bank: a draft of its own, with rows of its own."""

import json
from uuid import uuid4

from django.db import transaction

from accounts.models import User
from quizzes.bank import services
from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument


@transaction.atomic
def copy_question(*, question: Question, name: str, by: User | None) -> Question:
    """Copy the draft of a question, its tags and the names of its rows, under another name.

    The copy shares nothing with it but files: what is changed in one stays as it is in the other.
    A name that is taken: Conflict; no editor of the bank: NotFound.
    """
    text = json.dumps(Draft.objects.get(question=question).data)
    names: dict[str, str] = {}
    for option in question.options.all():
        if str(option.uuid) in text:
            fresh = str(uuid4())
            text = text.replace(str(option.uuid), fresh)
            names[fresh] = option.name
    document = QuestionDocument.from_json(json.loads(text))
    copy = services.add_question(bank=question.bank, name=name, item=document, by=by)
    services.add_options(question=copy, names=names, by=by)
    services.save_draft(question=copy, item=document, revision=None, by=by)
    tags = list(question.tags.values_list("name", flat=True))
    services.set_tags(question=copy, names=tags, by=by)
    return copy
