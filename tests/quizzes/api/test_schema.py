"""The schema: every route is in it, every operation tells its problems; served offline."""

import json
import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with drf-spectacular, without types
import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.validation import validate_schema

from quizzes.api import urls
from quizzes.api.openapi import schema
from tests.factories import create_bank
from tests.quizzes.api.import_helpers import commit, sent
from tests.quizzes.api.programs import ROOT, program, taken

DESCRIBED = json.loads(schema())
OPERATIONS = [
    (path, method, operation)
    for path, methods in DESCRIBED["paths"].items()
    for method, operation in methods.items()
]

FLOAT = re.compile(r'"type": \[?"number"')


def routes():
    """Every address of the API in the site's URLconf, written as the schema does."""
    for entry in get_resolver().url_patterns:
        for pattern in getattr(entry, "url_patterns", ()):
            if getattr(pattern, "name", None) and getattr(entry, "app_name", "") == urls.app_name:
                path = f"/{entry.pattern}{pattern.pattern}"
                yield pattern.name, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


def test_every_route_of_the_site_is_in_the_schema():
    paths = {path for name, path in routes() if name not in {"schema", "docs", "unknown"}}
    assert paths == set(DESCRIBED["paths"])
    assert len(paths) == 128


def test_the_schema_is_openapi_3_1_and_names_both_ways_of_signing_in():
    assert DESCRIBED["openapi"] == "3.1.1"
    schemes = DESCRIBED["components"]["securitySchemes"]
    assert schemes["token"]["scheme"] == "bearer"
    validate_schema(DESCRIBED)
    assert schemes["session"]["name"] == settings.SESSION_COOKIE_NAME


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_every_operation_has_a_name_words_and_problems(path, method, operation):
    assert operation["summary"]
    assert operation["description"]
    assert operation["security"]
    for way in operation["security"]:
        assert set(way) <= {"token", "session"}
        assert list(way.values()) == [[]]
    for status in ("401", "403", "422", "default"):
        content = operation["responses"][status]["content"]["application/problem+json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert content["example"]["code"]
    assert ("{" in path) <= ("404" in operation["responses"])


def test_what_reads_a_file_says_that_the_site_may_be_busy():
    problems = {
        operation["operationId"]: response
        for *_, operation in OPERATIONS
        if (response := operation["responses"].get("503"))
    }
    assert set(problems) == {"createImport", "createRoster"}
    for problem in problems.values():
        assert problem["content"]["application/problem+json"]["example"]["code"] == "busy"


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_every_answer_in_bytes_is_one_that_generated_clients_read(path, method, operation):
    contents = [answer.get("content", {}) for answer in operation["responses"].values()]
    in_bytes = [
        content
        for content in contents
        if any(media["schema"].get("format") == "binary" for media in content.values())
    ]
    assert all("application/octet-stream" in content for content in in_bytes)
    assert path != "/api/v1/me/export/file" or in_bytes


def test_operations_are_named_once():
    names = [operation["operationId"] for *_, operation in OPERATIONS]
    assert len(set(names)) == len(names)


def list_components(name: str) -> set[str]:
    """Return the names of a component and of all that it is made of."""
    text = json.dumps(DESCRIBED["components"]["schemas"][name])
    parts = set(re.findall(r"#/components/schemas/(\w+)", text))
    return {name}.union(*map(list_components, parts))


def test_bodies_take_no_unknown_fields_and_no_mark_is_a_float():
    sent = {
        "StartAttemptRequest",
        "LeaveQuestionRequest",
        "SaveResponsesRequest",
        "ResponseRequest",
        "CreateTokenRequest",
        "CreateImportRequest",
        "ChooseFormatRequest",
        "ChooseNotificationsRequest",
        "CommitImportRequest",
        "AcceptAnswerRequest",
        "AnswerMatchesRequest",
        "CreditTypedAnswersRequest",
        "MatchAnswerRequest",
        "AnswerChallengeRequest",
        "AnswerInvitationRequest",
        "ChallengeRequest",
        "ChangeClassRequest",
        "ChangeQuestionsRequest",
        "CreateQuestionRequest",
        "PublishQuestionRequest",
        "QuestionDocumentRequest",
        "SaveDraftRequest",
        "BankSettingsRequest",
        "ChangeRoleRequest",
        "CreateBankRequest",
        "SendAgainRequest",
        "WaiveFindingRequest",
        "ChangeShareRequest",
        "ShareBankRequest",
        "CommentRequest",
        "CommitRegradeRequest",
        "ComposedSectionRequest",
        "ComposedSlotRequest",
        "CompositionRequest",
        "CopyQuizRequest",
        "CommitRosterRequest",
        "CourseTotalRuleRequest",
        "CreateClassRequest",
        "CreateInvitationRequest",
        "CreateJoinCodeRequest",
        "CreateRosterRequest",
        "CreateRosterFromPeopleRequest",
        "ListedPersonRequest",
        "CreateTermRequest",
        "GradeAnswerRequest",
        "GradeCategoryRequest",
        "JoinRequest",
        "OfferStudyRequest",
        "ChosenAnswerRequest",
        "OverrideScoreRequest",
        "OverrideScoresRequest",
        "ShareRequest",
        "ChosenAttemptsRequest",
        "ExtendAttemptsRequest",
        "PauseAttemptsRequest",
        "QuestionNameRequest",
        "ReopenAttemptRequest",
        "VoidAttemptRequest",
        "PublishQuizRequest",
        "QuizSettingsRequest",
        "SaveAccommodationRequest",
        "SaveAssignmentRequest",
        "SaveStandingAccommodationRequest",
        "SaveCertificateRequest",
        "DecidePairRequest",
        "SendBankFileRequest",
        "SendMessageRequest",
        "UnlockSignInRequest",
        "ChooseDeckRequest",
        "NextPracticeRequest",
        "PracticeAnswerRequest",
        "PracticeCheckRequest",
        "PracticeHintRequest",
        "StudyEntriesRequest",
        "StudyEntryRequest",
        "StudySettingsRequest",
    }
    schemas = DESCRIBED["components"]["schemas"]
    assert {
        n for n, schema in schemas.items() if schema.get("additionalProperties") is False
    } == sent
    # Measures are estimates with a square root in them; marks and scores are exact.
    estimates = list_components("QuizStatistics")
    others = [component for name, component in schemas.items() if name not in estimates]
    assert not [part for part in (*others, DESCRIBED["paths"]) if FLOAT.search(json.dumps(part))]
    assert FLOAT.search(json.dumps(schemas["ScoreMeasures"]))


@pytest.mark.django_db
def test_answers_are_as_described_key_for_key(users, a_quiz, questions):
    attempt = taken(users.learner, a_quiz, questions, "ab", "b")
    client = program(users.learner)
    going = client.start(a_quiz)
    bodies = {
        "QuizPage": client.get("quizzes"),
        "Quiz": client.get(f"quizzes/{a_quiz.uuid}"),
        "QuizVersion": client.get(f"quiz-versions/{a_quiz.current.uuid}"),
        "AttemptDetail": client.get(f"attempts/{going['id']}"),
        "AttemptPage": client.get("attempts"),
        "ResultPage": client.get("results"),
        "ResultDetail": client.get(f"results/{attempt['id']}"),
        "QuizGradeList": client.get("quiz-grades"),
        "Me": client.get("me"),
        "Problem": client.get("nothing"),
    }
    validate(bodies)


def validate(body):
    """Hold each answer against the schema of its name, shut."""
    for name, answer in body.items():
        described = {"$ref": f"#/components/schemas/{name}", "components": DESCRIBED["components"]}
        jsonschema.Draft202012Validator(closed(described)).validate(answer.json())


@pytest.mark.django_db
def test_answers_on_banks_and_imports_are_as_described_key_for_key(users, store):
    into = create_bank(users)
    client = program(users.instructor, "authoring")
    job = sent(client, into)
    commit(client, job)
    validate(
        {
            "FormatList": client.get("formats"),
            "BankPage": client.get("banks"),
            "Bank": client.get(f"banks/{into.uuid}"),
            "ExportPreview": client.get(f"banks/{into.uuid}/export/warnings", format="aiken"),
            "ImportPage": client.get("imports"),
            "ImportDetail": client.get(f"imports/{job['id']}"),
            "ImportReportPage": client.get(f"imports/{job['id']}/report"),
            "FindingPage": client.get(f"banks/{into.uuid}/checks"),
            "Problem": client.post(f"imports/{job['id']}/cancel"),
        }
    )


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_operations_for_authors_say_their_scope_and_show_an_example(path, method, operation):
    if operation["tags"][0] not in {"imports", "banks"}:
        places = (
            "/composition",
            "/guessing",
            "/preview",
            "/copies",
            "{quiz}/settings",
            "/publication",
        )
        is_of_authors = path.endswith(places) or operation["operationId"] == "createQuiz"
        assert ("Scope `authoring`" in operation["description"]) == is_of_authors
        return
    assert "Scope `authoring`" in operation["description"]
    if "{" in path and not path.endswith("/export") and method != "delete":
        assert '"examples"' in json.dumps(operation)


def test_the_examples_in_the_schema_are_what_they_are_examples_of():
    tried = 0
    for _, _, operation in OPERATIONS:
        bodies = [
            response for code, response in operation["responses"].items() if code.startswith("2")
        ]
        for content in [operation.get("requestBody", {}), *bodies]:
            for media in content.get("content", {}).values():
                for example in media.get("examples", {}).values():
                    described = {**media["schema"], "components": DESCRIBED["components"]}
                    check = jsonschema.Draft202012Validator(closed(described))
                    check.validate(example["value"])
                    tried += 1
    assert tried >= 6


def closed(described):
    """The schema with every object shut, so that a field too many is noticed."""
    copy = json.loads(json.dumps(described))
    for component in copy["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
    return copy


@pytest.mark.django_db
def test_the_schema_is_served_to_anyone_without_a_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = Client().get(f"{ROOT}schema")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert Client().post(f"{ROOT}schema").status_code == 405


@pytest.mark.django_db
def test_the_documentation_loads_from_this_site_alone_and_styles_nothing_in_place():
    page = Client().get(f"{ROOT}docs")
    html = page.content.decode()
    assert page.status_code == 200
    assert set(re.findall(r'(?:src|href)="(/[^"/]|[^/])', html)) <= {"/s", "/a"}
    assert "<style" not in html
    assert not re.search(r"<script>|style=|\son\w+=", html)
    policy = page["Content-Security-Policy"]
    assert "img-src 'self' data:" in policy
    assert "unsafe" not in policy
    script = Client().get(f"{ROOT}docs?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert b"/api/v1/schema" in script.content


def test_the_frameworks_own_defaults_are_not_in_force():
    chosen: Any = settings.REST_FRAMEWORK
    assert "rest_framework.permissions.AllowAny" not in chosen["DEFAULT_PERMISSION_CLASSES"]
    assert chosen["DEFAULT_PERMISSION_CLASSES"][0] == "rest_framework.permissions.IsAuthenticated"
    assert chosen["DEFAULT_RENDERER_CLASSES"] == ["rest_framework.renderers.JSONRenderer"]
    assert not any("Basic" in name for name in chosen["DEFAULT_AUTHENTICATION_CLASSES"])
    assert chosen["DEFAULT_METADATA_CLASS"] is None
