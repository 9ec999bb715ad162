"""Games where a chain of stones wins by what it touches: Hex and Havannah, all positions of a batch at once.

Chains are kept without any loop: every stone holds the label of its chain (the number of one of its cells)
and the chain's marks, a bit for each side or corner that it touches. A new stone at p takes the label p and
gives it to all stones that have a label of p's neighbours.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .games import Game, State


class ChainGame(Game):
    """A game of chains; `directions` are the steps to a cell's neighbours, in the order they lie around it."""

    directions: list[tuple[int, int]]

    def __init__(self, size: int, rows: int, columns: int, device: torch.device | str):
        super().__init__(size, rows, columns, device)
        self.steps = [dy * self.stride + dx for dy, dx in self.directions]
        self.around = torch.tensor(self.steps, device=device)
        self.numbers = torch.arange(self.field, device=device)
        # Set by the game: the marks of each cell, and the planes that are the same in all positions.
        self.marks: Tensor
        self.constant: Tensor

    def start(self, count: int) -> State:
        return self.state.empty(self, count)

    def wins(self, labels: Tensor, marks: Tensor, empty: Tensor) -> Tensor:
        """The empty cells where a stone of the colour with these chains would win."""
        raise NotImplementedError

    def turned_over(self, x: Tensor) -> Tensor:
        """What the opponent sees of something on the field."""
        return x

    def shifted(self, x: Tensor) -> list[Tensor]:
        """For each direction, what the neighbour there holds; views of one padded copy."""
        margin = self.stride + 1
        padded = F.pad(x, (margin, margin))
        return [padded[:, margin + step : margin + step + self.field] for step in self.steps]


class ChainState(State):
    """Labels and marks of both colours' chains, where either would win at once, the last stone."""

    tensors = ("own", "opp", "own_marks", "opp_marks", "_own_wins", "_opp_wins", "last")
    game: ChainGame

    @classmethod
    def empty(cls, game: ChainGame, count: int) -> "ChainState":
        state = cls()
        state.game = game
        shape = (count, game.field)
        for name in ("own", "opp", "own_marks", "opp_marks"):
            setattr(state, name, torch.zeros(shape, dtype=torch.int16, device=game.device))
        for name in ("_own_wins", "_opp_wins"):
            setattr(state, name, torch.zeros(shape, dtype=torch.bool, device=game.device))
        state.last = torch.full((count,), -1, dtype=torch.long, device=game.device)
        return state

    def legal(self) -> Tensor:
        return self.game.board & ((self.own | self.opp) == 0)

    def own_wins(self) -> Tensor:
        return self._own_wins

    def opp_wins(self) -> Tensor:
        return self._opp_wins

    def play(self, moves: Tensor) -> tuple["ChainState", Tensor, Tensor]:
        game, at = self.game, moves[:, None]
        won = self._own_wins.gather(1, at)[:, 0]
        around = at + game.around
        near = self.own.gather(1, around)
        marks = game.marks[moves]
        for m in self.own_marks.gather(1, around).unbind(1):
            marks = marks | m
        near = torch.where(near > 0, near, -1)
        joined = (self.own[:, None] == near[:, :, None]).any(1).scatter_(1, at, True)
        labels = torch.where(joined, at.short(), self.own)
        all_marks = torch.where(joined, marks[:, None], self.own_marks)
        empty = game.board & ((labels | self.opp) == 0)
        wins = game.wins(labels, all_marks, empty)
        full = ~empty.any(1)
        after = type(self)()
        after.game, after.last = game, game.turned_over(game.numbers[None])[0][moves]
        after.own, after.own_marks = game.turned_over(self.opp), game.turned_over(self.opp_marks)
        after.opp, after.opp_marks = game.turned_over(labels), game.turned_over(all_marks)
        after._own_wins, after._opp_wins = game.turned_over(self._opp_wins & empty), game.turned_over(wins)
        return after, won | full, torch.where(won, 1.0, 0.5)

    def stones(self) -> Tensor:
        """The planes that all these games have: own, opp and last, with those of the board."""
        game = self.game
        x = (self.own > 0).short() | (self.opp > 0).short() << 1 | game.constant
        return x | (game.numbers == self.last[:, None]).short() << 3
