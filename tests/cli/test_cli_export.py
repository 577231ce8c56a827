"""`rollcone export`: files of every format."""

import pytest
from cli_cases import error_of, run, run_json
from cli_runs import hinged_file, run_file

__all__ = ["hinged_file", "run_file"]


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("a.vtkhdf", (), b"\x89HDF"),
        ("c.vtkhdf", ("--contacts",), b"\x89HDF"),
        ("j.vtkhdf", ("--joints",), b"\x89HDF"),
        ("a.glb", (), b"glTF"),
        ("a.csv", ("--body", "ball"), b"time (s),x (m)"),
        ("b.csv", ("--time", "0.05"), b"body,name,shape"),
    ],
)
def test_formats(run_file, tmp_path, name, options, start):
    target = tmp_path / name
    found = run_json("export", run_file, "-o", target, *options)
    assert target.read_bytes().startswith(start)
    assert found["output"] == str(target)
    assert "is there already" in error_of("export", run_file, "-o", target, *options)
    again = run("export", run_file, "-o", target, *options, "--overwrite")
    assert again.stdout.startswith("wrote ")


def test_joints(hinged_file, tmp_path):
    target = tmp_path / "a.csv"
    run("export", hinged_file, "-o", target, "--joint", "hinge")
    lines = target.read_text().splitlines()
    assert lines[0].startswith("time (s),fx (N),fy (N)")
    assert len(lines) == 12


def test_refusals(run_file, tmp_path):
    def refused(name, *options):
        return error_of("export", run_file, "-o", tmp_path / name, *options)

    assert "must end in .vtkhdf, .csv, .glb" in refused("a.obj")
    assert "needs one of --body, --joint" in refused("a.csv")
    for two in (("--body", "ball", "--time", "0"), ("--body", "ball", "--joint", "hinge")):
        assert "needs one of" in refused("a.csv", *two)
    assert "joint 'hinge': there is none" in refused("a.csv", "--joint", "hinge")
    for option in ("--body", "--joint"):
        assert "are for .csv" in refused("a.glb", option, "ball")
    assert "--contacts is for .vtkhdf" in refused("a.glb", "--contacts")
    assert "--joints is for .vtkhdf" in refused("a.glb", "--joints")
    assert "give one of them" in refused("a.vtkhdf", "--joints", "--contacts")
    assert "from 0 to 0.1 s" in refused("a.csv", "--time", "5")
    assert [path.name for path in tmp_path.iterdir()] == ["rolling.h5"]
