"""The manifest that is written into a package of items: which files there are, and their tags."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, indent, tostring

from quizzes.formats.qti.xml_writer.elements import made

_LOM = "http://ltsc.ieee.org/xsd/LOM"


@dataclass(frozen=True, slots=True)
class Standard:
    """What one version of the standard calls things."""

    namespace: str
    templates: str  # "{}" stands for the name of one
    manifest: str
    schema: str
    version: str
    resource: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """An item as a file of the package, and the names of the files that it shows."""

    name: str
    data: bytes
    tags: tuple[str, ...]
    shown: tuple[str, ...]


def manifest(
    slug: str, title: tuple[str, str], members: Sequence[Member], standard: Standard
) -> bytes:
    """Write the manifest; `title` with the language that it is in, "" for none."""
    words, language = title
    about = made(
        "metadata",
        made("schema", text=standard.schema),
        made("schemaversion", text=standard.version),
        *_lom("title", [words] if words else [], language),
    )
    listed = made("resources")
    for at, member in enumerate(members, start=1):
        listed.append(_resource(f"item-{at}", member, language, standard.resource))
    root = made("manifest", about, made("organizations"), listed, identifier=f"bank-{slug}")
    root.set("xmlns", standard.manifest)
    indent(root)
    return serialised(root)


def _resource(ident: str, member: Member, language: str, type_: str) -> Element:
    described = _lom("keyword", member.tags, language)
    names = [member.name, *(f"media/{name}" for name in member.shown)]
    return made(
        "resource",
        *([made("metadata", *described)] if described else []),
        *(made("file", href=name) for name in names),
        identifier=ident,
        type=type_,
        href=member.name,
    )


def _lom(name: str, texts: Iterable[str], language: str) -> list[Element]:
    """Describe a thing as learning objects are described."""
    strings = [made(name, made("string", text=text, language=language)) for text in texts]
    return [made("lom", made("general", *strings), xmlns=_LOM)] if strings else []


def serialised(root: Element) -> bytes:
    """Give the bytes of a document."""
    data: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return data + b"\n"
