"""Shared by the tests of studies: plans that take a second or so."""

from __future__ import annotations

from rollcone.studies import (
    contact_analysis,
    convergence,
    euler_disk,
    grain_shapes,
    guideway,
    heap_of_gravel,
    invariance,
    painleve_rod,
    rolling_disk,
    rolling_sphere,
    sphere_piles,
    spinning_sphere,
    wheel,
)
from rollcone.studies.study import Study

PLANS = {
    "rolling-disk": (rolling_disk, rolling_disk.Plan(step=0.05, until=10.0)),
    "guideway": (guideway, guideway.Plan(step=2e-3, shares=(1.0, 2.0), loads=(245.0,))),
    "rolling-sphere": (
        rolling_sphere,
        rolling_sphere.Plan(steps=(0.05, 0.02), map_step=0.05, points=4, least=(0.05, 0.02)),
    ),
    "spinning-sphere": (
        spinning_sphere,
        spinning_sphere.Plan(step=0.05, until=6.0, slide=2.0, directions=3),
    ),
    "invariance": (invariance, invariance.Plan(step=0.02, until=0.6)),
    "convergence": (convergence, convergence.Plan(steps=(0.04, 0.02), shifts=2)),
    "heap-of-gravel": (
        heap_of_gravel,
        heap_of_gravel.Plan(
            rolling=(0.0, 0.01),
            heap=heap_of_gravel.Heap(
                0.0, count=100, edge=0.45, drop=0.25, rate=600.0, until=0.9, tolerance=1e-2
            ),
            slope=5.0,
        ),
    ),
    "sphere-piles": (
        sphere_piles,
        sphere_piles.Plan(
            sliding=(0.3,),
            rolling=(1e-5, 0.1, 1.0),
            seeds=1,
            pile=sphere_piles.Pile(0.0, 0.0, count=12, step=2e-3, until=2.0),
            unsolved=0.05,
        ),
    ),
    "grain-shapes": (
        grain_shapes,
        grain_shapes.Plan(
            rolling=(0.0, 0.1, 0.2, 0.3),
            seeds=1,
            # Fewer convex grains make no heap with an angle.
            heap=grain_shapes.Heap(0.0, count=180, edge=14.0, drop=7.0, side=3, settle=0.6),
        ),
    ),
    "painleve-rod": (painleve_rod, painleve_rod.Plan(points=7, line=5)),
    "contact-analysis": (contact_analysis, contact_analysis.Plan(points=5)),
    "euler-disk": (euler_disk, euler_disk.Plan(step=1e-3, decay_step=2e-4)),
    "wheel": (wheel, wheel.Plan(step=4e-3, until=2.1)),
}


def quick(name: str, progress=lambda *_: None) -> Study:
    """A study with coarse steps."""
    module, plan = PLANS[name]
    return module.study(plan, progress)


def failures(study: Study) -> list[str]:
    return [row.quantity for row in study.rows if row.verdict == "fail"]
