"""A matrix in Siconos' text files: its storage, rows, columns, and then

    0   dense: rows and columns once more, the entries column by column
    1   blocks: how many, in how many block rows and block columns; where each block row
        ends, where each block column ends; the lengths of the next two lists; where in
        the blocks each block row begins, and the block column of each block; per block its
        number and its entries column by column. No blocks: nothing after the first number.
    2   sparse: 1 for triplets, 2 for compressed columns, 3 for compressed rows, and what CSparse
        prints, with six digits: two lines of words, then "row column : value", or
        per column "col j : locations a to b" and "row : value"

Every size is compared with the numbers that are left in the file before memory is taken
for it, and the work is linear in the size of the file.
"""

from __future__ import annotations

import re

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, IntArray
from rollcone.errors import FileError
from rollcone.problem.sparse_parts import csr_from_parts, csr_from_triplets

DENSE, BLOCKS, SPARSE = 0, 1, 2
TRIPLETS, COLUMNS, ROWS = 1, 2, 3

_SPACE = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_PIECE = 2**17  # numbers read at once, each a Python object for a moment
_LONGEST = 1000  # letters of a number
_PRINTOUT = re.compile(
    rb"CSparse [^\n]*\n\s*(triplet: )?(\d{1,15})-by-(\d{1,15}), nzmax: \d+ nnz: (\d{1,15})[^\n]*\n"
)


class Tokens:
    """The words of a text, taken one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._bytes = np.frombuffer(content, dtype=np.uint8)
        space = _SPACE[self._bytes]
        first = ~space
        first[1:] &= space[:-1]
        self._starts = np.append(np.flatnonzero(first), len(content))
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._starts) - 1 - self._at

    def floats(self, what: str, count: int, *, words: tuple[bytes, ...] = ()) -> FloatArray:
        """The next `count` words as numbers, without those in `words`."""
        if count > self.left:
            raise FileError(f"{what}: {count} wanted, {self.left} left in the file")
        pieces = [np.zeros(0)]
        end = self._at + count
        for k in range(self._at, end, _PIECE):
            piece = self._content[self._starts[k] : self._starts[min(k + _PIECE, end)]]
            for word in words:
                piece = piece.replace(word, b" ")
            found = piece.split()
            longest = max(map(len, found), default=0)
            if longest > _LONGEST:
                raise FileError(f"{what}: a word of {longest} letters: must be a number")
            try:
                pieces.append(np.array(found, dtype=np.float64))
            except ValueError as error:
                raise FileError(f"{what}: {error}") from None
        self._at = end
        return np.concatenate(pieces)

    def integers(self, what: str, count: int) -> IntArray:
        return as_integers(what, self.floats(what, count))

    def integer(self, what: str) -> int:
        return int(self.integers(what, 1)[0])

    def skip(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Pass over what the pattern matches here, if it does."""
        match = pattern.match(self._content, self._starts[self._at])
        if match:
            self._at = int(np.searchsorted(self._starts, match.end()))
        return match

    def starting_with(self, letter: bytes, count: int) -> IntArray:
        """Which of the next `count` words begin so."""
        starts = self._starts[self._at : min(self._at + count, len(self._starts) - 1)]
        return np.flatnonzero(self._bytes[starts] == ord(letter))


def as_integers(what: str, values: FloatArray) -> IntArray:
    bad = ~((values >= 0) & (values < 2**53) & (values == np.floor(values)))
    if bad.any():
        raise FileError(f"{what} = {values[bad][0]:g}: must be a whole number >= 0")
    return values.astype(np.int64)


def read_matrix(
    tokens: Tokens, name: str, shape: tuple[int, int] | None = None
) -> tuple[sp.csr_matrix, int]:
    """The matrix that comes next, of the given shape or square, and its storage."""
    storage = tokens.integer(f"{name}: storage")
    rows, columns = tokens.integer(f"{name}: rows"), tokens.integer(f"{name}: columns")
    if (rows, columns) != (shape or (rows, rows)):
        raise FileError(f"{name} of shape {(rows, columns)}: must be {shape or 'square'}")
    if max(rows, columns) > tokens.left:  # vectors of these lengths follow
        raise FileError(
            f"{name} of shape {(rows, columns)}: {tokens.left} numbers left in the file"
        )
    kinds = {DENSE: _dense, BLOCKS: _blocks, SPARSE: _sparse}
    if storage not in kinds:
        raise FileError(f"{name}: storage = {storage}: must be 0, 1 or 2")
    return kinds[storage](tokens, name, rows, columns), storage


def _dense(tokens: Tokens, name: str, rows: int, columns: int) -> sp.csr_matrix:
    again = tokens.integer(f"{name}: rows"), tokens.integer(f"{name}: columns")
    if again != (rows, columns):
        raise FileError(f"{name} of shape {(rows, columns)}: its entries have the shape {again}")
    return sp.csr_matrix(tokens.floats(name, rows * columns).reshape(columns, rows).T)


