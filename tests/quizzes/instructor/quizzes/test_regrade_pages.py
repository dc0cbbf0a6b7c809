"""Regrading on pages: what was corrected, the three policies side by side, confirmed, committed."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.instructor.quizzes import regrade_pages
from quizzes.publishing import services as publishing_services
from quizzes.publishing.models import Quiz, Slot
from quizzes.results.models import RegradePolicy, RegradeRule, Result
from quizzes.results.regrade_counts import count_regrade, list_regrade_page
from quizzes.results.regrading import continue_regrades
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.browser_forms import form_values
from tests.factories import NOW, create_question, create_quiz, option_ids, publish_change
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

OVERVIEW_QUERIES = 16
PREVIEW_QUERIES = 23


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    return create_quiz(users, [corrected, other], window_attempts=None)


@pytest.fixture
def teacher(users):
    return logged_in_client(users.instructor)


def correct_key(question, letters="b"):
    return publish_change(question, key={"right": option_ids(question, *letters)})


def take_four(quiz, users):
    """One rises and passes, one falls and fails, one falls, nothing happens to the last."""
    for chosen in ({0: "b", 1: "a"}, {0: "a", 1: "a"}, {0: "a"}, {0: "c"}):
        take_quiz(quiz, users.learner, chosen)


def overview(quiz: Quiz) -> str:
    return reverse("admin:publishing_quiz_regrade", args=[quiz.pk])


def preview(quiz: Quiz, question, suffix: str = "") -> str:
    arguments = [quiz.pk, question.uuid]
    return reverse("admin:publishing_quiz_regrade_question", args=arguments) + suffix


def export(quiz: Quiz, question, suffix: str = "") -> str:
    arguments = [quiz.pk, question.uuid]
    return reverse("admin:publishing_quiz_regrade_csv", args=arguments) + suffix


def posted(question, **more: str) -> dict[str, str]:
    return {
        "version": str(question.current.uuid),
        "policy": "keep_better",
        "reason": "The key was wrong.",
        **more,
    }


def words(response) -> str:
    """Return what stands on a page, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_the_three_policies_stand_side_by_side(teacher, users, quiz, corrected):
    take_four(quiz, users)
    correct_key(corrected)
    page = teacher.get(preview(quiz, corrected))
    counts = {
        row.policy.value: (row.rise, row.now_pass, row.fall, row.no_longer_pass, row.stay)
        for row in page.context["counts"].policies
    }
    assert counts == {
        "by_key": (1, 1, 2, 1, 1),
        "keep_better": (1, 1, 0, 0, 3),
        "full_credit": (2, 1, 0, 0, 2),
    }
    assert page.context["choice"].policy == "keep_better"
    (row,) = page.context["rows"]
    assert (row.before, row.after) == (
        "50% · 1 of 2",
        "100% · 2 of 2",
    )
    by_key = teacher.get(preview(quiz, corrected, "?policy=by_key"))
    assert [row.change for row in by_key.context["rows"]] == ["rises", "falls", "falls"]


def publish_again(client, question):
    """Publish a question from its page, with what it holds."""
    page = reverse("admin:bank_question_change", args=[question.pk])
    data = form_values(client.get(page), "q-words_prompt_en")
    data |= {"q-words_prompt_en": f"{data['q-words_prompt_en']} Corrected.", "_publish": "1"}
    return client.post(page, data, follow=True).content.decode()


def test_publishing_a_question_anew_leads_to_what_it_would_change(
    teacher, users, quiz, corrected, into
):
    link = 'keep their score. <a class="message-link" href='
    assert link not in publish_again(teacher, corrected)
    take_quiz(quiz, users.learner, {0: "b"})
    assert f'{link}"{preview(quiz, corrected)}">' in publish_again(teacher, corrected)
    another = create_quiz(users, [corrected], slug="another")
    take_quiz(another, users.learner, {0: "b"})
    quizzes = reverse("admin:bank_question_regrades", args=[corrected.pk])
    assert f'{link}"{quizzes}">' in publish_again(teacher, corrected)


