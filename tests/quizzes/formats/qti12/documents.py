"""Items of QTI 1.2, written by hand in short."""

from quizzes.formats import qti12
from quizzes.formats.contract import SourceItem


def label(ident: str, text: str, more: str = "") -> str:
    words = f'<material><mattext texttype="text/plain">{text}</mattext></material>'
    return f'<response_label ident="{ident}" {more}>{words}</response_label>'


def lid(ident: str, *labels: str, cardinality: str = "Single", text: str = "") -> str:
    material = f"<material><mattext>{text}</mattext></material>" if text else ""
    return (
        f'<response_lid ident="{ident}" rcardinality="{cardinality}">{material}'
        f"<render_choice>{''.join(labels)}</render_choice></response_lid>"
    )


def string(ident: str, fib: str = "") -> str:
    kind = f'fibtype="{fib}"' if fib else ""
    return (
        f'<response_str ident="{ident}" rcardinality="Single"><render_fib {kind}>'
        '<response_label ident="answer1"/></render_fib></response_str>'
    )


def equal(response: str, value: str, more: str = "") -> str:
    return f'<varequal respident="{response}" {more}>{value}</varequal>'


def rule(tests: str, gain: str = "", action: str = "Set", says: str = "", more: str = "") -> str:
    gains = f'<setvar action="{action}" varname="SCORE">{gain}</setvar>' if gain else ""
    link = f'<displayfeedback feedbacktype="Response" linkrefid="{says}"/>' if says else ""
    return (
        f"<respcondition {more}><conditionvar>{tests}</conditionvar>{gains}{link}</respcondition>"
    )


def feedback(ident: str, text: str) -> str:
    material = f"<material><mattext>{text}</mattext></material>"
    return f'<itemfeedback ident="{ident}">{material}</itemfeedback>'


def meta(**fields: str) -> str:
    field_xml = "".join(
        f"<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{value}</fieldentry>"
        "</qtimetadatafield>"
        for name, value in fields.items()
    )
    return f"<itemmetadata><qtimetadata>{field_xml}</qtimetadata></itemmetadata>"


def item(presentation: str, *parts: str, kind: str = "", prompt: str = "What is it?") -> str:
    metadata = meta(question_type=kind) if kind else ""
    prompt_material = (
        f'<material><mattext texttype="text/html">{prompt}</mattext></material>{presentation}'
    )
    processing = "".join(part for part in parts if part.startswith("<respcondition"))
    rest = "".join(part for part in parts if not part.startswith("<respcondition"))
    return (
        f'<item ident="i1" title="A thing">{metadata}<presentation>{prompt_material}</presentation>'
        f"<resprocessing>{processing}</resprocessing>{rest}</item>"
    )


def document(*items: str) -> bytes:
    return f"<questestinterop>{''.join(items)}</questestinterop>".encode()


def found(text: str) -> SourceItem:
    parcel = qti12.read(document(text), language="en")
    assert parcel.errors == ()
    (item,) = parcel.items
    return item


def codes(item: SourceItem) -> set[str]:
    return {note.code for note in item.notes}
