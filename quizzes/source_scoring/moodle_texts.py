"""Values of Moodle XML as they stand: the words of an element, and switches."""

from xml.etree.ElementTree import Element


def read_words(node: Element | None) -> str:
    """Return the content of the `<text>` in an element, else its own."""
    if node is None:
        return ""
    text = node.find("text")
    return (
        "".join((node if text is None else text).itertext())
        if text is not None
        else (node.text or "")
    )


def read_flag(node: Element, name: str, *, default: bool) -> bool:
    """Return whether a switch is on."""
    word = read_words(node.find(name)).strip().lower()
    return word in {"1", "true", "yes"} if word else default
