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
    members = set(names)
    tags = {}
    for node in root.iter():
        if local(node) == "resource":
            member = posixpath.normpath(unquote(node.get("href", "")))
            if member in members:
                keywords = (slug(words(keyword)) for keyword in _named(node, "keyword"))
                tags[member] = tuple(dict.fromkeys(filter(None, keywords)))
    titles = (words(title) for each in _beside(root) for title in _named(each, "title"))
    return Manifest(next(filter(None, titles), ""), tags)


def _beside(root: Element) -> list[Element]:
    """Give what is said of the package as a whole."""
    return [child for child in root if local(child) == "metadata"]


def _named(node: Element, name: str) -> Iterable[Element]:
    return (child for child in node.iter() if local(child) == name)
