"""The manifest of a content package: its title, and the keywords of the files in it. Pure."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.naming import slug
from quizzes.formats.parsing.xhtml import words
from quizzes.formats.parsing.xml import local, parse

NAME = "imsmanifest.xml"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest tells; `tags` by the name of a member."""

    title: str = ""
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def manifest(data: bytes, names: Iterable[str]) -> Manifest:
    """Read a manifest; of files that it names and the package has not (`names`), nothing is told.

    One that cannot be read tells nothing.
    """
    root = parse(data)
    if isinstance(root, FileError):
        return Manifest()
    known = set(names)
    tags = {}
    for one in root.iter():
        if local(one) == "resource":
            member = posixpath.normpath(unquote(one.get("href", "")))
            if member in known:
                found = (slug(words(keyword)) for keyword in _named(one, "keyword"))
                tags[member] = tuple(dict.fromkeys(filter(None, found)))
    titles = (words(title) for each in _beside(root) for title in _named(each, "title"))
    return Manifest(next(filter(None, titles), ""), tags)


def _beside(root: Element) -> list[Element]:
    """Give what is said of the package as a whole."""
    return [one for one in root if local(one) == "metadata"]


def _named(node: Element, name: str) -> Iterable[Element]:
    return (one for one in node.iter() if local(one) == name)
