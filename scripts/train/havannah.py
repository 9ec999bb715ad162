"""Havannah on the GPU: exact wins and the planes of the net, all games at once.

Cells are (y, x) with |y - x| < size on a grid of 2 size - 1 rows and columns. A chain's marks (chains.py)
are a bit for each corner (low six) and for each edge (next six).

A stone at p wins by
- *bridge*: the marks that meet there have two corners,
- *fork*: they have three edges,
- *ring*: two runs of own stones around p, with other cells between them, belong to one chain; or some
  own cell, p or a neighbour, has six own neighbours (crates/havannah/src/ring.rs proves it).
"""

from __future__ import annotations

import torch
from torch import Tensor

from .chains import ChainGame, ChainState

# The six directions in the order they lie around a cell.
DIRECTIONS = [(-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)]
PLANES = (
    "own", "opp", "board", "last", "corner", "edge",
    "own-edge1", "own-edge2", "own-corner", "opp-edge1", "opp-edge2", "opp-corner",
    "own-wins", "opp-wins",
)
CORNERS = 0x3F
EDGE_SHIFT = 6


class HavannahState(ChainState):
    def packed(self) -> Tensor:
        x = self.stones()
        for first, marks in ((6, self.own_marks), (9, self.opp_marks)):
            edges = marks >> EDGE_SHIFT
            x |= (edges != 0).short() << first
            x |= ((edges & (edges - 1)) != 0).short() << (first + 1)
            x |= ((marks & CORNERS) != 0).short() << (first + 2)
        return x | self._own_wins.short() << 12 | self._opp_wins.short() << 13


class Havannah(ChainGame):
    """Havannah of base size 3 to 10 without the swap."""

    name = "havannah"
    taps = "hexagon-down"
    planes = PLANES
    directions = DIRECTIONS
    state = HavannahState
    default_sizes = "4:4,5:24,6:12,7:12,8:26,9:8,10:14"
    contest_sizes = "5,6,8,10"

    def __init__(self, size: int, device: torch.device | str):
        side = 2 * size - 1
        super().__init__(size, side, side, device)
        board = torch.zeros(self.field, dtype=torch.bool)
        marks = torch.zeros(self.field, dtype=torch.int16)
        for y, x in cells(size):
            board[self.cell(y, x)] = True
            marks[self.cell(y, x)] = mark(size, y, x)
        self.board, self.marks = board.to(device), marks.to(device)
        constant = board.short() << 2 | ((marks & CORNERS) != 0).short() << 4 | (marks > CORNERS).short() << 5
        self.constant = constant.to(device)
        self.symmetries = self._symmetries().to(device)

    def _symmetries(self) -> Tensor:
        """Turns by 60 degrees, each plain and mirrored, about the middle cell."""
        middle = self.size - 1
        maps = []
        for mirrored in (False, True):
            for turns in range(6):
                to = torch.arange(self.field)
                for y, x in cells(self.size):
                    v, w = y - middle, x - middle
                    if mirrored:
                        v, w = w, v
                    for _ in range(turns):
                        v, w = w, w - v
                    to[self.cell(y, x)] = self.cell(v + middle, w + middle)
                maps.append(to)
        return torch.stack(maps)

    def wins(self, labels: Tensor, marks: Tensor, empty: Tensor) -> Tensor:
        """The empty cells where a stone of the colour with these chains would win."""
        near, near_marks = self.shifted(labels), self.shifted(marks)
        reach = self.marks
        for m in near_marks:
            reach = reach | m
        corners, edges = reach & CORNERS, reach >> EDGE_SHIFT
        edges = edges & (edges - 1)
        won = ((corners & (corners - 1)) != 0) | ((edges & (edges - 1)) != 0)
        own = [label > 0 for label in near]
        # The label where a run begins; elsewhere a number that no chain and no other direction has.
        runs = [torch.where(own[d] & ~own[d - 1], near[d], -1 - d) for d in range(6)]
        for d in range(6):
            for e in range(d + 2, 6 if d else 5):
                won |= runs[d] == runs[e]
        stones = labels > 0
        count = sum(x.to(torch.int8) for x in own)
        won |= count == 6
        lacks_one = stones & (count == 5)
        for x in self.shifted(lacks_one):
            won |= x
        return won & empty


def cells(size: int) -> list[tuple[int, int]]:
    """The cells of the board, row by row."""
    side = range(2 * size - 1)
    return [(y, x) for y in side for x in side if abs(y - x) < size]


def mark(size: int, y: int, x: int) -> int:
    """The bit of the corner that a cell is or of the edge it belongs to; a corner is on no edge."""
    last = 2 * size - 2
    sides = [y == 0, x == y + size - 1, x == last, y == last, y == x + size - 1, x == 0]
    touched = [k for k in range(6) if sides[k]]
    if not touched:
        return 0
    if len(touched) == 1:
        return 1 << (touched[0] + EDGE_SHIFT)
    # The corner between the sides k and k + 1.
    return 1 << next(k for k in touched if (k + 1) % 6 in touched)