def test_nothing_changes_before_the_second_page_is_sent(teacher, users, quiz, corrected):
    take_four(quiz, users)
    correct_key(corrected)
    page = teacher.post(preview(quiz, corrected), posted(corrected, policy="by_key"))
    assert page.context["effects"] == [
        "1 attempt gets a higher score.",
        "1 attempt passes that did not.",
        "2 attempts get a lower score.",
        "1 attempt no longer passes.",
        "1 attempt keeps its score.",
    ]
    assert "The key was wrong." in words(page)
    assert not RegradeRule.objects.exists()
    confirmed = posted(corrected, policy="by_key", confirmed="1")
    sent = teacher.post(preview(quiz, corrected), confirmed, follow=True)
    assert "The regrade is committed." in words(sent)
    assert "4 attempts wait" in words(sent)
    assert RegradeRule.objects.get().by == users.instructor
    continue_regrades(now=NOW)
    totals = Result.objects.order_by("pk").values_list("grading__total_numerator", flat=True)
    assert [int(total) for total in totals] == [2, 1, 0, 0]
    after = words(teacher.get(overview(quiz)))
    assert "regraded: no. 1" in after
    assert "done" in after
    assert "No score would change" not in words(teacher.get(preview(quiz, corrected)))


def test_a_regrade_that_would_change_nothing_cannot_be_sent(teacher, users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected)
    for policy in ("by_key", "full_credit"):
        teacher.post(preview(quiz, corrected), posted(corrected, policy=policy, confirmed="1"))
        continue_regrades(now=NOW)
    page = teacher.get(preview(quiz, corrected))
    assert "No score would change" in words(page)
    assert 'name="reason"' not in page.content.decode()


def test_the_overview_says_what_was_corrected_and_how_many_are_older(
    teacher, users, quiz, corrected
):
    take_four(quiz, users)
    page = teacher.get(overview(quiz))
    assert "Nothing to regrade" in words(page)
    correct_key(corrected)
    take_quiz(quiz, users.other_learner)
    page = teacher.get(overview(quiz))
    (row,) = page.context["overview"].questions
    assert f"{page.context['corrected'][0][1]} {corrected.name} ·" in words(page)
    assert (row.question, row.attempts, row.is_regraded) == (corrected, 5, False)
    change = f"/admin/publishing/quiz/{quiz.pk}/change/"
    assert overview(quiz) in teacher.get(change).content.decode()


def test_where_attempts_are_many_it_says_that_only_the_newest_are_counted(
    teacher, users, quiz, corrected, monkeypatch
):
    take_four(quiz, users)
    correct_key(corrected)
    monkeypatch.setattr("quizzes.results.regrade_overview.MAX_ATTEMPTS", 3)
    page = teacher.get(overview(quiz))
    assert page.context["overview"].questions[0].attempts == 3
    assert "A preview looks at all." in words(page)


def test_counting_ends_after_some_seconds_and_says_how_far_it_came(
    teacher, users, quiz, corrected, monkeypatch
):
    take_four(quiz, users)
    correct_key(corrected)
    counts = count_regrade(quiz=quiz, question=corrected, viewer=users.instructor, seconds=0)
    assert (counts.counted, counts.attempts, counts.is_complete) == (1, 4, False)
    monkeypatch.setattr(regrade_pages, "count_regrade", lambda **_fields: counts)
    assert "these are the first 1 of 4 attempts" in words(teacher.get(preview(quiz, corrected)))
    confirmation = teacher.post(preview(quiz, corrected), posted(corrected))
    assert "Counted in the first 1 of 4 attempts; the regrade reaches all." in words(confirmation)


def test_attempts_come_in_pages_that_go_on_where_the_last_ended(
    teacher, users, quiz, corrected, monkeypatch
):
    for _ in range(3):
        take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected)
    fields = {
        "quiz": quiz,
        "question": corrected,
        "policy": RegradePolicy.KEEP_BETTER,
        "viewer": users.instructor,
    }
    first = list_regrade_page(**fields, limit=2)
    assert first.last is not None
    second = list_regrade_page(**fields, limit=2, after=first.last.pk)
    assert [len(first.rows), len(second.rows), second.has_more] == [2, 1, False]
    in_no_time = list_regrade_page(**fields, seconds=0)
    assert (len(in_no_time.rows), in_no_time.has_more) == (1, True)
    link = f"?policy=keep_better&after={first.last.pk}"
    page = teacher.get(preview(quiz, corrected, link))
    assert len(page.context["rows"]) == 1
    assert "From the beginning" in words(page)


