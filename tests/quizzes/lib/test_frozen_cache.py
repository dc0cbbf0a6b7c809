"""A small, bounded store of what never changes."""

from concurrent.futures import ThreadPoolExecutor

from quizzes.lib.frozen_cache import FrozenCache


def squares(asked: list[list[int]]):
    def load(keys: list[int]) -> dict[int, int]:
        asked.append(keys)
        return {key: key * key for key in keys if key < 100}

    return load


def test_what_is_kept_is_not_loaded_again():
    memory, asked = FrozenCache[int, int](10), list[list[int]]()
    assert memory.get_many([1, 2, 1], squares(asked)) == {1: 1, 2: 4}
    assert memory.get_many([2, 3], squares(asked)) == {2: 4, 3: 9}
    assert memory.get_many([1, 2, 3], squares(asked)) == {1: 1, 2: 4, 3: 9}
    assert asked == [[1, 2], [3]]


def test_what_there_is_not_is_left_out_and_asked_for_again():
    memory, asked = FrozenCache[int, int](10), list[list[int]]()
    assert memory.get_many([100], squares(asked)) == {}
    assert memory.get_many([100], squares(asked)) == {}
    assert asked == [[100], [100]]


def test_the_least_recently_used_leaves_first():
    memory, asked = FrozenCache[int, int](2), list[list[int]]()
    memory.get_many([1, 2], squares(asked))
    memory.get_many([1], squares(asked))
    memory.get_many([3], squares(asked))
    memory.get_many([1, 3], squares(asked))
    memory.get_many([2], squares(asked))
    assert asked == [[1, 2], [3], [2]]


def test_more_than_it_keeps_is_given_all_the_same():
    assert len(FrozenCache[int, int](2).get_many(range(9), squares([]))) == 9


def test_clearing_forgets_everything():
    memory, asked = FrozenCache[int, int](10), list[list[int]]()
    memory.get_many([1], squares(asked))
    memory.clear()
    memory.get_many([1], squares(asked))
    assert asked == [[1], [1]]


def test_many_threads_get_what_they_asked_for():
    memory = FrozenCache[int, int](20)

    def ask(start: int) -> bool:
        wanted = [(start + n) % 60 for n in range(30)]
        found = memory.get_many(wanted, squares([]))
        return found == {key: key * key for key in wanted}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(200)))
    assert len(memory._cache) <= 20
