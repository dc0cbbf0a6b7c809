"""Writing a package of items: the items, the media files they use, and the manifest."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, indent

from quizzes.formats.contract import ParsedFile
from quizzes.formats.export.elements import build_element, serialize
from quizzes.formats.parsing.manifest import MANIFEST_NAME
from quizzes.formats.parsing.packages import write_zip

_LOM = "http://ltsc.ieee.org/xsd/LOM"
_MEDIA = re.compile(r"(?:\.\.|\$IMS-CC-FILEBASE\$)/media/([\w.-]+)")


@dataclass(frozen=True, slots=True)
class QtiStandard:
    """What one version of the standard calls things."""

    namespace: str
    templates: str  # "{}" stands for the name of one
    manifest: str
    schema: str
    version: str
    resource: str
    has_dashes: bool = False
    has_external_scoring: bool = False  # an outcome may say that people score it


@dataclass(frozen=True, slots=True)
class PackageMember:
    """A document of the package, and the tags of what is in it."""

    name: str
    data: bytes
    tags: tuple[str, ...] = ()


def find_title(parsed_file: ParsedFile, language: str) -> str:
    """Return the bank's title in a language, or ""."""
    titles = parsed_file.fields.get("title", {})
    return str(titles.get(language, "")) if isinstance(titles, Mapping) else ""


def write_package(
    parsed_file: ParsedFile, language: str, members: Sequence[PackageMember], standard: QtiStandard
) -> bytes:
    """Return a package of these documents and of the media files that they use."""
    title = find_title(parsed_file, language)
    used: set[str] = set()
    resources = []
    for number, member in enumerate(members, start=1):
        names = dict.fromkeys(_MEDIA.findall(member.data.decode()))
        media = [name for name in names if name in parsed_file.media]
        used.update(media)
        keywords = _describe("keyword", member.tags, language)
        resources.append(
            build_element(
                "resource",
                *([build_element("metadata", *keywords)] if keywords else []),
                *(
                    build_element("file", href=name)
                    for name in (member.name, *(f"media/{name}" for name in media))
                ),
                identifier=f"item-{number}",
                type=standard.resource,
                href=member.name,
            )
        )
    metadata = build_element(
        "metadata",
        build_element("schema", text=standard.schema),
        build_element("schemaversion", text=standard.version),
        *_describe("title", [title] if title else [], language),
    )
    root = build_element(
        "manifest",
        metadata,
        build_element("organizations"),
        build_element("resources", *resources),
        identifier=f"bank-{parsed_file.slug}",
        xmlns=standard.manifest,
    )
    indent(root)
    files = [
        (MANIFEST_NAME, serialize_document(root)),
        *((member.name, member.data) for member in members),
    ]
    return write_zip(
        [*files, *((f"media/{name}", parsed_file.media[name]) for name in sorted(used))]
    )


def _describe(name: str, texts: Iterable[str], language: str) -> list[Element]:
    """Return a description as learning objects have it."""
    strings = [
        build_element(name, build_element("string", text=text, language=language)) for text in texts
    ]
    return [build_element("lom", build_element("general", *strings), xmlns=_LOM)] if strings else []


def serialize_document(root: Element) -> bytes:
    """Return a document that ends with a line break."""
    return serialize(root) + b"\n"
