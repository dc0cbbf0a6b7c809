"""The commands: load_bank and load_demo."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.access import is_instructor
from accounts.models import User
from quizzes.attempts.access import open_to_anyone, takeable_by
from quizzes.bank.checks import lint_store, load_report, report_loader
from quizzes.bank.models import Bank, Question, QuestionVersion
from quizzes.lib import clock
from quizzes.practice.live_questions import find_live_questions
from quizzes.practice.next_question import list_candidates
from quizzes.practice.sample_question import find_sample_question
from quizzes.practice.study_advice import PracticeOffer, load_study_advice
from quizzes.publishing.memorised_pass import find_undecided_pass
from quizzes.publishing.models import Quiz, QuizVersion
from quizzes.publishing.planned_version import plan_quiz_version
from quizzes.publishing.selectors import load_quiz_version
from tests.attempt_helpers import report_on, take_quiz
from tests.quizzes.formats.test_ochenta import GOOD

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    """Run a command; give what it said, on both streams."""
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_no_quiz_of_the_demonstration_is_passed_for_certain_by_memorising():
    run("load_demo")
    for quiz in Quiz.objects.select_related("current"):
        assert quiz.current is not None
        assert quiz.current.accepted_pass is None
        assert find_undecided_pass(quiz, plan_quiz_version(quiz)[0]) is None


def test_load_bank_says_what_it_did(tmp_path):
    path = tmp_path / "rivers.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert run("load_bank", str(path)) == "rivers.yaml: 1 new\n"
    assert run("load_bank", str(path)) == "rivers.yaml: 1 unchanged\n"


def test_load_bank_says_what_it_left_as_it_is(tmp_path):
    path = tmp_path / "rivers.yaml"
    path.write_text(GOOD, encoding="utf-8")
    run("load_bank", str(path))
    Question.objects.update(imported_fingerprint="")
    path.write_text(GOOD.replace("Where?", "Whither?"), encoding="utf-8")
    left = "rivers.yaml: 1 changed here and in the file, left as here: danube\n"
    assert run("load_bank", str(path)) == left
    assert run("load_bank", str(path), "--force") == "rivers.yaml: 1 changed\n"
    path.write_text(GOOD.replace("danube", "rhine"), encoding="utf-8")
    assert run("load_bank", str(path)) == "rivers.yaml: 1 new, 1 kept though not in the file\n"
    path.write_text(GOOD.replace("kind: single_choice", "kind: riddle"), encoding="utf-8")
    waiting = "1 kept though not in the file, 1 waiting for the kind riddle"
    assert run("load_bank", str(path)) == f"rivers.yaml: {waiting}\n"


def test_load_bank_names_each_line_that_is_wrong(tmp_path):
    path = tmp_path / "rivers.yaml"
    path.write_text(GOOD.replace("right: true", "right: maybe"), encoding="utf-8")
    with pytest.raises(
        CommandError, match=r"nothing was loaded.\n  line 15, .*'maybe' is neither true nor"
    ):
        run("load_bank", str(path))


def test_load_bank_says_so_if_there_is_no_such_file_or_group(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        run("load_bank", str(tmp_path / "none.yaml"))
    with pytest.raises(CommandError, match="no group called 'Nobody'"):
        run("load_bank", str(tmp_path / "none.yaml"), "--group", "Nobody")


@pytest.mark.parametrize("command", ["load_bank", "import_bank"])
def test_nobody_waits_for_the_checks_of_what_a_command_brought(tmp_path, command, monkeypatch):
    path = tmp_path / "rivers.yaml"
    path.write_text(GOOD, encoding="utf-8")
    run("load_bank", str(path))
    (bank,) = Bank.objects.all()
    path.write_text(GOOD.replace("Where?", "Whither?"), encoding="utf-8")
    run(command, str(path), *(["--bank", bank.slug] if command == "import_bank" else []))

    def lint_none(*_: object) -> None:
        pytest.fail("the checks are computed by a visit")

    monkeypatch.setattr(lint_store, "lint_question", lint_none)
    monkeypatch.setattr(report_loader, "combine_findings", lint_none)
    load_report(bank)


def test_the_demonstration_has_people_banks_and_quizzes_and_loads_twice():
    first = run("load_demo")
    assert "learner        learner@ochenta.example      quiz-and-learn\n" in first
    counts = [
        model.objects.count() for model in (User, Question, QuestionVersion, Quiz, QuizVersion)
    ]
    assert counts == [4, 53, 53, 6, 6]
    run("load_demo")
    again = [
        model.objects.count() for model in (User, Question, QuestionVersion, Quiz, QuizVersion)
    ]
    assert again == counts


def test_the_demo_learner_may_take_the_quizzes_and_the_demo_instructor_teaches():
    run("load_demo")
    learner = User.objects.get(email="learner@ochenta.example")
    assert takeable_by(learner).count() == 6
    assert learner.check_password("quiz-and-learn")
    assert is_instructor(User.objects.get(email="instructor@ochenta.example"))


def test_the_demonstration_asks_strangers_a_question_in_both_languages():
    run("load_demo")
    sample = find_sample_question()
    assert sample is not None
    assert sample.public_version.translations.keys() == {"en", "es"}
    assert not load_report(Bank.objects.get(slug="first-page")).findings


def test_the_demonstration_has_a_quiz_for_strangers_in_both_languages():
    run("load_demo")
    (quiz,) = open_to_anyone()
    assert quiz.current is not None
    assert quiz.current.title.keys() == {"en", "es"}
    assert not load_report(Bank.objects.get(slug=quiz.slug)).findings


def test_what_the_demonstration_asks_can_be_practised_and_what_none_asks_is_explained():
    run("load_demo")
    learner = User.objects.get(email="learner@ochenta.example")
    attempt = take_quiz(Quiz.objects.get(slug="learning-that-lasts"), learner, now=clock.now())
    advice = load_study_advice(report_on(attempt, clock.now()), learner)
    assert advice.practice == PracticeOffer("practise-learning-that-lasts", 4)
    asked_by = {
        slug: {str(question.uuid) for question in Bank.objects.get(slug=slug).questions.all()}
        for slug in ("learning-that-lasts", "more-on-learning-that-lasts")
    }
    practice = Quiz.objects.get(slug="practise-learning-that-lasts")
    assert practice.current is not None
    items = load_quiz_version(practice.current).items
    candidates = set(list_candidates(items))
    live = find_live_questions(learner, candidates, clock.now())
    assert candidates == asked_by["learning-that-lasts"] | asked_by["more-on-learning-that-lasts"]
    assert live == asked_by["learning-that-lasts"]


def test_the_demonstration_is_refused_in_production(settings):
    settings.EMBEDDED = False
    with pytest.raises(CommandError, match="not on a production site"):
        run("load_demo")
    assert not User.objects.exists()


def test_a_production_site_gets_the_demonstration_with_passwords_that_nobody_knows(settings):
    settings.EMBEDDED = False
    signs = dict(
        line.split()[1:]
        for line in run("load_demo", "--draw-passwords").splitlines()
        if "@" in line
    )
    assert len(signs) == 4
    for email, password in signs.items():
        person = User.objects.get(email=email)
        assert person.check_password(password)
        assert not any(map(person.check_password, PUBLIC))


PUBLIC = ("quiz-and-learn", "quiz-and-teach", "quiz-and-manage")


def test_drawing_passwords_again_changes_nobodys(settings):
    settings.EMBEDDED = False
    run("load_demo", "--draw-passwords")
    before = list(User.objects.order_by("pk").values_list("password"))
    assert run("load_demo", "--draw-passwords").count("(as before)") == 4
    assert list(User.objects.order_by("pk").values_list("password")) == before