def test_what_cannot_be_compared_is_named_with_its_number(teacher, users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    document = corrected.draft.data["content"]["options"][:-1]
    texts = {
        language: {
            **row,
            "options": {
                name: text
                for name, text in row["options"].items()
                if name in {option["id"] for option in document}
            },
        }
        for language, row in corrected.draft.data["words"].items()
    }
    publish_change(
        corrected,
        options=document,
        words=texts,
        key={"right": option_ids(corrected, "b")},
    )
    page = teacher.get(preview(quiz, corrected))
    sentence = "the learner was shown other options or fields than the newest version"
    assert f"1 · {sentence}" in words(page)
    assert [row.problem for row in page.context["rows"]] == [sentence]


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"reason": " "}, 422, "Say why: the reason stays with the regrade."),
        ({"reason": "x" * 1001}, 422, "1000 characters at most"),
        ({"version": "00000000-0000-4000-8000-000000000000"}, 409, "published anew meanwhile"),
        ({"version": "none"}, 404, ""),
        ({"policy": "none"}, 404, ""),
    ],
)
def test_what_cannot_be_committed_is_said_above_the_preview(
    teacher, users, quiz, corrected, change, status, sentence
):
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected)
    for more in ({}, {"confirmed": "1"}):
        response = teacher.post(preview(quiz, corrected), posted(corrected, **change, **more))
        assert response.status_code == status
        assert sentence in words(response)
    assert not RegradeRule.objects.exists()


def test_the_file_has_every_attempt_and_runs_no_formula(teacher, users, quiz, corrected):
    learner = users.learner
    learner.name = "=HYPERLINK(1)"
    learner.save()
    take_four(quiz, users)
    correct_key(corrected)
    response = teacher.get(export(quiz, corrected, "?policy=by_key"))
    content = b"".join(response.streaming_content).decode("utf-8-sig")
    heading, *rows = content.splitlines()
    assert heading.startswith("Name,E-mail,School id,Attempt,before: points,before: of")
    assert [row.rsplit(",", 1)[1] for row in rows] == ["rises", "falls", "falls", "stays"]
    assert all(row.startswith("'=HYPERLINK(1),") for row in rows)
    assert "1,2,1,50,no,2,2,2,100,yes,rises" in rows[0]
    event = AuditEvent.objects.get(code=AuditCode.RESULTS_EXPORTED)
    assert event.after == {"regrade": "corrected", "action": "key", "policy": "by_key"}


def test_who_does_not_teach_the_class_or_see_the_key_finds_no_page(users, quiz, corrected):
    take_four(quiz, users)
    correct_key(corrected)
    assistant = create_user("assistant")
    Membership.objects.create(user=assistant, group=users.group, role=Role.ASSISTANT)
    pages = (overview(quiz), preview(quiz, corrected), export(quiz, corrected))
    for person in (users.learner, users.stranger, users.outsider, assistant):
        client = logged_in_client(person)
        assert {client.get(page).status_code for page in pages} == {404}
        confirmed = posted(corrected, confirmed="1")
        assert client.post(preview(quiz, corrected), confirmed).status_code == 404
    colleague = create_user("colleague")
    Membership.objects.create(user=colleague, group=users.group, role=Role.INSTRUCTOR)
    corrected.bank.group = users.other_group
    corrected.bank.save()
    client = logged_in_client(colleague)
    assert client.get(overview(quiz)).context["overview"].questions == []
    assert {client.get(page).status_code for page in pages[1:]} == {404}
    administrator = logged_in_client(users.administrator)
    assert {administrator.get(page).status_code for page in pages} == {200}
    assert not RegradeRule.objects.exists()


def test_a_corrected_question_and_its_statistics_lead_to_its_regrade(
    teacher, users, quiz, corrected
):
    take_four(quiz, users)
    update_statistics()
    statistics = QuizVersionStatistics.objects.get()
    measured = reverse(
        "admin:statistics_question", args=[statistics.pk, corrected.versions.get().uuid]
    )
    question_page = f"/admin/bank/question/{corrected.pk}/change/"
    tab = f"/admin/bank/question/{corrected.pk}/regrades/"
    assert preview(quiz, corrected) not in teacher.get(measured).content.decode()
    assert tab not in teacher.get(question_page).content.decode()
    correct_key(corrected)
    assert preview(quiz, corrected) in teacher.get(measured).content.decode()
    assert tab in teacher.get(question_page).content.decode()
    assert preview(quiz, corrected) in teacher.get(tab).content.decode()
    outsider = logged_in_client(users.outsider)
    assert outsider.get(tab).status_code == 404


