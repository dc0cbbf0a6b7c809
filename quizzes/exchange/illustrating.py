"""The files that a parcel brought, under the names that its bank gives them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from io import BytesIO

from django.conf import settings

from accounts.models import User
from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.exchange.contract import Found, Parcel, ParcelRow, Said
from quizzes.lib.errors import Invalid
from quizzes.lib.sniffing import Unfit, sniff

_NAMED = re.compile(r"media:([^\s()<>\"]+)")

Names = Mapping[str, str]
"""What a parcel calls a file → what the bank does."""


def keep(*, bank: Bank, parcel: Parcel, by: User | None) -> Names:
    """Keep the parcel's files in the bank; give each the name that it has there.

    What is no picture, sound or film is left out: questions that show it have a problem.
    """
    found = {}
    for name, data in parcel.media.items():
        try:
            kept = uploads.keep(bank=bank, file=BytesIO(data), name=name, by=by)
        except Invalid:
            continue
        found[name] = f"{kept.uuid}.{kept.extension}"
    return found


def known(*, bank: Bank, parcel: Parcel) -> Names:
    """Give the names of those files that the bank has already; writes nothing."""
    digests = {name: _digest(data) for name, data in parcel.media.items()}
    files = Media.objects.filter(bank=bank, sha256__in=set(digests.values()))
    held = {one.sha256: f"{one.uuid}.{one.extension}" for one in files}
    return {name: held[digest] for name, digest in digests.items() if digest in held}


def _digest(data: bytes) -> str:
    """Give the digest under which the bank would keep these bytes; "" if it would not."""
    try:
        found = sniff(BytesIO(data), settings.MEDIA_LARGEST)
    except Unfit:
        return ""
    return sha256(data if found.cleaned is None else found.cleaned).hexdigest()


def renamed(one: Found, names: Names) -> Found:
    """Call files by their names in the bank, in every text of an item."""
    if one.question is None or not names:
        return one
    tables = {
        name: tuple(_row(row, names) for row in rows) for name, rows in one.question.tables.items()
    }
    said = _said(one.question.said, names)
    return replace(one, question=replace(one.question, said=said, tables=tables))


def _row(row: ParcelRow, names: Names) -> ParcelRow:
    return replace(row, said=_said(row.said, names))


def _said(said: Said, names: Names) -> Said:
    def call(match: re.Match[str]) -> str:
        return f"media:{names.get(match[1], match[1])}"

    return {
        text: {language: _NAMED.sub(call, one) for language, one in texts.items()}
        for text, texts in said.items()
    }
