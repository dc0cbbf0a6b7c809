"""Which questions each place of a quiz takes where draws overlap: bipartite, so a flow. Pure.

Questions that the same draws could take are one *source* with a size: there are as many of these
as ways in which draws overlap, however many questions a bank has. Whether all can be served is
Hall's condition; what is found short is a set of draws that together need more than there is.
"""

from collections import Counter, deque
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

Source = TypeVar("Source", bound=Hashable)


class DrawAllocation(Generic[Source]):
    """How many questions of each source every place takes.

    `sizes`: source → questions of it that are free. `sources`: for each place the sources it may
    draw from, those preferred first.
    """

    def __init__(self, sizes: Mapping[Source, int], sources: Sequence[Sequence[Source]]) -> None:
        self.free = dict(sizes)
        self.sources = sources
        self.drawn: list[dict[Source, int]] = [{} for _ in sources]
        self._takers: dict[Source, list[int]] = {}
        for place, own in enumerate(sources):
            for source in own:
                self._takers.setdefault(source, []).append(place)

    def take(self, place: int, source: Source, count: int = 1) -> None:
        """Let a place take free questions of a source."""
        self.free[source] -= count
        counts = self.drawn[place]
        counts[source] = counts.get(source, 0) + count

    def increase(self, place: int, most: int) -> int:
        """Let a place take up to so many more; others change to another source. Return how many."""
        gained = 0
        while gained < most and (path := self._find_path(place)):
            gained += self._follow(path, most - gained)
        return gained

    def decrease(self, place: int, count: int) -> None:
        """Let a place give back so many questions of those it takes."""
        counts = self.drawn[place]
        for source in tuple(counts):
            share = min(counts[source], count)
            counts[source] -= share
            self.free[source] += share
            count -= share

    def list_competing(self, place: int) -> list[int]:
        """Return the places that could give up a question for this one, and itself, in order."""
        return sorted(self._search(place)[0])

    def _search(
        self, start: int
    ) -> tuple[dict[int, tuple[int, Source] | None], tuple[int, Source] | None]:
        """Walk from a place over its sources to who takes of them, breadth first.

        Return for each place reached what it would give up, and for whom; and the first place that
        could take of a source with free questions.
        """
        reached: dict[int, tuple[int, Source] | None] = {start: None}
        seen: set[Source] = set()
        queue = deque([start])
        while queue:
            place = queue.popleft()
            for source in self.sources[place]:
                if source in seen:
                    continue
                seen.add(source)
                if self.free[source]:
                    return reached, (place, source)
                for taker in self._takers[source]:
                    if taker not in reached and self.drawn[taker].get(source):
                        reached[taker] = (place, source)
                        queue.append(taker)
        return reached, None

    def _find_path(self, start: int) -> list[tuple[int, Source]]:
        """Return the steps (place, source it takes) from a free source back to the start."""
        reached, step = self._search(start)
        steps = []
        while step is not None:
            steps.append(step)
            step = reached[step[0]]
        return steps

    def _follow(self, steps: Sequence[tuple[int, Source]], most: int) -> int:
        """Move as many questions along these steps as all of them allow; return how many."""
        # Each place but the one at the free source gives up what the next one takes.
        changes = [(place, source) for (place, _), (_, source) in pairwise(steps)]
        first = steps[0][1]
        amounts = [self.drawn[place][source] for place, source in changes]
        count = min(most, self.free[first], *amounts)
        for place, source in changes:
            self.drawn[place][source] -= count
            self.free[source] += count
        for place, source in steps:
            self.take(place, source, count)
        return count


@dataclass(frozen=True, slots=True)
class Shortage:
    """Draws, by their places, that together need more questions than they may draw from."""

    places: tuple[int, ...]
    needed: int
    available: int


def find_shortages(
    draws: Sequence[int], candidates: Sequence[AbstractSet[int]]
) -> tuple[Shortage, ...]:
    """Return which draws cannot all be served, each in one shortage at most; none: all can be.

    `draws` and `candidates`: for each place how many it draws, and from which questions.
    """
    allocation = _allocate(draws, candidates)
    shortages: list[Shortage] = []
    for place, draw in enumerate(draws):
        if sum(allocation.drawn[place].values()) == draw:
            continue
        places = set(allocation.list_competing(place))
        joined = [shortage for shortage in shortages if places & set(shortage.places)]
        shortages = [shortage for shortage in shortages if shortage not in joined]
        places.update(*(shortage.places for shortage in joined))
        questions = frozenset[int]().union(*(candidates[competing] for competing in places))
        needed = sum(draws[competing] for competing in places)
        shortages.append(Shortage(tuple(sorted(places)), needed, len(questions)))
    return tuple(shortages)


def count_drawable(draws: Sequence[int], candidates: Sequence[AbstractSet[int]]) -> tuple[int, ...]:
    """Return for each place how many it could draw at most while the others draw what they do."""
    allocation = _allocate(draws, candidates)
    counts = []
    for place, own in enumerate(candidates):
        drawn = sum(allocation.drawn[place].values())
        more = allocation.increase(place, len(own) - drawn)
        allocation.decrease(place, more)
        counts.append(drawn + more)
    return tuple(counts)


def _allocate(draws: Sequence[int], candidates: Sequence[AbstractSet[int]]) -> DrawAllocation[int]:
    """Serve as many draws as can be; a source is named by one of its questions."""
    places: dict[int, list[int]] = {}
    for place, questions in enumerate(candidates):
        for question in questions:
            places.setdefault(question, []).append(place)
    names: dict[tuple[int, ...], int] = {}
    sizes: Counter[int] = Counter()
    for question, takers in places.items():
        sizes[names.setdefault(tuple(takers), question)] += 1
    sources: list[list[int]] = [[] for _ in draws]
    for sharing, name in names.items():
        for place in sharing:
            sources[place].append(name)
    allocation = DrawAllocation(sizes, sources)
    for place, draw in enumerate(draws):
        allocation.increase(place, draw)
    return allocation
