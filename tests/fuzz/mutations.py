"""How a valid file is damaged: bytes, words of a text, and entries of an HDF5 file.

A mutation takes the bytes of a file, those of another valid one, and a source of chance.
"""

from __future__ import annotations

import io
import json
import random
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h5py
import numpy as np

Mutation = Callable[[bytes, bytes, random.Random], bytes]

BLOBS = (
    b"\0" * 8, b"\xff" * 8, b"\xff" * 4 + b"\x7f", b"\xff\xff\xff\x7f", b"\x01\0\0",
    (10**12).to_bytes(8, "little"), (2**32 - 1).to_bytes(4, "little"), np.float64(np.nan).tobytes(),
    np.float64(1e300).tobytes(), np.float32(np.inf).tobytes(), b"\r\n", b"\0", b"\xef\xbb\xbf",
)  # fmt: skip
WORDS = (
    "0", "-1", "1", "2", "3", "0.5", "-0.0", "1e12", "1000000000000", "99999999999999999999",
    "2147483648", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "1" + "0" * 400, "x", "true",
    '""', "''", "[]", "{}", "[[]]", "[1e6, 1e6]", "[0, 0, 0]", "[1, 2, 3]", "1979-05-27",
    "../../x", "\u0661", "\\u0000", "1_000", "0x7fffffffffffffff", "null", "[nan, nan, nan]",
)  # fmt: skip
WORD = re.compile(rb"[\w.+-]+|\"[^\"\n]*\"")
LIST = re.compile(rb"\[[^\[\]\n]*\]")
VALUES = (0, -1, 1, 2, 7, 10**6, 10**12, 2**31, 2**62, -(2**63), 0.5, 1e300, 1e-320,
          float("inf"), float("-inf"), float("nan"))  # fmt: skip


def stretch(content: bytes, draw: random.Random, most: int = 200) -> tuple[int, int]:
    """Where a stretch begins and ends; short ones are likely."""
    a = draw.randrange(len(content) + 1)
    return a, min(a + 1 + int(most * draw.random() ** 3), len(content))


