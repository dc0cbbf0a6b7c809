"""From which state of the source words each translation was made, once a draft is saved. Pure."""

from collections.abc import Set as AbstractSet

from quizzes.document.question import QuestionDocument


def compute_translated_from(
    after: QuestionDocument, before: QuestionDocument, fresh: AbstractSet[str] = frozenset()
) -> dict[str, str]:
    """Return language → digest of the source words it was made from; `fresh` are up to date.

    A row that was taken out is taken out of every language, and makes none of them stale.
    """
    source, was = after.source_digest(), before.source_digest()
    rewritten = after.source_language != before.source_language or _has_changed(
        after, before, after.source_language
    )
    noted = dict(before.translated_from)
    for code in {*after.words, *after.feedback} - {after.source_language}:
        if code in fresh or _has_changed(after, before, code):
            noted[code] = source
        elif rewritten:
            noted.setdefault(code, was)
        elif noted.get(code) == was:
            noted[code] = source
    return {code: digest for code, digest in noted.items() if code != after.source_language}


def _has_changed(after: QuestionDocument, before: QuestionDocument, code: str) -> bool:
    """Return whether any text that is there now was another before."""
    was = dict(before.iter_texts(code))
    return any(text != was.get(where, "") for where, text in after.iter_texts(code))