def test_pages_cost_the_same_for_more_attempts_and_questions(
    teacher, users, into, quiz, corrected, django_assert_num_queries
):
    take_four(quiz, users)
    correct_key(corrected)
    teacher.get(preview(quiz, corrected))
    with django_assert_num_queries(OVERVIEW_QUERIES):
        teacher.get(overview(quiz))
    with django_assert_num_queries(PREVIEW_QUERIES):
        teacher.get(preview(quiz, corrected))
    take_four(quiz, users)
    correct_key(into.questions.get(name="other"))
    with django_assert_num_queries(OVERVIEW_QUERIES):
        assert len(teacher.get(overview(quiz)).context["overview"].questions) == 2
    with django_assert_num_queries(PREVIEW_QUERIES):
        teacher.get(preview(quiz, corrected))


def test_a_question_is_dropped_and_the_drop_is_reverted_on_pages(teacher, users, quiz, corrected):
    take_four(quiz, users)
    html = teacher.get(overview(quiz)).content.decode()
    assert preview(quiz, corrected, "?action=drop") in html
    assert preview(quiz, corrected, "?action=full") in html
    page = teacher.get(preview(quiz, corrected, "?action=drop"))
    assert [label for _counts, label, _query in page.context["policies"]] == [
        "the question is dropped, but still counts for whom it helps",
        "the question is dropped for everybody",
    ]
    dropped = posted(corrected, action="drop", policy="by_key")
    confirmation = teacher.post(preview(quiz, corrected), dropped)
    assert "The question is dropped for everybody" in words(confirmation)
    teacher.post(preview(quiz, corrected), {**dropped, "confirmed": "1"})
    continue_regrades(now=NOW)
    assert {row.grading.maximum for row in Result.objects.select_related("grading")} == {1}
    revert = "?action=revert&amp;reverts=1"
    assert preview(quiz, corrected, revert) in teacher.get(overview(quiz)).content.decode()
    reverted = posted(corrected, action="revert", policy="by_key", reverts="1", confirmed="1")
    teacher.post(preview(quiz, corrected), reverted)
    continue_regrades(now=NOW)
    assert {row.grading.maximum for row in Result.objects.select_related("grading")} == {2}
    assert "reverted" in words(teacher.get(overview(quiz)))
    for wrong in ("?action=none", "?action=full&policy=by_key", "?action=revert", "?reverts=1"):
        assert teacher.get(preview(quiz, corrected, wrong)).status_code == 404


def test_other_points_are_typed_previewed_and_committed(teacher, users, quiz, corrected):
    take_four(quiz, users)
    assert (
        preview(quiz, corrected, "?action=points") in teacher.get(overview(quiz)).content.decode()
    )
    form_page = teacher.get(preview(quiz, corrected, "?action=points"))
    assert "Points of the question, in every attempt at this quiz" in words(form_page)
    wrong = teacher.get(preview(quiz, corrected, "?action=points&points=-2"))
    assert wrong.status_code == 422
    assert "Points are a number above 0" in words(wrong)
    page = teacher.get(preview(quiz, corrected, "?action=points&points=2,5"))
    assert [label for _counts, label, _query in page.context["policies"]] == [
        "worth 2.5 points, but nobody goes down",
        "worth 2.5 points for everybody",
    ]
    sent = posted(corrected, action="points", policy="by_key", points="2,5")
    confirmation = teacher.post(preview(quiz, corrected), sent)
    assert "Worth 2.5 points for everybody" in words(confirmation)
    assert 'name="points" value="2,5"' in confirmation.content.decode()
    teacher.post(preview(quiz, corrected), {**sent, "confirmed": "1"})
    continue_regrades(now=NOW)
    assert {row.grading.maximum for row in Result.objects.select_related("grading")} == {3.5}
    assert "worth 2.5 points for everybody" in words(teacher.get(overview(quiz)))
    file = teacher.get(export(quiz, corrected, "?action=points&points=4"))
    assert len(file.getvalue().decode().splitlines()) == 5
    assert teacher.get(export(quiz, corrected, "?action=points")).status_code == 404
    assert (
        teacher.post(preview(quiz, corrected), posted(corrected, action="points")).status_code
        == 404
    )


