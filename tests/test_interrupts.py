"""Signals that are held back while large extension modules are imported."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from rollcone._interrupts import deferred_signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")


def test_a_signal_is_raised_after_the_block():
    handler, done = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with deferred_signals():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_signal_comes_before_an_error_of_the_block():
    def fail() -> None:
        with deferred_signals():
            os.kill(os.getpid(), signal.SIGINT)
            raise ImportError

    with pytest.raises(KeyboardInterrupt):
        fail()


def test_handlers_that_are_not_of_python_stay():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with deferred_signals():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_other_threads_change_nothing():
    seen = []

    def enter() -> None:
        with deferred_signals():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


# An extension module that gets the exception of a signal while it is imported reports that as an
# ImportError, if it does not crash.
PACKAGE = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.{number})
    time.sleep(0.01)
except BaseException as error:
    raise ImportError("half made") from None
"""
CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from rollcone.cli import main
from rollcone.view.stage import open_plotter
main.app = lambda prog_name: open_plotter((64, 64))
main.main()
"""


@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGINT", -signal.SIGINT)])
def test_a_signal_while_pyvista_is_imported(tmp_path, number, code):
    (tmp_path / "pyvista.py").write_text(PACKAGE.format(number=number))
    ended = subprocess.run([sys.executable, "-c", CODE, str(tmp_path)], capture_output=True)
    assert ended.returncode == code, ended.stderr.decode()
