"""The lock of a build is free when its process has ended in any way, also beside its children."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rollcone._build import lock

HOLD = """
import os, sys, time
from pathlib import Path
from rollcone._build import lock
with lock.held(Path(sys.argv[1])):
    child = os.fork()
    if child:
        print(child, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are not forked here")
def test_a_killed_build_leaves_no_lock(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    child = int(holder.stdout.readline())
    try:
        assert not lock._acquire(os.open(tmp_path / "lock", os.O_RDWR))
        holder.kill()
        holder.wait()
        os.kill(child, 0)  # it is still there
        begin = time.monotonic()
        with lock.held(tmp_path):
            assert time.monotonic() - begin < 30
    finally:
        os.kill(child, signal.SIGKILL)
        holder.stdout.close()