def change_scoring(question, method):
    """Publish a next version that differs in its scoring alone."""
    item = replace(QuestionDocument.from_json(question.draft.data), scoring_method=method)
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()


def test_a_corrected_scoring_leads_to_the_rule_that_applies_it(teacher, users, into):
    several = create_question(into, "several", right="ab", scoring_method="right_minus_wrong")
    quiz = create_quiz(users, [several], slug="several", window_attempts=None)
    take_quiz(quiz, users.learner, {0: "a"})
    change_scoring(several, "all_or_nothing")
    rule = preview(quiz, several, "?action=method&amp;scoring_method=all_or_nothing")
    for page in (overview(quiz), preview(quiz, several)):
        assert rule in teacher.get(page).content.decode()
    assert "The newest version is scored by another method: All or nothing." in words(
        teacher.get(preview(quiz, several))
    )
    chosen = teacher.get(preview(quiz, several, "?action=method")).content.decode()
    assert '<option value="all_or_nothing" selected' in chosen
    assert overview(quiz) in publish_again(teacher, several)
    several.refresh_from_db()
    sent = posted(several, action="method", policy="by_key", scoring_method="all_or_nothing")
    teacher.post(preview(quiz, several), {**sent, "confirmed": "1"})
    for page in (overview(quiz), preview(quiz, several)):
        assert rule not in teacher.get(page).content.decode()


@pytest.fixture
def thrice_corrected(users, into):
    """A question with another key, scoring and worth than its attempt was graded by."""
    several = create_question(into, "several", right="ab", scoring_method="right_minus_wrong")
    other = create_question(into, "other", right="a")
    quiz = create_quiz(users, [several, other], slug="several", window_attempts=None)
    take_quiz(quiz, users.learner, {0: "ac"})
    Slot.objects.filter(question=several).update(points="2.5")
    correct_key(several, "bc")
    change_scoring(several, "all_or_nothing")
    publishing_services.publish(quiz=quiz, by=None, now=NOW)
    quiz.refresh_from_db()
    return quiz, several


KEY, METHOD, POINTS = (
    "The newest version has another key.",
    "The newest version is scored by another method: All or nothing. Before: Right minus wrong.",
    "The newest version of the quiz gives it other points: 2.5. Before: 1.",
)


def list_sentences(response, key="left_out"):
    return [change.sentence for change in response.context[key]]


def test_a_preview_names_all_that_is_new_and_that_it_leaves_out(teacher, thrice_corrected):
    quiz, several = thrice_corrected
    method, points = "?action=method&scoring_method=all_or_nothing", "?action=points&points=2.5"
    page = teacher.get(preview(quiz, several))
    assert any(row.rise or row.fall for row in page.context["counts"].policies)
    assert list_sentences(page) == [METHOD, POINTS]
    assert all(sentence in words(page) for sentence in (METHOD, POINTS))
    for suffix in (method, points):
        assert preview(quiz, several, suffix.replace("&", "&amp;")) in page.content.decode()
    assert list_sentences(teacher.get(preview(quiz, several, method))) == [KEY, POINTS]
    assert list_sentences(teacher.get(preview(quiz, several, points))) == [KEY, METHOD]
    assert list_sentences(teacher.get(preview(quiz, several, "?action=drop"))) == [
        KEY,
        METHOD,
        POINTS,
    ]
    other_points = teacher.get(preview(quiz, several, "?action=points&points=3"))
    assert list_sentences(other_points) == [KEY, METHOD, POINTS]
    confirmation = teacher.post(preview(quiz, several), posted(several))
    assert list_sentences(confirmation) == [METHOD, POINTS]
    assert POINTS in words(confirmation)


def test_pages_that_ask_say_all_that_is_new_and_suggest_it(teacher, thrice_corrected):
    quiz, several = thrice_corrected
    for action, chosen in (
        ("points", 'value="2.5"'),
        ("method", '<option value="all_or_nothing" selected'),
    ):
        page = teacher.get(preview(quiz, several, f"?action={action}"))
        assert list_sentences(page, "pending") == [KEY, METHOD, POINTS]
        assert all(sentence in words(page) for sentence in (KEY, METHOD, POINTS))
        assert chosen in page.content.decode()
    page = words(teacher.get(overview(quiz)))
    assert (METHOD in page, POINTS in page) == (True, True)


