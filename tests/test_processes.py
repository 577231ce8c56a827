"""Several simulations in one process, and processes begun in the middle: the bits of one alone."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest

import rollcone as rc
from process_cases import FINGERPRINTS, KINDS, bits, settings_of, simulated, world_of
from rollcone import thread_count

TESTS = Path(__file__).parent


@pytest.fixture(autouse=True)
def _same_threads_after():
    before = thread_count._chosen
    yield
    thread_count._chosen = before


@pytest.fixture(scope="module")
def alone() -> dict[str, str]:
    """On one thread, one after the other."""
    with thread_count.using_threads(1):
        found = {kind: simulated(kind) for kind in KINDS}
    assert len(set(found.values())) == len(KINDS)
    return found


def test_steps_in_turn(alone):
    """Two of each kind, step by step, one after the other."""
    rc.set_threads(2)
    going = [(kind, rc.Simulation(world_of(kind), step=2e-3)) for kind in 2 * KINDS]
    left = {kind: round(settings_of(kind)["until"] / 2e-3) for kind in KINDS}
    for k in range(max(left.values())):
        for kind, simulation in going:
            if k < left[kind]:
                simulation.take_step()
    assert [bits(simulation.run) for _, simulation in going] == [alone[kind] for kind, _ in going]


def test_python_threads_at_once(alone):
    rc.set_threads(2)
    found: dict[int, str] = {}
    jobs = [*KINDS, "block", "pouring"]
    workers = [
        threading.Thread(target=lambda k=k, kind=kind: found.update({k: simulated(kind)}))
        for k, kind in enumerate(jobs)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [found[k] for k in range(len(jobs))] == [alone[kind] for kind in jobs]


def in_processes(method: str, threads: int) -> list[str]:
    """All kinds, in two processes at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads that sleep
        with multiprocessing.get_context(method).Pool(2) as pool:
            return pool.starmap(simulated, [(kind, threads) for kind in KINDS])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("threads", [1, 2])
def test_fork_after_several_threads(alone, threads):
    """The parent has simulated with two threads, which its children have not; it goes on."""
    rc.set_threads(2)
    assert simulated("block") == alone["block"]
    assert in_processes("fork", threads) == list(alone.values())
    assert simulated("block") == alone["block"]


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_spawn(alone, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not here")
    rc.set_threads(2)
    assert simulated("block") == alone["block"]
    assert in_processes(method, 2) == list(alone.values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork_in_the_middle_of_a_run(alone, tmp_path):
    """Parent and child both go on from the same step; only the parent has a file."""
    simulation = rc.Simulation(world_of("pouring"), step=2e-3)
    simulation.advance(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            (tmp_path / "child").write_text(bits(simulation.advance(0.3)))
        finally:
            os._exit(0)
    assert bits(simulation.advance(0.3)) == alone["pouring"]
    os.waitpid(child, 0)
    assert (tmp_path / "child").read_text() == alone["pouring"]


CASES = {
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed 2, other order of imports": {"PYTHONHASHSEED": "2", "FIRST": "scipy.sparse h5py"},
    "four threads": {"ROLLCONE_THREADS": "4"},
    "BLAS with many threads": {"OPENBLAS_NUM_THREADS": "7", "OMP_NUM_THREADS": "3"},
    "garbage collected all the time": {"COLLECT": "1"},
    "BLAS of another processor": {"OPENBLAS_CORETYPE": "Nehalem"},
}
CODE = """
import gc, importlib, os
for name in os.environ.get("FIRST", "").split():
    importlib.import_module(name)
if "COLLECT" in os.environ:
    gc.set_threshold(1)
from process_cases import FINGERPRINTS, KINDS, simulated
print(*(simulated(kind) for kind in KINDS))
"""


def in_a_new_process(**environment: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        check=True,
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])} | environment,
    )
    return ended.stdout.split()


@pytest.mark.parametrize("case", CASES)
def test_new_processes(alone, case):
    assert in_a_new_process(**CASES[case]) == list(alone.values())


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="not of that family")
def test_bits_of_this_version(alone):
    """So that nobody changes bits without noticing. Where they change on purpose, it is said in the
    changelog, and `python tests/process_cases.py` writes them anew."""
    assert alone == json.loads(FINGERPRINTS.read_text())
