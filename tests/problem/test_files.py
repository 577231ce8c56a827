"""Problem files: what is saved comes back to the bit."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from file_cases import COUPLED, SETS, parts, random_problem, round_trip
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcone as rc
from rollcone.problem.mass import SparseMass


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32),
    form=st.sampled_from(["body", "sparse mass", "delassus"]),
    rows=st.sampled_from([2, 3, 5, 6]),
    contacts=st.integers(1, 5),
    extra=st.integers(0, 4),
    sets=st.tuples(st.sampled_from(SETS), st.sampled_from(SETS)),
    law=st.sampled_from(["exact", "associated"]),
)
def test_round_trip_is_exact(seed, form, rows, contacts, extra, sets, law):
    problem = random_problem(seed, form, rows, contacts, extra, sets, law)
    assert parts(round_trip(problem)) == parts(problem)


@pytest.mark.parametrize("form", ["body", "delassus"])
@pytest.mark.parametrize("kind", COUPLED)
def test_round_trip_of_coupled_sets(kind, form):
    problem = random_problem(7, form, rows=6, sets=(kind, "disc"))
    assert parts(round_trip(problem)) == parts(problem)
    assert (problem.cone.kinds[:, 0] < 0).all()


@pytest.mark.parametrize("rows", [2, 3, 5, 6])
@pytest.mark.parametrize("extra", [0, 3])
def test_round_trip_without_contacts(rows, extra):
    problem = random_problem(1, "body", rows, contacts=0, extra=extra)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_without_bodies():
    problem = rc.ContactProblem.from_bodies(np.zeros((0, 6, 6)), np.zeros((6, 0)), [], rows=3)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_keeps_rare_numbers():
    q = np.array([-0.0, 5e-324, 1e150, 1 / 3, -1e-300, 0.1])
    problem = rc.ContactProblem.from_delassus(np.eye(6), q, sliding=[1e100, 1e-99], rows=3)
    assert parts(round_trip(problem)) == parts(problem)


def test_round_trip_of_more_than_one_chunk():
    problem = rc.ContactProblem.from_delassus(
        sp.eye(300_000, format="csr"), np.linspace(-1, 1, 300_000), sliding=0.3, rows=3
    )
    assert parts(round_trip(problem)) == parts(problem)


def test_mass_keeps_its_kind():
    assert isinstance(random_problem(3, "sparse mass").form.mass, SparseMass)
    assert isinstance(round_trip(random_problem(3, "sparse mass")).form.mass, SparseMass)


def test_formed_delassus_keeps_its_entries():
    problem = random_problem(5).to_delassus()
    again = round_trip(problem)
    problem.form.W.sort_indices()
    assert parts(again) == parts(problem) | {"more": parts(again)["more"]}


def test_save_replaces_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "problem.h5"
    rc.save_problem(random_problem(1), path)
    rc.save_problem(random_problem(2), str(path))
    assert parts(rc.load_problem(path)) == parts(random_problem(2))
    with pytest.raises(rc.FileError, match=r"nowhere.*cannot be written"):
        rc.save_problem(random_problem(1), tmp_path / "nowhere" / "problem.h5")
    with pytest.raises(rc.FileError, match="cannot be written"):
        rc.save_problem(random_problem(1), path / "inside a file.h5")
    (tmp_path / "folder").mkdir()
    with pytest.raises(rc.FileError, match="cannot be written"):
        rc.save_problem(random_problem(1), tmp_path / "folder")
    with pytest.raises(rc.InputError, match="must be a ContactProblem"):
        rc.save_problem({"W": 1}, path)  # type: ignore[arg-type]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder", "problem.h5"]
