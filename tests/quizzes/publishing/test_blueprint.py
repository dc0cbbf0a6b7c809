"""Drawing papers: never short, never twice, unseen first, and the same again from the seed."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from grading.json_types import Json
from quizzes.publishing.blueprint import CandidateQuestion, SelectedQuestion, VersionItem, draw
from quizzes.publishing.draw_allocation import find_shortages

NOTHING_SHUFFLED = {"shuffle_questions": False, "shuffle_options": False}


def choice(
    name: str, *, pinned: str = "", options: str = "abcd", shuffle: bool = True
) -> CandidateQuestion:
    content: dict[str, Json] = {
        "options": [{"id": f"{name}{o}", "pinned": o in pinned} for o in options],
        "none_apply": False,
        "shuffle": shuffle,
    }
    return CandidateQuestion(f"version-{name}", name, "multiple_choice", "all_or_nothing", content)


def place(names: str, draw: int = 1, section: int = 0, points: int = 1) -> VersionItem:
    return VersionItem(section, draw, Fraction(points), tuple(choice(name) for name in names))


def names(drawn: tuple[SelectedQuestion, ...]) -> str:
    return "".join(slot.candidate.question for slot in drawn)


def test_fixed_questions_come_in_the_authors_order():
    assert names(draw([place("a"), place("b"), place("c")], seed="1")) == "abc"


def test_a_pool_gives_as_many_as_asked_each_once():
    drawn = names(draw([place("abcdef", 4)], seed="1"))
    assert len(set(drawn)) == len(drawn) == 4


def test_a_pool_prefers_what_was_not_seen():
    for seed in range(20):
        assert set(names(draw([place("abcdef", 2)], seed=str(seed), seen=set("abcd")))) == {
            "e",
            "f",
        }


def test_a_pool_falls_back_on_what_was_seen():
    drawn = names(draw([place("abc", 2)], seed="1", seen=set("ab")))
    assert drawn[0] == "c"
    assert drawn[1] in "ab"


def test_a_pool_leaves_the_fixed_questions_that_come_after_it_alone():
    for seed in range(20):
        drawn = names(draw([place("abc", 2), place("a")], seed=str(seed)))
        assert drawn[2:] == "a"
        assert set(drawn[:2]) == {"b", "c"}


def test_where_there_is_nothing_to_draw_the_authors_order_stands():
    assert names(draw([place("abc", 3)], seed="1", seen={"a"})) == "abc"


def test_questions_are_shuffled_within_their_section_alone():
    places = [
        place(name, section=section)
        for section, letters in enumerate(["abcd", "efgh"])
        for name in letters
    ]
    drawn = {names(draw(places, seed=str(seed), shuffle_questions=True)) for seed in range(30)}
    assert len(drawn) > 10
    assert all(set(text[:4]) == set("abcd") for text in drawn)


def test_options_are_shuffled_but_pinned_ones_keep_their_place():
    version_item = VersionItem(0, 1, Fraction(1), (choice("q", pinned="d"),))
    orders = {draw([version_item], seed=str(seed))[0].order for seed in range(40)}
    assert len(orders) == 6
    assert {order[3] for order in orders} == {"qd"}


def test_options_keep_the_authors_order_if_quiz_or_question_says_so():
    loose, tied = (VersionItem(0, 1, Fraction(1), (choice("q", shuffle=s),)) for s in (True, False))
    for seed in range(20):
        order = draw([loose], seed=str(seed), shuffle_options=False)[0].order
        assert order == draw([tied], seed=str(seed))[0].order == ("qa", "qb", "qc", "qd")


def test_points_and_section_come_with_the_place():
    drawn = draw([place("ab", 2, section=3, points=5)], seed="1")
    assert [(slot.section, slot.points) for slot in drawn] == [(3, Fraction(5))] * 2


@st.composite
def plans(given_by):
    """Quizzes that publishing would let through: fixed questions anywhere among disjoint pools."""
    pool = [chr(97 + n) for n in range(given_by(st.integers(1, 16)))]
    fixed = given_by(st.lists(st.sampled_from(pool), unique=True, max_size=len(pool)))
    places = [place(name, section=given_by(st.integers(0, 2))) for name in fixed]
    loose = [name for name in pool if name not in fixed]
    if loose:
        cut = given_by(st.integers(1, len(loose)))
        for part in (loose[:cut], loose[cut:]):
            if part:
                also = given_by(st.lists(st.sampled_from(fixed), unique=True)) if fixed else []
                count = given_by(st.integers(1, len(part)))
                places.append(place("".join([*part, *also]), count, given_by(st.integers(0, 2))))
    return given_by(st.permutations(places))


@given(plans(), st.text(), st.sets(st.sampled_from("abcdefgh")), st.booleans(), st.booleans())
def test_a_paper_is_whole_without_twins_and_replayable(places, seed, seen, questions, options):
    def once():
        return draw(
            places, seed=seed, seen=seen, shuffle_questions=questions, shuffle_options=options
        )

    drawn = once()
    assert drawn == once()
    assert len(drawn) == sum(place.draw for place in places)
    assert len({slot.candidate.question for slot in drawn}) == len(drawn)
    for slot in drawn:
        assert sorted(slot.order) == sorted(str(o["id"]) for o in slot.candidate.content["options"])
    if questions:
        assert [slot.section for slot in drawn] == sorted(slot.section for slot in drawn)


@given(st.integers(2, 10), st.data())
def test_nobody_meets_an_old_question_while_a_new_one_is_left(size, data):
    pool = [chr(97 + n) for n in range(size)]
    count = data.draw(st.integers(1, size - 1))
    seen = data.draw(st.sets(st.sampled_from(pool)))
    drawn = names(draw([place("".join(pool), count)], seed=data.draw(st.text()), seen=seen))
    assert len(set(drawn) - seen) == min(count, len(set(pool) - seen))


def ordering(items: str, right: str) -> VersionItem:
    content: dict[str, Json] = {"items": [{"id": id_} for id_ in items]}
    question = CandidateQuestion("v", "q", "ordering", "exact_place", content, tuple(right))
    return VersionItem(0, 1, Fraction(1), (question,))


def orders(item: VersionItem, *, shuffle: bool = True) -> set[str]:
    return {
        "".join(draw([item], seed=str(seed), shuffle_options=shuffle)[0].order)
        for seed in range(300)
    }


def test_no_attempt_begins_with_the_right_order():
    assert orders(ordering("abc", "bca")) == {"abc", "acb", "bac", "cab", "cba"}
    assert orders(ordering("abcd", "dcba")).isdisjoint({"dcba"})


def test_what_is_not_shuffled_is_not_right_either():
    [order] = {*orders(ordering("abc", "acb"), shuffle=False)}
    assert order == "abc"
    assert "abc" not in orders(ordering("abc", "abc"), shuffle=False)


def test_of_two_items_the_order_tells_nothing():
    assert orders(ordering("ab", "ba")) == {"ab", "ba"}


@given(
    st.lists(st.tuples(st.integers(1, 3), st.sets(st.sampled_from("abcdef"))), max_size=4),
    st.text(max_size=3),
    st.sets(st.sampled_from("abcdef")),
)
def test_every_draw_is_served_in_full_wherever_one_way_to_do_so_exists(pools, seed, seen):
    draws = [draw for draw, _ in pools]
    if find_shortages(draws, [set(map(ord, own)) for _, own in pools]):
        return
    places = [place("".join(sorted(own)), count) for count, own in pools]
    drawn = names(draw(places, seed=seed, seen=seen))
    assert len(drawn) == len(set(drawn)) == sum(draws)
    for count, own in pools:
        assert set(drawn[:count]) <= own
        drawn = drawn[count:]


def test_a_draw_that_a_later_one_leaves_short_exchanges_a_question_with_it():
    for seed in range(30):
        drawn = names(draw([place("abc", 2), place("bcd", 2)], seed=str(seed)))
        assert (len(set(drawn)), set(drawn[:2]) <= set("abc")) == (4, True)


def enemy_place(sets_by_name: dict[str, str], draw: int = 1) -> VersionItem:
    candidates = tuple(replace(choice(name), enemy_set=own) for name, own in sets_by_name.items())
    return VersionItem(0, draw, Fraction(1), candidates)


def test_a_draw_takes_one_of_several_enemies_and_each_in_turn():
    pool = enemy_place({"a": "x", "b": "x", "c": "x", "d": "", "e": ""}, 3)
    drawn = [set(names(draw([pool], seed=str(seed)))) for seed in range(40)]
    assert all(questions > {"d", "e"} for questions in drawn)
    assert {"".join(questions - {"d", "e"}) for questions in drawn} == {"a", "b", "c"}


def test_a_draw_avoids_the_enemies_of_a_fixed_question_that_comes_later():
    for seed in range(20):
        items = [enemy_place({"a": "x", "b": "", "c": ""}, 2), enemy_place({"z": "x"})]
        assert set(names(draw(items, seed=str(seed)))) == {"b", "c", "z"}


def test_an_enemy_not_yet_seen_is_preferred():
    for seed in range(20):
        assert names(draw([enemy_place({"a": "x", "b": "x"})], seed=str(seed), seen={"a"})) == "b"


@st.composite
def enemy_plans(draw_from):
    """Draws that overlap as they like, with enemies, of which all can be served."""
    sets = {letter: draw_from(st.sampled_from(["", "x", "y", "z"])) for letter in "abcdefgh"}
    keys = [sets[letter] or letter for letter in sets]
    numbers = {letter: keys.index(key) for letter, key in zip(sets, keys, strict=True)}
    pools = draw_from(
        st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=4)
    )
    draws = [draw_from(st.integers(1, len({numbers[c] for c in pool}))) for pool in pools]
    assume(not find_shortages(draws, [{numbers[c] for c in pool} for pool in pools]))
    return [
        enemy_place({name: sets[name] for name in sorted(pool)}, count)
        for pool, count in zip(pools, draws, strict=True)
    ]


@given(enemy_plans(), st.text(max_size=3), st.sets(st.sampled_from("abcdefgh")))
def test_whatever_can_be_served_is_and_enemies_never_meet(items, seed, seen):
    drawn = draw(items, seed=seed, seen=seen)
    assert len(drawn) == sum(item.draw for item in items)
    keys = [question.candidate.exclusive_key for question in drawn]
    assert len(set(keys)) == len(keys)
