"""The package as a whole: a quick import that compiles nothing, and a kernel cache of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rollcone as rc

PACKAGE = Path(rc.__file__).parent


def python(code: str, **environment: str) -> str:
    """Run code in a new interpreter; what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return result.stdout.strip()


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


def test_unwritable_cache(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("a file, not a folder")
    assert python(SUPPORT, ROLLCONE_CACHE_DIR=str(blocked)) == "2.5"


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


def test_bits_after_a_restart():
    """The same problem in a new process gives the same bits."""
    code = (
        "import rollcone as rc, hashlib;"
        "s = rc.solve(rc.problems.heap(40, 2, state='shake'), max_iterations=60);"
        "print(hashlib.sha256(s.reactions.tobytes()).hexdigest(), s.residual.hex())"
    )
    assert python(code) == python(code)