def _blocks(tokens: Tokens, name: str, rows: int, columns: int) -> sp.csr_matrix:
    count = tokens.integer(f"{name}: number of blocks")
    if count == 0:
        return sp.csr_matrix((rows, columns))
    block_rows, block_columns = tokens.integers(f"{name}: numbers of block rows and columns", 2)
    top = _edges(tokens, f"{name}: ends of block rows", block_rows, rows)
    left = _edges(tokens, f"{name}: ends of block columns", block_columns, columns)
    lengths = tokens.integers(f"{name}: lengths of lists", 2)
    if not 1 <= lengths[0] <= block_rows + 1 or lengths[1] != count:
        raise FileError(
            f"{name}: lists of {lengths[0]} and {lengths[1]}, must be {block_rows + 1} and {count}"
        )
    begin = tokens.integers(f"{name}: first blocks", lengths[0])
    column = tokens.integers(f"{name}: block columns", count)
    if begin[0] != 0 or begin[-1] != count or np.any(np.diff(begin) < 0):
        raise FileError(f"{name}: first blocks must rise from 0 to {count}")
    if column.max() >= block_columns:
        raise FileError(f"{name}: block column {column.max()} of {block_columns}")
    row = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    height, width = np.diff(top)[row], np.diff(left)[column]
    sizes = height * width
    values = tokens.floats(name, count + int(sizes.sum(dtype=np.float64)))  # cannot overflow
    numbers = np.cumsum(sizes + 1) - sizes - 1  # where the numbers of the blocks stand
    if np.any(values[numbers] != np.arange(count)):
        raise FileError(f"{name}: blocks must be numbered from 0 to {count - 1}")
    values = np.delete(values, numbers)
    within = np.arange(len(values)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    tall = np.repeat(height, sizes)
    i = np.repeat(top[row], sizes) + within % tall
    j = np.repeat(left[column], sizes) + within // tall
    return csr_from_triplets(name, values, i, j, (rows, columns))


def _edges(tokens: Tokens, what: str, count: int, size: int) -> IntArray:
    """Where blocks begin, and where the last one ends."""
    edges = np.append(0, tokens.integers(what, count))
    if edges[-1] != size or np.any(np.diff(edges) < 0):
        raise FileError(f"{what}: must rise to {size}")
    return edges


def _sparse(tokens: Tokens, name: str, rows: int, columns: int) -> sp.csr_matrix:
    kind = tokens.integer(f"{name}: kind of sparse matrix")
    match = tokens.skip(_PRINTOUT)
    if match is None:
        raise FileError(f"{name}: must go on as CSparse prints matrices")
    shape, entries = (int(match[2]), int(match[3])), int(match[4])
    if shape != (rows, columns):
        raise FileError(f"{name} of shape {(rows, columns)}: its entries have the shape {shape}")
    if kind == TRIPLETS and match[1]:
        values = tokens.floats(name, 4 * entries, words=(b":",))
        if values.size != 3 * entries:
            raise FileError(f"{name}: must be lines of row, column : value")
        i, j, x = values.reshape(entries, 3).T
        return csr_from_triplets(name, x, as_integers(name, i), as_integers(name, j), shape)
    if kind == COLUMNS and not match[1]:
        return _compressed(tokens, name, columns, rows, entries).T.tocsr()
    if kind == ROWS and not match[1] and rows == columns:  # else CSparse prints a part of it
        return _compressed(tokens, name, rows, columns, entries)
    raise FileError(f"{name}: sparse matrix of kind {kind}: not what is printed, or not square")


def _compressed(tokens: Tokens, name: str, lines: int, length: int, entries: int) -> sp.csr_matrix:
    """Line by line, "col j : locations a to b" and then "index : value", (lines, length)."""
    count = 7 * lines + 3 * entries
    heads = tokens.starting_with(b"c", count)
    values = tokens.floats(name, count, words=(b"col", b":", b"locations", b"to"))
    before, rest = np.divmod(heads - 7 * np.arange(len(heads)), 3)  # entries before each head
    if len(heads) != lines or values.size != 3 * lines + 2 * entries or rest.any():
        raise FileError(f"{name}: must be {lines} lines 'col', and {entries} of index : value")
    indptr = np.append(before, entries)
    at = 3 * np.arange(lines) + 2 * before  # of the three numbers of each head
    wanted = np.stack([np.arange(lines), indptr[:-1], indptr[1:] - 1], axis=1)
    where = at[:, None] + np.arange(3)
    if np.any(values[where] != wanted):
        raise FileError(f"{name}: locations do not fit the entries")
    index, x = np.delete(values, where).reshape(entries, 2).T
    return csr_from_parts(name, x, as_integers(name, index), indptr, (lines, length))
