"""Files that are shown but not there, and files that are there for nobody."""

from tests.quizzes.bank.lint.factory import found, made, worded

CAT = "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11.png"
DOG = "1c7dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d22.png"


def shows(name: str):
    return worded(made(), "en", prompt=f"What is\n\n![a cat](media:{name})")


def told(*listed, **more):
    return [
        (finding.code, finding.question, finding.path, finding.figures)
        for finding in found(*listed, **more)
    ]


def of_files(*listed, **more):
    return [
        finding
        for finding in told(*listed, **more)
        if finding[0] in {"media_unknown", "file_unused"}
    ]


def test_a_file_that_the_bank_does_not_have_is_an_error_where_it_is_shown():
    (finding,) = of_files(shows(CAT), labels={DOG: "dog.png"})
    assert finding == ("media_unknown", "q0", "words.en.prompt", {"line": 3, "detail": CAT})
    (error,) = [
        finding for finding in found(shows(CAT), labels={}) if finding.code == "media_unknown"
    ]
    assert error.severity == "error"


def test_a_file_that_is_there_is_fine_and_nothing_is_said_where_files_are_not_known():
    assert of_files(shows(CAT), labels={CAT: "cat.png"}, unused={CAT}) == []
    assert of_files(shows(CAT)) == []


def test_a_file_that_nobody_shows_is_a_hint_by_its_label():
    labels = {CAT: "cat.png", DOG: ""}
    assert of_files(made(), labels=labels, unused=[CAT, DOG]) == [
        ("file_unused", "", "", {"file": "cat.png"}),
        ("file_unused", "", "", {"file": DOG}),
    ]


def test_a_file_that_a_published_version_shows_or_a_draft_names_anywhere_is_used():
    link = f"See [it](/media/{CAT.upper()})"
    linked = worded(made(), "fr", prompt=link)
    assert of_files(linked, labels={CAT: "", DOG: ""}, unused=[CAT]) == []
