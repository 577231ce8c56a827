"""A build replaces a library in one step: processes open the old one or the new one."""

import ctypes
import json
import threading
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from rollcone._build import build
from rollcone._build.emit import emit_object
from rollcone._build.levels import usable_levels
from rollcone._build.library import Library, misfit, opened
from rollcone.errors import LibraryError

MANIFEST = {"version": "0", "level": "any", "entries": {}, "writes": {}, "sources": {}}
BUILDS = 40


def put(number: int, place: Path) -> None:
    """Put a library with one function, `number`, at a place."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(f"define i64 @number() {{ ret i64 {number} }}")
    module.triple = llvm.get_process_triple()
    code = emit_object(module.as_bitcode(), usable_levels()[0])
    build.put([code], MANIFEST | {"number": number}, place)


def number_of(library: Library) -> int:
    """Return what the function of such a library returns."""
    return ctypes.CFUNCTYPE(ctypes.c_int64)(library.symbol("number"))()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_libraries_are_whole_while_builds_replace_them(tmp_path):
    place, ended = tmp_path / "kernels-x.json", threading.Event()
    put(0, place)

    def replace() -> None:
        for number in range(1, BUILDS + 1):
            put(number, place)
        ended.set()

    builder = threading.Thread(target=replace)
    builder.start()
    found = []
    while not ended.is_set():
        library = Library(place)
        assert number_of(library) == library.manifest["number"]
        found.append(library.manifest["number"])
    builder.join()
    assert found == sorted(found)
    assert len(set(found)) > BUILDS // 4
    assert number_of(Library(place)) == BUILDS


def test_a_build_between_two_reads(tmp_path, monkeypatch):
    """The file that a manifest names is gone when it is read, or when it is loaded."""
    place = tmp_path / "kernels-x.json"
    for step in ("_open", "_loaded"):
        put(1, place)
        own = getattr(Library, step)

        def interrupted(library, *given, own=own):
            if library._text() and json.loads(library._text())["number"] == 1:
                put(2, place)
            return own(library, *given)

        monkeypatch.setattr(Library, step, interrupted)
        assert number_of(Library(place)) == 2
        monkeypatch.setattr(Library, step, own)


def test_files_of_earlier_builds_are_removed(tmp_path):
    place = tmp_path / "kernels-x86-64.json"
    others = ["kernels-x86-64-v3-0123456789ab.so", "kernels-quick-x86-64-0123456789ab.so", "lock"]
    for name in (*others, "kernels-x86-64.so", "kernels-x86-64-0123456789ab.zip"):
        (tmp_path / name).touch()
    put(1, place)
    first = Library(place)
    put(2, place)
    second = Library(place)
    assert files(tmp_path) == sorted([*others, place.name, second.path.name])
    assert number_of(first) == 1  # it was opened, so it can still be used
    put(2, place)
    assert files(tmp_path) == sorted([*others, place.name, second.path.name])


def test_a_build_that_fails_leaves_the_library_that_was_there(tmp_path, monkeypatch):
    place = tmp_path / "kernels-x.json"
    put(1, place)
    before = files(tmp_path)
    replace = build.os.replace
    for fails in ("so", "json"):

        def broken(old, new, fails=fails):
            if str(new).endswith(fails):
                raise OSError("no room")
            replace(old, new)

        monkeypatch.setattr(build.os, "replace", broken)
        with pytest.raises(OSError, match="no room"):
            put(2, place)
        monkeypatch.setattr(build.os, "replace", replace)
        assert number_of(Library(place)) == 1
    put(1, place)
    assert files(tmp_path) == before


def test_one_of_another_name_is_found(own_kernels):
    """The library of tests lies elsewhere, and fits the package, too."""
    place = next(own_kernels.parent.glob("*.json"))
    assert Library(place).path == own_kernels
    assert misfit(Library(place)) == misfit(opened()) == ""
    with pytest.raises(LibraryError, match=r"nothing\.json cannot be read"):
        Library(own_kernels.with_name("nothing.json"))
