"""Studies: scenes whose answers are known, run and compared.

from rollcone import studies
study = studies.run("rolling-disk")
study.rows, study.passed, study.save("pictures")
"""

from rollcone._build import mode

if not mode.compiling:  # a build has only what kernels need
    from rollcone.studies.all_studies import Outcome, reproduce_all
    from rollcone.studies.registry import STUDIES, run
    from rollcone.studies.study import Row, Study

__all__ = ["STUDIES", "Outcome", "Row", "Study", "reproduce_all", "run"]
