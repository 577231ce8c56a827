"""Siconos, or a program in its place: what it is asked, how it is judged, how it may end."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from bench_cases import fill, race, small

import rollcone as rc
from rollcone.bench import siconos_answers
from rollcone.bench.siconos_answers import SOLVERS, Answer, Peer, outcomes, unsupported

pytestmark = pytest.mark.skipif(os.name != "posix", reason="stands in for Python by a script")


@pytest.fixture
def siconos(tmp_path, monkeypatch):
    """Puts a Python program in the place of the one that has Siconos."""

    def install(code: str) -> None:
        program, script = tmp_path / "fake.py", tmp_path / "fake"
        program.write_text(f"import os, sys, time\nimport numpy as np\n{code}")
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}" "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("SICONOS_PYTHON", str(script))

    monkeypatch.chdir(tmp_path)
    np.save("answer.npy", rc.solve(small(), tolerance=1e-12).all_reactions())
    return install


WRITE = """
if sys.argv[1] == '-c':
    print('4.4.0'); sys.exit()
data = np.load(sys.argv[2])
zero, good = np.zeros(len(data['q'])), np.load('answer.npy')
answers = [(zero, 0.1, 5, 1e-3), (zero * np.nan, 0.2, 7, 0.0), (good, 0.4, 9, 1e-9),
           (good, 0.3, 11, 1e-10)]
for number, (p, seconds, iterations, own) in enumerate(answers):
    np.savez(os.path.join(sys.argv[5], f'{number:06d}.npz'), reactions=p, seconds=seconds,
             iterations=iterations, residual=own, wall=1.5 * seconds)
"""


def test_judged_by_our_residual(siconos):
    siconos(WRITE)
    peer = siconos_answers.run(small(), "FRICTION_3D_NSGS", 1.0)
    none, good, quick = peer.answers  # the one that is not finite is left out
    assert none == Answer(0.1, 5, 1.0, 1e-3, pytest.approx(0.15))
    assert good.residual < 1e-11
    assert (peer.first(1e-6), peer.first(1.0), peer.first(1e-20)) == (quick, none, None)
    assert (peer.best(), peer.note) == (good, "")
    solved, failed = outcomes(small(), "siconos NSGS", (1e-6, 1e-20), 1.0)
    assert (solved.status, solved.cpu, solved.iterations) == ("solved", 0.3, 11)
    assert solved.residual == good.residual
    assert (failed.status, failed.residual) == ("failed", good.residual)


def test_outcomes():
    late = Peer("X", (Answer(0.1, 5, 1e-3, 0.0, 0.1), Answer(4.0, 5, 1e-7, 0.0, 4.1)))
    assert late.outcome(1e-2, 4.0).status == "solved"
    assert late.outcome(1e-6, 4.0).status == "timed out"  # by the clock, not in CPU time
    assert late.outcome(1e-6, 5.0).status == "solved"
    assert late.outcome(1e-9, 5.0).status == "failed"
    assert late.outcome(1e-9, 4.0).status == "timed out"
    killed = Peer("X", note="killed").outcome(1e-4, 4.0)
    assert (killed.status, killed.note) == ("timed out", "killed")
    crashed = Peer("X", late.answers, "crashed").outcome(1e-9, 9.0)
    assert (crashed.status, crashed.note, crashed.residual) == ("failed", "crashed", 1e-7)
    assert Peer("X").outcome(1e-4, 4.0).note == "no finite answer"


def test_that_ends_badly(siconos, tmp_path, monkeypatch):
    siconos("os.abort()")
    assert siconos_answers.run(small(), "X", 1.0) == Peer("X", note="crashed")
    siconos(f"{WRITE}\nsys.exit(3)")
    peer = siconos_answers.run(small(), "X", 1.0)
    assert (len(peer.answers), peer.note) == (3, "crashed")
    siconos("import siconos_that_is_not_here")
    assert siconos_answers.run(small(), "X", 1.0).note == "absent"
    monkeypatch.setattr(siconos_answers, "PATIENCE", 0.1)
    siconos("time.sleep(600)")
    assert siconos_answers.run(small(), "X", 0.1).note == "killed"
    monkeypatch.setenv("SICONOS_PYTHON", str(tmp_path / "nowhere"))
    assert siconos_answers.run(small(), "X", 1.0).note == "absent"


def test_absence_is_told_before_anything_else(siconos, tmp_path, monkeypatch):
    siconos("import siconos_that_is_not_here")
    for program in (os.environ["SICONOS_PYTHON"], str(tmp_path / "nowhere")):
        monkeypatch.setenv("SICONOS_PYTHON", program)
        with pytest.raises(rc.MissingPackageError, match="SICONOS_PYTHON names a Python"):
            race(tmp_path, siconos=True)


def test_what_it_is_asked():
    def able(problem):
        return [name for name in SOLVERS if not unsupported(problem, name)]

    assert able(small(2)) == ["siconos NSGS", "siconos Lemke"]
    assert able(small(3)) == ["siconos NSGS", "siconos NSN_AC", "siconos ADMM"]
    assert able(small(5)) == ["siconos NSGS", "siconos ADMM"]
    assert able(small(3, law="associated")) == ["siconos IPM"]
    assert able(small(3, law="associated").to_delassus()) == []
    six = small(6)
    box = rc.ContactProblem.from_delassus(np.eye(3), [-1.0, 0, 0], rows=3, sliding=rc.Box(0.2, 0.1))
    soft = rc.ContactProblem.from_delassus(np.eye(3), [-1.0, 0, 0], rows=3, compliance=0.1)
    more = rc.ContactProblem.from_delassus(np.eye(4), -np.ones(4), rows=3, bounds=[(0, 1)])
    assert [able(problem) for problem in (six, box, soft, more)] == [[]] * 4
    (why,) = outcomes(six, "siconos NSGS", (1e-4,), 1.0)
    assert (why.status, why.note) == ("not supported", "Siconos: none for 6 rows per contact")


def test_in_a_race(siconos, tmp_path):
    """Its results stand beside ours, and are not measured again."""
    siconos(WRITE)
    folder = fill(tmp_path / "problems")
    made = race(folder, siconos=True)
    assert made.solvers == ("gauss-seidel", *SOLVERS)
    by = {(line.problem, line.solver, line.tolerance): line for line in made.results}
    assert by["a.hdf5", "siconos NSGS", 1e-8].status == "solved"
    assert by["a.hdf5", "siconos NSGS", 1e-8].cpu == 0.3
    assert by["a.hdf5", "siconos Lemke", 1e-8].status == "not supported"
    assert by["below/b.h5", "siconos NSGS", 1e-8].status == "not supported"
    siconos("print('4.4.0') if sys.argv[1] == '-c' else os.abort()")
    assert list(map(repr, race(folder, siconos=True).results)) == list(map(repr, made.results))


@pytest.fixture
def true_siconos():
    try:
        siconos_answers.find_siconos()
    except rc.MissingPackageError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "law", "name"),
    [
        (2, "exact", "siconos NSGS"),
        (3, "exact", "siconos NSGS"),
        (3, "exact", "siconos NSN_AC"),
        (3, "associated", "siconos IPM"),
        (5, "exact", "siconos NSGS"),
    ],
)
def test_siconos_itself(true_siconos, rows, law, name):
    """It solves what we hand it: the same law, the same order of rows."""
    (found,) = outcomes(small(rows, law=law), name, (1e-6,), 0.5)
    assert found.status == "solved", found
    assert 0 < found.cpu < 0.5
