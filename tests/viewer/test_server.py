"""The viewer without a browser: what it would send."""

import socket
import sys

import numpy as np
import pytest
from viewer_cases import STEP, table_run, table_world

import rollcone as rc
from rollcone.collision.shapes import SPHERE
from rollcone.viewer.address import free_port
from rollcone.viewer.open import follow
from rollcone.viewer.server import Viewer

pytest.importorskip("viser")


@pytest.fixture
def viewer():
    with Viewer(table_run(), port=0) as found:
        yield found


def shown(viewer, name):
    return viewer.server.scene.get_handle_by_name(name)


def spheres(viewer):
    """Numbers of the spheres, and their two meshes, which are the first group."""
    numbers = np.flatnonzero(viewer.run.world.state.shape == SPHERE)
    return numbers, shown(viewer, "/bodies/0/full"), shown(viewer, "/bodies/0/pale")


def test_bodies_are_where_the_run_has_them(viewer):
    viewer.seek(viewer.run.time[30])
    viewer.show()
    numbers, full, pale = spheres(viewer)
    assert [viewer.run.world.name_of(int(k)) for k in numbers] == ["ball", "late"]
    ball = viewer.run.body("ball")
    for mesh in (full, pale):
        np.testing.assert_allclose(mesh.batched_positions[0], ball.position[30], atol=1e-6)
        np.testing.assert_allclose(mesh.batched_wxyzs[0], ball.orientation[30], atol=1e-6)
        np.testing.assert_allclose(mesh.batched_scales, [[0.5] * 3, [0.0] * 3])  # late: not yet
    assert (full.batched_colors[0] != pale.batched_colors[0]).any()
    viewer.seek(viewer.clock.end)
    viewer.show()
    np.testing.assert_allclose(full.batched_scales, [[0.5] * 3, [0.25] * 3])


def test_between_moments(viewer):
    ball = viewer.run.body("ball").position
    _, full, _ = spheres(viewer)
    viewer.seek(viewer.run.time[30] + 0.25 * STEP)
    viewer.show()
    wanted = 0.75 * ball[30] + 0.25 * ball[31]
    np.testing.assert_allclose(full.batched_positions[0], wanted, atol=1e-6)
    viewer.set_between(False)
    viewer.show()
    np.testing.assert_allclose(full.batched_positions[0], ball[30], atol=1e-6)


def test_jumps(viewer):
    times = viewer.run.time
    for where, wanted in (("last", -1), ("back", -2), ("first", 0), ("back", 0), ("next", 1)):
        viewer.jump(where)
        assert viewer.clock.time == times[wanted]
    viewer.seek(times[7] + 0.5 * STEP)
    viewer.jump("back")
    assert viewer.clock.time == times[7]
    viewer.seek(times[7] + 0.5 * STEP)
    viewer.toggle()
    viewer.jump("next")
    assert viewer.clock.time == times[8]
    assert not viewer.clock.playing


def test_forces(viewer):
    viewer.seek(viewer.run.time[20])
    viewer.show()
    assert shown(viewer, "/forces") is None
    viewer.set_forces(True)
    viewer.show()
    arrows = shown(viewer, "/forces")
    assert arrows.points.shape == (5, 2, 3)
    assert shown(viewer, "/bodies/0/full").opacity < 1
    before = arrows.points.copy()
    viewer.set_arrow_length(2.0)
    viewer.show()
    way = before[:, 1] - before[:, 0]
    np.testing.assert_allclose(arrows.points[:, 1] - arrows.points[:, 0], 2 * way, rtol=1e-4)
    viewer.seek(0.0)  # no contacts yet
    viewer.show()
    assert not arrows.visible
    viewer.seek(viewer.run.time[20])
    viewer.show()
    assert arrows.visible
    viewer.set_forces(False)
    viewer.show()
    assert not arrows.visible
    assert shown(viewer, "/bodies/0/full").opacity is None


def test_picking_puts_a_rim_around_the_body(viewer):
    ball = viewer.run.body("ball").position
    viewer.seek(viewer.run.time[30])
    viewer.pick(ball[30] + (0, 0, 10), (0, 0, -1))
    viewer.show()
    assert viewer.picked == viewer.run.world.number_of("ball")
    rim = shown(viewer, "/outline")
    np.testing.assert_allclose(rim.position, ball[30], atol=1e-6)
    radius = np.linalg.norm(rim.vertices, axis=1)
    assert 0.5 < radius.min() <= radius.max() < 0.6
    viewer.pick(ball[30] + (0, 0, 10), (0, 0, 1))
    viewer.show()
    assert viewer.picked is None
    assert shown(viewer, "/outline") is None


