"""The response processing of a QTI 2 or 3 item: its scoring rules and its feedback."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti.scoring_rules import ScoringRule, read_constant, read_rules

SCORE = "SCORE"
_TEMPLATES = {
    "match_correct": "correct",
    "map_response": "map",
    "CC2_match": "correct",
    "CC2_match_basic": "correct",
    "CC2_map_response": "map",
}
_TEMPLATE = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z0-9_]+)(?:\.xml)?/?$")
_VERDICT = re.compile(r"(?:is_)?(correct|right|incorrect|wrong)(?:_fb)?", re.IGNORECASE)


@dataclass(slots=True)
class ResponseProcessing:
    """The scoring rules, and what displays each feedback, by its identifier.

    A method that reads a part raises CustomScoring if a key cannot express it.
    """

    rules: list[ScoringRule] = field(default_factory=list)
    score_feedback: dict[str, Fraction] = field(default_factory=dict)  # 1: right, 0: wrong
    min_scores: dict[str, Fraction] = field(default_factory=dict)  # the score that it begins at
    value_feedback: dict[str, tuple[str, str]] = field(default_factory=dict)  # response and value
    echoes_answer: bool = False  # the answer is the identifier

    def read(self, processing: Element) -> None:
        """Read a template, or all statements."""
        template = processing.get("template") or processing.get("templateLocation") or ""
        if template and not len(processing):
            match, line = _TEMPLATE.search(template), get_line(processing)
            basis = _TEMPLATES.get(match[1] if match else "")
            if basis is None:
                raise CustomScoring(line, template[:200])
            self.rules.append(ScoringRule(basis, ("RESPONSE",), Fraction(1), line))
        for child in processing:
            self._read_statement(child, None, nests=True)

    def _read_statement(self, node: Element, test: Element | None, *, nests: bool) -> None:
        """Read a statement that is executed if `test` holds; `nests`: it may be a condition."""
        if node.tag == "setOutcomeValue":
            self.rules += self._read_assignment(node, test)
        elif node.tag == "responseCondition" and nests:
            self._read_condition(node)
        else:
            raise CustomScoring(get_line(node), node.tag)

    def _read_condition(self, node: Element) -> None:
        """Read if, else if and else; an else gives no points, unless the if asks for no answer."""
        if self._read_min_scores(node):
            return
        handles_empty, first = False, len(self.rules)
        for branch in node:
            statements = list(branch)
            test = None
            if branch.tag != "responseElse":
                if not statements:
                    raise CustomScoring(get_line(branch), branch.tag)
                test = statements.pop(0)
            is_empty = test is not None and test.tag == "isNull"
            handles_empty = handles_empty or is_empty
            if is_empty or (test is None and not handles_empty and len(node) > 1):
                self._read_wrong_branch(statements)
                continue
            if test is None and handles_empty and self._read_cost(statements, first):
                continue
            for statement in statements:
                self._read_statement(statement, test, nests=_is_answered(test))

    def _read_cost(self, statements: Sequence[Element], first: int) -> bool:
        """Return whether an else sets what costs; it is kept as a rule for any other answer.

        `first` is the place of the first rule of its condition.
        """
        match statements:
            case [statement] if statement.get("identifier") == SCORE and len(statement) == 1:
                points = read_constant(statement[0])
            case _:
                return False
        if points is None or points >= 0 or len(self.rules) != first + 1:
            return False
        self.rules.append(replace(self.rules[first], basis="otherwise", points=points))
        return True

    def _read_min_scores(self, node: Element) -> bool:
        """Return whether this only compares the score; the feedback of each score is kept."""
        begins: dict[str, Fraction] = {}
        for branch in node:
            match list(branch):
                case [test, statement] if test.tag == "gte" and statement.tag == "setOutcomeValue":
                    has_score = len(test) == 2 and _is_score(test[0])  # noqa: PLR2004  and number
                    score = read_constant(test[1]) if has_score else None
                    if score is None or statement.get("identifier") == SCORE or len(statement) != 1:
                        return False
                    begins[(statement[0].text or "").strip()] = score
                case _:
                    return False
        self.min_scores |= begins
        return bool(begins)

    def _read_wrong_branch(self, statements: Sequence[Element]) -> None:
        """Check that a branch gives no points; its feedback is for a wrong answer."""
        for statement in statements:
            if statement.tag != "setOutcomeValue" or len(statement) != 1:
                raise CustomScoring(get_line(statement), statement.tag)
            if statement.get("identifier") != SCORE:
                self._read_feedback(statement, Fraction(0))
            elif not (read_constant(statement[0]) == 0 or _is_score(statement[0])):
                raise CustomScoring(get_line(statement), read_text(statement)[:200])

    def _read_assignment(self, node: Element, test: Element | None) -> Iterator[ScoringRule]:
        """Yield the rules of an assignment to the score; another one may display feedback."""
        if len(node) != 1:
            raise CustomScoring(get_line(node), node.tag)
        if node.get("identifier") != SCORE:
            self._read_feedback(node, Fraction(1), test)
            return
        (expression,) = node
        operands = list(expression) if expression.tag == "sum" else [expression]
        terms = [term for term in operands if not _is_score(term)]
        adds = expression.tag == "sum" and len(terms) < len(operands)
        gives_points = any(rule.basis == "map" or rule.points for rule in self.rules)
        if gives_points and not adds and not (test is not None and self._continues_values(test)):
            raise CustomScoring(get_line(node))
        for term in terms:
            yield from _read_term(term, test)

    def _continues_values(self, test: Element) -> bool:
        """Return whether this is one more value of the one response whose values give points."""
        rules = [*read_rules(test, Fraction(0)), *self.rules]
        return len({(rule.basis, rule.responses) for rule in rules}) == 1 and (
            rules[0].basis == "value"
        )

    def _read_feedback(self, node: Element, score: Fraction, test: Element | None = None) -> None:
        """Note what displays a feedback: one value of a response, or a score."""
        (expression,) = node
        if expression.tag == "variable":
            self.echoes_answer = True
        if expression.tag != "baseValue":
            return
        identifier = (expression.text or "").strip()
        match _try_rules(test):
            case [rule] if rule.basis in {"value", "member"} and read_verdict(identifier) is None:
                self.value_feedback[identifier] = rule.responses[0], rule.operand
            case _:
                self.score_feedback[identifier] = score


def _is_answered(test: Element | None) -> bool:
    """Return whether a test asks whether there is an answer."""
    if test is None:
        return False
    is_negated = test.tag == "not" and len(test) == 1 and test[0].tag == "isNull"
    return test.tag == "isNotNull" or is_negated


def _read_term(term: Element, test: Element | None) -> Iterator[ScoringRule]:
    line = get_line(term)
    if term.tag == "mapResponse" and (test is None or _is_answered(test)):
        yield ScoringRule("map", (term.get("identifier", ""),), Fraction(0), line)
        return
    points = read_constant(term)
    if points is None or (test is None and points):
        raise CustomScoring(line, term.tag)
    if test is not None and (points or not _is_answered(test)):
        rules = read_rules(test, points)
        yield from (rule for rule in rules if points or rule.basis == "value")


def _is_score(node: Element) -> bool:
    return node.tag == "variable" and node.get("identifier") == SCORE


def _try_rules(test: Element | None) -> Sequence[ScoringRule]:
    """Return the rules of a test; none if a key cannot express it."""
    try:
        return [] if test is None or _is_answered(test) else list(read_rules(test, Fraction(1)))
    except CustomScoring:
        return []


def read_verdict(identifier: str) -> bool | None:
    """Return whether a feedback's identifier means right or wrong; None if neither."""
    match = _VERDICT.fullmatch(identifier)
    return None if match is None else match[1].lower() in {"correct", "right"}
