"""Workbooks to test with: sheets of values, and the parts that no library of ours writes."""

import re
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

Sheets = Mapping[str, list[list[Any]]]
HEADER = ["Question", "Option A", "Option B", "Correct"]
ROW = ["Which?", "this", "that", "A"]


def saved(book: Workbook) -> bytes:
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def workbook(sheets: Sheets, dressed: Callable[[Workbook], None] = lambda _: None) -> bytes:
    """A workbook of these sheets; `dressed` may change it before it is saved."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    dressed(book)
    return saved(book)


def changed(data: bytes, members: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """The same package with these members changed, or added to (from nothing)."""
    stream = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(stream, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            change = members.get(name, bytes)
            new.writestr(name, change(old.read(name)))
        for name in members.keys() - set(old.namelist()):
            new.writestr(name, members[name](b""))
    return stream.getvalue()


def worked_out(values: Mapping[str, str]) -> Callable[[bytes], bytes]:
    """A sheet in which the formulas of these cells have a value, as a spreadsheet leaves them."""

    def change(content: bytes) -> bytes:
        for place, value in values.items():
            pattern = rf'(<c r="{place}"[^>]*>)(<f>[^<]*</f>)<v ?/>'.encode()
            new = rb"\g<1>\g<2><v>" + value.encode() + b"</v>"
            content, times = re.subn(pattern, new, content)
            assert times == 1, place
        return content

    return change
