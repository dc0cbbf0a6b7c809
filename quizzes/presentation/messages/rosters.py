"""Why a list of people, or a line of one, cannot be used: one sentence a code."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FILE_ERRORS: Mapping[str, Promise] = {
    "busy": _("Other files are being read at the moment. Choose the file again in a few seconds."),
    "roster_empty": _("The list names nobody."),
    "roster_too_long": _("A list may have 2,000 people."),
    "roster_several_classes": _("The file has several classes: say which, and choose it again."),
    "file_too_large": _("The file is too large."),
    "file_too_slow": _("Reading the file took too much time."),
    "reader_failed": _("The file cannot be read."),
    "package_damaged": _("The package is damaged."),
    "workbook_damaged": _("This is no workbook, or a damaged one."),
    "workbook_old": _("An old workbook, or one with a password: save it as .xlsx without."),
    "workbook_unsafe": _("The workbook holds what is not read here."),
    "too_many_cells": _("The sheet has too many cells."),
}
REASONS: Mapping[str, Promise] = {
    "email_missing": _("There is no e-mail address."),
    "email_invalid": _("This is no e-mail address."),
    "name_too_long": _("The name is longer than 150 letters."),
    "school_id_too_long": _("The school id is longer than 64 letters."),
    "school_id_repeated": _("A line above has the same school id and another address."),
    "school_id_differs": _("They have another school id here, and keep it."),
    "school_id_taken": _("Another person here has this school id: it is not taken over."),
    "cell_is_date": _("A cell is a date: format it as text."),
    "cell_has_error": _("A cell has an error."),
    "formula_without_value": _("A cell is a formula without a value."),
    "quote_left_open": _("A quotation mark is not closed."),
}
