"""Composing a quiz: rows are moved, added, removed and saved in one go, or nothing is stored."""

from datetime import UTC

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from quizzes.attempts.quiz_copies import copy_quiz
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank import services as bank_services
from quizzes.bank.models import Question, Tag
from quizzes.document import QuestionDocument
from quizzes.publishing.models import Quiz, Section, Slot
from tests.browser_forms import form_values
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def page_of(quiz: Quiz) -> str:
    return f"/admin/publishing/quiz/{quiz.pk}/questions/"


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def draft(users, questions) -> Quiz:
    """A draft of two questions and a draw of two of the three that are tagged."""
    for name in ("p1", "p2", "p3"):
        question = create_question(create_bank(users), name)
        bank_services.set_tags(question=question, names=["pool"], by=None)
    quiz = Quiz.objects.create(
        slug="draft", title={"en": "Draft"}, group=users.group, max_attempts=1
    )
    section = Section.objects.create(quiz=quiz, position=1, title={"en": "First", "fr": "Un"})
    for position, question in enumerate(questions[:2]):
        Slot.objects.create(section=section, position=position, question=question, points=2)
    tag = Tag.objects.get(name="pool")
    bank = create_bank(users)
    Slot.objects.create(section=section, position=3, pool_bank=bank, pool_tag=tag, draw=2)
    return quiz


def send(client, quiz: Quiz, action: str, **changes):
    """Send the page as it stands, with an action and what was changed in it."""
    data = form_values(client.get(page_of(quiz)), "digest")
    return send_again(client, quiz, action, data, **changes)


def send_again(client, quiz: Quiz, action: str, data, **changes):
    return client.post(page_of(quiz), {**data, "do": action, **changes})


def list_rows(response) -> list[str]:
    """Return what stands on the page, in its order; a heading in brackets."""
    listed = []
    for item in response.context["composition"].rows:
        if item.row.is_section:
            listed.append(f"[{item.row.title.get('en', '')}]")
        else:
            listed.append(str(item.facts.question) if item.facts else item.source)
    return listed


def list_stored(quiz: Quiz) -> list[str]:
    slots = Slot.objects.filter(section__quiz=quiz).order_by("section__position", "position")
    return [
        f"{slot.section.title.get('en', '')}: {slot} × {slot.points.normalize():f}"
        for slot in slots
    ]


def key_of(quiz: Quiz, name: str) -> str:
    return f"r{Slot.objects.get(section__quiz=quiz, question__name=name).pk}"


def test_the_page_lists_each_question_with_what_is_known_of_it(draft, author):
    page = author.get(page_of(draft))
    rows = page.context["composition"].rows
    assert list_rows(page) == ["[First]", "many", "single", "Bank · pool"]
    assert [item.number for item in rows] == ["", "1", "2", "3–4"]
    facts = rows[1].facts
    assert (facts.prompt, facts.language, facts.kind, facts.state) == (
        "Question many?",
        "en",
        "Multiple choice",
        "published",
    )
    assert [(language.code, language.is_present) for language in facts.languages] == [
        ("en", True),
        ("es", True),
    ]
    assert rows[3].notes == ["draws 2 of the 3 tagged pool"]
    assert page.context["composition"].totals[:2] == ("4 questions", "6 points")


def test_questions_are_picked_by_search_several_at_once_and_saved_in_one_request(draft, author):
    matches = send(author, draft, "find:1", **{"find-text": "POOL question"})
    assert [facts.question.name for facts in matches.context["picker"].questions] == [
        "p1",
        "p2",
        "p3",
    ]
    picked = [str(Question.objects.get(name=name).pk) for name in ("p3", "p1")]
    added = send_again(author, draft, "pick", form_values(matches, "digest"), pick=picked)
    assert list_rows(added) == ["[First]", "many", "single", "Bank · pool", "p3", "p1"]
    assert len(list_stored(draft)) == 3
    saved = send_again(author, draft, "save", form_values(added, "digest"))
    assert saved.status_code == 302
    assert list_stored(draft) == [
        "First: many × 2",
        "First: single × 2",
        "First: 2 × Bank (pool) × 1",
        "First: p3 × 1",
        "First: p1 × 1",
    ]
    event = AuditEvent.objects.get(code=AuditCode.QUIZ_SLOTS_CHANGED)
    assert len((event.after or {})["slots"]) == 5


