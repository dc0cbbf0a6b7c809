"""Two questions of a bank made one: words, versions, attempts, rights; and never twice."""

from functools import partial

import pytest

from accounts.models import User
from quizzes.bank import services
from quizzes.bank.models import Bank, Question, QuestionVersion, VersionTranslation
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.imports import importer
from quizzes.imports.import_plan.values import ImportAction
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.merge import CandidatePair, find_pairs, merge_questions, reject_match
from quizzes.matching.models import PairDecision
from tests.factories import NOW, create_bank
from tests.quizzes.matching.quiz import english, spanish
from tests.threads import at_once
from tests.users import Users

pytestmark = pytest.mark.django_db
NAMES = {
    "la-biblioteca": "gradient",
    "que-acelera": "pipeline",
    "que-volcan": "volcano",
    "la-fotosintesis": "photosynthesis",
}


@pytest.fixture
def into(users: Users) -> Bank:
    bank = create_bank(users)
    for parcel in (english(), spanish()):
        importer.run_import(bank=bank, parsed_file=parcel, by=None, now=NOW)
    return bank


def pairs(into: Bank) -> dict[str, CandidatePair]:
    return {two.first.name: two for two in find_pairs(into) or ()}


def question(name: str) -> Question:
    return Question.objects.select_related("draft", "current").get(name=name)


def item(name: str) -> QuestionDocument:
    return QuestionDocument.from_json(question(name).draft.data)


def joined(into: Bank, by: User, take: str = "que-volcan", **changes) -> Question:
    two = pairs(into)[take]
    decision = {
        "keep": two.second.name,
        "absorb": take,
        "ids": {row.left: row.right for row in two.pair.rows},
        "revisions": [
            question(question_document.name).draft.revision
            for question_document in (two.second, two.first)
        ],
        **changes,
    }
    return merge_questions(bank=into, by=by, now=NOW, **decision)


def test_the_twins_of_a_bank_are_found_with_what_joining_means_for_a_key(into):
    matches = pairs(into)
    assert {name: two.second.name for name, two in matches.items()} == NAMES
    assert matches["la-biblioteca"].to_match().key_change == KeyChange.STANDS
    assert matches["la-fotosintesis"].to_match().key_change == KeyChange.DIFFERS
    assert matches["que-volcan"].to_match().key_change == KeyChange.SAME


def test_one_gets_the_words_and_a_version_the_other_is_retired_and_says_by_whom(into, users):
    before, absorbed = item("volcano"), question("que-volcan")
    merged_question = joined(into, users.instructor)
    assert merged_question.name == "volcano"
    after = item("volcano")
    assert (after.key, after.content, after.words["en"]) == (
        before.key,
        before.content,
        before.words["en"],
    )
    right = after.key["right"]
    assert isinstance(right, list)
    assert after.words["es"]["options"][right[0]] == "Krakatoa"
    current = question("volcano").current
    assert current is not None
    assert current.number == 2
    languages = VersionTranslation.objects.filter(version=current).values_list(
        "language", flat=True
    )
    assert set(languages) == {"en", "es"}
    gone = question("que-volcan")
    assert (gone.retired_at, gone.merged_into) == (NOW, merged_question)
    assert gone.current == absorbed.current
    event = Event.objects.get(kind="question.merged")
    assert (event.subject, event.data) == (gone.uuid, {"by": str(merged_question.uuid)})
    assert set(pairs(into)) == set(NAMES) - {"que-volcan"}


def test_versions_that_attempts_may_name_stay_as_they_were(into, users):
    versions = list(QuestionVersion.objects.values("uuid", "question", "digest"))
    joined(into, users.instructor)
    assert list(QuestionVersion.objects.values("uuid", "question", "digest"))[-len(versions) :]
    for version in versions:
        assert QuestionVersion.objects.filter(**version).exists()


def test_the_file_of_either_language_says_the_same_afterwards(into, users):
    joined(into, users.instructor)
    for parcel in (spanish(), english()):
        report = importer.run_import(bank=into, parsed_file=parcel, by=None, now=NOW)
        assert {line.action for line in report.items} == {ImportAction.SAME}
    assert question("que-volcan").retired_at == NOW


def test_what_was_never_published_leaves_a_draft(into, users):
    joined(into, users.instructor, "la-biblioteca")
    survivor = question("gradient")
    assert survivor.current is not None
    assert survivor.current.number == 1
    assert set(item("gradient").words) == {"en", "es"}


