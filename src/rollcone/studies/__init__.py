"""Studies: scenes whose answers are known, run and compared.

from rollcone import studies
study = studies.run("rolling-disk")
study.rows, study.passed, study.save("pictures")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollcone._lazy import loaded_on_use

if TYPE_CHECKING:  # for type checkers and editors
    from rollcone.studies.all_studies import Outcome, reproduce_all
    from rollcone.studies.registry import STUDIES, run
    from rollcone.studies.study import Row, Study

__getattr__, __dir__ = loaded_on_use(
    globals(),
    {
        "STUDIES": "registry",
        "Outcome": "all_studies",
        "Row": "study",
        "Study": "study",
        "reproduce_all": "all_studies",
        "run": "registry",
    },
)

__all__ = ["STUDIES", "Outcome", "Row", "Study", "reproduce_all", "run"]
