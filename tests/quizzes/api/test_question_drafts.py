"""The draft of a question over REST: made, read, written, published; and its versions."""

from uuid import uuid4

import pytest

from accounts.models import Membership, Role
from grading.kinds import KINDS
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import BankRight, BankShare, Draft, Option, Question
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from tests.attempt_helpers import start
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db
TITLES = {"en": "The request makes no sense", "es": "La petición no tiene sentido"}


@pytest.fixture
def bank(users):
    return create_bank(users)


@pytest.fixture
def question(bank):
    return create_question(bank, "river", kind="single_choice", right="a", options="ab")


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


def address(question, suffix: str = "") -> str:
    return f"questions/{question.uuid}/draft{suffix}"


def choice(*ids: str, **parts):
    """Return a single choice of these rows, the first one right, in English."""
    return {
        "kind": "single_choice",
        "scoring_method": "all_or_nothing",
        "source_language": "en",
        "content": {"options": [{"id": id_} for id_ in ids]},
        "key": {"right": [ids[0]]},
        "words": {"en": {"prompt": "Which?", "options": {id_: f"Text {id_}" for id_ in ids}}},
        "feedback": {},
        **parts,
    }


def test_a_question_is_made_read_corrected_and_published(author, bank):
    ids = [str(uuid4()) for _ in "ab"]
    body = {"name": "river", "document": choice(*ids), "tags": ["rivers"], "rows": {ids[1]: "x"}}
    created = author.post(f"banks/{bank.uuid}/questions", body)
    assert created.status_code == 201
    draft = created.json()
    path = created["Location"].removeprefix("/api/v1/")
    assert author.get(path).json() == draft
    assert draft["document"] == choice(*ids)
    assert draft["rows"] == {ids[0]: "a", ids[1]: "x"}
    assert (draft["tags"], draft["problems"], draft["is_published"]) == (["rivers"], [], False)
    published = author.post(f"{path}/publication", {"note": "First"})
    assert published.json()["version"]["number"] == 1
    assert author.post(f"{path}/publication", {}).json() == published.json()
    assert author.get(path).json()["is_published"] is True
    version = author.get(f"questions/{draft['question']}/versions/1").json()
    assert version["document"] == {**choice(*ids), "feedback": {"en": {}}}
    assert (version["note"], version["published_by"]) == ("First", "Instructor")
    assert AuditEvent.objects.filter(code="question_published").count() == 1


def test_what_was_read_can_be_written_again_and_changes_nothing(author, question):
    draft = author.get(address(question)).json()
    assert (draft["is_published"], sorted(draft["rows"].values())) == (True, ["a", "b"])
    revision = Draft.objects.get(question=question).revision
    written = author.post(address(question), {"document": draft["document"]})
    assert written.status_code == 200
    assert {**written.json(), "updated_at": None} == {**draft, "updated_at": None}
    assert Draft.objects.get(question=question).revision == revision + 1


def test_a_draft_with_problems_is_kept_named_and_not_published(author, question):
    document = author.get(address(question)).json()["document"]
    document["key"] = {"right": []}
    del document["words"]["es"]["prompt"]
    saved = author.post(address(question), {"document": document})
    assert saved.status_code == 200
    problems = {(each["where"], each["code"]) for each in saved.json()["problems"]}
    assert ("words.es.prompt", "missing_text") in problems
    refused = author.post(address(question, "/publication"), {})
    assert refused.status_code == 422
    assert {(each["where"], each["code"]) for each in refused.json()["errors"]} == problems
    assert question.versions.count() == 1
    assert author.get(address(question)).json()["document"] == document


def test_problems_and_notes_are_told_in_the_language_of_the_request(author, question):
    document = author.get(address(question)).json()["document"]
    document["words"]["es"]["prompt"] = ""
    author.post(address(question), {"document": document})
    messages = []
    for lang in ("en", "es"):
        draft = author.get(address(question), lang=lang).json()
        messages.append([each["message"] for each in draft["problems"]])
        refused = author.post(f"{address(question, '/publication')}?lang={lang}", {}).json()
        assert [each["detail"] for each in refused["errors"]] == messages[-1]
        assert refused["title"] == TITLES[lang]
    english, spanish = messages
    assert len(english) == len(spanish) == 1
    assert english != spanish


def test_a_translation_is_outdated_once_the_source_changes_until_it_is_looked_at(author, question):
    document = author.get(address(question)).json()["document"]
    document["words"]["en"]["prompt"] = "Which river?"
    changed = author.post(address(question), {"document": document}).json()
    assert changed["outdated"] == ["es"]
    seen = author.post(address(question), {"document": document, "up_to_date": ["es"]}).json()
    assert seen["outdated"] == []


