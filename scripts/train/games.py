"""What the trainer asks of a game: all games of a batch are one game on one board size.

A board lies on a *field*: its cells and a margin of one all around, row by row, as one long line. A move is
the number of its cell on the field; in games with a pass, the pass is the number after the last.
Positions are seen by the player to move: *own* stones are that player's, *opp* the opponent's.
"""

from __future__ import annotations

import torch
from torch import Tensor


class State:
    """Many positions of one game, as tensors whose first dimension is the position.

    `tensors` names the attributes that hold them. `play` makes a new state; only `put` changes one.
    """

    tensors: tuple[str, ...] = ()
    game: "Game"

    def rows(self, index: Tensor) -> "State":
        """The positions with these numbers."""
        chosen = object.__new__(type(self))
        chosen.game = self.game
        for name in self.tensors:
            setattr(chosen, name, getattr(self, name)[index])
        return chosen

    def room(self, count: int) -> "State":
        """Room for so many positions of the same kind."""
        made = object.__new__(type(self))
        made.game = self.game
        for name in self.tensors:
            like = getattr(self, name)
            setattr(made, name, like.new_zeros((count, *like.shape[1:])))
        return made

    def put(self, index: Tensor, positions: "State") -> None:
        """Stores positions under these numbers."""
        for name in self.tensors:
            getattr(self, name)[index] = getattr(positions, name)

    def __len__(self) -> int:
        return len(getattr(self, self.tensors[0]))

    def legal(self) -> Tensor:
        """Which moves are legal: [positions, moves]."""
        raise NotImplementedError

    def packed(self) -> Tensor:
        """All planes of the net in one integer for each cell of the field; plane k is bit k."""
        raise NotImplementedError

    def play(self, moves: Tensor) -> tuple["State", Tensor, Tensor]:
        """The positions after these moves, which games are over, and their value for those who moved.

        The value is 1 for a win, 0.5 for a draw and 0 for a loss; it means nothing in other games.
        """
        raise NotImplementedError

    def own_wins(self) -> Tensor | None:
        """The moves that win at once, [positions, moves]; None in games that do not tell."""
        return None

    def opp_wins(self) -> Tensor | None:
        """The moves with which the opponent would win at once if it were the opponent's turn."""
        return None


class Game:
    """One game on one size of board.

    `planes` and `scalars` are the inputs of its net by name, `taps` the cells a layer of the net looks
    at (see nets.py), `passes` says whether there is a pass.
    """

    name: str
    taps: str
    planes: tuple[str, ...]
    scalars: tuple[str, ...] = ()
    passes = False
    # How many first stones of a game of self-play are random; each of these is as likely.
    openings: tuple[int, ...] = (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)
    # Sizes played and how often, and those of contests, where the command line names none.
    default_sizes: str
    contest_sizes: str

    def __init__(self, size: int, rows: int, columns: int, device: torch.device | str):
        self.size, self.rows, self.columns, self.device = size, rows, columns, device
        self.stride = columns + 2
        self.field = (rows + 2) * (columns + 2)
        self.moves = self.field + int(self.passes)
        # Set by the game: the cells of the board, and how each symmetry moves the field. After
        # `x.gather(1, symmetries[k])` cell i holds what cell symmetries[k][i] held.
        self.board: Tensor
        self.symmetries: Tensor

    def start(self, count: int) -> State:
        """So many games before their first move."""
        raise NotImplementedError

    def cells(self) -> int:
        """How many cells the board has."""
        return int(self.board.sum())

    def cell(self, y: int, x: int) -> int:
        """The number of a cell on the field."""
        return (y + 1) * self.stride + x + 1

    def move(self, y: int, x: int, ply: int) -> int:
        """The number of a cell for the player to move at this ply."""
        return self.cell(y, x)

    def turned(self, packed: Tensor, policy: Tensor) -> tuple[Tensor, Tensor]:
        """Each position under a symmetry drawn at random."""
        drawn = torch.randint(0, len(self.symmetries), (len(packed),), device=packed.device)
        index = self.symmetries[drawn]
        packed = packed.gather(1, index)
        if self.passes:
            index = torch.cat([index, torch.full_like(index[:, :1], self.field)], 1)
        return packed, policy.gather(1, index)


def unpack(packed: Tensor, planes: int, stride: int, dtype: torch.dtype) -> Tensor:
    """Planes from packed cells: [positions, planes, rows + 2, columns + 2], channels last in memory."""
    bits = torch.arange(planes, device=packed.device, dtype=packed.dtype)
    x = ((packed[:, :, None] >> bits) & 1).to(dtype)
    return x.view(len(packed), -1, stride, planes).permute(0, 3, 1, 2)


def legal_from_packed(packed: Tensor) -> Tensor:
    """Empty cells of the board: the first three planes are own, opp and board in every game."""
    return (packed & 7) == 4
