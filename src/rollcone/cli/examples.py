"""Examples at the end of each subcommand's help."""

EXAMPLES = {
    "run": (
        "rollcone run heap.toml            into heap.h5, with progress and a summary",
        "rollcone run heap.toml --check    only look for mistakes",
        "rollcone run heap.toml -o a.h5 --until 0.5 --view",
    ),
    "resume": (
        "rollcone resume heap.h5",
        "rollcone resume heap.h5 --until 5",
    ),
    "schema": (
        "rollcone schema > rollcone.schema.json",
        "rollcone schema --markdown        tables for people",
    ),
    "info": (
        "rollcone info heap.h5             a run, or a contact problem",
        "rollcone info problem.hdf5 --pointed --json",
    ),
    "plot": (
        "rollcone plot heap.h5             all in one picture, heap-all.png",
        "rollcone plot heap.h5 --what trajectory --body ball --body box -o paths.svg",
    ),
    "render": (
        "rollcone render heap.h5 -o heap.png --colour force --time 1.5",
        "rollcone render heap.h5 -o heap.mp4 --view front --speed 0.25",
        "rollcone render heap.h5 -o near.png --camera 0.5,-1,0.3,0,0,0.1",
    ),
    "export": (
        "rollcone export heap.h5 -o heap.vtkhdf              bodies, for ParaView",
        "rollcone export heap.h5 -o forces.vtkhdf --contacts",
        "rollcone export heap.h5 -o ball.csv --body ball",
        "rollcone export heap.h5 -o hinge.csv --joint hinge",
        "rollcone export heap.h5 -o end.csv --time 2.5",
        "rollcone export heap.h5 -o heap.glb                 for Blender",
    ),
    "view": (
        "rollcone view heap.h5",
        "rollcone view heap.h5 --port 9000 --no-browser",
    ),
    "analyze": (
        "rollcone analyze ladder.toml      a report, and ladder-analysis.png",
        "rollcone analyze vise.toml --fixture",
        "rollcone analyze ladder.toml --json --no-picture",
    ),
    "solve": (
        "rollcone solve problem.hdf5 --compare",
        "rollcone solve problem.hdf5 --solver apgd --tolerance 1e-6 --json",
    ),
    "sweep": (
        "rollcone sweep study.toml            into study-sweep/: table, figures, runs",
        "rollcone sweep study.toml --check    only look for mistakes",
        "rollcone sweep study.toml --scheduler tcp://head:8786",
    ),
    "fit": (
        "rollcone fit ball.toml            coefficients, and ball-fit/fit.png",
        "rollcone fit ball.toml --check    only look for mistakes",
        "rollcone fit ball.toml --workers 4 --json",
    ),
    "reproduce": (
        "rollcone reproduce                what there is",
        "rollcone reproduce rolling-sphere --folder out",
        "rollcone reproduce --all          a page of results; goes on if stopped",
    ),
    "doctor": (
        "rollcone doctor                   for a report of a fault",
        "rollcone doctor --json > doctor.json",
    ),
    "bench": ("rollcone bench solvers problems   all solvers on all files in a folder",),
    "solvers": (
        "rollcone bench solvers problems --output results",
        "rollcone bench solvers problems --siconos --tolerance 1e-6",
        "rollcone bench solvers problems --plot-only --solver apgd --solver newton",
    ),
    "problems": ("rollcone bench problems made   some 70 files to race on",),
}
