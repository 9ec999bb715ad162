"""Hex on the GPU, all games at once.

A position is seen by the player to move, who joins the first row with the last: for White, who joins the
columns, the board is mirrored at its long diagonal. Black moves first; there is no swap.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .chains import ChainGame, ChainState

FIRST, LAST = 1, 2


class HexState(ChainState):
    def packed(self) -> Tensor:
        return self.stones()


class Hex(ChainGame):
    """Hex on rhombuses of 3 to 30 rows."""

    name = "hex"
    taps = "hexagon"
    planes = ("own", "opp", "board", "last")
    directions = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]
    state = HexState
    # Without the swap the first player would win: the first stone is always drawn from all cells.
    openings = (1, 1, 1, 1, 1, 2, 3, 4)
    default_sizes = "11:45,13:30,7:3,8:4,9:4,10:6,12:4,14:4"
    contest_sizes = "11,13"

    def __init__(self, size: int, device: torch.device | str):
        if not 3 <= size <= 30:
            raise ValueError(f"Hex {size}: sizes are 3 to 30")
        super().__init__(size, size, size, device)
        inner = torch.zeros(size + 2, size + 2, dtype=torch.int16)
        inner[1:-1, 1:-1] = 1
        marks = torch.zeros_like(inner)
        marks[1, 1:-1] = FIRST
        marks[-2, 1:-1] = LAST
        sides = torch.zeros_like(inner)
        # The sides stand in the margin as stones of those who join them.
        sides[[0, -1], 1:-1] = 1
        sides[1:-1, 0] = sides[1:-1, -1] = 2
        self.board = inner.bool().flatten().to(device)
        self.marks = marks.flatten().to(device)
        self.constant = (inner << 2 | sides).flatten().to(device)
        numbers = torch.arange(self.field)
        self.symmetries = torch.stack([numbers, numbers.flip(0)]).to(device)

    def wins(self, labels: Tensor, marks: Tensor, empty: Tensor) -> Tensor:
        reach = self.marks
        for m in self.shifted(marks):
            reach = reach | m
        return (reach == FIRST | LAST) & empty

    def turned_over(self, x: Tensor) -> Tensor:
        return x.view(-1, self.stride, self.stride).mT.reshape(len(x), -1)

    def move(self, y: int, x: int, ply: int) -> int:
        return self.cell(y, x) if ply % 2 == 0 else self.cell(x, y)
