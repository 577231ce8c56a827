"""`rollcone view`: it serves until Ctrl-C, and ends well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import urllib.request
import webbrowser

import pytest
from cli_cases import error_of, run

import rollcone as rc
from rollcone.viewer import open as opening
from rollcone.viewer.server import Viewer

pytest.importorskip("viser")


@pytest.fixture(scope="module")
def little(tmp_path_factory):
    """A run file."""
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0), velocity=(1, 0, 0))
    path = tmp_path_factory.mktemp("view") / "little.h5"
    rc.simulate(world, until=0.05, step=0.01, output=path)
    return path


@pytest.fixture
def visits(monkeypatch):
    """What a browser was told to open, and the page as it was served; then Ctrl-C."""
    seen = []
    monkeypatch.setattr(webbrowser, "open", lambda url: seen.append(("browser", url)))

    def wait(viewer, _seconds):
        with urllib.request.urlopen(viewer.url, timeout=10) as page:
            seen.append((viewer.url, page.read().decode()))
        return True

    monkeypatch.setattr(Viewer, "wait", wait)
    return seen


def test_it_prints_where_the_page_is(little, visits, monkeypatch):
    monkeypatch.setattr(opening, "has_screen", lambda: True)
    told = run("view", little, "--port", 0)
    (what, opened), (url, page) = visits
    assert what == "browser"
    assert opened == url
    assert told.stdout == f"{url}  (Ctrl-C ends)\n"
    assert "<html" in page


@pytest.mark.parametrize(("screen", "options"), [(True, ["--no-browser"]), (False, [])])
def test_no_browser(little, visits, monkeypatch, screen, options):
    monkeypatch.setattr(opening, "has_screen", lambda: screen)
    run("view", little, "--port", 0, *options)
    assert [what for what, _ in visits if what == "browser"] == []
    assert len(visits) == 1


def test_a_screen(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not opening.has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert opening.has_screen()


def test_wrong_file(tmp_path):
    assert "there is no such file" in error_of("view", tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no run")
    assert "text.h5" in error_of("view", tmp_path / "text.h5")


def test_wrong_host_and_port(little):
    for host in ("203.0.113.1", "no.such.host.invalid", "x" * 300):
        assert f"host = '{host}'" in error_of("view", little, "--host", host)
    assert "--port" in run("view", little, "--port", 70000, code=2).stderr


def test_ctrl_c_ends_it_with_0(little, monkeypatch):
    """In process: the signal reaches the main thread, which waits."""
    ways_out = []
    wait = Viewer.wait
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # who runs tests may ignore it

    def wait_for_signal(viewer, seconds):
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        ways_out.append(viewer)
        return wait(viewer, seconds)

    monkeypatch.setattr(Viewer, "wait", wait_for_signal)
    try:
        told = run("view", little, "--port", 0, "--no-browser")
    finally:
        signal.signal(signal.SIGINT, before)
    assert "http://127.0.0.1:" in told.stdout
    assert told.stderr == ""
    assert len(ways_out) == 1


def test_help():
    text = run("view", "--help").stdout
    assert "rollcone view heap.h5" in text
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_heavy_is_loaded_for_help():
    code = "import sys; import rollcone.cli.view; print('viser' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
