"""`rollcone plot`: pictures of run files."""

from cli_cases import error_of, run, run_json
from cli_runs import run_file

__all__ = ["run_file"]


def test_a_picture_and_a_line(run_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ("plot", run_file, "--what", "contacts")
    assert run(*arguments).stdout.startswith("wrote rolling-contacts.png (")
    assert (tmp_path / "rolling-contacts.png").read_bytes().startswith(b"\x89PNG")
    assert "is there already" in error_of(*arguments)
    assert run(*arguments, "--overwrite", "--quiet").stdout == ""


def test_json(run_file, tmp_path):
    picture = tmp_path / "paths.svg"
    found = run_json("plot", run_file, "--what", "trajectory", "--body", "ball", "-o", picture)
    assert found["output"] == str(picture)
    assert found["bytes"] == picture.stat().st_size
    assert picture.read_text().startswith("<?xml")


def test_refusals(run_file, tmp_path):
    picture = tmp_path / "a.png"
    assert "must be one of energy, " in error_of("plot", run_file, "--what", "all of it")
    assert "body 'bell'" in error_of("plot", run_file, "--body", "bell", "-o", picture)
    assert "must end in .png" in error_of("plot", run_file, "-o", tmp_path / "a.gif")
    assert not picture.exists()
