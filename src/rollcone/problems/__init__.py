"""Contact problems made to order, for tests, benchmarks and demonstrations."""

from rollcone.problems.arch import arch
from rollcone.problems.chain import chain
from rollcone.problems.collection import collection, write_collection
from rollcone.problems.heap import heap
from rollcone.problems.known import KnownProblem, random_problem
from rollcone.problems.stack import stack

__all__ = [
    "KnownProblem",
    "arch",
    "chain",
    "collection",
    "heap",
    "random_problem",
    "stack",
    "write_collection",
]
