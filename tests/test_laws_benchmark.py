"""The benchmark of the two laws: its figures on problems that can be done by hand."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rollcone as rc

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import __main__ as command
from benchmarks import collection, laws

MU = 0.5
# A chain with a weight as heavy as itself; free fall and its mass are 1. Speed of the chain under
# both laws, and the lift of the associated one.
EXACT, ASSOCIATED = (1 - MU) / 2, (1 - MU) / (2 + MU**2)
LIFT = MU * ASSOCIATED


@pytest.fixture(scope="module")
def sliding():
    return laws.compare("chain-3-sliding", rc.problems.chain(3, weight=1.0, sliding=MU))


def test_chain_by_hand(sliding):
    change = laws.changes(sliding.associated, sliding.exact)
    less = EXACT - ASSOCIATED
    away, done = 2 * less**2 + LIFT**2, EXACT**2 + 1 + (1 - EXACT) ** 2
    energies = [2 - 2 * EXACT**2, 2 - 2 * ASSOCIATED**2 - LIFT**2]
    assert change.velocities == pytest.approx(np.sqrt(away / done), rel=1e-6)
    assert change.energy == pytest.approx(energies[1] / energies[0] - 1, rel=1e-5)
    assert change.ground == pytest.approx(LIFT, rel=1e-6)
    assert change.normal == pytest.approx(LIFT, rel=1e-6)
    assert sliding.lift == pytest.approx(LIFT, rel=1e-6)
    assert (sliding.solved, sliding.twice) == (True, True)


def test_one_contact_by_hand():
    """A block that falls at 1 and slides at 3; both laws push along (1, -mu)."""
    problem = rc.ContactProblem.from_delassus(np.eye(3) / 7, [-1.0, 3.0, 0.0], sliding=[MU])
    entry = laws.compare("block", problem)
    change = laws.changes(entry.associated, entry.exact)
    more = MU * (3 - MU) / (1 + MU**2)  # of the push, over that of the exact law
    assert change.velocities == pytest.approx(more, rel=1e-6)
    assert change.normal == pytest.approx(more, rel=1e-6)
    assert change.spread == pytest.approx(more, rel=1e-6)
    assert change.ground is None
    assert entry.lift == pytest.approx(more / np.sqrt(10), rel=1e-6)
    work = [p * (0.5 - p * (1 + MU**2) / 2 + 0.5 + 3 * MU) for p in (1, 1 + more)]
    assert change.energy == pytest.approx(work[1] / work[0] - 1, rel=1e-6)


def test_ground_is_where_one_body_is():
    problem = rc.problems.stack(3)
    entry = laws.compare("stack", problem)
    doubled = rc.solve(rc.problems.stack(3), "newton", warm_start=entry.exact)
    doubled.reactions[:4, 0] *= 2.0
    change = laws.changes(doubled, entry.exact)
    assert change.ground == pytest.approx(1.0)
    assert change.normal == pytest.approx(0.5, rel=1e-6)  # 3 of 3 + 2 + 1 boxes


def test_spread_is_blind_to_order(sliding):
    other = laws.solve(sliding.exact.problem)
    other.reactions[:] = sliding.exact.reactions[::-1]
    assert laws.changes(other, sliding.exact).spread == 0.0
    other.reactions[:, 0] += 2.0 * sliding.exact.reactions[:, 0].mean()
    assert laws.changes(other, sliding.exact).spread == pytest.approx(2.0)


def test_what_is_not_solved_is_told(monkeypatch):
    monkeypatch.setattr(laws, "LIMIT", 0.0)
    entry = laws.compare("heap-20-rest", rc.problems.heap(20, 1))
    monkeypatch.setattr(laws, "entries", lambda: [entry])
    (row,) = laws.problem_rows()
    residual = entry.associated.residual
    assert row[:3] == ("heap-20-rest", str(entry.exact.problem.contacts), "6")
    assert row[3].startswith(f"associated {residual:.0e}, exact ")
    assert "exact again" in row[3]
    assert all(cell[0] + cell[-1] == "()" for cell in row[4:])
    (group,) = laws.family_rows()
    assert group[:3] == ("heap rest", "1", "0")
    assert not any(group[3:])


def test_tables(monkeypatch, sliding, tmp_path):
    monkeypatch.setattr(laws, "entries", lambda: [sliding])
    first, second = laws.TABLES
    (row,) = second.rows()
    assert row[:4] == ("chain-3-sliding", "12", "3", "yes")
    assert row[5] == row[7] == f"{LIFT:.2g}"
    (group,) = first.rows()
    assert group[:3] == ("chain sliding", "1", "1")
    assert group[4] == f"{LIFT:.2g} ({LIFT:.2g})"
    assert (len(row), len(group)) == (len(second.header), len(first.header))
    path = tmp_path / "README.md"
    path.write_text("# Benchmarks\n\n## Run files\n\nas before\n")
    command.write(path, {table.title: command.section(table) for table in laws.TABLES})
    text = path.read_text()
    assert text.index(f"## {first.title}\n") < text.index("## Run files\n\nas before\n")


def test_families():
    names = [name for name, _ in rc.problems.collection()]
    families = {laws.family(name) for name in [*names, "rolling/cube.dat"]}
    assert families == {
        "files: rolling", "heap rest", "heap shake", "heavy heap", "stack", "stack pushed", "arch",
        "arch sliding", "chain rest", "chain sliding",
    }  # fmt: skip


def test_files_come_first(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(collection, "FOLDER", tmp_path)
    made = len(list(rc.problems.collection()))
    assert len(list(laws.problems())) == made
    (tmp_path / "kind").mkdir()
    rc.save_problem(rc.problems.stack(1), tmp_path / "kind" / "a.h5")
    (tmp_path / "kind" / "broken.dat").write_text("nothing of the kind")
    names = [name for name, _ in laws.problems()]
    assert (names[0], len(names)) == ("kind/a.h5", made + 1)
    assert "broken.dat" in capsys.readouterr().err
