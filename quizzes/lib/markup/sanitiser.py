"""The last check: whatever the renderer wrote, only what is listed here is sent."""

from typing import Final

import nh3

from quizzes.lib.markup import addresses, code_blocks, formulas

HTML_TAGS: Final = frozenset(
    """
    a audio blockquote br code div em h3 h4 h5 h6 hr img li ol p pre s span strong table tbody td
    th thead tr ul video
    """.split()
)
_ATTRIBUTES: Final[dict[str, set[str]]] = {
    "a": {"href", "title"},
    "audio": {"aria-label", "controls", "src"},
    "img": {"alt", "src", "title"},
    "ol": {"start"},
    "th": {"scope"},
    "video": {"aria-label", "controls", "src"},
    **{tag: set(formulas.ATTRIBUTES) for tag in formulas.TAGS},
}
_SHOWING: Final = frozenset({"audio", "img", "video"})
_CELL = {"align-left", "align-center", "align-right"}
_CLASSES: Final[dict[str, set[str]]] = {
    "code": {f"language-{code_blocks.class_name(name)}" for name in code_blocks.LANGUAGES}
    | {"tex-error"},
    "div": {"table-scroll"},
    "pre": {"code"},
    "span": set(code_blocks.TOKEN_CLASSES) | {"media", "media-words"},
    "td": _CELL,
    "th": _CELL,
}


def _keep(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "href":
        return value if tag == "a" and addresses.is_safe_link(value) else None
    if attribute == "src":
        return value if tag in _SHOWING and addresses.is_own_image(value) else None
    return value


_CLEANER = nh3.Cleaner(
    tags=set(HTML_TAGS | formulas.TAGS),
    clean_content_tags={"script", "style"},
    attributes=_ATTRIBUTES,
    attribute_filter=_keep,
    allowed_classes=_CLASSES,
    tag_attribute_values={
        "audio": {"preload": {"none"}},
        "div": {"tabindex": {"0"}},
        "pre": {"tabindex": {"0"}},
        "video": {"preload": {"none"}},
    },
    url_schemes=set(addresses.LINK_SCHEMES),
    link_rel="noopener noreferrer",
    strip_comments=True,
)


def clean(html: str) -> str:
    """Return the HTML with every element, attribute and address that is not listed removed."""
    return _CLEANER.clean(html)