def test_rows_move_up_and_down_and_a_section_takes_its_rows_along(draft, author):
    second = send(author, draft, "section")
    data = form_values(second, "digest") | {"n1-title_en": "Second", "n1-title_es": ""}
    single = key_of(draft, "single")
    moved = send_again(author, draft, f"up:{single}", data)
    assert list_rows(moved) == ["[First]", "single", "many", "Bank · pool", "[Second]"]
    same = send_again(author, draft, f"up:{single}", form_values(moved, "digest"))
    assert list_rows(same) == list_rows(moved)
    to = {f"{single}-to": "n1"}
    below = send_again(author, draft, "show", form_values(moved, "digest"), **to)
    assert list_rows(below) == ["[First]", "many", "Bank · pool", "[Second]", "single"]
    above = send_again(author, draft, "up:n1", form_values(below, "digest"))
    assert list_rows(above) == ["[Second]", "single", "[First]", "many", "Bank · pool"]
    send_again(author, draft, "save", form_values(above, "digest"))
    assert list_stored(draft) == [
        "Second: single × 2",
        "First: many × 2",
        "First: 2 × Bank (pool) × 1",
    ]
    assert draft.sections.get(position=2).title == {"en": "First", "fr": "Un"}


def test_what_is_removed_can_be_brought_back_until_it_is_saved(draft, author):
    many = key_of(draft, "many")
    removed = send(author, draft, "show", remove=many)
    assert removed.context["composition"].totals[0] == "3 questions"
    assert list_rows(removed) == ["[First]", "many", "single", "Bank · pool"]
    data = form_values(removed, "digest")
    back = send_again(author, draft, "show", {**data, "remove": []})
    assert back.context["composition"].totals[0] == "4 questions"
    send_again(author, draft, "save", data)
    assert list_stored(draft) == ["First: single × 2", "First: 2 × Bank (pool) × 1"]


def test_a_draw_says_what_remains_for_it_beside_the_rest(draft, author, users):
    bank = str(create_bank(users).pk)
    added = send(author, draft, "draw", **{"new-bank": bank, "new-draw": "1"})
    notes = added.context["composition"].rows[-1].notes
    assert notes == ["draws 1 of 6; 2 remain for it beside the rest of the quiz"]


def test_two_instructors_do_not_overwrite_each_other_silently(draft, author, users):
    data = form_values(author.get(page_of(draft)), "digest")
    send(author, draft, "save", remove=key_of(draft, "many"))
    refused = send_again(author, draft, "save", data)
    assert refused.status_code == 409
    assert "Somebody else saved other questions meanwhile" in refused.content.decode()
    assert list_rows(refused) == ["[First]", "many", "single", "Bank · pool"]
    assert len(list_stored(draft)) == 2
    send_again(author, draft, "overwrite", form_values(refused, "digest"))
    assert len(list_stored(draft)) == 3


@pytest.mark.parametrize(
    ("name", "typed"), [("points", "-1"), ("points", "1.00001"), ("points", "much"), ("draw", "0")]
)
def test_a_number_that_makes_no_sense_is_named_at_its_row(draft, author, name, typed):
    slot = Slot.objects.get(section__quiz=draft, pool_bank__isnull=False)
    refused = send(author, draft, "save", **{f"r{slot.pk}-{name}": typed})
    assert refused.status_code == 422
    assert refused.context["composition"].rows[3].errors == {name}
    assert f'value="{typed}"' in refused.content.decode()
    assert list_stored(draft)[2] == "First: 2 × Bank (pool) × 1"


