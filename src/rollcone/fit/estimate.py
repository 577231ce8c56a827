"""Where a method has ended: the coefficients, and how the quantities depend on them there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rollcone._check import FloatArray
from rollcone.fit.evaluations import Scatter


@dataclass(frozen=True)
class Estimate:
    """units           (n,), the coefficients, from 0 to 1
    values          (m,), quantities there
    jacobian        (m, n), d values / d units
    jacobian_error  (m, n), standard errors of its entries, from scatter
    scatter         of what `values` are a mean of, and ...
    share           ... this part of its covariance is that of `values`
    converged       by the method's own rule; `message` says what it did
    near            function from units (k, n) to values (k, m) near by: the method's own picture
                    of the quantities; None: simulations tell
    held_up         it did not converge since runs fail, or give no value, where it would go on
    """

    units: FloatArray
    values: FloatArray
    jacobian: FloatArray
    jacobian_error: FloatArray
    scatter: Scatter
    share: float
    converged: bool
    message: str
    near: Callable[[FloatArray], FloatArray] | None = None
    held_up: bool = False
