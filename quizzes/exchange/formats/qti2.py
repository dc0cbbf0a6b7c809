"""QTI 2.1 and 2.2: items, and packages of them."""

from quizzes.exchange.reading.assessment.questions import doors

name = "qti-2"
endings = ("zip", "xml", "qti")

claims, read = doors(frozenset({"assessmentItem", "assessmentTest"}))
