"""The collection of generated problems: what is in it, and on disk."""

import re

import numpy as np
import pytest

import rollcone as rc
from rollcone.problems.collection import write_collection


@pytest.fixture(scope="module")
def everything():
    return dict(rc.problems.collection())


def test_what_is_in_it(everything):
    names = [name for name, _ in rc.problems.collection()]
    assert len(names) == len(everything)
    assert 55 <= len(names) <= 70
    assert all(re.fullmatch(r"[a-zA-Z0-9-]+", name) for name in names)
    families = {name.rpartition("heap")[1] or name.split("-")[0] for name in names}
    assert families == {"heap", "stack", "arch", "chain"}
    contacts = [problem.contacts for problem in everything.values()]
    assert 45 <= min(contacts) <= 70
    assert 900 <= max(contacts) <= 1100
    assert {problem.rows for problem in everything.values()} == {3, 5, 6}
    assert {problem.law for problem in everything.values()} == {"exact"}


def test_names_tell_the_truth(everything):
    """Mass ratios and rows as in the name, from the masses themselves."""
    for name, problem in everything.items():
        told = re.search(r"ratio(\S+)", name)
        mass = problem.form.mass.blocks[:, 0, 0]
        ratio = mass.max() / mass.min()
        if told and not name.startswith("chain"):  # whose weight may be the heaviest
            assert float(told[1]) / 4 <= ratio <= 4 * float(told[1]), name
        elif told:
            assert mass[0] == float(told[1])
        rows = re.search(r"rows(\d)", name)
        assert problem.rows == (int(rows[1]) if rows else 3)
        moving = np.abs(problem.form.v_free.reshape(-1, 6)[:, :2]).max() > 0
        assert moving == ("shake" in name or "pushed" in name)


@pytest.mark.parametrize("name", ["arch-49-standing", "chain-50-rest-ratio1e6", "stack-15-ratio1"])
def test_at_rest(everything, name):
    solution = rc.solve(everything[name], "newton", tolerance=1e-10, max_iterations=1_000)
    assert np.abs(solution.body_velocities).max() < 1e-6 * 9.81 * 5e-3


@pytest.mark.parametrize("name", ["arch-15-sliding", "chain-15-sliding-ratio1"])
def test_in_motion(everything, name):
    solution = rc.solve(everything[name], "newton", tolerance=1e-10, max_iterations=1_000)
    assert np.abs(solution.body_velocities).max() > 0.1 * 9.81 * 5e-3


def test_files(everything, tmp_path):
    """One for each, which gives the same bits back."""
    folder = tmp_path / "made" / "here"
    paths = write_collection(folder)
    assert sorted(folder.iterdir()) == sorted(paths)
    assert [path.name for path in paths] == [f"{name}.h5" for name in everything]
    for path, problem in zip(paths, everything.values(), strict=True):
        again = rc.load_problem(path)
        assert (again.law, again.contacts, again.rows) == ("exact", problem.contacts, problem.rows)
        np.testing.assert_array_equal(again.q, problem.q)
        np.testing.assert_array_equal(again.bounds, problem.bounds)
        np.testing.assert_array_equal(again.cone.radii, problem.cone.radii)


def test_no_such_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(rc.FileError, match="file"):
            write_collection(folder)
    with pytest.raises(rc.InputError, match="folder = 3"):
        write_collection(3)
