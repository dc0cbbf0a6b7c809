"""A small, bounded store of what never changes."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from quizzes.lib.frozen_cache import FrozenCache, IdentityCache


def squares(calls: list[list[int]]):
    def load(keys: list[int]) -> dict[int, int]:
        calls.append(keys)
        return {key: key * key for key in keys if key < 100}

    return load


def test_what_is_kept_is_not_loaded_again():
    memory, calls = FrozenCache[int, int](10), list[list[int]]()
    assert memory.get_many([1, 2, 1], squares(calls)) == {1: 1, 2: 4}
    assert memory.get_many([2, 3], squares(calls)) == {2: 4, 3: 9}
    assert memory.get_many([1, 2, 3], squares(calls)) == {1: 1, 2: 4, 3: 9}
    assert calls == [[1, 2], [3]]


def test_what_there_is_not_is_left_out_and_asked_for_again():
    memory, calls = FrozenCache[int, int](10), list[list[int]]()
    assert memory.get_many([100], squares(calls)) == {}
    assert memory.get_many([100], squares(calls)) == {}
    assert calls == [[100], [100]]


def test_the_least_recently_used_leaves_first():
    memory, calls = FrozenCache[int, int](2), list[list[int]]()
    memory.get_many([1, 2], squares(calls))
    memory.get_many([1], squares(calls))
    memory.get_many([3], squares(calls))
    memory.get_many([1, 3], squares(calls))
    memory.get_many([2], squares(calls))
    assert calls == [[1, 2], [3], [2]]


def test_what_was_used_while_it_filled_leaves_only_if_it_is_not_used_again():
    memory, calls = FrozenCache[int, int](6), list[list[int]]()
    for keys in ([1, 2], [2], [3, 4, 5, 6], [1], [7]):
        memory.get_many(keys, squares(calls))
    assert memory.get_many([1, 7], squares(calls)) == {1: 1, 7: 49}
    assert calls == [[1, 2], [3, 4, 5, 6], [7]]
    memory.get_many([2], squares(calls))
    assert calls[-1] == [2]


def test_more_than_it_keeps_is_given_all_the_same():
    assert len(FrozenCache[int, int](2).get_many(range(9), squares([]))) == 9


def test_clearing_forgets_everything():
    memory, calls = FrozenCache[int, int](10), list[list[int]]()
    memory.get_many([1], squares(calls))
    memory.clear()
    memory.get_many([1], squares(calls))
    assert calls == [[1], [1]]


def test_many_threads_get_what_they_asked_for():
    memory = FrozenCache[int, int](20)

    def ask(start: int) -> bool:
        keys = [(start + n) % 60 for n in range(30)]
        squared = memory.get_many(keys, squares([]))
        return squared == {key: key * key for key in keys}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(200)))
    assert len(memory._cache) <= 20


def test_what_was_made_of_an_object_is_found_by_that_object_and_language_alone():
    memory, first, equal = IdentityCache[str](10), [1], [1]
    assert memory.get(first, "en", lambda: "first en") == "first en"
    assert memory.get(first, "es", lambda: "first es") == "first es"
    assert memory.get(equal, "en", lambda: "equal en") == "equal en"
    for source, language, value in (
        (first, "en", "first en"),
        (equal, "en", "equal en"),
        (first, "es", "first es"),
    ):
        assert memory.get(source, language, lambda: "made anew") == value


def test_an_object_of_which_something_was_made_lives_as_long_as_that():
    memory = IdentityCache[int](2)
    values = [memory.get(object(), "en", partial(int, number)) for number in range(50)]
    assert values == list(range(50))
