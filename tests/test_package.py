"""The package as a whole: a quick import that compiles nothing, and a kernel cache of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rollcone as rc
from compiled import compiled

PACKAGE = Path(rc.__file__).parent


def python(code: str, **environment: str) -> str:
    """Run code in a new interpreter; what it prints."""
    return _run(code, environment).stdout.strip()


def run_python(code: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """The same with a kernel cache of its own; with what it prints on stderr."""
    return _run(code, {"ROLLCONE_CACHE_DIR": str(cache)})


def _run(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )


def test_import_loads_no_heavy_package():
    code = "import sys, json, rollcone; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(python(code)))
    assert "rollcone" in loaded
    heavy = {"numba", "scipy", "h5py", "pydantic", "matplotlib", "typer", "rich", "clarabel"}
    assert not loaded & heavy


def test_public_names():
    for name in rc.__all__:
        assert getattr(rc, name) is not None
    assert set(rc.__all__) <= set(dir(rc))
    with pytest.raises(AttributeError, match="Ball"):
        _ = rc.Ball


SUPPORT = "import rollcone as rc; print(float(rc.Disc(0.5).support([3.0, 4.0])))"


def test_cache_is_used_and_survives_damage(tmp_path):
    """A second process loads; damaged files are compiled again; Numba's settings are untouched."""
    folder = {"ROLLCONE_CACHE_DIR": str(tmp_path)}
    count = (
        "from rollcone.laws import _kernels as k; import numba;"
        "print(sum(k.support_set_points.stats.cache_hits.values()), numba.config.CACHE_DIR == '')"
    )
    assert python(f"{SUPPORT}; {count}", **folder).split() == ["2.5", "0", "True"]
    assert python(f"{SUPPORT}; {count}", **folder).split() == ["2.5", "1", "True"]
    files = list(tmp_path.rglob("*.nbc"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    assert python(f"{SUPPORT}; {count}", **folder).split() == ["2.5", "0", "True"]


@pytest.mark.slow
def test_cache_notices_a_change_in_another_file(tmp_path):
    """A kernel that calls an edited function of another file is compiled anew."""
    copy = tmp_path / "source"
    shutil.copytree(PACKAGE, copy / "rollcone", ignore=shutil.ignore_patterns("__pycache__"))
    where = {"ROLLCONE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(copy)}
    assert python(SUPPORT, **where) == "2.5"
    disc = copy / "rollcone" / "laws" / "disc.py"
    disc.write_text(
        disc.read_text().replace("return a * math.sqrt(v1", "return 2.0 * a * math.sqrt(v1")
    )
    assert python(SUPPORT, **where) == "5.0"


@pytest.mark.slow
def test_no_place_for_the_cache(tmp_path):
    """Kernels work all the same, and one line says why they are slow to come."""
    blocked = tmp_path / "file"
    blocked.write_text("a file, not a folder")
    result = run_python(f"{SUPPORT}; {SUPPORT.replace('Disc(0.5)', 'Polygon(0.5, 4)')}", blocked)
    assert result.stdout.split()[0] == "2.5"
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"rollcone: kernels cannot be kept in {blocked}; set ROLLCONE_CACHE_DIR")


@pytest.mark.slow
def test_cache_that_can_only_be_read(tmp_path):
    """A filled cache is used, silently; what it lacks is compiled and not kept."""
    python(SUPPORT, ROLLCONE_CACHE_DIR=str(tmp_path))
    kept = sorted(tmp_path.rglob("*"))
    no_writing = (
        "import builtins, os, pathlib; old, old_low = builtins.open, os.open\n"
        "def read_only(name, mode='r', *more, **named):\n"
        "    if 'w' in mode: raise PermissionError(13, 'read-only', name)\n"
        "    return old(name, mode, *more, **named)\n"
        "def low(name, flags, *more, **named):\n"
        "    if flags & (os.O_WRONLY | os.O_RDWR): raise PermissionError(13, 'read-only', name)\n"
        "    return old_low(name, flags, *more, **named)\n"
        "def refuse(*_, **__): raise PermissionError(13, 'read-only')\n"
        "builtins.open, os.open = read_only, low\n"
        "pathlib.Path.mkdir = pathlib.Path.touch = refuse\n"
    )
    count = (
        "from rollcone.laws import _kernels as k;"
        "print(sum(k.support_set_points.stats.cache_hits.values()))"
    )
    result = run_python(f"{no_writing}{SUPPORT}; {count}", tmp_path)
    assert (result.stdout.split(), result.stderr) == (["2.5", "1"], "")
    more = "rc.Disc(0.5).project([3.0, 4.0])"
    result = run_python(f"{no_writing}{SUPPORT}; {more}; {count}", tmp_path)
    assert result.stdout.split() == ["2.5", "1"]
    assert len(result.stderr.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == kept


@pytest.mark.slow
def test_two_processes_fill_one_cache(tmp_path):
    """Four processes compile at once into one empty folder; all are right, then and later."""
    environment = {**os.environ, "ROLLCONE_CACHE_DIR": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SUPPORT], stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in running] == ["2.5"] * 4
    assert python(SUPPORT, ROLLCONE_CACHE_DIR=str(tmp_path)) == "2.5"
    assert not list(tmp_path.rglob("*.tmp.*"))


@pytest.mark.slow
def test_bits_after_a_restart():
    """The same problem in a new process gives the same bits."""
    code = (
        "import rollcone as rc, hashlib;"
        "s = rc.solve(rc.problems.heap(40, 2, state='shake'), max_iterations=60);"
        "print(hashlib.sha256(s.reactions.tobytes()).hexdigest(), s.residual.hex())"
    )
    assert python(code) == python(code)


def test_names_that_are_no_problem_files(tmp_path):
    with pytest.raises(rc.InputError, match=r"path = None: must be the name of a file"):
        rc.load_problem(None)
    problem = rc.ContactProblem.from_delassus([[1.0]], [-1.0], rows=3, bounds=[[0.0, 1.0]])
    with pytest.raises(rc.InputError, match=r"path = 3: must be the name of a file"):
        rc.save_problem(problem, 3)
    with pytest.raises(rc.FileError, match=r"x\.npz: problems are saved as HDF5.*\.h5"):
        rc.save_problem(problem, tmp_path / "x.npz")
    siconos = tmp_path / "heap.dat"
    siconos.write_text("3\n12\n1\n36\n36\n")
    with pytest.raises(rc.FileError, match=r"heap\.dat: as a Siconos text file: the first matrix"):
        rc.load_problem(siconos)
    assert [file.name for file in tmp_path.iterdir()] == ["heap.dat"]
    assert "HDF5" in rc.load_problem.__doc__
    assert ".npz" in rc.load_problem.__doc__


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_lists_its_verbs():
    def make(*words: str) -> subprocess.CompletedProcess[str]:
        where = Path(__file__).parents[1]
        command = ["make", "--no-print-directory", *words]
        # Not as a part of the make that runs the tests.
        alone = {name: value for name, value in os.environ.items() if "MAKE" not in name}
        return subprocess.run(command, cwd=where, capture_output=True, text=True, env=alone)

    listed = make().stdout
    assert make("help").stdout == listed
    for verb in ("demo", "test", "test-all", "lint", "bench", "clean"):
        assert f"\n  {verb} " in listed
    result = make("demo", "PYTHON=no-such-python", "VENV=no-such-folder")
    assert result.returncode != 0
    assert result.stdout.startswith("There is no no-such-python here")


@pytest.mark.slow
def test_compiling_is_told_to_a_person(tmp_path):
    """Once, the first time, and only on a terminal."""
    pty = pytest.importorskip("pty")
    code = "import rollcone as rc; rc.FrictionCone(0.3).project([1.0, 2.0, 0.0])"

    def shown() -> str:
        own, theirs = pty.openpty()
        environment = {**os.environ, "ROLLCONE_CACHE_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", code], check=True, stderr=theirs, env=environment)
        os.close(theirs)
        try:
            return os.read(own, 1000).decode()
        except OSError:  # nothing was written
            return ""
        finally:
            os.close(own)

    assert shown().count("compiling kernels") == 1
    assert shown() == ""


def test_small_kernels_are_not_called_from_python():
    """There is no code for that; they tell so rather than crash."""
    from rollcone.mechanics.kernels.rotation import rotate, rotate_back

    assert compiled(rotate)(1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0) == (1.0, 2.0, 3.0)
    for small in (rotate, rotate_back):  # compiled for other kernels, or not yet
        with pytest.raises(TypeError, match="can be called by kernels alone"):
            small(1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0)
