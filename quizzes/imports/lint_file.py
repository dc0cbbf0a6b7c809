"""The checks of a file, as if its questions were a bank; nothing is written."""

from pathlib import PurePath
from uuid import NAMESPACE_OID, uuid5

from quizzes.bank.checks import CheckReport, build_report, collect_findings
from quizzes.bank.lint import combine_findings, lint_question
from quizzes.formats.contract import ParsedFile
from quizzes.imports import import_media
from quizzes.imports.import_plan.planner import plan_items
from quizzes.imports.import_plan.values import BankSnapshot
from quizzes.lib.filetypes import KINDS


def lint_parsed_file(parsed_file: ParsedFile) -> CheckReport:
    """Return the checks of the questions of a file; what was refused is no question."""
    media = {name: _media_name(name) for name in parsed_file.media}
    numbered = enumerate(import_media.rename_all_media(parsed_file, media))
    source = parsed_file.fields.get("source_language") or parsed_file.metadata.language or "en"
    empty = BankSnapshot(str(source), {}, {}, frozenset())
    checked, rows = {}, {}
    for planned in plan_items(numbered, empty, set(), is_bank_file=bool(parsed_file.slug)):
        if planned.document is not None:
            checked[planned.name] = lint_question(planned.document)
            rows.update({id_: name for name, id_ in planned.rows.items()})
    archive_names = {media_name: name for name, media_name in media.items()}
    findings = combine_findings(checked, archive_names, archive_names)
    return build_report(collect_findings(checked, findings, rows))


def _media_name(name: str) -> str:
    """Return a name as a bank has it: an id, and the type of file that the name says it is."""
    extension = PurePath(name).suffix.lower().lstrip(".")
    return f"{uuid5(NAMESPACE_OID, name)}.{extension if extension in KINDS else 'png'}"
