"""The manifest of a content package: its title, and the keywords of the files in it. Pure."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import parse_xml

MANIFEST_NAME = "imsmanifest.xml"


@dataclass(frozen=True, slots=True)
class PackageManifest:
    """The title of a package, and its tags by the name of a file in it."""

    title: str = ""
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def parse_manifest(data: bytes, names: Iterable[str]) -> PackageManifest:
    """Return the title and the tags of the files `names`; nothing if it is not XML."""
    root = parse_xml(data)
    if isinstance(root, FileError):
        return PackageManifest()
    members, tags = set(names), {}
    for resource in root.iter("resource"):
        member = posixpath.normpath(unquote(resource.get("href", "")))
        if member in members:
            keywords = (slugify(read_text(keyword)) for keyword in resource.iter("keyword"))
            tags[member] = tuple(dict.fromkeys(filter(None, keywords)))
    titles = (
        read_text(title) for about in root.findall("metadata") for title in about.iter("title")
    )
    return PackageManifest(next(filter(None, titles), ""), tags)
