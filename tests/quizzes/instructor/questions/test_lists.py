"""The lists of banks and questions: found, filtered, and asked for a constant number of times."""

import pytest

from quizzes.bank import services
from quizzes.bank.checks import load_report, refresh_findings
from quizzes.bank.lint import Severity
from quizzes.bank.models import Bank, Draft, Tag
from quizzes.bank.waivers import waive
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import draft_status
from quizzes.instructor.questions.draft_status import load_draft_statuses
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

QUESTIONS = "/admin/bank/question/"
BANKS = "/admin/bank/bank/"


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def some(users):
    """One question in each state, and one with each trouble."""
    into = create_bank(users)
    questions = {
        name: create_question(into, name)
        for name in ("plain", "changed", "gone", "broken", "stale")
    }
    services.retire(question=questions["gone"], by=None, now=NOW)
    revise(questions["changed"], prompt="Quite another?", translated=True)
    revise(questions["stale"], prompt="New source?")
    broken = item_of(questions["broken"])
    keep(
        questions["broken"], QuestionDocument.from_json({**broken.to_json(), "key": {"right": []}})
    )
    services.add_question(bank=into, name="never", item=QuestionDocument("true_false", ""), by=None)
    services.set_tags(question=questions["plain"], names=["easy"], by=None)
    return questions


def item_of(question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def keep(question, item: QuestionDocument) -> None:
    services.save_draft(question=question, item=item, revision=None, by=None)


def revise(question, *, prompt: str, translated: bool = False) -> None:
    item = item_of(question)
    words = {**item.words, "en": {**item.words["en"], "prompt": prompt}}
    noted = {} if translated else {"es": item.source_digest()}
    keep(
        question,
        QuestionDocument.from_json({**item.to_json(), "words": words, "translated_from": noted}),
    )


def names(client, **query: str) -> set[str]:
    response = client.get(QUESTIONS, query)
    assert response.status_code == 200
    return {row.name for row in response.context["cl"].result_list}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"q": "quite another"}, {"changed"}),
        ({"q": "¿Pregunta plain"}, {"plain"}),
        ({"q": "brok"}, {"broken"}),
        ({"bank": "bank", "kind": "true_false"}, {"never"}),
        ({"q": "eas"}, {"plain"}),
        ({"q": "opción plain"}, {"plain"}),
        ({"q": "because plain"}, {"plain"}),
        ({"tag": "easy"}, {"plain"}),
        ({"state": "draft"}, {"never"}),
        ({"state": "published"}, {"plain"}),
        ({"state": "changed"}, {"changed", "stale", "broken"}),
        ({"state": "retired"}, {"gone"}),
        ({"problems": "some"}, {"never", "broken"}),
        ({"problems": "outdated"}, {"stale"}),
        ({"problems": "warnings"}, {"stale"}),
        ({"problems": "none"}, {"plain", "changed", "gone"}),
    ],
)
def test_questions_are_found(author, some, query, expected):
    assert names(author, **query) == expected


def test_a_list_says_state_and_trouble(author, some):
    page = author.get(QUESTIONS).content.decode()
    for status in ("published · v1", "changed since publishing · v1", "retired · v1", "draft"):
        assert status in page
    assert "mark-problem" in page
    assert "mark-warning" in page


@pytest.mark.parametrize("query", ["", "?state=changed", "?problems=none", "?q=question"])
def test_the_list_of_questions_asks_as_often_for_many_as_for_few(author, users, counted, query):
    into = create_bank(users)
    create_question(into, "first")
    author.get(QUESTIONS + query)
    create_question(into, "second")
    with counted() as few:
        author.get(QUESTIONS + query)
    for n in range(8):
        create_question(into, f"more-{n}")
    with counted() as many:
        author.get(QUESTIONS + query)
    assert len(many) == len(few)


def test_the_list_counts_what_the_checks_of_the_bank_count(author, users):
    into = create_bank(users)
    question = create_question(into, "asked")
    item = item_of(question)
    words = {**item.words, "en": {**item.words["en"], "prompt": "Asked here, 7 times?"}}
    keep(question, QuestionDocument.from_json({**item.to_json(), "words": words}))
    report = load_report(into)
    warnings = [finding for finding in report.open if finding.finding.severity == Severity.WARNING]
    assert {checked.finding.code for checked in warnings} >= {"numbers_differ"}
    assert load_draft_statuses([question.pk])[question.pk].warnings == len(warnings)
    for checked in warnings:
        assert checked.question is not None
        digest = checked.question.digest
        waive(question=question, code=checked.finding.code, digest=digest, by=None)
    assert load_report(into).counts()[Severity.WARNING] == 0
    assert load_draft_statuses([question.pk])[question.pk].warnings == 0


