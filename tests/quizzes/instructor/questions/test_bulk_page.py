"""One change to many questions: said before it is done, and refused where it must be."""

import pytest

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank import services as bank_services
from quizzes.bank.models import Question
from quizzes.document import QuestionDocument
from tests.factories import create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

QUESTIONS = "/admin/bank/question/"


@pytest.fixture
def author(users, questions):
    return logged_in_client(users.instructor)


def send(client, action: str, names, **fields):
    pks = [str(pk) for pk in Question.objects.filter(name__in=names).values_list("pk", flat=True)]
    return client.post(QUESTIONS, {"action": action, "_selected_action": pks, **fields})


def names(rows) -> list[str]:
    return [question.name for question in rows]


def test_a_tag_is_added_to_several_after_a_look_at_what_will_happen(author):
    many = Question.objects.get(name="many")
    bank_services.set_tags(question=many, names=["basics"], by=None)
    question_page = send(author, "add_tag", ["many", "single", "truth"])
    assert question_page.context["plan"] is None
    fields = {"is_asked": "1", "tag": "basics"}
    plan = send(author, "add_tag", ["many", "single", "truth"], **fields).context["plan"]
    assert (names(plan.changing), names(plan.unchanged)) == (["single", "truth"], ["many"])
    assert Question.objects.filter(tags__name="basics").count() == 1
    done = send(author, "add_tag", ["many", "single"], **fields, is_confirmed="1")
    assert done.status_code == 302
    assert Question.objects.filter(tags__name="basics").count() == 2
    send(author, "take_tag_away", ["many"], **fields, is_confirmed="1")
    assert names(Question.objects.filter(tags__name="basics")) == ["single"]


def test_questions_move_to_another_bank_unless_its_names_or_files_forbid_it(author, users):
    target = create_bank(users, "target")
    create_question(target, "many")
    fields = {"is_asked": "1", "bank": str(target.pk), "is_confirmed": "1"}
    pks = [str(question.pk) for question in Question.objects.filter(bank__slug="bank")]
    data = {"action": "move_to_bank", "_selected_action": pks, **fields}
    preview = author.post(QUESTIONS, {**data, "is_confirmed": []})
    assert "The bank has a question of this name" in preview.content.decode()
    assert author.post(QUESTIONS, data).status_code == 302
    moved = Question.objects.filter(bank=target).order_by("name")
    assert names(moved) == ["many", "single", "truth"]
    assert Question.objects.get(bank__slug="bank").name == "many"
    assert AuditEvent.objects.filter(code=AuditCode.BANK_CHANGED, subject=target.uuid).exists()


def test_questions_are_published_and_retired_together_and_problems_refuse(author, users):
    item = QuestionDocument("true_false", "")
    bank_services.add_question(bank=create_bank(users), name="raw", item=item, by=None)
    plan = send(author, "publish_several", ["raw", "many"]).context["plan"]
    assert [(question.name, code) for question, code in plan.refused] == [("raw", "has_problems")]
    assert names(plan.unchanged) == ["many"]
    send(author, "retire_several", ["many", "single"], is_confirmed="1")
    assert Question.objects.filter(retired_at__isnull=False).count() == 2
    send(author, "publish_several", ["many"], is_confirmed="1")
    assert Question.objects.get(name="many").retired_at is None


def test_questions_of_banks_that_one_may_only_use_are_refused(author, users):
    Question.objects.get(name="many").bank.shares.create(right="use")
    outsider = logged_in_client(users.outsider)
    page = send(outsider, "retire_several", ["many"], is_confirmed="1")
    assert page.status_code in {200, 302}
    assert Question.objects.get(name="many").retired_at is None


def test_a_bank_of_others_is_no_target(author, users):
    theirs = bank_services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    fields = {"is_asked": "1", "bank": str(theirs.pk), "is_confirmed": "1"}
    assert send(author, "move_to_bank", ["many"], **fields).status_code == 200
    assert not theirs.questions.exists()
