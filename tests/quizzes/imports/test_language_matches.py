"""Twins of a file: proposed and left alone, joined when a person says so, and remembered."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection, transaction

from quizzes.bank import services
from quizzes.bank.models import Bank, Question, QuestionVersion, VersionTranslation
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedFile
from quizzes.imports import importer, parse
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.importer import ImportSelection
from quizzes.imports.match_answers import NO_ANSWERS, MatchAnswers
from quizzes.imports.report import ImportReport
from quizzes.lib.errors import Conflict
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.models import PairDecision
from quizzes.matching.proposals import MatchProposals
from quizzes.presentation.import_report import format_report
from tests.factories import NOW
from tests.quizzes.imports.parcels import asked, parcel
from tests.quizzes.matching.banks import seed
from tests.quizzes.matching.quiz import (
    ENGLISH,
    LOST,
    OTHER_KEY,
    PLAIN,
    SPANISH,
    VOLCANO,
    english,
    spanish,
    with_prompt,
)

pytestmark = pytest.mark.django_db
TWINS = ["gradient", "pipeline", "volcano", "photosynthesis"]
ALL = MatchAnswers(accepted=dict(enumerate(TWINS)))


@pytest.fixture
def into() -> Bank:
    bank = services.update_or_create_bank(
        slug="bank", group=None, fields={"title": {"en": "Bank"}}, by=None
    )
    importer.run_import(bank=bank, parsed_file=english(), by=None, now=NOW)
    return bank


def brought(
    into: Bank,
    of: ParsedFile,
    answers: MatchAnswers = NO_ANSWERS,
    chosen: Collection[int] | None = None,
) -> ImportReport:
    choice = ImportSelection(chosen, answers=answers)
    return importer.run_import(bank=into, parsed_file=of, by=None, now=NOW, selection=choice)


def whats(report: ImportReport) -> list[ImportAction]:
    return [line.action for line in report.items]


def item(name: str) -> QuestionDocument:
    return QuestionDocument.from_json(
        Question.objects.select_related("draft").get(name=name).draft.data
    )


def test_twins_are_proposed_with_reasons_and_nothing_is_joined_by_itself(into):
    report = brought(into, spanish())
    assert whats(report) == [
        ImportAction.REVIEW,
        ImportAction.NEW,
        ImportAction.NEW,
        ImportAction.NEW,
    ]
    for line, name in zip(report.items, TWINS, strict=True):
        assert line.language_match is not None
        assert (line.language_match.question, line.language_match.confirmed) == (name, False)
        assert line.language_match.confidence >= 0.6
        assert "kindred_words" in {reason.code for reason in line.language_match.reasons}
    assert Question.objects.count() == 8
    assert not PairDecision.objects.exists()
    assert set(item("gradient").words) == {"en"}


@pytest.mark.usefixtures("transactional_db")
def test_twins_are_sought_before_anything_is_locked(monkeypatch):
    bank = services.update_or_create_bank(
        slug="bank", group=None, fields={"title": {"en": "Bank"}}, by=None
    )
    importer.run_import(bank=bank, parsed_file=english(), by=None, now=NOW)
    real, locked = importer.find_proposals, []

    def find_proposals(*arguments):
        locked.append(connection.in_atomic_block)
        return real(*arguments)

    monkeypatch.setattr(importer, "find_proposals", find_proposals)
    assert all(line.language_match for line in brought(bank, spanish()).items)
    assert locked == [False]


def test_proposals_count_while_the_bank_is_as_it_was(into, monkeypatch):
    real = importer.find_proposals
    proposals = [MatchProposals()]
    monkeypatch.setattr(importer, "find_proposals", lambda *_: proposals.pop())

    def proposed() -> set[str | None]:
        report = importer.run_import(bank=into, parsed_file=spanish(), by=None, now=NOW)
        matches = [item.language_match for item in report.items]
        return {match.question if match else None for match in matches}

    with transaction.atomic():
        assert proposed() == {None}
        transaction.set_rollback(True)

    def find_while_the_bank_changes(*arguments):
        proposals = real(*arguments)
        services.retire(question=Question.objects.get(name="volcano"), by=None, now=NOW)
        return proposals

    monkeypatch.setattr(importer, "find_proposals", find_while_the_bank_changes)
    assert proposed() == {*TWINS, None} - {"volcano"}


def test_what_a_twin_would_do_to_a_key_is_told(into):
    keys = [
        line.language_match and line.language_match.key_change
        for line in brought(into, spanish()).items
    ]
    assert keys == [KeyChange.STANDS, KeyChange.SAME, KeyChange.SAME, KeyChange.DIFFERS]


def test_a_confirmed_twin_gives_its_words_to_the_question_and_a_new_version(into):
    before = item("volcano")
    report = brought(into, spanish(), MatchAnswers(accepted={VOLCANO: "volcano"}), chosen={VOLCANO})
    assert whats(report)[VOLCANO] == ImportAction.TRANSLATION
    after, question = item("volcano"), Question.objects.get(name="volcano")
    ids = {text: id_ for id_, text in before.words["en"]["options"].items()}
    assert after.words["es"]["options"] == {
        ids["Krakatoa"]: "Krakatoa",
        ids["Vesuvius"]: "Vesubio",
        ids["Etna"]: "Etna",
    }
    assert (after.key, after.content, after.words["en"]) == (
        before.key,
        before.content,
        before.words["en"],
    )
    versions = QuestionVersion.objects.filter(question=question).order_by("number")
    assert [version.number for version in versions] == [1, 2]
    assert [
        set(VersionTranslation.objects.filter(version=version).values_list("language", flat=True))
        for version in versions
    ] == [{"en"}, {"en", "es"}]
    assert Question.objects.count() == 4


def test_a_lost_key_comes_from_the_twin_only_when_a_person_confirms(into):
    brought(into, spanish())
    alone = item("la-biblioteca")
    assert alone.key["right"] == []
    assert Question.objects.get(name="la-biblioteca").current is None


def test_with_a_lost_key_the_words_stay_a_draft_until_someone_has_looked(into):
    brought(into, spanish(), MatchAnswers(accepted={LOST: "gradient"}), chosen={LOST})
    question = Question.objects.select_related("current").get(name="gradient")
    assert question.current is not None
    assert question.current.number == 1
    after = item("gradient")
    right = after.key["right"]
    assert isinstance(right, list)
    assert [after.words[language]["options"][right[0]] for language in ("en", "es")] == [
        "GPipe",
        "GPipe",
    ]


def test_a_key_that_differs_is_not_taken(into):
    before = item("photosynthesis").key
    brought(
        into, spanish(), MatchAnswers(accepted={OTHER_KEY: "photosynthesis"}), chosen={OTHER_KEY}
    )
    assert item("photosynthesis").key == before
    assert "es" in item("photosynthesis").words


def test_all_above_a_confidence_are_joined_but_where_a_key_is_at_stake(into):
    report = brought(into, spanish(), MatchAnswers(min_confidence=0.6))
    assert whats(report) == [
        ImportAction.REVIEW,
        ImportAction.TRANSLATION,
        ImportAction.TRANSLATION,
        ImportAction.NEW,
    ]
    assert [line.published for line in report.items] == [False, True, True, True]


def test_nothing_is_sure_enough_for_certainty(into):
    assert ImportAction.TRANSLATION not in whats(
        brought(into, spanish(), MatchAnswers(min_confidence=1.0))
    )


def test_the_same_file_after_confirmation_says_the_same(into):
    brought(into, spanish(), ALL)
    before = list(Question.objects.values("name", "updated_at", "draft__revision"))
    report = brought(into, spanish())
    assert whats(report) == [ImportAction.SAME] * 4
    assert [line.name for line in report.items] == TWINS
    assert report.written == 0
    assert list(Question.objects.values("name", "updated_at", "draft__revision")) == before
    assert whats(brought(into, english())) == [ImportAction.SAME] * 4


def test_nothing_new_is_sought_if_nobody_asks_but_what_was_said_is_known(into):
    quiet = MatchAnswers(search=False)
    assert [line.language_match for line in brought(into, spanish(), quiet, chosen=()).items] == [
        None
    ] * 4
    brought(into, spanish(), ALL)
    assert whats(brought(into, spanish(), quiet)) == [ImportAction.SAME] * 4


def test_a_twin_that_is_none_is_not_proposed_again(into):
    never = MatchAnswers(rejected={VOLCANO: "volcano"})
    report = brought(into, spanish(), never, chosen=())
    assert report.items[VOLCANO].language_match is not None
    assert [line.language_match is None for line in brought(into, spanish()).items] == [
        False,
        False,
        True,
        False,
    ]
    assert [pair_decision.same for pair_decision in PairDecision.objects.all()] == [False]


def test_what_was_refused_is_not_joined_for_being_sure(into):
    report = brought(
        into, spanish(), MatchAnswers(rejected={VOLCANO: "volcano"}, min_confidence=0.6)
    )
    assert report.items[VOLCANO].action == ImportAction.NEW


def test_the_last_word_counts(into):
    brought(into, spanish(), MatchAnswers(rejected={PLAIN: "pipeline"}), chosen=())
    brought(into, spanish(), MatchAnswers(accepted={PLAIN: "pipeline"}), chosen={PLAIN})
    assert [pair_decision.same for pair_decision in PairDecision.objects.all()] == [True]
    assert brought(into, spanish(), chosen=()).items[PLAIN].action == ImportAction.SAME


def test_a_twin_that_is_gone_meanwhile_stops_the_import(into):
    services.retire(question=Question.objects.get(name="volcano"), by=None, now=NOW)
    with pytest.raises(Conflict, match="match_gone"):
        brought(into, spanish(), ALL)
    assert Question.objects.count() == 4


def test_a_twin_may_be_named_that_was_not_proposed_if_it_can_be_one(into):
    brought(into, spanish(), MatchAnswers(accepted={VOLCANO: "pipeline"}), chosen={VOLCANO})
    assert "es" in item("pipeline").words
    for name in ("nothing", "pipeline"):  # there is none, and it has the language by now
        with pytest.raises(Conflict, match="match_gone"):
            brought(into, parcel(asked("x", "es")), MatchAnswers(accepted={0: name}), chosen={0})


def test_numbers_that_the_file_does_not_have_are_nothing(into):
    assert whats(brought(into, parcel(asked("x", "es")), MatchAnswers(accepted={7: "volcano"})))


def test_words_that_an_author_mended_are_not_overwritten_by_the_file(into):
    brought(into, spanish(), ALL)
    question = Question.objects.select_related("draft").get(name="gradient")
    mended = item("gradient")
    words = {**mended.words, "es": {**mended.words["es"], "prompt": "La biblioteca _____ usa …"}}
    services.save_draft(
        question=question, item=replace(mended, words=words), revision=None, by=None
    )
    report = brought(into, spanish())
    assert report.items[LOST].action in {ImportAction.CONFLICT, ImportAction.REVIEW}
    assert not report.items[LOST].selected
    assert item("gradient").words["es"]["prompt"] == "La biblioteca _____ usa …"


def test_a_file_that_changed_where_nobody_wrote_is_no_new_question_in_silence(into):
    brought(into, spanish(), ALL)
    changed = with_prompt(SPANISH[VOLCANO], "¿Qué volcán hizo erupción en 1883 y enfrió el mundo?")
    line = brought(into, spanish(que_volcan=changed), chosen=()).items[VOLCANO]
    assert line.duplicate_of is not None
    assert line.duplicate_of.question == "volcano"


def test_a_draft_that_was_never_published_is_not_published_by_its_twin(into):
    Question.objects.filter(name="volcano").update(current=None)
    report = brought(into, spanish(), MatchAnswers(accepted={VOLCANO: "volcano"}), chosen={VOLCANO})
    assert not report.items[VOLCANO].published
    assert Question.objects.get(name="volcano").current is None


def test_the_key_of_a_twin_is_taken_where_the_bank_has_none():
    bank = services.update_or_create_bank(
        slug="other", group=None, fields={"title": {"en": "Bank"}}, by=None
    )
    brought(bank, spanish())
    report = brought(bank, english(), chosen=())
    twin = report.items[LOST].language_match
    assert twin is not None
    assert (twin.question, twin.key_change) == ("la-biblioteca", KeyChange.PROPOSED)
    brought(bank, english(), MatchAnswers(accepted={LOST: "la-biblioteca"}), chosen={LOST})
    after = item("la-biblioteca")
    right = after.key["right"]
    assert isinstance(right, list)
    assert after.words["es"]["options"][right[0]] == "GPipe"
    assert Question.objects.get(name="la-biblioteca").current is None


def test_a_file_with_both_languages_of_a_question_writes_it_once(into):
    brought(into, spanish(), MatchAnswers(accepted={VOLCANO: "volcano"}), chosen={VOLCANO})
    changed = asked(
        "volcano", prompt="Which volcano erupted in 1883?", options=("Krakatoa", "Vesuvius", "Etna")
    )
    report = brought(into, parcel(changed, SPANISH[VOLCANO]))
    assert whats(report) == [ImportAction.CHANGED, ImportAction.SAME]
    assert item("volcano").words["en"]["prompt"] == "Which volcano erupted in 1883?"


def test_the_report_tells_twins_to_programs_and_to_people(into):
    report = importer.preview_import(bank=into, parsed_file=spanish())
    body = report.to_json(spanish(), committed=False)
    twin = body["items"][VOLCANO]["language_match"]
    assert (twin["question"], twin["language"], twin["key_change"]) == ("volcano", "es", "same")
    assert 0.6 <= twin["confidence"] <= 1
    assert {"code": "same_numbers", "words": ["1883"], "detail": {}} in twin["reasons"]
    assert body["items"][VOLCANO]["duplicate_of"] is None
    lines = "\n".join(format_report(report, spanish(), "f.txt"))
    assert "It may be “volcano” in another language (" in lines
    assert "The same numbers: 1883." in lines
    assert "They differ in what is right" in lines


def test_a_file_that_resembles_the_bank_in_its_own_language_is_the_same_quiz(into):
    copied = [
        replace(question, name=f"copied-{n}", texts={text: {"en": f"{n}. {words['en']} (1 point)"}})
        for n, question in enumerate(ENGLISH)
        for text, words in question.texts.items()
    ]
    report = importer.preview_import(bank=into, parsed_file=parcel(*copied))
    assert [line.duplicate_of and line.duplicate_of.question for line in report.items] == TWINS
    same_quiz = report.find_same_quiz()
    assert same_quiz is not None
    assert (same_quiz["questions"], same_quiz["of"], same_quiz["names"]) == (4, 4, TWINS)
    assert 0.6 <= same_quiz["confidence"] < 1
    assert "It looks like “volcano”" in "\n".join(format_report(report, english(), "f.txt"))
    half = parcel(*copied[:2], *(asked(f"n{n}", prompt=f"Number {n}?") for n in range(2)))
    shared = importer.preview_import(bank=into, parsed_file=half).find_same_quiz()
    assert shared is not None
    assert (shared["questions"], shared["of"]) == (2, 4)
    few = parcel(copied[0], *(asked(f"n{n}", prompt=f"Number {n}?") for n in range(3)))
    assert importer.preview_import(bank=into, parsed_file=few).find_same_quiz() is None


def test_lists_too_long_to_compare_are_said_to_be(into, monkeypatch):
    monkeypatch.setattr("quizzes.matching.proposals.MAX_QUESTIONS", 3)
    report = importer.preview_import(bank=into, parsed_file=spanish())
    assert [line.language_match for line in report.items] == [None] * 4
    assert report.to_json(spanish(), committed=False)["matches_searched"] is False


def read(path: Path) -> ParsedFile:
    return parse.parse_upload(path.read_bytes(), path.name)


def test_the_two_languages_of_a_quiz_copied_from_pages_become_one():
    english, other = seed("000"), seed("001")
    if english and other:
        bank = services.update_or_create_bank(
            slug="seeds", group=None, fields={"title": {"en": "Seeds"}}, by=None
        )
        brought(bank, read(english))
        names = [
            line.language_match.question
            for line in brought(bank, read(other), chosen=()).items
            if line.language_match
        ]
        assert len(names) == 6
        brought(bank, read(other), MatchAnswers(accepted=dict(enumerate(names))))
        assert bank.questions.count() == 6
        items = [item(name) for name in names]
        assert all(set(item.words) == {"en", "es"} for item in items)
        right = items[5].key["right"]
        assert isinstance(right, list)
        assert items[5].words["es"]["options"][right[0]] == "Tubo G"
        assert whats(brought(bank, read(other))) == [ImportAction.SAME] * 6


def test_a_page_of_which_little_is_left_is_told_to_be_the_quiz_that_is_there():
    torn, complete = seed("002"), seed("003")
    if torn and complete:
        bank = services.update_or_create_bank(
            slug="seeds", group=None, fields={"title": {"en": "Seeds"}}, by=None
        )
        brought(bank, read(complete))
        same_quiz = importer.preview_import(bank=bank, parsed_file=read(torn)).find_same_quiz()
        assert same_quiz is not None
        assert (same_quiz["questions"], same_quiz["of"]) == (3, 4)
