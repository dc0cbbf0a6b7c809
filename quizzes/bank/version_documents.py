"""Published versions as documents, with their keys and feedback."""

from collections.abc import Collection

from quizzes.bank.models import QuestionVersion, VersionFeedback, VersionKey, VersionTranslation
from quizzes.document import QuestionDocument


def load_version_documents(versions: Collection[QuestionVersion]) -> dict[int, QuestionDocument]:
    """Return the documents of these versions by primary key; three queries, however many."""
    pks = [version.pk for version in versions]
    keys = dict(VersionKey.objects.filter(version__in=pks).values_list("version_id", "key"))
    words, feedback = _load_texts(VersionTranslation, pks), _load_texts(VersionFeedback, pks)
    return {
        version.pk: QuestionDocument.from_json(
            {
                "kind": version.kind,
                "scoring_method": version.scoring_method,
                "source_language": version.source_language,
                "content": version.content,
                "key": keys[version.pk],
                "words": words.get(version.pk, {}),
                "feedback": feedback.get(version.pk, {}),
            }
        )
        for version in versions
    }


def _load_texts(
    model: type[VersionTranslation] | type[VersionFeedback], versions: Collection[int]
) -> dict[int, dict[str, object]]:
    """Return the texts of versions by primary key and language."""
    rows = model._default_manager.filter(version__in=versions)
    texts: dict[int, dict[str, object]] = {}
    for version, language, by_part in rows.values_list("version_id", "language", "texts"):
        texts.setdefault(version, {})[language] = by_part
    return texts
