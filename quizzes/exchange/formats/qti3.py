"""QTI 3.0: items, and packages of them."""

from quizzes.exchange.reading.assessment.questions import doors

name = "qti-3"
endings = ("zip", "xml", "qti")

claims, read = doors(frozenset({"qti-assessment-item", "qti-assessment-test"}))
