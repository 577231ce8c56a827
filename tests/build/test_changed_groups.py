"""A library that was compiled for other fields of a group than the source states is refused."""

import re

import pytest
from new_process import copied_package, library_folder, python

CALL = "import rollcone as rc; w = rc.World(); w.add_sphere(radius=1, mass=1); w.add_plane()\n"
CALL += "rc.simulate(w, until=0.02, step=0.01)"


@pytest.fixture
def package(tmp_path):
    """A copy of the package, which is not a checkout: no source is compared with the library."""
    return copied_package(tmp_path)


def changed(package, old, new):
    """Run steps with the group `Motion` changed, and the library as it is; return the error."""
    path = package / "rollcone" / "stepping" / "kernels" / "work.py"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    ended = python(CALL, source=package, ROLLCONE_LIBRARY=library_folder())
    assert ended.returncode == 1
    head = "rollcone.errors.LibraryError: "
    (said,) = (line for line in ended.stderr.splitlines() if line.startswith(head))
    return said


def test_the_copy_works_unchanged(package):
    ended = python(CALL, source=package, ROLLCONE_LIBRARY=library_folder())
    assert (ended.returncode, ended.stderr) == (0, "")


def test_order_of_fields(package):
    """Two fields of the same type, which no check of types would tell from each other."""
    fields = "    v_free: Float2\n", "    w_free: Float2\n"
    said = changed(package, "".join(fields), "".join(reversed(fields)))
    assert library_folder() in said
    assert re.search(r"it has `v_free: .*, the source `w_free: ", said)
    assert "python -m rollcone._build" in said


def test_type_of_a_field(package):
    said = changed(package, "    theta: Float1\n", "    theta: Int1\n")
    assert re.search(r"it has `theta: float64\[:\].*, the source `theta: int64\[:\]", said)
