"""What each translation was made from: it goes stale unless its author touches it. Pure."""

from quizzes.bank.item import Item, texts


def translated_from(made: Item, before: Item, fresh: frozenset[str]) -> dict[str, str]:
    """Give language → digest of the source words it was made from; `fresh` are up to date.

    A row that was taken out is taken out of every language, and makes none of them stale.
    """
    source, was = made.source_digest(), before.source_digest()
    rewritten = made.source_language != before.source_language or _changed(
        made, before, made.source_language
    )
    noted = dict(before.translated_from)
    for code in {*made.words, *made.feedback} - {made.source_language}:
        if code in fresh or _changed(made, before, code):
            noted[code] = source
        elif rewritten:
            noted.setdefault(code, was)
        elif noted.get(code) == was:
            noted[code] = source
    return {code: digest for code, digest in noted.items() if code != made.source_language}


def _changed(made: Item, before: Item, code: str) -> bool:
    """Tell whether any text that is there now was another before."""
    was = dict(texts(before, code))
    return any(text != was.get(where, "") for where, text in texts(made, code))
