"""`rollcone render`: pictures of run files."""

import pytest
from cli_cases import error_of, run_json
from cli_runs import run_file
from matplotlib.image import imread

__all__ = ["run_file"]
pytestmark = pytest.mark.usefixtures("opengl")


def test_a_picture(run_file, tmp_path):
    picture = tmp_path / "a.png"
    arguments = ("render", run_file, "-o", picture, "--size", "160x120", "--colour", "rotation")
    assert run_json(*arguments)["output"] == str(picture)
    assert imread(picture).shape[:2] == (120, 160)
    assert "is there already" in error_of(*arguments)


def test_refusals(run_file, tmp_path):
    def refused(*options):
        return error_of("render", run_file, "-o", tmp_path / "a.png", *options)

    assert "must be like 1280x960" in refused("--size", "big")
    assert "must be numbers with commas" in refused("--camera", "1;2;3")
    assert "must be one of speed, " in refused("--colour", "blue")
    assert "from 0 to 0.1 s" in refused("--time", "3")
    assert not (tmp_path / "a.png").exists()
