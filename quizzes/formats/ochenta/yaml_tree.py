"""YAML as a tree of texts that know their lines, so that every error can name its place.

Deliberately poor: mappings, lists and texts; no anchors (a few bytes of them can unfold to
gigabytes), no types guessed from how a word looks (`no` is a word, `1e3` is what was written).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from quizzes.formats.contract import FileError

BIGGEST = 5 * 1024 * 1024
DEEPEST = 20


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A node: exactly one of `text`, `items`, `fields` is there."""

    line: int
    where: str
    text: str | None = None
    items: Sequence["YamlNode"] | None = None
    fields: Mapping[str, "YamlNode"] | None = None

    def get(self, field: str) -> "YamlNode | None":
        """Return the node of a field; None where it has no such field."""
        return (self.fields or {}).get(field)

    def get_text(self, field: str) -> str:
        """Return the text of a field; "" where it has none."""
        node = self.get(field)
        return (node and node.text) or ""


@dataclass(slots=True)
class UnreadableYaml(Exception):
    """The file is no YAML that we read."""

    line: int
    code: str
    message: str

    @property
    def error(self) -> FileError:
        """Return it as an error of the file."""
        return FileError(self.line, "", self.code, self.message)


@dataclass(slots=True)
class ErrorCollector:
    """Collects what is wrong while reading goes on, so that an author sees all of it at once."""

    errors: list[FileError] = field(default_factory=list)

    def add(self, node: YamlNode, code: str, message: str) -> None:
        """Add an error at the place of a node."""
        self.errors.append(FileError(node.line, node.where, code, message))


def parse_yaml(data: bytes, errors: ErrorCollector) -> YamlNode:
    """Return bytes as a tree; raise UnreadableYaml for what is no YAML, or made to do harm."""
    if len(data) > BIGGEST:
        raise UnreadableYaml(1, "too_big", f"the file is over {BIGGEST} bytes")
    try:
        return _TreeBuilder(data.decode("utf-8-sig"), errors).build_document()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableYaml(line, "not_utf8", "the file is not UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UnreadableYaml(line, "not_yaml", error.problem or "not YAML") from None
    except yaml.YAMLError as error:
        raise UnreadableYaml(1, "not_yaml", str(error).splitlines()[0]) from None


class _TreeBuilder:
    """Builds nodes from the events of a file; what is made to do harm ends at its event."""

    def __init__(self, text: str, errors: ErrorCollector) -> None:
        self._events = yaml.parse(text, yaml.SafeLoader)
        self._errors = errors

    def build_document(self) -> YamlNode:
        """Return the one document of the file."""
        next(self._events)  # of the stream
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise UnreadableYaml(1, "empty", "the file is empty")
        node = self._build(next(self._events), "", 1)
        next(self._events)  # of the document's end
        if not isinstance(following := next(self._events), yaml.StreamEndEvent):
            raise UnreadableYaml(_get_line(following), "not_yaml", "the file has a second document")
        return node

    def _build(self, event: yaml.Event, where: str, depth: int) -> YamlNode:
        line = _get_line(event)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise UnreadableYaml(line, "anchor", "anchors (& and *) are not read here")
        if isinstance(event, yaml.ScalarEvent):
            return YamlNode(line, where, text=event.value)
        if depth > DEEPEST:
            raise UnreadableYaml(line, "too_deep", "the file is nested too deeply")
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[YamlNode] = []
            while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
                items.append(self._build(item, f"{where}[{len(items) + 1}]", depth + 1))
            return YamlNode(line, where, items=items)
        fields: dict[str, YamlNode] = {}
        while not isinstance(key_event := next(self._events), yaml.MappingEndEvent):
            key = self._build(key_event, where, depth + 1)
            name = key.text or ""
            place = f"{where}.{name}" if where else name
            if name in fields:
                message = f"the field {name!r} is here twice"
                self._errors.add(YamlNode(key.line, place), "duplicate_field", message)
            fields[name] = self._build(next(self._events), place, depth + 1)
        return YamlNode(line, where, fields=fields)


def _get_line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