def test_points_may_be_typed_with_a_comma(draft, author):
    send(author, draft, "save", **{f"{key_of(draft, 'many')}-points": "2,5"})
    assert list_stored(draft)[0] == "First: many × 2.5"


@pytest.fixture
def secret(users):
    theirs = bank_services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    return create_question(theirs, "secret")


def test_questions_and_banks_of_others_are_neither_shown_nor_taken(draft, author, secret):
    matches = send(author, draft, "find:1", **{"find-text": "secret"})
    assert matches.context["picker"].total == 0
    picked = send(author, draft, "pick", pick=str(secret.pk))
    assert list_rows(picked) == ["[First]", "many", "single", "Bank · pool"]
    forged = {f"{key_of(draft, 'many')}-question": str(secret.pk)}
    looked_at = send(author, draft, "show", **forged)
    assert "secret" not in looked_at.content.decode()
    send(author, draft, "draw", **{"new-bank": str(secret.bank_id)})
    refused = send(author, draft, "save", **forged)
    assert refused.status_code == 422
    assert list_rows(refused) == ["[First]", "single", "Bank · pool"]
    assert list_stored(draft)[0] == "First: many × 2"


def test_of_a_question_whose_bank_is_hidden_the_name_alone_is_shown(draft, author, secret):
    Slot.objects.filter(section__quiz=draft, question__name="many").update(question=secret)
    page = author.get(page_of(draft)).content.decode()
    assert "secret" in page
    assert "Question secret?" not in page
    assert send(author, draft, "save").status_code == 302


def test_a_row_of_another_quiz_is_not_touched(draft, author, a_quiz):
    foreign = a_quiz.sections.get().slots.first()
    forged = {f"{key_of(draft, 'many')}-id": str(foreign.pk)}
    send(author, draft, "save", **forged)
    foreign.refresh_from_db()
    assert (foreign.points, foreign.section.quiz) == (1, a_quiz)
    assert len(list_stored(draft)) == 3


def test_a_retired_question_stays_but_is_not_offered_again(draft, author):
    question = Question.objects.get(name="many")
    bank_services.retire(question=question, by=None, now=NOW)
    assert send(author, draft, "save").status_code == 302
    matches = send(author, draft, "find:1", **{"find-text": "many"})
    assert matches.context["picker"].total == 0


def test_saving_and_publishing_is_one_press(draft, author):
    assert send(author, draft, "publish").status_code == 302
    draft.refresh_from_db()
    assert draft.current is not None
    assert draft.current.question_count == 4


def test_each_problem_is_at_its_row_and_named_above(draft, author, users):
    bank_services.add_question(
        bank=create_bank(users), name="raw", item=QuestionDocument("true_false", ""), by=None
    )
    raw = str(Question.objects.get(name="raw").pk)
    page = send(author, draft, "pick", pick=raw)
    sentence = "“raw” has never been published; publish it first."
    assert page.context["composition"].rows[-1].problems == [sentence]
    assert sentence in page.context["composition"].problems


def test_who_may_only_read_the_quiz_sees_it_and_changes_nothing(draft, author):
    Quiz.objects.filter(pk=draft.pk).update(group=None)
    page = author.get(page_of(draft))
    assert page.status_code == 200
    assert 'name="do"' not in page.content.decode()
    assert author.post(page_of(draft), {"do": "save"}).status_code == 403


def test_outsiders_and_learners_find_no_such_page(draft, users):
    assert logged_in_client(users.outsider).get(page_of(draft)).status_code == 404
    assert logged_in_client(users.learner).get(page_of(draft)).status_code in {302, 404}


