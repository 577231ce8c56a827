"""Studies on several processes: the same numbers as in one, whoever is killed on the way."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from sweep_cases import SLIDER, STUDY, write_study

import rollcone as rc
from rollcone.sweep.engine import Engine
from rollcone.sweep.results import place

pytest.importorskip("distributed")
from distributed import LocalCluster

from rollcone.sweep import cluster, worker

pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own threads and sockets

# Some seconds of steps, so that there is a middle to be killed in.
LONG = SLIDER.replace("until = 0.6", "until = 1").replace("step = 2e-3", "step = 2e-6")
LONG += "[output]\nevery = 100000\nflush = 0.2\n"
FAR = 100_000  # steps


@pytest.fixture
def sweep(tmp_path):
    return rc.load_sweep(write_study(tmp_path / "in", STUDY, LONG))


def values(outcomes):
    assert [outcome.error for outcome in outcomes] == ["", ""]
    return [outcome.values for outcome in outcomes]


@pytest.fixture
def expected(sweep, tmp_path):
    with Engine(tmp_path / "alone", workers=1) as engine:
        return values(engine.run(sweep.cases()))


def same_as_alone(tmp_path):
    sweep = rc.load_sweep(write_study(tmp_path / "in"))
    alone = sweep.run(tmp_path / "alone", workers=1)
    together = sweep.run(tmp_path / "together", workers=2)
    assert together.points() == alone.points()
    where = [place(tmp_path / name, sweep.cases()[0]) for name in ("alone", "together")]
    one, other = (rc.open_run(path / "run.h5").states("position")[:] for path in where)
    assert (one == other).all()


@pytest.mark.slow
def test_two_workers_find_what_one_process_finds(tmp_path):
    same_as_alone(tmp_path)


@pytest.fixture
def threads(monkeypatch):
    """Workers are threads of this process, whose kernels are compiled."""
    here = {"processes": False, "protocol": "tcp"}
    monkeypatch.setattr(cluster, "LocalCluster", lambda **given: LocalCluster(**given | here))
    monkeypatch.setattr(worker, "set_threads", lambda n: None)


def test_two_threads_find_what_one_finds(tmp_path, threads):
    same_as_alone(tmp_path)


def test_a_worker_that_does_not_see_the_folder_sends_what_it_has_made(tmp_path, threads):
    sweep = rc.load_sweep(write_study(tmp_path / "in"))
    expected = sweep.run(tmp_path / "alone", workers=1).points()
    with Engine(tmp_path / "out", workers=2) as engine:
        engine._token = "of another folder"
        outcomes = engine.run(sweep.cases())
    assert [one.values["distance"] for one in outcomes] == [p["distance"] for p in expected]
    assert rc.open_run(place(tmp_path / "out", sweep.cases()[1]) / "run.h5").steps == 300
    assert sweep.run(tmp_path / "out", workers=1).points() == expected


def test_errors_of_runs_come_back_from_workers(tmp_path, threads):
    late = STUDY + '[[measure]]\nkind = "energy"\nterm = "kinetic"\ntime = -1.0\n'
    sweep = rc.load_sweep(write_study(tmp_path / "in", late))
    failed = sweep.run(tmp_path / "out", workers=2).failed
    assert [error[:24] for _, error in failed] == ["energy: time = -1 s: the"] * 2


def when_far(action):
    """A `show` that calls `action` once, when both runs are on their way."""
    done = []

    def show(progress):
        if not done and len(progress.made) == 2 and min(progress.made.values()) > FAR:
            done.append(action())

    return show, done


def busy_worker():
    """A child of this process that simulates."""
    psutil = pytest.importorskip("psutil")
    children = psutil.Process().children(recursive=True)
    return max(children, key=lambda child: child.cpu_times().user).pid


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_is_killed_loses_nothing(sweep, expected, tmp_path, number):
    show, done = when_far(lambda: os.kill(busy_worker(), number))
    with Engine(tmp_path / "out", workers=2) as engine:
        assert values(engine.run(sweep.cases(), show)) == expected
    assert done


@contextmanager
def dask_cluster(tmp_path, workers, *options):
    """A scheduler, and workers that have folders of their own; gives address and processes."""
    log = open(tmp_path / "dask.log", "w")  # noqa: SIM115
    dask = [sys.executable, "-m", "dask"]
    file = tmp_path / "scheduler.json"
    start = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    processes = [subprocess.Popen([*dask, *start, "--scheduler-file", file], stderr=log)]
    for k in range(workers):
        own = ["--local-directory", tmp_path / f"worker{k}", "--no-dashboard", "--nthreads", "1"]
        command = [*dask, "worker", "--scheduler-file", file, *own, *options]
        processes.append(subprocess.Popen(command, stderr=log))
    try:
        from distributed import Client

        while not file.exists():
            time.sleep(0.1)
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
            address = client.scheduler.address
        yield address, processes
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()
        log.close()


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("nanny", ["--nanny", "--no-nanny"])
def test_a_preempted_worker_hands_its_run_over(sweep, expected, tmp_path, nanny, shared):
    """By SIGTERM, as batch systems send it; with the study's folder in sight, and without."""
    with dask_cluster(tmp_path, 2, nanny) as (address, processes):
        show, done = when_far(lambda: processes[1].send_signal(signal.SIGTERM))
        with Engine(tmp_path / "out", scheduler=address) as engine:
            if not shared:
                engine._token = "of another folder"
            assert values(engine.run(sweep.cases(), show)) == expected
        assert done
    for case in sweep.cases():  # in any case the files are here in the end
        assert rc.open_run(place(tmp_path / "out", case) / "run.h5").steps == 500_000


@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_told_and_the_study_goes_on(sweep, expected, tmp_path):
    with dask_cluster(tmp_path, 2, "--no-nanny") as (address, processes):
        show, done = when_far(processes[0].kill)
        with (
            pytest.raises(rc.ClusterError, match="what is finished is kept"),
            Engine(tmp_path / "out", scheduler=address) as engine,
        ):
            engine.run(sweep.cases(), show)
        assert done
    with Engine(tmp_path / "out", workers=1) as engine:
        assert values(engine.run(sweep.cases())) == expected


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_killed_goes_on_when_it_is_given_again(sweep, expected, tmp_path, number):
    psutil = pytest.importorskip("psutil")
    study = tmp_path / "in" / "study.toml"
    command = [sys.executable, "-m", "rollcone", "sweep", study, "-o", tmp_path / "out", "--json"]
    process = subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.DEVNULL)
    where = [place(tmp_path / "out", case) for case in sweep.cases()]
    begun = [path / "run.h5.part" / "checkpoint.h5" for path in where]
    while not all(path.exists() for path in begun):
        assert process.poll() is None
        time.sleep(0.1)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    assert process.wait(120) == (-9 if number == signal.SIGKILL else 128 + number)
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    assert not any((path / "result.json").exists() for path in where)
    with Engine(tmp_path / "out", workers=1) as engine:
        assert values(engine.run(sweep.cases())) == expected


def test_no_scheduler_at_an_address_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT", "1s")
    sweep = rc.load_sweep(write_study(tmp_path / "in"))
    with pytest.raises(rc.ClusterError, match="no Dask scheduler answers there"):
        sweep.run(tmp_path / "out", scheduler="tcp://127.0.0.1:1")


def test_workers_with_a_scheduler_are_refused(tmp_path):
    with pytest.raises(rc.InputError, match="workers = 2"):
        Engine(tmp_path / "out", workers=2, scheduler="tcp://127.0.0.1:1")
