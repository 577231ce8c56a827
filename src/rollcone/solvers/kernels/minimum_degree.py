"""In which order to eliminate bodies: approximate minimum degree.

Eliminating a body joins all of its neighbours. The graph is kept as a quotient graph: a body
that is gone is an element, the list of those that it has joined, so that lists hardly grow.
Degrees are upper bounds that cost one pass over the lists of the pivot's neighbours; bodies
with the same neighbours (twins) are merged and go together (Amestoy, Davis, Duff, SIAM J.
Matrix Anal. Appl. 17 (1996) 886). A body with very many neighbours (a tray) goes last unasked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Int1, Int2


class Quotient(NamedTuple):
    """The graph while bodies are eliminated; arrays of count + 1."""

    room: Int1  # all lists: of a body, first elements, then bodies; of an element, bodies
    at: Int1  # where a list begins
    length: Int1
    elements: Int1  # how many of a body's list are elements
    weight: Int1  # bodies that it stands for; 0: gone or merged; < 0: next to the pivot
    into: Int1  # what it was merged into, -1 if nothing
    degree: Int1  # of a body, an upper bound; of an element, the bodies it joins
    mark: Int1  # of an element: 0 if another has taken it in
    head: Int1  # first body of each degree
    after: Int1  # next body of the same degree, or the same hash
    before: Int1  # the one before, or the hash
    bucket: Int1  # first body of each hash
    turn: Int1  # when a pivot was eliminated


@entry
def fill_neighbours(bodies: Int2, count: int, starts: Int1, mark: Int1, neighbours: Int1) -> None:
    """Neighbours of body i at starts[i]..starts[i + 1], each once; starts (count + 2)."""
    for i in range(count + 2):
        starts[i] = 0
    for i in range(bodies.shape[0]):
        a, b = bodies[i, 0], bodies[i, 1]
        if a != b and a < count and b < count:
            starts[a + 2] += 1
            starts[b + 2] += 1
    for i in range(count):
        starts[i + 2] += starts[i + 1]
    for i in range(bodies.shape[0]):
        a, b = bodies[i, 0], bodies[i, 1]
        if a != b and a < count and b < count:
            neighbours[starts[a + 1]] = b
            starts[a + 1] += 1
            neighbours[starts[b + 1]] = a
            starts[b + 1] += 1
    _drop_repeated(count, starts, mark, neighbours)


@inlined
def _drop_repeated(count, starts, mark, neighbours):
    """Bodies that touch in several contacts are neighbours once."""
    for i in range(count):
        mark[i] = -1
    top, begin = 0, 0
    for i in range(count):
        end = starts[i + 1]
        for k in range(begin, end):
            j = neighbours[k]
            if mark[j] != i:
                mark[j] = i
                neighbours[top] = j
                top += 1
        begin = end
        starts[i + 1] = top


@entry
def minimum_degree(starts: Int1, neighbours: Int1, graph: Quotient, order: Int1) -> bool:
    """Bodies in the order of their elimination; False if `graph.room` is too small."""
    n = order.shape[0]
    done = _begin(starts, neighbours, graph, n)
    weight, degree, room = graph.weight, graph.degree, graph.room
    top, flag, least, pivots = starts[n], np.int64(2), 0, 0
    while done < n:
        if top + n > room.shape[0]:
            return False
        while graph.head[least] < 0:
            least += 1
        pivot = graph.head[least]
        begin = top
        top = _join(graph, pivot, begin)
        _look_outside(graph, begin, top, flag)
        done += weight[pivot] + _renew(graph, pivot, begin, top, flag, n)
        flag = _merge_twins(graph, begin, top, flag + n + 1)
        top, least = _put_back(graph, pivot, begin, top, n - done, least)
        graph.mark[pivot] = 1
        graph.turn[pivot] = pivots
        weight[pivot], degree[pivot] = 0, 0
        for k in range(begin, top):
            degree[pivot] += weight[room[k]]
        pivots += 1
    _write_order(graph, order)
    return True


@inlined
def _begin(starts, neighbours, graph, n):
    """Lists and degrees of the graph as given; how many bodies have been put last."""
    for k in range(starts[n]):
        graph.room[k] = neighbours[k]
    for i in range(n + 1):
        graph.head[i] = graph.bucket[i] = graph.into[i] = -1
    limit = max(16, int(10.0 * math.sqrt(n)))
    last = 0
    for i in range(n):
        graph.at[i] = starts[i]
        graph.degree[i] = graph.length[i] = starts[i + 1] - starts[i]
        graph.elements[i] = 0
        graph.mark[i] = 1
        if graph.degree[i] > limit:
            graph.weight[i] = 0
            graph.turn[i] = n
            last += 1
        else:
            graph.weight[i] = 1
            _link(graph, i)
    return last


@inlined
def _link(graph, i):
    """Into the list of its degree."""
    first = graph.head[graph.degree[i]]
    graph.after[i], graph.before[i] = first, -1
    if first >= 0:
        graph.before[first] = i
    graph.head[graph.degree[i]] = i


@inlined
def _unlink(graph, i):
    after, before = graph.after[i], graph.before[i]
    if after >= 0:
        graph.before[after] = before
    if before >= 0:
        graph.after[before] = after
    else:
        graph.head[graph.degree[i]] = after


@kernel
def _join(graph, pivot, begin):
    """The pivot becomes an element: all that its elements join, and its bodies; the end of it."""
    room, weight = graph.room, graph.weight
    _unlink(graph, pivot)
    weight[pivot] = -weight[pivot]
    top, first = begin, graph.at[pivot]
    elements, length = graph.elements[pivot], graph.length[pivot]
    for k in range(elements + 1):  # the last time: its own bodies
        low, high = first + elements, first + length
        if k < elements:
            e = room[first + k]
            low, high = graph.at[e], graph.at[e] + graph.length[e]
            graph.mark[e] = 0
        for m in range(low, high):
            i = room[m]
            if weight[i] > 0:
                weight[i] = -weight[i]
                _unlink(graph, i)
                room[top] = i
                top += 1
    weight[pivot] = -weight[pivot]
    return top


@inlined
def _look_outside(graph, begin, top, flag):
    """mark[e] - flag = bodies that element e joins and the pivot does not."""
    mark, room = graph.mark, graph.room
    for k in range(begin, top):
        i = room[k]
        first = graph.at[i]
        for m in range(first, first + graph.elements[i]):
            e = room[m]
            if mark[e] >= flag:
                mark[e] += graph.weight[i]
            elif mark[e] > 0:
                mark[e] = graph.degree[e] + flag + graph.weight[i]


@kernel
def _renew(graph, pivot, begin, top, flag, n):
    """Lists of the pivot's neighbours, with the pivot as an element in place of what it covers.

    Neighbours of nothing else are eliminated with it; returns how many.
    """
    room, weight = graph.room, graph.weight
    gone = 0
    for k in range(begin, top):
        i = room[k]
        first = graph.at[i]
        bodies, end = first + graph.elements[i], first + graph.length[i]
        to, outside, key = first, 0, 0
        for m in range(first, bodies):
            e = room[m]
            if graph.mark[e] > flag:
                outside += graph.mark[e] - flag
                key += e
                room[to] = e
                to += 1
            else:
                graph.mark[e] = 0
        kept = to
        for m in range(bodies, end):
            j = room[m]
            if weight[j] > 0 and j != pivot:
                outside += weight[j]
                key += j
                room[to] = j
                to += 1
        if outside == 0:
            gone -= weight[i]
            weight[i] = 0
            graph.into[i] = pivot
            continue
        room[to] = room[kept]
        room[kept] = room[first]
        room[first] = pivot
        graph.elements[i], graph.length[i] = kept - first + 1, to - first + 1
        graph.degree[i] = min(graph.degree[i], outside)
        key %= n
        graph.after[i], graph.before[i] = graph.bucket[key], key
        graph.bucket[key] = i
    return gone


@kernel
def _merge_twins(graph, begin, top, flag):
    """Neighbours of the pivot with the same lists become one; returns a flag not yet used."""
    room, after, weight = graph.room, graph.after, graph.weight
    for k in range(begin, top):
        if weight[room[k]] == 0:
            continue
        key = graph.before[room[k]]
        i = graph.bucket[key]
        graph.bucket[key] = -1
        while i >= 0 and after[i] >= 0:
            first, length = graph.at[i], graph.length[i]
            for m in range(first, first + length):
                graph.mark[room[m]] = flag
            previous, j = i, after[i]
            while j >= 0:
                if _is_twin(graph, i, j, flag):
                    weight[i] += weight[j]
                    weight[j] = 0
                    graph.into[j] = i
                    after[previous] = after[j]
                else:
                    previous = j
                j = after[j]
            flag += 1
            i = after[i]
    return flag


@inlined
def _is_twin(graph, i, j, flag):
    """Whether the list of j is that of i, which is marked by `flag`."""
    if graph.length[i] != graph.length[j] or graph.elements[i] != graph.elements[j]:
        return False
    first = graph.at[j]
    for m in range(first, first + graph.length[j]):  # noqa: SIM110
        if graph.mark[graph.room[m]] != flag:
            return False
    return True


@inlined
def _put_back(graph, pivot, begin, top, left, least):
    """Neighbours go back to the lists of degrees; the end of the pivot's list, the least degree."""
    room, weight, degree = graph.room, graph.weight, graph.degree
    joined, end = 0, begin
    for k in range(begin, top):
        joined -= weight[room[k]]
    for k in range(begin, top):
        i = room[k]
        if weight[i] < 0:
            weight[i] = -weight[i]
            degree[i] = min(degree[i] + joined, left) - weight[i]
            _link(graph, i)
            least = min(least, degree[i])
            room[end] = i
            end += 1
    graph.at[pivot], graph.length[pivot] = begin, end - begin
    return end, least


@inlined
def _write_order(graph, order):
    """Pivots by their turn, each with those merged into it."""
    n = order.shape[0]
    into, turn, starts = graph.into, graph.turn, graph.head
    for i in range(n + 1):
        starts[i] = 0
    for i in range(n):
        root = i
        while into[root] >= 0:
            root = into[root]
        j = i
        while into[j] >= 0:
            following = into[j]
            into[j] = root
            j = following
        turn[i] = turn[root]
    for i in range(n):
        if turn[i] < n:
            starts[turn[i] + 1] += 1
    for k in range(n):
        starts[k + 1] += starts[k]
    for i in range(n):
        order[starts[turn[i]]] = i
        starts[turn[i]] += 1
