"""The rules of QTI items: response processing of QTI 2 and 3, conditions of QTI 1.2."""
