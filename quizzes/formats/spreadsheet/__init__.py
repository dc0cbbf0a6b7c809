"""Questions in tables, one row a question: which columns there are, and how cells are read. Pure.

What a person may write is told in docs/howto/spreadsheet-format.md and in the template.
"""
