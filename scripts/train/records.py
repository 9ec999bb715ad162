"""Games of records: SGF, a game a line, plain or compressed by xz, as lessons for the net."""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable

import torch

from .games import Game
from .lessons import Lesson

# One game in so many is kept apart, to see how well the net predicts games it has not seen.
APART = 20


@dataclass
class Record:
    """A game: its cells as (y, x), the value for who moved first, moves at its start not to learn from."""

    size: int
    cells: list[tuple[int, int]]
    value: float
    skip: int


def read(paths: Iterable[str], game: str) -> list[Record]:
    """All games that have a size, a result and moves."""
    found = []
    for path in paths:
        opener = lzma.open if str(path).endswith(".xz") else open
        with opener(path, "rt", encoding="utf-8") as lines:
            found += [record for line in lines if (record := parse(line, game, Path(path).name))]
    return found


def parse(line: str, game: str, name: str) -> Record | None:
    size = re.search(r"SZ\[(\d+)\]", line)
    result = re.search(r"RE\[([BW0]|Draw)", line)
    # The letter is the column in Hex and the row in Havannah.
    moves = [(ord(letter) - 97, int(number) - 1) for letter, number in re.findall(r";[BW]\[([a-z])(\d+)\]", line)]
    if not size or not result or not moves:
        return None
    first = "B" if game == "hex" else "W"
    value = {first: 1.0, "0": 0.5, "Draw": 0.5}.get(result.group(1), 0.0)
    if game == "hex":
        return Record(int(size.group(1)), [(y, x) for x, y in moves], value, 2 if "wolve10" in name else 1)
    return Record(int(size.group(1)), moves, value, 0)


def lessons(records: list[Record], game: Game) -> Lesson:
    """Every position of these games of one size with the move played and the result.

    A game ends, for us, where the rules say so or where a move is not legal.
    """
    longest = max(len(record.cells) for record in records)
    moves = torch.full((len(records), longest), -1, dtype=torch.long)
    for row, record in enumerate(records):
        moves[row, : len(record.cells)] = torch.tensor([game.move(*cell, ply) for ply, cell in enumerate(record.cells)])
    moves = moves.to(game.device)
    value = torch.tensor([record.value for record in records], device=game.device)
    skip = torch.tensor([record.skip for record in records], device=game.device)
    state = game.start(len(records))
    parts = []
    for ply in range(longest):
        move = moves[:, ply]
        legal = (move >= 0) & state.legal().gather(1, move.clamp(0)[:, None])[:, 0]
        rows = legal.nonzero()[:, 0]
        if len(rows) == 0:
            break
        state, moves, value, skip, move = state.rows(rows), moves[rows], value[rows], skip[rows], move[rows]
        policy = torch.zeros(len(rows), game.moves, dtype=torch.half, device=game.device)
        policy.scatter_(1, move[:, None], 1.0)
        part = Lesson(game, state.packed(), policy, value if ply % 2 == 0 else 1 - value)
        parts.append(part.rows((skip <= ply).nonzero()[:, 0]))
        state, over, _ = state.play(move)
        rows = (~over).nonzero()[:, 0]
        if len(rows) == 0:
            break
        state, moves, value, skip = state.rows(rows), moves[rows], value[rows], skip[rows]
    return Lesson.joined(parts)


def by_size(records: list[Record], sizes: list[int]) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = {}
    for record in records:
        if record.size in sizes:
            found.setdefault(record.size, []).append(record)
    return dict(sorted(found.items()))
