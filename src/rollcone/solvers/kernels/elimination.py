"""What elimination in a given order leaves in the factors of a matrix over bodies.

Columns are bodies in the order of elimination. parent[j] is the first row below j in column j
of the factor: a tree (Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134). Columns that follow each
other with the same rows below them, or nearly so, make a front: one dense matrix

    [ pivots      U ]    w columns, r rows below:   w + r columns of `pivots` and U,
    [ L      Schur  ]                               L kept as its transpose, w x r

whose Schur complement is added to the front of its parent. All numbers here count bodies.
"""

from __future__ import annotations

from rollcone._build.kernels import entry, inlined
from rollcone._build.signatures import Int1, Int2, Int4


@entry
def elimination_tree(
    starts: Int1,
    neighbours: Int1,
    order: Int1,
    column: Int1,
    parent: Int1,
    counts: Int1,
    work: Int2,
) -> None:
    """parent (-1 for roots) and rows below the diagonal of each column; column = order^-1."""
    n = order.shape[0]
    ancestor, mark = work[0], work[1]
    for j in range(n):
        column[order[j]] = j
    for i in range(n):
        parent[i] = ancestor[i] = mark[i] = -1
        counts[i] = 0
    for i in range(n):
        for m in range(starts[order[i]], starts[order[i] + 1]):
            k = column[neighbours[m]]
            while k < i and ancestor[k] != i:
                above = ancestor[k]
                ancestor[k] = i
                if above < 0:
                    parent[k] = i
                    break
                k = above
    for i in range(n):
        for m in range(starts[order[i]], starts[order[i] + 1]):
            k = column[neighbours[m]]
            while k < i and mark[k] != i:
                mark[k] = i
                counts[k] += 1
                k = parent[k]


@entry
def postorder(order: Int1, column: Int1, parent: Int1, counts: Int1, work: Int2) -> None:
    """Renumber columns so that each subtree is contiguous, its longest child right before it."""
    n = order.shape[0]
    child, sibling, first, last = work[0], work[1], work[2], work[3]
    for j in range(n + 1):
        child[j] = -1
    for j in range(n):  # the longest child comes first in the list, thus last in the order
        above = parent[j] if parent[j] >= 0 else n
        head = child[above]
        if head < 0 or counts[j] >= counts[head]:
            sibling[j], child[above] = head, j
        else:
            sibling[j], sibling[head] = sibling[head], j
    _number_backwards(child, sibling, first, last, n)
    for j in range(n):  # `first` is now the new number; arrays go through the work arrays
        child[first[j]] = order[j]
        sibling[first[j]] = first[parent[j]] if parent[j] >= 0 else -1
        last[first[j]] = counts[j]
    for j in range(n):
        order[j], parent[j], counts[j] = child[j], sibling[j], last[j]
        column[order[j]] = j


@inlined
def _number_backwards(child, sibling, number, stack, n):
    """number[j] from n - 1 down: a parent, then its children from the head of the list on."""
    next_number, top = n - 1, 0
    j = child[n]
    while j >= 0:
        number[j] = next_number
        next_number -= 1
        if sibling[j] >= 0:
            stack[top] = sibling[j]
            top += 1
        j = child[j]
        if j < 0 and top > 0:
            top -= 1
            j = stack[top]


@entry
def find_fronts(
    parent: Int1, counts: Int1, widest: int, slack: float, first: Int1, front: Int1, zeros: Int1
) -> int:
    """first[s]: first column of front s, front[j]: of column j; returns how many there are.

    A front takes in the child that ends right before it if the blocks of zeros that come with that
    are fewer than `slack` of all its blocks, and it stays within `widest` columns.
    """
    n = parent.shape[0]
    top = 0
    for j in range(n):
        begin, empty = j, 0
        while top > 0 and 0 <= parent[begin - 1] <= j:
            w, r = begin - first[top - 1], counts[begin - 1]
            all_rows = j + 1 - begin + counts[j]
            more = empty + zeros[top - 1] + w * (all_rows - r)
            total = j + 1 - first[top - 1]
            if more > empty and total > widest:
                break
            if more > slack * total * (total + counts[j]):
                break
            begin, empty = first[top - 1], more
            top -= 1
        first[top], zeros[top] = begin, empty
        top += 1
    first[top] = n
    for s in range(top):
        for j in range(first[s], first[s + 1]):
            front[j] = s
    return top


@entry
def count_rows(
    starts: Int1,
    neighbours: Int1,
    order: Int1,
    column: Int1,
    parent: Int1,
    first: Int1,
    front: Int1,
    above: Int1,
    mark: Int1,
    begin: Int1,
) -> int:
    """above[s], the parent of front s, and begin[s]: where its rows begin; returns their number."""
    fronts = above.shape[0]
    for s in range(fronts):
        top = parent[first[s + 1] - 1]
        above[s] = front[top] if top >= 0 else -1
        mark[s] = -1
        begin[s] = 0
    begin[fronts] = 0
    for i in range(order.shape[0]):
        for m in range(starts[order[i]], starts[order[i] + 1]):
            k = column[neighbours[m]]
            s = front[k] if k < i else front[i]
            while s != front[i] and mark[s] != i:
                mark[s] = i
                begin[s + 1] += 1
                s = above[s]
    for s in range(fronts):
        begin[s + 1] += begin[s]
    return begin[fronts]  # type: ignore[return-value]


