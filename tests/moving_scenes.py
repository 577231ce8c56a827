"""Worlds at a moment that have one motion: for the analysis of accelerations and for steps."""

import math

import numpy as np

import rollcone as rc
from mechanisms import PLANE
from rollcone.mechanics.rotations import rotation_matrix

G = 9.81
cross = np.cross


def floor_world(gravity=(0, 0, -G), motion=None, **law):
    """A floor at z = 0."""
    world = rc.World(gravity=gravity)
    world.add_plane(**({} if motion is None else {"motion": motion}))
    world.set_contact_law(rc.ContactLaw(**law))
    return world


def incline(degrees, **law):
    """Gravity leans towards x."""
    lean = math.radians(degrees)
    return floor_world(gravity=(G * math.sin(lean), 0, -G * math.cos(lean)), **law)


def block(push, height=0.0, velocity=(0, 0, 0), mass=2.0):
    """A box 0.6 x 0.4 x 0.8 on a floor with mu = 0.5, pushed along x above its centre."""
    world = floor_world(sliding=0.5)
    world.add_box(
        size=(0.6, 0.4, 0.8), mass=mass, position=(0, 0, 0.4), velocity=velocity,
        force=(push, 0, 0), torque=(0, push * height, 0),
    )  # fmt: skip
    return world


def ball(world, **options):
    world.add_sphere(radius=0.2, mass=1.5, **({"position": (0, 0, 0.2)} | options))
    return world


def ladder(degrees, pace=0.0, mu=0.3):
    """A capsule on a floor, its upper end at a wall at x = 0; its lower end slides at `pace`."""
    r, length, tilt = 0.05, 2.0, math.radians(degrees)
    along = np.array([-math.cos(tilt), 0.0, math.sin(tilt)])  # from the lower to the upper end
    low = np.array([length * math.cos(tilt) + r, 0.0, r])
    world = floor_world(sliding=mu)
    world.add_plane(normal=(1, 0, 0))
    # x = l cos, z = l sin of the tilt: x' = -l sin tilt'
    rate = -pace / (length * math.sin(tilt))
    middle = low + 0.5 * length * along
    speed = 0.5 * length * rate * np.array([-math.sin(tilt), 0, math.cos(tilt)])
    world.add_capsule(
        radius=r, length=length, mass=1.0, position=middle, velocity=speed,
        orientation=rc.rotation((0, 1, 0), degrees - 90), angular_velocity=(0, rate, 0),
    )  # fmt: skip
    return world


