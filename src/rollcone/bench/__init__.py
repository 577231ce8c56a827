"""Solvers raced on a folder of problems: times, performance profiles, a table.

from rollcone import bench
race = bench.run("problems", settings=bench.Settings(time_limit=2.0))
bench.table(race.results, race.solvers, race.tolerances)
tau, share = bench.profile(times)
"""

from rollcone.bench.profiles import profile
from rollcone.bench.race import Race, recall, run
from rollcone.bench.settings import Settings
from rollcone.bench.summary import Line, table, times, unsolved

__all__ = ["Line", "Race", "Settings", "profile", "recall", "run", "table", "times", "unsolved"]