def test_a_quiz_of_many_questions_asks_as_often_as_one_of_few(draft, author, users, counted):
    send(author, draft, "find:1", **{"find-text": "n"})
    with counted() as few:
        send(author, draft, "find:1", **{"find-text": "n"})
    section = draft.sections.get()
    for n in range(6):
        question = create_question(create_bank(users), f"more-{n}")
        section.slots.create(question=question, position=n + 5)
    send(author, draft, "find:1", **{"find-text": "n"})
    with counted() as many:
        send(author, draft, "find:1", **{"find-text": "n"})
    assert len(many) == len(few)


def test_a_section_is_copied_below_itself_and_stored_when_it_is_saved(draft, author):
    section = draft.sections.order_by("position").first()
    copied = send(author, draft, f"copy:s{section.pk}")
    rows = list_rows(copied)
    length = rows.index("[First]", 1)
    assert rows[:length] == rows[length : 2 * length]
    assert draft.sections.count() == 1
    assert send_again(author, draft, "save", form_values(copied, "digest")).status_code == 302
    assert draft.sections.count() == 2


@pytest.mark.parametrize("key", ["", "s0", "none"])
def test_a_copy_of_no_section_changes_nothing(draft, author, key):
    before = list_rows(send(author, draft, "show"))
    assert list_rows(send(author, draft, f"copy:{key}")) == before


def test_the_page_says_which_questions_the_published_quiz_asks_in_an_older_version(
    author, a_quiz, questions
):
    assert author.get(page_of(a_quiz)).context["outdated"] == []
    publish_change(questions[0], key={"right": option_ids(questions[0], "b")})
    page = author.get(page_of(a_quiz), headers={"accept-language": "es"})
    assert [question.pk for question in page.context["outdated"]] == [questions[0].pk]
    html = " ".join(page.content.decode().split())
    assert "1 pregunta se publicó de nuevo desde entonces." in html
    assert "versión 1, la más reciente es la 2" in html
    Quiz.objects.filter(pk=a_quiz.pk).update(max_attempts=1)
    send(author, a_quiz, "publish")
    assert author.get(page_of(a_quiz)).context["outdated"] == []


def test_the_page_of_a_question_says_which_quizzes_ask_an_older_version_of_it(
    users, author, a_quiz, questions
):
    address = reverse("admin:bank_question_change", args=[questions[0].pk])
    assert "still asks an older version" not in author.get(address).content.decode()
    publish_change(questions[0], key={"right": option_ids(questions[0], "b")})
    html = " ".join(author.get(address).content.decode().split())
    assert "A published quiz still asks an older version of this question" in html
    assert f'<a href="{page_of(a_quiz)}">{a_quiz}</a> version 1, newest 2' in html
    spanish = author.get(address, headers={"accept-language": "es"}).content.decode()
    assert "Un cuestionario publicado aún hace una versión anterior" in " ".join(spanish.split())
    stranger = create_quiz(users, questions, slug="theirs")
    publish_change(questions[0], key={"right": option_ids(questions[0], "c")})
    Quiz.objects.filter(pk=stranger.pk).update(group=users.other_group)
    assert [quiz.pk for quiz in author.get(address).context["outdated_quizzes"]] == [a_quiz.pk]
    Quiz.objects.filter(pk=a_quiz.pk).update(max_attempts=1)
    send(author, a_quiz, "publish")
    assert author.get(address).context["outdated_quizzes"] == []


def test_sections_are_called_as_the_language_of_the_page_calls_them(draft, author):
    Section.objects.update(title={"en": "First", "es": "Primera"})
    Section.objects.create(quiz=draft, position=2, title={"en": "Second"})
    spanish = author.get(page_of(draft), headers={"accept-language": "es"})
    assert [name for _key, name in spanish.context["sections"]] == ["Primera", "Second"]
    preview = author.get(
        f"/admin/publishing/quiz/{draft.pk}/preview/", headers={"accept-language": "es"}
    )
    assert "<h2>Primera</h2>" in preview.content.decode()