def stack(lower, upper):
    """Two boxes that slide at these speeds: mu = 0.5 between them and 0.3 on the floor."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane(material="floor")
    world.add_box(
        size=(1.0, 1.0, 0.4), mass=3.0, position=(0, 0, 0.2), velocity=(lower, 0, 0), material="box"
    )
    world.add_box(
        size=(0.5, 0.5, 0.4), mass=1.0, position=(0, 0, 0.6), velocity=(upper, 0, 0), material="box"
    )
    world.set_contact_law(rc.ContactLaw(sliding=0.3), "floor", "box")
    world.set_contact_law(rc.ContactLaw(sliding=0.5), "box", "box")
    return world


def ball_over_ball(slip=0.0):
    """It rolls over the top of a fixed ball, sideways and turning about the normal as well."""
    R, r, lean = 1.0, 0.3, 0.2
    n = np.array([math.sin(lean), 0.0, math.cos(lean)])
    along, across = np.array([math.cos(lean), 0.0, -math.sin(lean)]), np.array([0.0, 1.0, 0.0])
    v = 0.8 * along + 0.3 * across
    w = cross(n, v - slip * along) / r + 0.7 * n
    world = rc.World(gravity=(0, 0, -G))
    world.add_sphere(radius=R, fixed=True)
    world.add_sphere(
        radius=r, mass=1.0, position=(R + r) * n, velocity=v, angular_velocity=w,
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.6, rolling=0.01, spinning=0.005))
    return world


def capsule_turning():
    """On one end, which slides; it turns about all axes."""
    r, length, degrees = 0.1, 1.0, 50
    arm = (
        -0.5
        * length
        * np.array([math.sin(math.radians(degrees)), 0, math.cos(math.radians(degrees))])
    )
    w = np.array([0.4, -1.2, 0.8])
    world = floor_world(sliding=0.3)
    world.add_capsule(
        radius=r, length=length, mass=1.0, orientation=rc.rotation((0, 1, 0), degrees),
        position=(0, 0, r - arm[2]), velocity=(0.5, 0.2, -cross(w, arm)[2]), angular_velocity=w,
    )  # fmt: skip
    return world


def corner_turning(slides=True):
    """A box on a corner, which slides or stays where it is."""
    q, size = rc.rotation((1, 0.6, 0), 35), np.array([0.5, 0.7, 0.9])
    corners = 0.5 * size * np.array(np.meshgrid(*[[-1, 1]] * 3)).T.reshape(-1, 3)
    corners = corners @ rotation_matrix(q).T
    arm, w = corners[np.argmin(corners[:, 2])], np.array([0.5, -0.7, 0.6])
    v = -cross(w, arm) + np.array([0.6, -0.3, 0.0]) * slides
    world = floor_world(sliding=0.4 if slides else 2.0)
    world.add_box(
        size=size, mass=2.0, orientation=q, position=(0, 0, -arm[2]), velocity=v, angular_velocity=w
    )
    return world


def arm_and_block(rate=-0.5, torques=(-6.0, 6.0)):
    """Two links in the vertical plane x-z push a block along the floor. The first joint turns at
    `rate`; motors are at their limits."""
    world = floor_world(sliding=0.3)
    angles, lengths, start = np.radians([50.0, -40.0]), (0.8, 0.7), np.array([0.0, 0.0, 0.3])
    w = np.array([0.0, -rate, 0.0])
    base, end = None, start
    for k, (angle, length) in enumerate(zip(angles, lengths, strict=True)):
        begin, along = end, np.array([math.cos(angle), 0.0, math.sin(angle)])
        middle, end = begin + 0.5 * length * along, begin + length * along
        link = world.add_capsule(
            radius=0.04, length=length, mass=1.0 - 0.3 * k, name=f"link {k}", position=middle,
            orientation=rc.rotation((0, 1, 0), 90 - math.degrees(angle)),
            velocity=cross(w, middle - start), angular_velocity=w,
        )  # fmt: skip
        motor = rc.Motor(speed=math.copysign(100.0, torques[k]), limit=abs(torques[k]))
        world.add_joint(
            kind="revolute", body=link, base=base, point=begin, axis=(0, -1, 0),
            name=f"joint {k}", angle=motor,
        )  # fmt: skip
        base = link
    world.add_box(
        size=(0.5, 0.5, 2 * end[2] + 0.1), mass=1.5, name="block",
        position=(end[0] + 0.29, 0.0, end[2] + 0.05), velocity=(cross(w, end - start)[0], 0, 0),
    )  # fmt: skip
    return world


def between_walls():
    """A ball on a floor between two walls that set off together."""

    def drive(t):
        return (2.0 * t, 0, 0), (0, 0, 0)

    world = floor_world(sliding=0.2)
    for normal, x in (((1, 0, 0), -0.2), ((-1, 0, 0), 0.2)):
        world.add_plane(normal=normal, point=(x, 0, 0), motion=drive, material="wall")
    world.set_contact_law(rc.ContactLaw(sliding=0.0), "wall", "default")
    return ball(world)


def turntable():
    W, at, v, r = np.array([0, 0, 2.0]), np.array([0.7, 0.2, 0]), np.array([0.3, -0.5, 0]), 0.2
    world = floor_world(motion=lambda t: ((0, 0, 0), W), sliding=3.0, rolling=0.002)
    w = cross(cross(W, at) - v, [0, 0, 1.0]) / r
    return ball(world, position=(*at[:2], r), velocity=v, angular_velocity=w)


def disk_rolling():
    """A thin wheel that leans and rolls along a bend."""
    R, q = 0.5, rc.rotation((1, 0, 0), 70)
    axis = rotation_matrix(q)[:, 2]
    n = np.array([0.0, 0.0, 1.0])
    down = -(n - (n @ axis) * axis)
    arm = R * down / np.linalg.norm(down)
    w = 6.0 * axis + 0.7 * n + np.array([0.3, 0.0, 0.0])
    world = floor_world(sliding=0.9)
    world.add_disk(
        radius=R, mass=1.0, inertia=(0.0625, 0.0625, 0.125), orientation=q,
        position=(0, 0, -arm[2]), velocity=-cross(w, arm), angular_velocity=w,
    )  # fmt: skip
    return world


def free_box():
    """No contact: gyroscopic torque, damping, a spring."""
    world = rc.World(gravity=(0, 0, -G))
    box = world.add_box(
        size=(0.3, 0.5, 0.9), mass=1.2, velocity=(1, 0.5, 0), angular_velocity=(1.0, 2.0, -0.5),
        orientation=rc.rotation((1, 1, 0), 30), linear_damping=0.2, angular_damping=0.1,
    )  # fmt: skip
    world.add_joint(
        kind="link", body=box, point=(1, 1, 1), length=rc.Spring(stiffness=30, damping=2, rest=1.0)
    )
    return world


def cranked(speed):
    """The slider-crank at the rate of its crank: a motor keeps it."""
    world = PLANE["slider-crank"].world()
    world.remove_joint("hinge 0")
    world.add_joint(
        kind="revolute", body=0, point=(0, 0, 0), axis=(0, 0, 1), name="crank",
        angle=rc.Motor(speed=speed),
    )  # fmt: skip
    return world


def rope():
    """A ball goes round on a taut rope, in the plane x-y, gravity across."""
    world = rc.World(gravity=(0, 0, -G))
    ball = world.add_sphere(radius=0.05, mass=2.0, position=(0.8, 0, 0), velocity=(0, 1.5, 0))
    world.add_joint(kind="link", body=ball, point=(0, 0, 0), length=rc.Limits(upper=0.8))
    return world


def servo():
    """The rod's motor has the rate that brings it to its place in 0.2 s."""
    world = PLANE["pendulum"].world()
    world.remove_joint("hinge 0")
    rod = world.body(0)
    rod.angular_velocity = (0, 0, 1.5)
    rod.velocity = cross(rod.angular_velocity, rod.position)
    motor = rc.Motor(position=0.3, limit=100.0, response=0.2)
    world.add_joint(
        kind="revolute", body=rod, point=(0, 0, 0), axis=(0, 0, 1), name="servo", angle=motor
    )
    return world


