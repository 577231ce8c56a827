"""Names of bodies, by number, without a text for each of them.

A name that ends in a number is kept as its word and that number, and bodies that follow each other
as 'grain 0', 'grain 1' and so on are one run: a million poured spheres cost one entry.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_DIGITS = 18  # longer numbers are part of the word


@dataclass
class _Run:
    """Bodies `body` to `body + count - 1`, called `word first` and so on; -1: only `word`."""

    word: str
    first: int
    body: int
    count: int

    def text(self, body: int) -> str:
        return self.word if self.first < 0 else f"{self.word} {self.first + body - self.body}"


@dataclass
class _Word:
    """The runs of one word, by their first numbers."""

    firsts: list[int] = field(default_factory=list)
    runs: list[_Run] = field(default_factory=list)

    def at(self, number: int) -> int:
        """Place of the last run that begins no later; -1 without one."""
        return bisect_right(self.firsts, number) - 1

    def holding(self, number: int) -> _Run | None:
        place = self.at(number)
        run = self.runs[place] if place >= 0 else None
        return run if run is not None and number < run.first + run.count else None


class Names:
    """Of bodies 0, 1, 2 and so on; each name once."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._runs: list[_Run] = []
        self._starts: list[int] = []  # first bodies of the runs
        self._words: dict[str, _Word] = {}
        self._count = 0
        for name in names:
            self.add(name)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        for run in self._runs:
            yield from (run.text(body) for body in range(run.body, run.body + run.count))

    def of(self, body: int) -> str:
        """The name of a body."""
        return self._runs[bisect_right(self._starts, body) - 1].text(body)

    def body(self, name: str) -> int:
        """The body of that name, or -1."""
        word, number = _split(name)
        run = self._words[word].holding(number) if word in self._words else None
        return -1 if run is None else run.body + number - run.first

    def first_taken(self, word: str, numbers: range) -> int | None:
        """The least of these numbers with which `word` is a name already."""
        known = self._words.get(word, _Word())
        if known.holding(numbers.start) is not None:
            return numbers.start
        after = known.firsts[known.at(numbers.start) + 1 :][:1]
        return after[0] if after and after[0] < numbers.stop else None

    def make_up(self, word: str, count: int) -> None:
        """Names for the next bodies: `word` and the body's own number, or the next that is free."""
        first = self._count
        while count > 0:
            taken = self.first_taken(word, range(first, first + count))
            free = count if taken is None else taken - first
            if free:
                self.add_run(word, first, free)
            first, count = first + free + 1, count - free

    def add(self, name: str) -> None:
        """Of the next body; not a name that is taken."""
        self.add_run(*_split(name), 1)

    def add_run(self, word: str, first: int, count: int) -> None:
        """Of the next bodies: `word` and the numbers from `first` on; none of them is taken."""
        last = self._runs[-1] if self._runs else None
        if last is not None and last.word == word and 0 <= last.first == first - last.count:
            last.count += count
        else:
            run = _Run(word, first, self._count, count)
            self._runs.append(run)
            self._starts.append(self._count)
            known = self._words.setdefault(word, _Word())
            place = known.at(first) + 1
            known.firsts.insert(place, first)
            known.runs.insert(place, run)
        self._count += count

    def copy(self) -> Names:
        twin = Names()
        for run in self._runs:
            twin.add_run(run.word, run.first, run.count)
        return twin


def _split(name: str) -> tuple[str, int]:
    """'grain 17' is 'grain' and 17; -1 where there is no such number."""
    word, space, digits = name.rpartition(" ")
    plain = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS
    if space and plain and str(int(digits)) == digits:
        return word, int(digits)
    return name, -1
