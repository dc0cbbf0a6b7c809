"""Items of QTI 2, written by hand in short."""

from grading.contract import ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.formats import qti2
from quizzes.formats.contract import SourceItem
from tests.quizzes.imports.questions import item as built

CORRECT = '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>'
MAP = CORRECT.replace("match_correct", "map_response")


def declared(
    *right: str,
    cardinality: str = "single",
    base: str = "identifier",
    more: str = "",
    ident: str = "RESPONSE",
) -> str:
    values = "".join(f"<value>{text}</value>" for text in right)
    correct = f"<correctResponse>{values}</correctResponse>" if right else ""
    return (
        f'<responseDeclaration identifier="{ident}" cardinality="{cardinality}" baseType="{base}">'
        f"{correct}{more}</responseDeclaration>"
    )


def mapping(more: str = "", **entries: str) -> str:
    listed = "".join(f'<mapEntry mapKey="{k}" mappedValue="{v}"/>' for k, v in entries.items())
    return f"<mapping {more}>{listed}</mapping>"


def choice(*labels: str, most: str = "1", more: str = "") -> str:
    listed = "".join(
        f'<simpleChoice identifier="{label}">{label}</simpleChoice>' for label in labels
    )
    return (
        f'<choiceInteraction responseIdentifier="RESPONSE" maxChoices="{most}" {more}>'
        f"<prompt>Which?</prompt>{listed}</choiceInteraction>"
    )


def scored(tests: str, amount: str = "1", *others: str, identifier: str = "SCORE") -> str:
    return (
        f'<responseCondition><responseIf>{tests}<setOutcomeValue identifier="{identifier}">'
        f'<baseValue baseType="float">{amount}</baseValue></setOutcomeValue></responseIf>'
        f"{''.join(others)}</responseCondition>"
    )


def processed(*statements: str) -> str:
    return f"<responseProcessing>{''.join(statements)}</responseProcessing>"


def variable(name: str = "RESPONSE") -> str:
    return f'<variable identifier="{name}"/>'


def value(text: str) -> str:
    return f'<baseValue baseType="identifier">{text}</baseValue>'


def matched(name: str = "RESPONSE") -> str:
    return f'<match>{variable(name)}<correct identifier="{name}"/></match>'


def document(*parts: str, more: str = "") -> bytes:
    head = [part for part in parts if part.startswith(("<responseDecl", "<outcomeDecl", "<templ"))]
    tail = [part for part in parts if part.startswith(("<responseProc", "<modal"))]
    body = [part for part in parts if part not in head + tail]
    return (
        f'<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" title="T" {more}>'
        f"{''.join(head)}<itemBody>{''.join(body)}</itemBody>{''.join(tail)}</assessmentItem>"
    ).encode()


def found(*parts: str, more: str = "") -> SourceItem:
    parcel = qti2.read(document(*parts, more=more), language="en")
    assert parcel.errors == ()
    (item,) = parcel.items
    return item


def codes(item: SourceItem) -> set[str]:
    return {note.code for note in item.notes}


def credit(item: SourceItem, raw: Json) -> object:
    assert item.question is not None
    document, kind = built(item.question), KINDS[item.kind]
    answer = kind.parse(document.content, raw)
    assert isinstance(answer, dict)
    mark = kind.score(document.content, document.key, answer, document.scoring_method)
    assert isinstance(mark, ItemScore)
    return mark.credit


def rows(item: SourceItem, table: str) -> list[dict[str, Json]]:
    assert item.question is not None
    return [dict(row.values) for row in item.question.tables.get(table, ())]