@entry
def fill_rows(
    starts: Int1,
    neighbours: Int1,
    order: Int1,
    column: Int1,
    first: Int1,
    front: Int1,
    above: Int1,
    mark: Int1,
    begin: Int1,
    rows: Int1,
) -> None:
    """The rows below each front, in order."""
    fronts = above.shape[0]
    for s in range(fronts):
        mark[s] = -1
    for i in range(order.shape[0]):
        for m in range(starts[order[i]], starts[order[i] + 1]):
            k = column[neighbours[m]]
            s = front[k] if k < i else front[i]
            while s != front[i] and mark[s] != i:
                mark[s] = i
                rows[begin[s]] = i
                begin[s] += 1
                s = above[s]
    for s in range(fronts, 0, -1):
        begin[s] = begin[s - 1]
    begin[0] = 0


@entry
def place_rows(first: Int1, above: Int1, begin: Int1, rows: Int1, place: Int1, run: Int1) -> None:
    """place[k]: which row of the parent's front rows[k] is, counted from its first column.

    run[k]: where the run of consecutive places with k ends, of pivots or of rows below.
    """
    for s in range(above.shape[0]):
        p = above[s]
        if p < 0:
            continue
        width = first[p + 1] - first[p]
        m = begin[p]
        for k in range(begin[s], begin[s + 1]):
            if rows[k] < first[p + 1]:
                place[k] = rows[k] - first[p]
            else:
                while rows[m] < rows[k]:
                    m += 1
                place[k] = width + m - begin[p]
        last = begin[s + 1] - 1
        for k in range(last, begin[s] - 1, -1):
            goes_on = k < last and place[k + 1] == place[k] + 1 and place[k + 1] != width
            run[k] = run[k + 1] if goes_on else k + 1


@entry
def place_fronts(
    size: int,
    first: Int1,
    above: Int1,
    begin: Int1,
    child: Int1,
    sibling: Int1,
    panel: Int1,
    schur: Int1,
    odd: Int1,
    pending: Int1,
) -> tuple[int, int]:
    """Where panels and Schur complements lie, and the children of each front.

    Returns the lengths of the two memories. Schur complements of odd and of even depth pile up on
    two stacks, so that a front writes on the one while it takes its children from the other.
    """
    fronts = above.shape[0]
    for s in range(fronts - 1, -1, -1):
        child[s], pending[s], odd[s] = -1, 0, 0
        if above[s] >= 0:
            sibling[s], child[above[s]] = child[above[s]], s
            odd[s] = 1 - odd[above[s]]
    end, even_top, odd_top, even_end, odd_end = 0, 0, 0, 0, 0
    for s in range(fronts):
        w, r = first[s + 1] - first[s], begin[s + 1] - begin[s]
        panel[s] = end
        end += size * size * w * (w + 2 * r)
        length = size * size * r * r
        if above[s] >= 0:
            pending[above[s]] += length
        schur[s] = odd_top if odd[s] else even_top
        odd_top += length if odd[s] else -pending[s]
        even_top += -pending[s] if odd[s] else length
        odd_end = max(odd_end, odd_top)
        even_end = max(even_end, even_top)
    for s in range(fronts):
        schur[s] += even_end if odd[s] else 0
    return end, even_end + odd_end


@entry
def find_targets(
    size: int,
    count: int,
    bodies: Int2,
    column: Int1,
    first: Int1,
    front: Int1,
    begin: Int1,
    rows: Int1,
    panel: Int1,
    targets: Int4,
) -> None:
    """Where the four blocks of each contact go, targets (n, 2, 2, 3): of block (side, other side)
    its place among the panels and the steps from row to row and from column to column.
    """
    for i in range(bodies.shape[0]):
        for a in range(2):
            for b in range(2):
                targets[i, a, b, 0] = -1
                if bodies[i, a] < count and bodies[i, b] < count:
                    j, k = column[bodies[i, a]], column[bodies[i, b]]
                    s = front[min(j, k)]
                    w, r = first[s + 1] - first[s], begin[s + 1] - begin[s]
                    low = _row_of(max(j, k), s, first, begin, rows)
                    at, step = panel[s], size * (w + r)
                    j -= first[s]
                    k -= first[s]
                    if low < w or j < k:
                        targets[i, a, b, 0] = at + size * (j * step + (k if low < w else low))
                        targets[i, a, b, 1], targets[i, a, b, 2] = step, 1
                    else:
                        at += size * w * step + size * (k * size * r + low - w)
                        targets[i, a, b, 0] = at
                        targets[i, a, b, 1], targets[i, a, b, 2] = 1, size * r


@inlined
def _row_of(j, s, first, begin, rows):
    """Which row of front s column j is, counted from the first column of the front."""
    if j < first[s + 1]:
        return j - first[s]
    low, high = begin[s], begin[s + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < j:
            low = middle + 1
        else:
            high = middle
    return first[s + 1] - first[s] + low - begin[s]


@entry
def find_diagonals(size: int, first: Int1, begin: Int1, panel: Int1, diagonal: Int2) -> None:
    """Where the diagonal blocks are, by columns: place among the panels, step from row to row."""
    for s in range(panel.shape[0]):
        step = size * (first[s + 1] - first[s] + begin[s + 1] - begin[s])
        for j in range(first[s], first[s + 1]):
            diagonal[j, 0] = panel[s] + size * (j - first[s]) * (step + 1)
            diagonal[j, 1] = step
