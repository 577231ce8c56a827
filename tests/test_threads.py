"""Threads: the same bits for any number, and no way to hang."""

import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import rollcone as rc
from own_kernels.thread_kernels import count, fail, late, relax, until_told
from relaxation import chain, relax_plainly
from rollcone import thread_count
from rollcone._build.gates import share
from rollcone._together import together
from rollcone.errors import LibraryError

pytestmark = pytest.mark.usefixtures("own_kernels")

PLACES = 5000
ENOUGH = 200, 1e-3 * PLACES  # sweeps, tolerance


@pytest.fixture(autouse=True)
def _same_threads_after():
    before = thread_count._chosen
    yield
    thread_count._chosen = before
    thread_count._at_first.cache_clear()


def relaxed(seed=1):
    """The chain and the sweeps, in one piece of bytes."""
    x, b, parts = chain(PLACES, seed)
    sweeps = together(relax, x, b, parts, *ENOUGH)
    return x.tobytes(), sweeps


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_same_bits_as_the_plain_twin(threads):
    x, b, _ = chain(PLACES)
    sweeps = relax_plainly(x, b, *ENOUGH)
    assert 10 < sweeps < ENOUGH[0]
    rc.set_threads(threads)
    for _ in range(3):
        assert relaxed() == (x.tobytes(), sweeps)


def test_at_most():
    rc.set_threads(3)
    for at_most, expected in ((None, 3), (2, 2), (9, 3), (1, 1), (0, 1)):
        seen = np.zeros(4, dtype=np.int64)
        assert together(count, seen, at_most=at_most) == expected
        assert list(seen) == [expected] * expected + [0] * (4 - expected)


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_shares_cover_all_items_once(n, threads):
    shares = [share(n, thread, threads) for thread in range(threads)]
    assert [i for pair in shares for i in range(*pair)] == list(range(n))
    assert max(end - first for first, end in shares) <= -(-n // threads)


@pytest.mark.parametrize("bad", [0, 1, 2])
@pytest.mark.parametrize("gates", [3, 100])
def test_error_of_one_thread_is_raised(bad, gates):
    """Also if others wait for it, and the threads can be used again."""
    rc.set_threads(3)
    with pytest.raises(LibraryError, match=r"thread_kernels\.fail ended with status"):
        together(fail, bad, gates)
    rc.set_threads(1)
    alone = relaxed()
    rc.set_threads(3)
    assert relaxed() == alone


def test_wrong_arguments_are_reported():
    x, b, parts = chain(PLACES)
    expected = x.copy()
    for threads in (1, 2):
        rc.set_threads(threads)
        with pytest.raises(TypeError, match=r"relax: x is list .*, expected float64\[:\]"):
            together(relax, x.tolist(), b, parts, *ENOUGH)
        with pytest.raises(TypeError, match=r"relax takes 8 arguments, not 7"):
            together(relax, x, b, parts, 1)
        with pytest.raises(TypeError, match=r"relax: tolerance is str 'large', expected float"):
            together(relax, x, b, parts, 1, "large")
    assert np.array_equal(x, expected)
    assert relaxed()[1] > 10


def test_other_threads_wait_for_one_that_is_late():
    """So long that they nap."""
    rc.set_threads(3)
    a = np.zeros(4)
    together(late, a)
    assert a[1] == a[2] == a[3] > 0


def test_callers_at_once():
    """Each has its own threads, which end with it; more threads than cores."""
    rc.set_threads(1)
    expected = {seed: relaxed(seed) for seed in range(4)}
    rc.set_threads(3)
    before, found = set(threading.enumerate()), {}

    def work(seed):
        found[seed] = [relaxed(seed) for _ in range(3)]

    callers = [threading.Thread(target=work, args=(seed,)) for seed in expected]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == {seed: [bits] * 3 for seed, bits in expected.items()}
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_interrupt_waits_for_the_kernel():
    rc.set_threads(3)
    told, stop, rounds = (np.zeros(n, dtype=np.int64) for n in (1, 1, 3))

    def press():
        while not rounds[0]:  # until the kernel runs
            time.sleep(1e-3)
        os.kill(os.getpid(), signal.SIGINT)
        told[0] = 1

    helper = threading.Thread(target=press)
    helper.start()
    with pytest.raises(KeyboardInterrupt):
        together(until_told, told, stop, rounds)
    helper.join()
    assert stop[0] == 1
    assert rounds[0] > 0
    assert (rounds == rounds[0]).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("asked", [None, 2])
def test_forked_process_uses_one_thread_and_says_so(asked, monkeypatch, tmp_path):
    """Unless it asks for more; the parent's threads go on."""
    rc.set_threads(2)
    monkeypatch.setattr("rollcone.thread_count._at_first", lambda: 2)
    expected, heard = relaxed(), tmp_path / "stderr"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads that sleep
        child = os.fork()
    if child == 0:
        ended = 1
        try:
            sys.stderr = heard.open("w")
            if asked:
                rc.set_threads(asked)
            same = relaxed() == relaxed() == expected
            ended = 0 if same and rc.threads() == (asked or 1) else 2
            sys.stderr.flush()
        finally:
            os._exit(ended)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert heard.read_text().count("a forked process uses one thread") == (0 if asked else 1)
    assert rc.threads() == 2
    assert relaxed() == expected


@pytest.mark.parametrize("n", [0, -1, 1025, 1.0, "2", None, True, [2]])
def test_wrong_number_of_threads(n):
    with pytest.raises(rc.InputError, match=r"n = .*: must be a whole number from 1 to 1024"):
        rc.set_threads(n)


@pytest.mark.parametrize("text", ["0", "two", "1.5", "2000"])
def test_wrong_number_in_the_environment(text, monkeypatch):
    monkeypatch.setenv("ROLLCONE_THREADS", text)
    thread_count._at_first.cache_clear()
    monkeypatch.setattr(thread_count, "_chosen", None)
    with pytest.raises(rc.InputError, match=r"ROLLCONE_THREADS = .*whole number from 1 to 1024"):
        rc.threads()
    monkeypatch.setenv("ROLLCONE_THREADS", " 3 ")
    assert rc.threads() == 3
    monkeypatch.setenv("ROLLCONE_THREADS", "")
    thread_count._at_first.cache_clear()
    assert 1 <= rc.threads() <= 8


def test_accepts_integers_of_numpy():
    rc.set_threads(np.int64(2))
    assert rc.threads() == 2
