"""The checks of a file, as if its questions were a bank of their own; nothing is written."""

from pathlib import PurePath
from uuid import NAMESPACE_OID, uuid5

from quizzes.bank.checks import CheckReport, build_report
from quizzes.bank.lint import combine_findings, lint_question
from quizzes.formats.contract import ParsedFile
from quizzes.imports import import_media
from quizzes.imports.import_plan.planner import plan_items
from quizzes.imports.import_plan.values import BankSnapshot
from quizzes.lib.filetypes import KINDS


def lint_parsed_file(parcel: ParsedFile) -> CheckReport:
    """Look at the questions that came of a file; what was refused is no question."""
    files = {name: _called(name) for name in parcel.media}
    numbered = [
        (n, import_media.rename_media(source_item, files))
        for n, source_item in enumerate(parcel.items)
    ]
    source = parcel.fields.get("source_language") or parcel.metadata.language or "en"
    empty = BankSnapshot(str(source), {}, {}, frozenset())
    items, rows = {}, {}
    for item_plan in plan_items(numbered, empty, set(), is_bank_file=bool(parcel.slug)):
        if item_plan.document is not None:
            items[item_plan.name] = item_plan.document
            rows.update({id_: name for name, id_ in item_plan.rows.items()})
    looked = {name: lint_question(item) for name, item in items.items()}
    original_names = {called: name for name, called in files.items()}
    return build_report(looked, combine_findings(looked, original_names, original_names), rows)


def _called(name: str) -> str:
    """Call a file as a bank would: by an id, and what kind of file its name says it is."""
    extension = PurePath(name).suffix.lower().lstrip(".")
    return f"{uuid5(NAMESPACE_OID, name)}.{extension if extension in KINDS else 'png'}"