def test_tags_that_are_left_out_stay(author, question):
    document = author.get(address(question)).json()["document"]
    body = {"document": document, "tags": ["rivers", "ríos"]}
    assert author.post(address(question), body).json()["tags"] == ["rivers", "ríos"]
    assert author.post(address(question), {"document": document}).json()["tags"] == [
        "rivers",
        "ríos",
    ]
    assert author.post(address(question), {**body, "tags": []}).json()["tags"] == []


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        ({"kind": "nothing"}, "document.kind", "invalid_choice"),
        ({"more": 1}, "document.more", "unknown_field"),
        ({"content": {"options": 5}}, "document.content.options", "wrong_type"),
        ({"content": {"options": [{"name": "a"}]}}, "document.content.options", "wrong_type"),
        ({"content": {"shuffle": "yes"}}, "document.content.shuffle", "wrong_type"),
        ({"key": {"right": "a"}}, "document.key.right", "wrong_type"),
        ({"words": {"en": {"prompt": 5}}}, "document.words.en.prompt", "wrong_type"),
        ({"words": {"english": {}}}, "document.words.english", "wrong_type"),
        ({"words": {"en": {"options": {"a": []}}}}, "document.words.en.options", "wrong_type"),
        ({"content": {"options": [{"id": "a"}]}}, "document", "row_unknown"),
        ({"content": {"Shuffle": True}}, "document.content.Shuffle", "unknown_field"),
        ({"content": {"right": []}}, "document.content.right", "unknown_field"),
        ({"key": {"right": [], "rigth": []}}, "document.key.rigth", "unknown_field"),
        ({"key": {"options": []}}, "document.key.options", "unknown_field"),
        (
            {"content": {"options": [{"id": "a", "text": "Volga"}]}},
            "document.options.a.text",
            "unknown_field",
        ),
        (
            {"key": {"score_feedback": [{"id": "a", "form": [1, 2]}]}},
            "document.score_feedback.a.form",
            "unknown_field",
        ),
    ],
)
def test_what_no_question_of_its_kind_can_hold_is_refused_and_nothing_kept(
    author, question, change, where, code
):
    draft = author.get(address(question)).json()
    refused = author.post(address(question), {"document": {**draft["document"], **change}})
    assert refused.status_code == 422
    assert {"where": where, "code": code}.items() <= refused.json()["errors"][0].items()
    assert author.get(address(question)).json() == draft


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_draft_of_any_kind_is_kept_with_its_problems(author, bank, kind):
    body = {"name": kind.replace("_", "-"), "document": {"kind": kind}}
    created = author.post(f"banks/{bank.uuid}/questions", body)
    assert created.status_code == 201
    assert created.json()["problems"]


def test_no_more_rows_are_kept_than_are_read_of_a_file(author, bank, question):
    rows = [str(uuid4()) for _ in range(READING_LIMITS.options + 1)]
    refused = author.post(address(question), {"document": choice(*rows)})
    error = refused.json()["errors"][0]
    assert (refused.status_code, error["code"]) == (422, "too_many_rows")
    assert author.post(address(question), {"document": choice(*rows[1:])}).status_code == 200


def test_rows_are_the_questions_own(author, bank, question):
    foreign = create_question(bank, "other")
    (row,) = option_ids(foreign, "a")
    document = choice(row, str(uuid4()))
    refused = author.post(address(question), {"document": document})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "row_unknown")
    twice = str(uuid4())
    refused = author.post(address(question), {"document": choice(twice, twice)})
    assert refused.json()["errors"][0]["code"] == "row_repeated"
    for names in ({twice: "a"}, {str(uuid4()): "z"}):
        refused = author.post(address(question), {"document": choice(twice), "rows": names})
        assert refused.json()["errors"][0]["code"] == "row_name_taken"
    assert Option.objects.filter(question=question).count() == 2


def test_a_row_that_was_taken_out_comes_back_as_itself(author, question):
    draft = author.get(address(question)).json()
    first, removed = draft["rows"]
    author.post(address(question), {"document": choice(first)})
    again = author.post(address(question), {"document": choice(first, removed)}).json()
    assert again["rows"] == draft["rows"]


