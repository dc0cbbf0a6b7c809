"""Lists of people for a class: pasted, as CSV, as a workbook or as a OneRoster package. Pure."""

from quizzes.formats.rosters.people import ListedPerson, RosterFile, build_person
from quizzes.formats.rosters.reader import MAX_PEOPLE, read_roster

__all__ = ["MAX_PEOPLE", "ListedPerson", "RosterFile", "build_person", "read_roster"]
