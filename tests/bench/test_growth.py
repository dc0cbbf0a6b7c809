"""The table of growth says what grew, whatever the machine."""

from bench.growth import list_rows


def test_a_row_has_every_size_and_how_milliseconds_and_blocks_grew():
    small = {"responses": 1_000, "pages": {"learner: Home": [10.0, 100, 8], "quiz": [1.0, 0, 2]}}
    large = {"responses": 9_000, "pages": {"learner: Home": [15.0, 220, 8], "quiz": [1.0, 3, 4]}}
    assert list(list_rows([small, large])) == [
        ["learner: Home", "8", "10.0", "15.0", "1.50", "100", "220", "2.20"],
        ["quiz", "2 4", "1.0", "1.0", "1.00", "0", "3", "3.00"],
    ]