def walled_run():
    """A ball behind a wall, seen from the opening camera; from above it is not hidden."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane(name="floor")
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 0.2), name="ball")
    for name, place in (("wall", (0.3, -0.41, 1.0)), ("other", (0.3, 0.5, 1.0))):
        world.add_box(size=(4, 0.1, 2), fixed=True, position=place, name=name)
    world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, position=(0.4, 0, 0.05), name="cube")
    return rc.simulate(world, until=0.05, step=STEP)


def test_walls_that_hide_bodies_are_seen_through():
    with Viewer(walled_run(), port=0) as viewer:
        viewer.show()
        balls, cube, walls = (shown(viewer, f"/bodies/{k}/full") for k in range(3))
        assert len(walls.batched_positions) == 2
        assert (balls.opacity, cube.opacity) == (None, None)
        assert 0 < walls.opacity < 1
        viewer.set_forces(True)
        viewer.show()
        assert balls.opacity < 1
        assert walls.wireframe  # glass would hide the glass behind it
        viewer.set_forces(False)
        viewer.set_through(False)
        viewer.show()
        assert (balls.opacity, walls.opacity, walls.wireframe) == (None, None, False)


def test_a_click_goes_through_what_is_seen_through():
    run = walled_run()
    with Viewer(run, port=0) as viewer:
        of = run.world.number_of
        eye = (0, -5, 0.2)
        viewer.pick(eye, (0, 1, 0))
        assert viewer.picked == of("ball")
        viewer.pick((0, -5, 1.2), (0, 1, 0))
        assert viewer.picked == of("wall")
        viewer.set_through(False)
        viewer.pick(eye, (0, 1, 0))
        assert viewer.picked == of("wall")


def test_what_hides_nothing_is_not_seen_through(viewer):
    viewer.show()
    block = shown(viewer, "/bodies/3/full")
    np.testing.assert_allclose(block.batched_positions, [(-3, 0, 0.5)])
    assert block.opacity is None


def test_a_frame_that_changes_nothing_sends_nothing(viewer, monkeypatch):
    viewer.show()
    sent = []
    monkeypatch.setattr(
        viewer.server._websock_server, "queue_message", lambda message: sent.append(message)
    )
    viewer.show()
    assert sent == []
    viewer.seek(0.1)
    viewer.show()
    assert sent


def test_a_taken_port_gives_the_next_one():
    with Viewer(table_run(), port=0) as one:
        port = one.server.get_port()
        with Viewer(table_run(), port=port) as two:
            assert two.server.get_port() > port
            assert two.url == f"http://127.0.0.1:{two.server.get_port()}"


def test_no_port_is_free():
    with socket.create_server(("127.0.0.1", 65535)), pytest.raises(rc.InputError, match="is taken"):
        free_port("127.0.0.1", 65535)


def test_it_listens_here_alone(viewer):
    port = viewer.server.get_port()
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        pass
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", port), timeout=5):  # noqa: PT011
        pass


@pytest.mark.parametrize("port", [-1, 70000, "x"])
def test_wrong_port(port):
    with pytest.raises(rc.InputError, match="port"):
        Viewer(table_run(), port=port)


def test_viser_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(rc.MissingPackageError, match=r'pip install "rollcone\[view\]"'):
        Viewer(table_run(), port=0)


def test_a_run_that_grows():
    """New moments are seen when they are announced, new bodies too; who watches the end stays."""
    simulation = rc.Simulation(table_world(), step=STEP)
    run = simulation.advance(0.1)
    with Viewer(run, port=0) as viewer:
        viewer.jump("last")
        viewer.show()
        simulation.world.add_sphere(radius=0.1, mass=1.0, position=(1, 1, 3), name="new")
        simulation.advance(0.2)
        viewer.show()
        assert viewer.clock.end == pytest.approx(0.1)
        viewer.refresh()
        viewer.show()
        assert viewer.clock.time == viewer.clock.end == pytest.approx(0.2)
        _, full, _ = spheres(viewer)
        np.testing.assert_allclose(
            full.batched_positions, run.states("position")[-1][[1, 5]], atol=1e-6
        )
        viewer.jump("first")
        simulation.advance(0.3)
        viewer.refresh()
        assert viewer.clock.time == 0.0


def test_runs_without_contacts_offer_no_forces(tmp_path):
    """As far as was recorded, from a file: neither colours nor arrows of contacts."""
    path = tmp_path / "little.h5"
    rc.simulate(table_world(), until=0.2, step=STEP, output=path, contacts="none")
    with Viewer(rc.open_run(path), port=0) as viewer:
        offered = [handle for handle in gui_handles(viewer) if hasattr(handle, "options")]
        assert [handle.options for handle in offered if "speed" in handle.options] == [
            ("speed", "rotation", "material")
        ]
        viewer.seek(0.1)
        viewer.pick((0.1, 0, 9), (0, 0, -1))
        viewer.show()
        assert viewer.picked == viewer.run.world.number_of("ball")


def test_a_run_from_a_file(tmp_path):
    path = tmp_path / "full.h5"
    kept = rc.simulate(table_world(), until=0.2, step=STEP, output=path)
    with Viewer(rc.open_run(path), port=0) as viewer:
        viewer.set_forces(True)
        viewer.set_quantity("mode")
        viewer.seek(0.15)
        viewer.show()
        _, full, _ = spheres(viewer)
        ball = kept.body("ball").position[15]
        np.testing.assert_allclose(full.batched_positions[0], ball, atol=1e-6)
        assert len(shown(viewer, "/forces").points) == 5


def gui_handles(viewer):
    return list(viewer.server.gui._gui_input_handle_from_uuid.values())


def test_a_run_that_is_being_written_grows_on_the_page(tmp_path):
    """As in `rollcone view` beside `rollcone run`: to its end, and to its file."""
    path = tmp_path / "out.h5"
    simulation = rc.Simulation(table_world(), step=STEP, output=path, flush=0.0)
    simulation.advance(0.1)
    ends = []
    with Viewer(rc.open_run(path), port=0) as viewer:
        later = iter((0.2, 0.2, 0.3))

        def wait(_seconds):
            ends.append(viewer.clock.end)
            if (until := next(later, None)) is not None:
                simulation.advance(until)
                return False
            simulation.close()
            return len(ends) > 4

        viewer.wait = wait
        follow(viewer)
        assert viewer.run.path == path
        assert len(viewer.run.time) == len(simulation.run.time)
    assert ends == pytest.approx([0.1, 0.2, 0.2, 0.3, 0.3])