SCENES = {
    "block sticks": lambda: block(5.0),
    "block starts to slide": lambda: block(15.0),
    "block slides": lambda: block(3.0, velocity=(1.0, 0.5, 0)),
    "block tips": lambda: block(9.0, height=0.4),
    "block slides and tips": lambda: block(40.0, height=0.1),
    "ball rests on an incline": lambda: ball(incline(5, sliding=0.5, rolling=0.02)),
    "ball starts to roll": lambda: ball(incline(15, sliding=0.5, rolling=0.02)),
    "ball starts to roll and slip": lambda: ball(incline(50, sliding=0.2, rolling=0.02)),
    "ball slides and rolls": lambda: ball(
        floor_world(sliding=0.3, rolling=0.01, spinning=0.01),
        velocity=(1, 0.3, 0),
        angular_velocity=(0.5, 2.0, 1.5),
    ),
    "ball rolls": lambda: ball(
        floor_world(sliding=0.3, rolling=0.01, spinning=0.01),
        velocity=(1, 0, 0),
        angular_velocity=(0, 5.0, 0),
    ),
    "ball spins": lambda: ball(
        floor_world(sliding=0.3, rolling=0.01, spinning=0.01), angular_velocity=(0, 0, 3.0)
    ),
    "ladder begins to slide": lambda: ladder(55),
    "ladder holds": lambda: ladder(75, mu=0.5),
    "ladder slides": lambda: ladder(50, pace=0.6),
    "stack slides together": lambda: stack(1.0, 1.0),
    "stack, upper one slower": lambda: stack(1.0, 0.4),
    "ball on a sliding block": lambda: ball(
        block(0.0, velocity=(1, 0, 0)), position=(0, 0, 1.0), velocity=(1, 0, 0)
    ),
    "ball over ball": ball_over_ball,
    "ball slips over ball": lambda: ball_over_ball(slip=0.2),
    "capsule turns": capsule_turning,
    "corner slides": corner_turning,
    "corner stays": lambda: corner_turning(slides=False),
    "pendulum": PLANE["pendulum"].world,
    "double pendulum": PLANE["double pendulum"].world,
    "slider-crank": PLANE["slider-crank"].world,
    "slider-crank with a motor": lambda: cranked(12.0),
    "four-bar": PLANE["four-bar"].world,
    "rope": rope,
    "servo": servo,
    "arm pushes a block": arm_and_block,
    "ball between walls": between_walls,
    "floor leaves": lambda: ball(
        floor_world(motion=lambda t: ((0, 0, -15.0 * t), (0, 0, 0)), sliding=0.3)
    ),
    "floor lifts": lambda: ball(
        floor_world(motion=lambda t: ((1.0 * t, 0, 5.0 * t), (0, 0, 0)), sliding=0.3)
    ),
    "turntable": turntable,
    "disk rolls": disk_rolling,
    "free box": free_box,
}