def test_options_go_where_the_person_says(into, users):
    two = pairs(into)["que-volcan"]
    ids = {row.left: row.right for row in two.pair.rows}
    first, second, third = ids
    swapped = {first: ids[second], second: ids[first], third: ids[third]}
    joined(into, users.instructor, ids=swapped)
    options = item("volcano").words["es"]["options"]
    assert options[ids[second]] == two.first.document.words["es"]["options"][first]


def test_an_option_meant_twice_or_of_another_question_is_refused(into, users):
    two = pairs(into)["que-volcan"]
    rows, others = two.first.document.row_ids, two.second.document.row_ids
    for ids in (dict.fromkeys(rows, others[0]), {"x": others[0]}, {rows[0]: rows[1]}):
        with pytest.raises(Invalid):
            joined(into, users.instructor, ids=ids)
    assert question("que-volcan").retired_at is None


def test_a_draft_that_changed_meanwhile_is_looked_at_once_more(into, users):
    with pytest.raises(Conflict, match="draft_changed"):
        joined(into, users.instructor, revisions=[1, 9])
    assert question("que-volcan").retired_at is None


def test_a_pair_that_is_none_by_now_is_a_conflict(into, users):
    joined(into, users.instructor)
    decision = {
        "keep": "volcano",
        "ids": {},
        "revisions": [2, 1],
        "by": users.instructor,
        "now": NOW,
    }
    for take in ("que-volcan", "volcano", "pipeline", "nothing"):
        with pytest.raises(Conflict):
            merge_questions(bank=into, absorb=take, **decision)


def test_only_who_may_change_the_bank_joins_or_keeps_apart(into, users):
    for person in (users.outsider, users.learner, users.stranger):
        with pytest.raises(NotFound):
            joined(into, person)
        with pytest.raises(NotFound):
            reject_match(bank=into, first="volcano", second="que-volcan", by=person)
    assert not Question.objects.exclude(merged_into=None).exists()
    assert not PairDecision.objects.exists()


def test_two_that_are_kept_apart_are_not_proposed_again(into, users):
    reject_match(bank=into, first="volcano", second="que-volcan", by=users.instructor)
    assert "que-volcan" not in pairs(into)
    for first, second in (("volcano", "nothing"), ("volcano", "volcano")):
        with pytest.raises(NotFound):
            reject_match(bank=into, first=first, second=second, by=users.instructor)


def test_an_authors_edit_since_the_last_file_is_still_known_to_be_one(into, users):
    mended = item("volcano")
    words = {"en": {**mended.words["en"], "prompt": "Which volcano, by an author?"}}
    document = QuestionDocument.from_json({**mended.to_json(), "words": words})
    services.save_draft(question=question("volcano"), item=document, revision=None, by=None)
    joined(into, users.instructor)
    current = question("volcano").current
    assert current is not None
    assert current.number == 1
    report = importer.run_import(bank=into, parsed_file=english(), by=None, now=NOW)
    assert [line.action for line in report.items if line.name == "volcano"] == [
        ImportAction.CONFLICT
    ]


def test_publishing_what_was_taken_in_brings_it_back(into, users):
    joined(into, users.instructor)
    services.publish(question=question("que-volcan"), by=users.instructor, now=NOW)
    back = question("que-volcan")
    assert (back.retired_at, back.merged_into) == (None, None)


def test_what_takes_in_may_be_taken_in_and_its_file_still_knows_where(into, users):
    joined(into, users.instructor)
    services.merge_into(question=question("volcano"), target=question("pipeline"), by=None, now=NOW)
    report = importer.preview_import(bank=into, parsed_file=spanish())
    assert report.items[2].name in {"pipeline", "que-volcan-2"}


def test_a_bank_with_too_many_questions_is_not_searched(into, monkeypatch):
    monkeypatch.setattr("quizzes.matching.merge.MAX_QUESTIONS", 3)
    assert find_pairs(into) is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_many_who_join_the_same_two_at_once_join_them_once(into, users):
    two = pairs(into)["que-volcan"]
    joining = partial(
        merge_questions,
        bank=into,
        keep="volcano",
        absorb="que-volcan",
        ids={row.left: row.right for row in two.pair.rows},
        revisions=[1, 1],
        by=users.instructor,
        now=NOW,
    )
    results = at_once([joining] * 8)
    assert sum(isinstance(result_, Question) for result_ in results) == 1
    assert sum(isinstance(result_, Conflict) for result_ in results) == 7
    assert question("volcano").versions.count() == 2
    assert Event.objects.filter(kind="question.merged").count() == 1
