"""The values that a browser would send: the controls of a form on a page."""

from html.parser import HTMLParser
from typing import Any


class _Form(HTMLParser):
    """Collects the successful controls of the form that holds a control of the given name."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self._open: dict[str, list[str]] | None = None
        self._name = ""
        self._text: list[str] | None = None
        self._select = ""
        self._first: str | None = None
        self._chosen = False
        self._template = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._template += tag == "template"
        if tag == "form":
            self._open = {}
            self.forms.append(self._open)
        if self._open is None or self._template:
            return
        name = attributes.get("name") or ""
        if tag == "input" and name:
            self._input(name, attributes)
        elif tag == "textarea":
            self._name, self._text = name, []
        elif tag == "select":
            self._select, self._first, self._chosen = name, None, False
        elif tag == "option" and self._select:
            value = attributes.get("value") or ""
            self._first = value if self._first is None else self._first
            if "selected" in attributes:
                self._open.setdefault(self._select, []).append(value)
                self._chosen = True

    def _input(self, name: str, attributes: dict[str, str | None]) -> None:
        kind = attributes.get("type", "text")
        if kind in {"submit", "button", "file"}:
            return
        if kind in {"checkbox", "radio"} and "checked" not in attributes:
            return
        assert self._open is not None
        default = "on" if kind == "checkbox" else ""
        self._open.setdefault(name, []).append(attributes.get("value") or default)

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._template -= 1
        elif tag == "textarea" and self._text is not None and self._open is not None:
            text = "".join(self._text)
            if self._name and not self._template:
                text = text.removeprefix("\n").replace("\n", "\r\n")  # as browsers do
                self._open.setdefault(self._name, []).append(text)
            self._text = None
        elif tag == "select" and self._open is not None:
            if not self._chosen and self._first is not None and not self._template:
                self._open.setdefault(self._select, []).append(self._first)
            self._select = ""
        elif tag == "form":
            self._open = None


def form_values(response: Any, control: str) -> dict[str, Any]:
    """Return what the form with this control would send, ready for the test client."""
    parser = _Form()
    parser.feed(response.content.decode())
    form = next(form for form in parser.forms if control in form)
    return {name: values[0] if len(values) == 1 else values for name, values in form.items()}
