"""What can be chosen on the page of an attempt, read from its HTML as a program finds it."""

import re
from collections.abc import Iterator

FIELD = re.compile(rb"<input\b[^>]*>")
NAME = re.compile(rb'\sname="q-(\d+)"')
VALUE = re.compile(rb'\svalue="([0-9a-f-]{36})"')


def read_options(page: bytes) -> Iterator[tuple[int, str]]:
    """Yield the slot and the id of each option, whatever the order of its attributes."""
    for field in FIELD.findall(page):
        name, value = NAME.search(field), VALUE.search(field)
        if name and value:
            yield int(name[1]), value[1].decode()