def bytes_damaged(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """Some bytes flipped, overwritten, gone, twice there or from another file."""
    for _ in range(1 + int(4 * draw.random() ** 2)):
        a, b = stretch(content, draw)
        what = draw.randrange(7)
        if what == 0:
            content = content[:a] + bytes(x ^ (1 << draw.randrange(8)) for x in content[a:b][:1]) \
                + content[a + 1 :]  # fmt: skip
        elif what == 1:
            blob = draw.choice(BLOBS)
            content = content[:a] + blob + content[a + len(blob) :]
        elif what == 2 and draw.random() < 0.3:
            content = content[:a]
        elif what == 3:
            content = content[:a] + content[b:]
        elif what == 4:
            content = content[:b] + content[a:]
        elif what == 5:
            c = draw.randrange(len(other) + 1)
            content = content[:a] + other[c : c + b - a] + content[b:]
        else:
            content = content[:a] + draw.randbytes(b - a) + content[b:]
    return content


def words_changed(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """Words, lists or lines of a text replaced, exchanged, repeated or taken out."""
    for _ in range(1 + int(4 * draw.random() ** 2)):
        what = draw.randrange(6)
        if what < 4:
            found = list((LIST if what == 3 else WORD).finditer(content))
            if not found:
                return content
            place = draw.choice(found)
            new = draw.choice(WORDS).encode()
            if what == 1:  # one of the same file, or of another
                new = draw.choice(list(WORD.finditer(draw.choice([content, other]))) or [place])[0]
            content = content[: place.start()] + new + content[place.end() :]
            continue
        lines = content.split(b"\n")
        k = draw.randrange(len(lines))
        n = 1 + int(10 * draw.random() ** 2)
        new_lines = draw.choice([[], 2 * lines[k : k + n], other.split(b"\n")[k : k + n]])
        content = b"\n".join([*lines[:k], *new_lines, *lines[k + n :]])
    return content


def entries_changed(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """Of an HDF5 file that stays a valid one, with right checksums: values, shapes, types and
    links of its entries, its attributes, and what JSON in it says."""
    memory = io.BytesIO(content)
    with suppress(Exception), np.errstate(all="ignore"):  # what cannot be changed so is left
        with h5py.File(memory, "r+") as file:
            for _ in range(1 + int(3 * draw.random() ** 2)):
                _change_entry(file, draw)
        return memory.getvalue()
    return content


def _change_entry(file: Any, draw: random.Random) -> None:
    groups, datasets = [""], []
    file.visititems(
        lambda name, entry: (datasets if isinstance(entry, h5py.Dataset) else groups).append(name)
    )
    if draw.random() < 0.15:
        _change_attribute(file[draw.choice(["/", *groups[1:], *datasets])], draw)
        return
    name = draw.choice(datasets if datasets and draw.random() < 0.9 else groups[1:] or datasets)
    entry = file[name]
    if isinstance(entry, h5py.Group) or draw.random() < 0.15:
        del file[name]
        new = draw.randrange(5)
        if new == 1:
            file[name] = h5py.SoftLink(f"/{draw.choice(groups + datasets)}")
        elif new == 2:
            file[name] = h5py.ExternalLink("/dev/zero", "/")
        elif new == 3:
            file.create_group(name)
        elif new == 4:
            file[name] = draw.choice([7, 1.5, "text", b"bytes", np.zeros(0), np.ones((2, 2))])
        return
    if h5py.check_string_dtype(entry.dtype):
        _change_text(file, name, draw)
    elif draw.random() < 0.6:
        _change_values(entry, draw)
    else:
        _change_shape(file, name, draw)


def _change_values(entry: Any, draw: random.Random) -> None:
    value = draw.choice(VALUES)
    if entry.dtype.kind in "iu":
        if not abs(value) < 2**63:
            value = -3
        value = int(value)
    if entry.shape == ():
        entry[()] = value
    elif entry.size and draw.random() < 0.8:
        entry[tuple(draw.randrange(n) for n in entry.shape)] = value
    elif entry.size:
        entry[...] = np.full(entry.shape, value)


def _change_shape(file: Any, name: str, draw: random.Random) -> None:
    old = file[name][()]
    shape, dtype, what = list(np.shape(old)), old.dtype, draw.randrange(6)
    del file[name]
    if what == 0:  # larger than all memory, and not there
        shape = [draw.choice([10**6, 10**9, 10**12]) if k == 0 else n for k, n in enumerate(shape)]
        chunks = tuple(min(n, 64) or 1 for n in shape) if shape and draw.random() < 0.7 else None
        file.create_dataset(name, shape, dtype, chunks=chunks, fillvalue=np.zeros((), dtype)[()])
    elif what == 1:  # a bomb: little in the file, much when it is read
        size = draw.choice([10**5, 10**7])
        new = [size, *shape[1:]] if size * int(np.prod(shape[1:])) < 10**7 else [10**5]
        file.create_dataset(name, data=np.zeros(new, dtype), chunks=tuple(new), compression="gzip")
    elif what == 2:
        file[name] = np.asarray(old).astype(draw.choice(["f4", "i1", "u8", "S3", "f2", ">f8", "?"]))
    elif what == 3:
        file[name] = np.asarray(old).reshape(-1)[: draw.randrange(np.size(old) + 1)]
    elif what == 4:
        file[name] = np.concatenate([np.atleast_1d(old)] * 2)
    else:
        file[name] = np.asarray(old)[..., None]


def _change_text(file: Any, name: str, draw: random.Random) -> None:
    old = bytes(np.asarray(file[name][()]).item() or b"")
    attributes = dict(file[name].attrs)
    try:
        document = json.loads(old)
        for _ in range(draw.randrange(1, 3)):
            document = json_changed(document, draw)
        new = json.dumps(document).encode()
    except ValueError:
        new = words_changed(old, old, draw)
    del file[name]
    text = new.replace(b"\0", b"0")
    file[name] = np.bytes_(text) if draw.random() < 0.5 else text.decode(errors="replace")
    for key in attributes:  # a checksum that fits
        file[name].attrs[key] = zlib.crc32(new)


def _change_attribute(entry: Any, draw: random.Random) -> None:
    names = list(entry.attrs)
    if not names:
        return
    name, new = draw.choice(names), draw.choice([*VALUES, "", "x", b"\xff", np.zeros(3), None])
    del entry.attrs[name]
    if new is not None:
        entry.attrs[name] = new


def json_changed(document: Any, draw: random.Random) -> Any:
    """One value somewhere in it replaced, taken out, or of another place."""
    places: list[tuple[Any, Any]] = []

    def visit(value: Any) -> None:
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            places.append((value, key))
            if isinstance(value[key], dict | list):
                visit(value[key])

    if isinstance(document, dict | list):
        visit(document)
    if not places:
        return draw.choice([None, 0, [], {}])
    parent, key = draw.choice(places)
    what = draw.randrange(4)
    if what == 0 and isinstance(parent, dict | list):
        del parent[key]
    elif what == 1:
        other, place = draw.choice(places)
        with suppress(LookupError):
            parent[key] = json.loads(json.dumps(other[place]))
    else:
        parent[key] = draw.choice(
            [*VALUES, None, True, "", "x", [], {}, [1, 2, 3], [[0]], "sphere"]
        )
    return document


def archive_changed(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """Of a zip archive of arrays that stays one: an entry of another shape, type or value."""
    with suppress(Exception):
        with np.load(io.BytesIO(content)) as found:
            arrays = dict(found)
        name = draw.choice(list(arrays))
        old, what = arrays[name], draw.randrange(5)
        if what == 0:
            del arrays[name]
        elif what == 1:
            arrays[name] = old.astype(draw.choice(["f4", "i1", "u8", "S3", ">f8", "c16"]))
        elif what == 2:
            arrays[name] = old.reshape(-1)[: draw.randrange(old.size + 1)]
        elif what == 3:
            arrays[name] = old[..., None]
        else:
            old = old.copy()
            old.reshape(-1)[draw.randrange(old.size)] = draw.choice([0, -1, 1, 10**6, 2**31])
            arrays[name] = old
        memory = io.BytesIO()
        save = np.savez_compressed if draw.random() < 0.5 else np.savez
        save(memory, **arrays)
        return memory.getvalue()
    return content
