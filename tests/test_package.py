"""The package as a whole: a quick import, its public names, the verbs of make."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rollcone as rc


def python(code: str) -> str:
    """Run code in a new interpreter; return what it prints."""
    call = [sys.executable, "-c", code]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def test_import_loads_no_heavy_package():
    code = "import sys, json, rollcone; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(python(code)))
    assert "rollcone" in loaded
    heavy = {"numba", "scipy", "h5py", "pydantic", "matplotlib", "typer", "rich", "clarabel"}
    assert not loaded & heavy


BALL = """
import json, sys
import rollcone as rc

world = rc.World(gravity=(0, 0, -9.81))
world.add_plane()
world.set_contact_law(rc.ContactLaw(sliding=0.2, rolling=0.04))
world.add_sphere(radius=0.5, density=2500.0, position=(0, 0, 0.5), velocity=(2.5, 0, 0))
rc.Simulation(world, step=1e-3).take_step()
print(json.dumps(sorted(sys.modules)))
"""
PENDULUM = """
import json, sys
import rollcone as rc

world = rc.World(gravity=(0, 0, -9.81))
rod = world.add_box(size=(1.0, 0.1, 0.1), density=1000.0, position=(0.5, 0, 0))
world.add_joint(kind="revolute", body=rod, point=(0, 0, 0), axis=(0, 1, 0))
rc.Simulation(world, step=1e-3).take_step()
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("code", [BALL, PENDULUM], ids=["ball", "pendulum"])
def test_first_step_loads_no_heavy_package(code):
    loaded = set(json.loads(python(code)))
    assert "rollcone.stepping.step" in loaded
    heavy = {
        "numba", "llvmlite", "h5py", "pydantic", "matplotlib", "rich", "typer", "clarabel",
        "scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.spatial", "threadpoolctl",
    }  # fmt: skip
    assert not loaded & heavy


def test_public_names():
    for name in rc.__all__:
        assert getattr(rc, name) is not None
    assert set(rc.__all__) <= set(dir(rc))
    with pytest.raises(AttributeError, match="Ball"):
        _ = rc.Ball


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