def test_two_ticked_questions_never_come_together_and_copies_keep_that(draft, users, author):
    matches = send(author, draft, "find-here")
    listed = [facts.question.name for facts in matches.context["picker"].questions]
    assert listed == ["many", "p1", "p2", "p3", "single"]
    pair = [str(Question.objects.get(name=name).pk) for name in ("p1", "p2")]
    alone = send_again(author, draft, "separate", form_values(matches, "digest"), pick=pair[:1])
    assert "Tick two questions or more." in alone.content.decode()
    page = send_again(author, draft, "separate", form_values(matches, "digest"), pick=pair)
    assert page.context["enemies"][0].names == [("p1", True), ("p2", True)]
    assert draft.enemies == []
    data = form_values(page, "digest") | {"enemies": ",".join(pair)}
    assert send_again(author, draft, "save", data).status_code == 302
    draft.refresh_from_db()
    assert draft.enemies == [sorted(map(int, pair))]
    event = AuditEvent.objects.get(code=AuditCode.QUIZ_SLOTS_CHANGED)
    assert (event.after or {})["enemies"] == ["p1 | p2"]
    copy = copy_quiz(
        quiz=draft,
        slug="copy",
        group=draft.group,
        days=0,
        zone=UTC,
        groups_by_assignment={},
        by=users.instructor,
        now=NOW,
    )
    assert copy.enemies == draft.enemies


def test_a_pair_leaves_a_draw_less_and_says_so_before_it_is_saved(draft, author):
    pair = ",".join(str(Question.objects.get(name=name).pk) for name in ("p1", "p2"))
    page = send(author, draft, "show", enemies=pair)
    assert page.context["composition"].rows[3].notes == [
        "draws 2 of the 3 tagged pool; 2 remain for it beside the rest of the quiz"
    ]
    slot = Slot.objects.get(section__quiz=draft, pool_tag__name="pool")
    page = send(author, draft, "show", enemies=pair, **{f"r{slot.pk}-draw": "3"})
    assert "only 2 can be" in page.context["composition"].problems[0]
    removed = {"enemies": pair, "enemies-removed": pair, f"r{slot.pk}-draw": "3"}
    assert send(author, draft, "show", **removed).context["composition"].problems == []
    send(author, draft, "save", **removed)
    draft.refresh_from_db()
    assert draft.enemies == []


def test_a_question_that_is_hidden_from_an_author_is_no_enemy(draft, author, secret):
    pair = f"{secret.pk},{Question.objects.get(name='p1').pk}"
    for action, status in (("show", 200), ("save", 422)):
        page = send(author, draft, action, enemies=pair)
        assert page.status_code == status
        assert page.context["enemies"] == []
        assert secret.name not in page.content.decode()
    draft.refresh_from_db()
    assert draft.enemies == []


def test_a_set_that_is_removed_takes_no_part_in_the_next(draft, author):
    first, second, third = (str(Question.objects.get(name=name).pk) for name in ("p1", "p2", "p3"))
    removed = {"enemies": f"{first},{second}", "enemies-removed": f"{first},{second}"}
    page = send(author, draft, "separate", pick=[second, third], **removed)
    assert [row.value for row in page.context["enemies"]] == [f"{second},{third}"]
    assert page.context["picked"] == page.context["carried"] == []


def test_sets_cost_two_queries_however_many_and_new_ones_a_third(draft, author):
    def count(enemies: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            send(author, draft, "show", enemies=enemies)
        return len(queries)

    names = ("p1", "p2", "p3", "many")
    pks = [str(Question.objects.get(name=name).pk) for name in names]
    count("")  # what is kept in memory is read
    without = count("")
    assert count(",".join(pks[:2])) == without + 3
    assert count(",".join(pks)) == without + 3
    Quiz.objects.filter(pk=draft.pk).update(enemies=[sorted(map(int, pks))])
    # The page before has them, too, and nothing is asked of rights.
    assert count(",".join(pks)) == without + 4
