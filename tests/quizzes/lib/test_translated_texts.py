"""Which text of several languages a page shows."""

from quizzes.lib.translated_texts import choose_text

TEXTS = {"en": "Signals", "es": "Señales", "fr": ""}


def test_a_text_is_that_of_the_language_and_else_that_of_the_source():
    assert choose_text(TEXTS, "es", "en") == ("Señales", "es")
    assert choose_text(TEXTS, "fr", "es") == ("Señales", "es")
    assert choose_text(TEXTS, "de", "en") == ("Signals", "en")


def test_without_a_text_in_either_language_there_is_none():
    assert choose_text(TEXTS, "de", "fr") == ("", "fr")
    assert choose_text({}, "de", "en") == ("", "en")
