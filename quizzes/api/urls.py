"""URLs of the REST API."""

from django.urls import path, re_path

from quizzes.api import (
    attempts,
    audit_events,
    bank_export,
    banks,
    checks,
    formats,
    import_commit,
    import_format,
    import_report,
    imports,
    me,
    media,
    openapi,
    problems,
    quiz_grades,
    quiz_versions,
    quizzes,
    responses,
    results,
    results_csv,
    tokens,
)

app_name = "api"

urlpatterns = [
    path("quizzes", quizzes.QuizzesView.as_view(), name="quizzes"),
    path("quizzes/<uuid:quiz>", quizzes.QuizView.as_view(), name="quiz"),
    path(
        "quiz-versions/<uuid:quiz_version>",
        quiz_versions.QuizVersionView.as_view(),
        name="quiz_version",
    ),
    path("attempts", attempts.AttemptsView.as_view(), name="attempts"),
    path("attempts/<uuid:attempt>", attempts.AttemptView.as_view(), name="attempt"),
    path("attempts/<uuid:attempt>/responses", responses.ResponsesView.as_view(), name="responses"),
    path("attempts/<uuid:attempt>/submit", attempts.SubmitView.as_view(), name="submit"),
    path("results", results.ResultsView.as_view(), name="results"),
    path("results.csv", results_csv.ResultsCSVView.as_view(), name="results_csv"),
    path("results/<uuid:attempt>", results.ResultView.as_view(), name="result"),
    path("quiz-grades", quiz_grades.QuizGradesView.as_view(), name="quiz_grades"),
    path("media/<uuid:media>", media.MediaView.as_view(), name="media"),
    path("banks", banks.BanksView.as_view(), name="banks"),
    path("banks/<uuid:bank>", banks.BankView.as_view(), name="bank"),
    path("banks/<uuid:bank>/checks", checks.ChecksView.as_view(), name="checks"),
    path("banks/<uuid:bank>/export", bank_export.BankExportView.as_view(), name="bank_export"),
    path(
        "banks/<uuid:bank>/export/warnings",
        bank_export.ExportWarningsView.as_view(),
        name="export_warnings",
    ),
    path("formats", formats.FormatsView.as_view(), name="formats"),
    path("imports", imports.ImportsView.as_view(), name="imports"),
    path("imports/<uuid:job>", imports.ImportView.as_view(), name="import"),
    path("imports/<uuid:job>/format", import_format.ImportFormatView.as_view(), name="format"),
    path("imports/<uuid:job>/report", import_report.ImportReportView.as_view(), name="report"),
    path("imports/<uuid:job>/commit", import_commit.CommitView.as_view(), name="commit"),
    path("imports/<uuid:job>/cancel", import_commit.CancelView.as_view(), name="cancel"),
    path("audit-events", audit_events.AuditEventsView.as_view(), name="audit_events"),
    path("me", me.MeView.as_view(), name="me"),
    path("tokens", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<slug:token>", tokens.TokenView.as_view(), name="token"),
    path("schema", openapi.schema_view, name="schema"),
    path("docs", openapi.DocsView.as_view(), name="docs"),
    # Last: every other address, so that programs never get a page in answer.
    re_path("", problems.unknown_route, name="unknown"),
]
