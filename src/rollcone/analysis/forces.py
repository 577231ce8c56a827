"""Contact forces in world axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rollcone._check import FloatArray
from rollcone.stepping.kernels.contact import contact_frames

if TYPE_CHECKING:
    from rollcone.recording.contacts import RecordedContacts


def contact_forces(contacts: RecordedContacts) -> FloatArray:
    """On body B of each contact (c, 3), N."""
    frames = np.empty((len(contacts), 3, 3))
    contact_frames(np.ascontiguousarray(contacts.normal), frames)
    return np.asarray(np.einsum("ck,ckj->cj", contacts.reaction[:, :3], frames))