def test_statuses_of_many_questions_are_read_from_what_is_stored_by_any_process(users, counted):
    into = create_bank(users)
    questions = [create_question(into, f"q-{n}").pk for n in range(8)]
    refresh_findings(into)
    draft_status._results.clear()
    with counted() as fresh:
        load_draft_statuses(questions)
    with counted() as cached:
        assert load_draft_statuses(questions).keys() == {*questions}
    assert (len(fresh), len(cached)) == (3, 2)


def test_the_list_of_banks_asks_as_often_for_many_as_for_few(author, users, counted):
    create_question(create_bank(users), "first")
    with counted() as few:
        author.get(BANKS)
    for n in range(5):
        create_question(create_bank(users, f"bank-{n}"), "q")
    with counted() as many:
        author.get(BANKS)
    assert len(many) == len(few)


def test_filters_name_only_what_one_may_read(users, some):
    stranger_to_it = logged_in_client(users.outsider)
    page = stranger_to_it.get(QUESTIONS).content.decode()
    assert "easy" not in page
    assert 'bank=bank"' not in page
    assert names(stranger_to_it) == set()
    assert names(stranger_to_it, bank="bank") == set()


def test_nothing_can_be_found_out_about_people_by_filtering(author, some):
    for hidden in ("draft__updated_by__password__startswith", "bank__group__people__email"):
        assert author.get(QUESTIONS, {hidden: "a"}).status_code in {302, 400}


def test_an_instructor_begins_a_bank_for_a_group_of_theirs(author, users):
    data = form_values(author.get(f"{BANKS}add/"), "slug") | {
        "slug": "mine",
        "title_en": "Mine",
        "title_es": "Mío",
        "group": str(users.group.pk),
    }
    assert author.post(f"{BANKS}add/", data).status_code == 302
    bank = Bank.objects.get(slug="mine")
    assert bank.title == {"en": "Mine", "es": "Mío"}
    assert bank.group == users.group


def test_not_for_another_group(author, users):
    data = form_values(author.get(f"{BANKS}add/"), "slug") | {
        "slug": "mine",
        "title_en": "Mine",
        "group": str(users.other_group.pk),
    }
    assert author.post(f"{BANKS}add/", data).status_code == 200
    assert not Bank.objects.exists()


def test_a_bank_without_a_class_is_its_owners_alone(author, users):
    data = form_values(author.get(f"{BANKS}add/"), "slug") | {"slug": "mine", "title_en": "Mine"}
    assert author.post(f"{BANKS}add/", data | {"group": ""}).status_code == 302
    bank = Bank.objects.get(slug="mine")
    assert (bank.owner, bank.group) == (users.instructor, None)
    address = f"{BANKS}{bank.pk}/change/"
    assert author.get(address).status_code == 200
    assert logged_in_client(users.outsider).get(address).status_code in {302, 404}


def test_a_bank_keeps_its_short_name_and_its_other_languages(author, users):
    bank = create_bank(users)
    Bank.objects.filter(pk=bank.pk).update(title={"en": "Bank", "fr": "Banque"})
    address = f"{BANKS}{bank.pk}/change/"
    data = form_values(author.get(address), "title_en") | {"title_en": "Banks", "slug": "stolen"}
    assert author.post(address, data).status_code == 302
    bank.refresh_from_db()
    assert bank.slug == "bank"
    assert bank.title == {"en": "Banks", "fr": "Banque"}


def test_a_bank_is_never_deleted(author, users):
    bank = create_bank(users)
    assert author.get(f"{BANKS}{bank.pk}/delete/").status_code == 200  # what to do instead
    assert author.post(f"{BANKS}{bank.pk}/delete/", {"post": "yes"}).status_code == 409
    data = {"action": "delete_selected", "_selected_action": [bank.pk], "post": "yes"}
    author.post(BANKS, data)
    assert Bank.objects.filter(pk=bank.pk).exists()
    assert not Tag.objects.exists()


def test_a_spanish_list_shows_the_spanish_prompt_and_says_so_where_it_has_none(author, some):
    services.add_question(
        bank=some["plain"].bank,
        name="untranslated",
        item=QuestionDocument("true_false", "", words={"en": {"prompt": "Only English?"}}),
        by=None,
    )
    page = author.get(QUESTIONS, headers={"accept-language": "es"}).content.decode()
    assert '<span lang="es">¿Pregunta plain?</span>' in page
    assert '<span lang="en">Only English?</span>' in page
    assert '<span lang="en">Question plain?</span>' in author.get(QUESTIONS).content.decode()