def test_what_is_new_is_told_in_spanish(teacher, users, thrice_corrected):
    quiz, several = thrice_corrected
    page = words(
        teacher.get(preview(quiz, several, "?action=drop"), headers={"accept-language": "es"})
    )
    for sentence in (
        "La versión más reciente tiene otra clave.",
        (
            "La versión más reciente se puntúa con otro método: Todo o nada."
            " Antes: Aciertos menos errores."
        ),
        "La versión más reciente del cuestionario le da otros puntos: 2,5. Antes: 1.",
    ):
        assert sentence in page


def test_what_rules_put_in_place_is_new_no_longer(teacher, thrice_corrected):
    quiz, several = thrice_corrected
    steps: tuple[tuple[dict[str, str], list[str]], ...] = (
        ({}, [METHOD, POINTS]),
        ({"action": "method", "scoring_method": "all_or_nothing"}, [POINTS]),
        ({"action": "points", "points": "2.5"}, []),
    )
    for change, left in steps:
        sent = posted(several, policy="by_key", confirmed="1", **change)
        assert teacher.post(preview(quiz, several), sent).status_code == 302
        assert list_sentences(teacher.get(preview(quiz, several, "?action=drop"))) == left
    sent = posted(several, policy="by_key", confirmed="1", action="revert", reverts="3")
    teacher.post(preview(quiz, several), sent)
    assert list_sentences(teacher.get(preview(quiz, several, "?action=drop"))) == [POINTS]


def test_other_points_of_a_question_that_is_not_published_anew_stand_beside_it(
    teacher, users, quiz, corrected
):
    take_four(quiz, users)
    Slot.objects.filter(question=corrected).update(points=3)
    publishing_services.publish(quiz=quiz, by=None, now=NOW)
    page = teacher.get(overview(quiz))
    assert "gives it other points: 3. Before: 1." in words(page)
    assert preview(quiz, corrected, "?action=points&amp;points=3") in page.content.decode()


def test_a_quiz_that_scores_in_its_own_way_suggests_no_scoring(teacher, users, into):
    several = create_question(into, "several", right="ab", scoring_method="right_minus_wrong")
    quiz = create_quiz(users, [several], slug="several", scoring_method="halves")
    take_quiz(quiz, users.learner, {0: "a"})
    change_scoring(several, "all_or_nothing")
    assert "scoring_method=" not in teacher.get(overview(quiz)).content.decode()
    assert "scoring_method=" not in teacher.get(preview(quiz, several)).content.decode()


def test_another_scoring_is_chosen_from_those_of_the_kind(teacher, users, into, quiz, corrected):
    several = create_question(into, "several", right="ab")
    quiz = create_quiz(users, [several, corrected], slug="several", window_attempts=None)
    take_quiz(quiz, users.learner, {0: "a"})
    assert preview(quiz, several, "?action=method") in teacher.get(overview(quiz)).content.decode()
    page = teacher.get(preview(quiz, several, "?action=method"))
    assert '<option value="halves"' in page.content.decode()
    page = teacher.get(preview(quiz, several, "?action=method&scoring_method=all_or_nothing"))
    assert [label for _counts, label, _query in page.context["policies"]] == [
        "scored by “All or nothing”, but nobody goes down",
        "scored by “All or nothing” for everybody",
    ]
    sent = posted(several, action="method", policy="by_key", scoring_method="all_or_nothing")
    teacher.post(preview(quiz, several), {**sent, "confirmed": "1"})
    continue_regrades(now=NOW)
    assert Result.objects.select_related("grading").get(quiz=quiz).grading.total == 0
    wrong = preview(quiz, several, "?action=method&scoring_method=per_pair")
    assert teacher.get(wrong).status_code == 404


def test_a_bonus_is_previewed_committed_and_named_on_the_result(teacher, users, quiz, corrected):
    take_four(quiz, users)
    page = teacher.get(preview(quiz, corrected, "?action=bonus"))
    assert "counts on top of the maximum" in words(page)
    sent = posted(corrected, action="bonus", policy="by_key", confirmed="1")
    teacher.post(preview(quiz, corrected), sent)
    continue_regrades(now=NOW)
    attempt = Result.objects.earliest("pk").attempt
    page = logged_in_client(users.learner).get(reverse("result", args=[attempt.uuid]))
    assert "bonus, on top of the maximum" in words(page)