def test_the_rows_of_true_or_false_are_called_so(author, bank):
    ids = [str(uuid4()) for _ in "tf"]
    options = [{"id": id_, "value": value} for id_, value in zip(ids, (True, False), strict=True)]
    document = choice(*ids, kind="true_false", content={"options": options})
    created = author.post(f"banks/{bank.uuid}/questions", {"name": "tf", "document": document})
    assert created.json()["rows"] == {ids[0]: "true", ids[1]: "false"}
    assert created.json()["problems"] == []


def test_a_name_that_is_taken_is_a_conflict_and_nothing_is_made(author, bank, question):
    body = {"name": "river", "document": {"kind": "essay"}}
    refused = author.post(f"banks/{bank.uuid}/questions", body)
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")
    assert Question.objects.count() == 1


def test_a_draft_that_another_author_saved_meanwhile_stays(users, author, question):
    first = author.get(address(question))
    document = first.json()["document"]
    other = program(users.administrator)
    body = {"document": {**document, "scoring_method": ""}}
    changed = other.post(address(question), body, **{"If-Match": first["ETag"]})
    assert changed["ETag"] == author.get(address(question))["ETag"] != first["ETag"]
    for path, sent in (("", {"document": document}), ("/publication", {})):
        refused = author.post(address(question, path), sent, **{"If-Match": first["ETag"]})
        assert refused.status_code == 412
    author.post(address(question), {"document": document}, **{"If-Match": changed["ETag"]})
    current = author.get(address(question))["ETag"]
    published = author.post(address(question, "/publication"), {}, **{"If-Match": current})
    assert (published.status_code, question.versions.count()) == (200, 1)
    again = author.post(address(question, "/publication"), {}, **{"If-Match": published["ETag"]})
    assert again.status_code == 200


def test_versions_are_listed_in_pages_and_read_as_they_were(author, question, counted):
    before = author.get(address(question)).json()["document"]
    changed = {**before, "content": {**before["content"], "shuffle": False}}
    author.post(address(question), {"document": changed})
    author.post(address(question, "/publication"), {"note": "Fixed order"})
    root = f"questions/{question.uuid}/versions"
    first = author.get(root, limit=1).json()
    second = author.get(root, cursor=first["cursor"]).json()
    rows = [*first["items"], *second["items"]]
    assert [(row["number"], row["is_current"], row["note"]) for row in rows] == [
        (1, False, ""),
        (2, True, "Fixed order"),
    ]
    assert author.get(f"{root}/1").json()["document"] == before
    assert author.get(f"{root}/2").json()["document"] == changed
    assert author.get(f"{root}/3").status_code == 404


def test_a_draft_costs_the_same_whatever_its_rows(author, bank, question, counted):
    large = create_question(bank, "large", options="abcdefghij")
    for each in (question, large):
        author.get(address(each))
    with counted() as few:
        author.get(address(question))
    with counted() as many:
        author.get(address(large))
    assert len(few) == len(many) <= 11


def test_who_may_use_a_bank_reads_and_does_not_write(users, bank, question):
    BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.USE)
    reader = program(users.outsider)
    assert reader.get(address(question)).status_code == 200
    body = {"name": "new", "document": {"kind": "essay"}}
    for path, sent in (
        (address(question), {"document": {"kind": "essay"}}),
        (address(question, "/publication"), {}),
        (f"banks/{bank.uuid}/questions", body),
    ):
        assert reader.post(path, sent).status_code == 404
    assert Question.objects.count() == 1
    assert AuditEvent.objects.filter(code="keys_viewed", actor=users.outsider.uuid).exists()


def test_assistants_and_others_find_nothing(users, bank, question):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    for person in (assistant, users.learner, users.outsider):
        client = program(person)
        for path in (
            address(question),
            f"questions/{question.uuid}/versions",
            f"questions/{question.uuid}/versions/1",
        ):
            assert client.get(path).status_code == 404
        for path in (address(question), address(question, "/publication")):
            assert (
                client.post(
                    path, {"document": {"kind": "essay"}} if path.endswith("draft") else {}
                ).status_code
                == 404
            )


def test_an_editor_who_is_taking_a_quiz_of_it_reads_and_writes_no_key(users, bank, question):
    Membership.objects.create(user=users.outsider, group=users.group, role=Role.LEARNER)
    start(create_quiz(users, [question]), users.outsider)
    BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.EDIT)
    editor = program(users.outsider)
    assert editor.get(address(question)).status_code == 404
    assert editor.post(address(question), {"document": {"kind": "essay"}}).status_code == 404
    assert editor.post(address(question, "/publication"), {}).status_code == 404
