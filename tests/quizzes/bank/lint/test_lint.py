"""A whole bank looked at: order, severity, places; drafts in any state."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.json_types import Content, Key
from grading.kinds import KINDS
from grading.schema import QuestionData, QuestionSchema
from quizzes.bank.lint import Finding, QuestionLinter, Severity, Topic, lint_question
from quizzes.bank.lint.findings import SEVERITIES
from quizzes.bank.lint.topics import TOPICS
from quizzes.document import QuestionDocument
from tests.question_factory import document, samples
from tests.quizzes.bank.lint.factory import codes, found, made, named, worded

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def test_what_keeps_a_draft_from_being_published_is_an_error():
    item = replace(made(), key={"right": []})
    assert [(finding.code, finding.severity) for finding in found(item)] == [
        ("nothing_right", "error")
    ]


def test_what_will_not_be_shown_as_it_is_meant_is_a_warning_with_its_line():
    item = worded(made(), "en", prompt="So\n\n$\\nonsense{$\n\n[it](javascript:x)")
    finding_by_code = {finding.code: finding for finding in found(item)}
    assert finding_by_code["link_unsafe"].figures["line"] == 5
    assert finding_by_code["formula_unreadable"].severity == Severity.WARNING
    deep = worded(made(), "en", prompt=">" * 25 + " deep", options={})
    assert "nested_too_deeply" in codes(deep)


def test_findings_come_question_by_question_the_gravest_first_and_always_alike():
    bad = replace(worded(made("abc"), "en", options={"d": "None of these"}), feedback={})
    listed = found(bad, made("abcd"), bad)
    assert [(finding.question, finding.code) for finding in listed if finding.question != "q1"] == [
        (name, code)
        for name, more in (("q0", []), ("q2", ["duplicate"]))
        for code in (*more, "select_all_pays", "catch_all_shuffled", "no_feedback")
    ]
    assert listed == found(bad, made("abcd"), bad)


def test_a_finding_names_its_part_its_row_and_the_other_question():
    row = Finding("x", "q", "en", "words.en.options.a", {"of": "p"})
    assert (row.part, row.row, row.about) == ("options", "a", "p")
    assert (Finding("x", path="numbers.n").part, Finding("x", path="numbers.n").row) == (
        "numbers",
        "n",
    )
    assert (Finding("x").part, Finding("x").row, Finding("x").about) == ("", "", "")


def test_of_questions_that_are_in_no_bank_yet_each_has_its_own_findings():
    linter, items = QuestionLinter(), named(made(), made("abc"), made())
    findings_by_name = {name: linter.lint(name, item) for name, item in items.items()}
    assert {
        name: [finding.code for finding in listed] for name, listed in findings_by_name.items()
    } == {
        "q0": [],
        "q1": ["duplicate", "select_all_pays"],
        "q2": ["duplicate"],
    }


@st.composite
def drafts(draw):
    kind = draw(st.sampled_from([*KINDS, "unheard_of"]))
    schema = QuestionDocument(kind, "").schema
    names = [
        *(field.stored_name for field in schema.fields),
        *(table.name for table in schema.tables),
        "x",
    ]
    values = st.dictionaries(st.sampled_from(names), JSON, max_size=6)
    words = st.dictionaries(st.sampled_from(["prompt", "options"]), JSON, max_size=2)
    return QuestionDocument(
        kind,
        "none",
        content=draw(values),
        key=draw(values),
        words={"en": draw(words), "es": draw(words)},
        feedback={"en": draw(words)},
    )


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(drafts())
def test_no_draft_in_whatever_state_breaks_a_check(draft):
    assert lint_question(draft).findings


def test_a_question_in_two_languages_is_loaded_as_often_as_in_one(monkeypatch):
    loaded: list[Content] = []
    load = QuestionSchema.load

    def load_and_note(schema: QuestionSchema, content: Content, key: Key) -> QuestionData:
        loaded.append(content)
        return load(schema, content, key)

    monkeypatch.setattr(QuestionSchema, "load", load_and_note)
    in_english = made()
    lint_question(in_english)
    once = len(loaded)
    lint_question(worded(in_english, "es", prompt="¿Cuáles?", options={"a": "una", "b": "dos"}))
    assert len(loaded) == 2 * once <= 8


def test_the_examples_of_every_kind_are_free_of_errors():
    for sample in samples():
        grave = [
            finding for finding in found(document(sample)) if finding.severity == Severity.ERROR
        ]
        assert grave == [], sample


def test_every_code_has_one_severity_and_is_about_one_topic():
    assert set(SEVERITIES.values()) == {Severity.WARNING, Severity.HINT}
    assert SEVERITIES.keys() <= TOPICS.keys()
    assert set(TOPICS.values()) | {Finding("nothing_right").topic} == set(Topic)
