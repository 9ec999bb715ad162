"""The rules on tensors against slow ones by the words of the rules, and symmetries."""

import random
import unittest

import torch

from train.games import Game
from train.havannah import Havannah, cells, mark
from train.hex import Hex
from train.selfplay import anywhere

from .common import random_positions


def connected(start, among, near):
    """Everything in `among` that can be reached from `start` by steps within it."""
    found, todo = {start}, [start]
    while todo:
        for cell in near(todo.pop()):
            if cell in among and cell not in found:
                found.add(cell)
                todo.append(cell)
    return found


def havannah_won(size: int, own: set) -> bool:
    board = set(cells(size))
    near = lambda c: [(c[0] + dy, c[1] + dx) for dy, dx in Havannah.directions]
    # A ring: some cell that is not own cannot reach the rim around own stones, or an own cell is surrounded.
    rest = board - own
    outside = set()
    for c in rest:
        if c not in outside and any(n not in board for n in near(c)):
            outside |= connected(c, rest, near)
    if rest - outside or any(all(n in own for n in near(c)) for c in own):
        return True
    left = set(own)
    while left:
        chain = connected(next(iter(left)), own, near)
        left -= chain
        marks = [mark(size, y, x) for y, x in chain]
        if len({m for m in marks if 0 < m < 64}) >= 2 or len({m for m in marks if m >= 64}) >= 3:
            return True
    return False


def hex_won(size: int, own: set, rows: bool) -> bool:
    """Whether these stones join the first and the last row (or column)."""
    at = 0 if rows else 1
    near = lambda c: [(c[0] + dy, c[1] + dx) for dy, dx in Hex.directions]
    return any(
        any(end[at] == size - 1 for end in connected(c, own, near)) for c in own if c[at] == 0
    )


class Rules(unittest.TestCase):
    def compare(self, game: Game, count: int, won, share: float) -> None:
        """Random games in which wins at once are mostly left alone, so that they last."""
        random.seed(game.size)
        torch.manual_seed(game.size)
        state = game.start(count)
        stones = [(set(), set()) for _ in range(count)]
        ply = compared = ended = 0
        while len(state):
            legal, own_wins, opp_wins = state.legal(), state.own_wins(), state.opp_wins()
            for k, colours in enumerate(stones):
                taken = colours[0] | colours[1]
                for y, x in self.cells(game):
                    number = game.move(y, x, ply)
                    self.assertEqual(bool(legal[k, number]), (y, x) not in taken)
                    marked = bool(own_wins[k, number]), bool(opp_wins[k, number])
                    if (y, x) in taken:
                        self.assertEqual(marked, (False, False))
                    elif any(marked) or random.random() < share:
                        compared += 1
                        expected = tuple(won(colours[c] | {(y, x)}, c) for c in (ply % 2, 1 - ply % 2))
                        self.assertEqual(marked, expected, (game.name, game.size, colours, y, x))
            keep_on = own_wins & (torch.rand(len(state), 1) < 0.8)
            moves = torch.rand(legal.shape).masked_fill(keep_on, 0.0001).masked_fill(~legal, -1).argmax(1)
            state, over, value = state.play(moves)
            for k, move in enumerate(moves.tolist()):
                cell = (move // game.stride - 1, move % game.stride - 1)
                stones[k][ply % 2].add(cell if game.move(*cell, ply) == move else cell[::-1])
                full = sum(map(len, stones[k])) == game.cells()
                has_won = won(stones[k][ply % 2], ply % 2)
                self.assertEqual(bool(over[k]), has_won or full)
                self.assertTrue(not over[k] or float(value[k]) == (1.0 if has_won else 0.5))
                ended += bool(over[k])
            rows = (~over).nonzero()[:, 0]
            state, stones = state.rows(rows), [stones[k] for k in rows.tolist()]
            ply += 1
        self.assertEqual(ended, count)
        self.assertGreater(compared, 100)

    def cells(self, game: Game) -> list[tuple[int, int]]:
        return cells(game.size) if game.name == "havannah" else [(y, x) for y in range(game.size) for x in range(game.size)]

    def test_havannah(self) -> None:
        for size, count, share in ((3, 30, 0.3), (4, 15, 0.2), (5, 6, 0.1), (6, 3, 0.05), (7, 2, 0.03), (8, 2, 0.02), (9, 1, 0.02), (10, 1, 0.02)):
            with self.subTest(size=size):
                game = Havannah(size, "cpu")
                self.compare(game, count, lambda own, colour: havannah_won(game.size, own), share)

    def test_hex(self) -> None:
        for size, count, share in ((3, 30, 0.5), (4, 20, 0.5), (5, 10, 0.3), (8, 4, 0.1), (11, 2, 0.05), (13, 1, 0.05)):
            with self.subTest(size=size):
                game = Hex(size, "cpu")
                self.compare(game, count, lambda own, colour: hex_won(game.size, own, colour == 0), share)


class Symmetries(unittest.TestCase):
    def test_a_game_played_under_a_symmetry(self) -> None:
        """Planes and legal moves are those of the plain game under the same symmetry."""
        for game, number in ((Havannah(4, "cpu"), 12), (Hex(5, "cpu"), 2)):
            self.assertEqual(len({tuple(map_.tolist()) for map_ in game.symmetries}), number)
            for index in game.symmetries:
                # Cell i of the turned position holds what cell index[i] held: a move m is played at `back`[m].
                back = index.argsort()
                torch.manual_seed(3)
                plain = turned = game.start(20)
                for _ in range(game.cells() // 2):
                    moves = anywhere(plain)
                    plain, over, value = plain.play(moves)
                    turned, turned_over, turned_value = turned.play(back[moves])
                    self.assertTrue(torch.equal(over, turned_over) and torch.equal(value, turned_value))
                    rows = (~over).nonzero()[:, 0]
                    plain, turned = plain.rows(rows), turned.rows(rows)
                    self.assertTrue(torch.equal(plain.packed()[:, index], turned.packed()))
                    self.assertTrue(torch.equal(plain.legal()[:, index], turned.legal()))
                self.assertGreater(len(plain), 0)

    def test_lessons_turn_policy_with_planes(self) -> None:
        game = Havannah(5, "cpu")
        state = random_positions(game, 50, 1)
        packed, policy = game.turned(state.packed(), state.legal().float())
        self.assertTrue(torch.equal((packed & 7) == 4, policy > 0))
        self.assertGreater(int((packed != state.packed()).any(1).sum()), 30)

    def test_hex_planes_are_mirrored_for_white(self) -> None:
        game = Hex(4, "cpu")
        state, _, _ = game.start(1).play(torch.tensor([game.move(0, 2, 0)]))
        planes = [(int(state.packed()[0, game.cell(2, 0)]) >> k) & 1 for k in range(4)]
        self.assertEqual(planes, [0, 1, 1, 1])
        state, _, _ = state.play(torch.tensor([game.move(3, 1, 1)]))
        packed = state.packed()[0]
        self.assertEqual([(int(packed[game.cell(3, 1)]) >> k) & 1 for k in range(4)], [0, 1, 1, 1])
        self.assertEqual([(int(packed[game.cell(0, 2)]) >> k) & 1 for k in range(4)], [1, 0, 1, 0])
        # The sides: own before the first row, opp beside the first column.
        self.assertEqual(int(packed[game.cell(-1, 0)]), 1)
        self.assertEqual(int(packed[game.cell(0, -1)]), 2)


if __name__ == "__main__":
    unittest.main()
