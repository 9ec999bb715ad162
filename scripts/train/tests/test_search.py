"""The searches against exhaustive search in small positions, and what must hold within a tree."""

import unittest
from unittest import mock

import torch
from torch import Tensor

from train import mcts
from train.games import State
from train.havannah import Havannah
from train.nets import Folded
from train.search import Options, look_ahead
from train.selfplay import anywhere, self_play

from .common import random_net


def solved(state: State) -> Tensor:
    """The exact value of each position for its player to move."""
    best = torch.zeros(len(state))
    row, move = state.legal().nonzero(as_tuple=True)
    after, over, value = state.rows(row).play(move)
    going = (~over).nonzero()[:, 0]
    if len(going):
        value = value.index_put((going,), 1 - solved(after.rows(going)))
    return best.scatter_reduce(0, row, value, "amax")


def late(size: int, empty: int, count: int) -> State:
    """Positions with so many empty cells of games that are not over, without a win at once."""
    torch.manual_seed(4)
    game = Havannah(size, "cpu")
    state = game.start(count)
    for _ in range(game.cells() - empty):
        # Mostly moves that do not win, as else few games last so long.
        wins = state.own_wins()
        moves = torch.rand(wins.shape).masked_fill(wins, 0.001).masked_fill(~state.legal(), -1).argmax(1)
        state, over, _ = state.play(moves)
        state = state.rows((~over).nonzero()[:, 0])
    return state.rows((~state.own_wins().any(1)).nonzero()[:, 0])


class Rounds(unittest.TestCase):
    def test_by_hand(self) -> None:
        self.assertEqual(mcts.rounds(16, 32), [16, 8, 4, 4])
        self.assertEqual(mcts.rounds(8, 16), [8, 4, 2, 2])
        self.assertEqual(mcts.rounds(16, 64), [16, 8, 8, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2])
        self.assertEqual(mcts.rounds(2, 3), [2, 1])
        for width in range(1, 20):
            for simulations in range(1, 70):
                self.assertEqual(sum(mcts.rounds(width, simulations)), simulations)


class TreeSearch(unittest.TestCase):
    def setUp(self) -> None:
        self.player = Folded(random_net(Havannah, blocks=("plain",)), torch.float32)

    def search(self, state: State, simulations: int, noise: float = 0.0, **options):
        """What is found, and the numbers of the root that it was concluded from."""
        kept = []
        original = mcts.conclusion

        def conclusion(root, *rest):
            kept.append(root)
            return original(root, *rest)

        with mock.patch.object(mcts, "conclusion", conclusion):
            found = mcts.tree_search(self.player, state, torch.full((len(state),), noise), Options(simulations=simulations, **options))
        return found, kept[0]

    def test_finds_what_exhaustive_search_finds(self) -> None:
        for size, empty in ((3, 7), (4, 6)):
            state = late(size, empty, 400)
            exact = solved(state)
            self.assertGreater(len(state), 10)
            found, root = self.search(state, 300)
            sure, value = root.proof()
            # Values of sure positions are never wrong, and most are found.
            self.assertTrue(torch.equal(value[sure], exact[sure]))
            self.assertGreater(sure.float().mean(), 0.8)
            won = (exact == 1).nonzero()[:, 0]
            self.assertGreater(len(won), 3)
            after, over, value = state.rows(won).play(found.move[won])
            kept = 1 - solved(after)
            kept[over] = value[over]
            self.assertGreater((kept == 1).float().mean(), 0.95)

    def test_win_in_five_plies_needs_the_tree(self) -> None:
        state = late(4, 16, 3000)
        # Wins that no look one move ahead can prove, proved by a large search.
        _, root = self.search(state, 400)
        sure, value = root.proof()
        ahead = look_ahead(self.player, state, torch.zeros(len(state)), Options(width=40))
        rows = (sure & (value == 1) & (ahead.value < 0.99)).nonzero()[:, 0]
        self.assertGreater(len(rows), 2)
        found, root = self.search(state.rows(rows), 64, c_scale=0.5)
        self.assertGreater(found.value.mean(), ahead.value[rows].mean() + 0.05)

    def test_visits_sum_up(self) -> None:
        state = late(5, 40, 30)
        for simulations, width in ((16, 8), (32, 16), (64, 16), (7, 3)):
            _, root = self.search(state, simulations, 1.0, width=width)
            enough = root.legal.sum(1) == root.legal.shape[1]
            self.assertTrue((root.total[enough] == simulations).all())
            self.assertTrue((root.total <= simulations).all())
            tree = root.tree
            nodes = ((tree.visits > 0) & ~tree.sure).nonzero()[:, 0]
            below = tree.statistics(nodes)
            inner = ~torch.isin(nodes, root.at)
            self.assertTrue((tree.visits[nodes] == 1 + below.total)[inner].all())
            mean = (tree.raw[nodes] + (below.visits * below.values).sum(1)) / tree.visits[nodes]
            # A child that has become sure counts as what it is now; the sum holds what it was.
            plain = inner & ~below.sure.any(1)
            far = (mean - tree.value[nodes]).abs() > 1e-4
            self.assertLess((far & plain).float().mean(), 0.1)
            self.assertTrue((tree.sums >= 0).all() and (tree.sums <= tree.visits + 1e-4).all())

    def test_policy(self) -> None:
        state = late(3, 7, 400)
        exact = solved(state)
        rows = (exact == 1).nonzero()[:, 0]
        state = state.rows(rows)
        row, move = state.legal().nonzero(as_tuple=True)
        after, over, value = state.rows(row).play(move)
        value = torch.where(over, value, 1 - solved(after))
        wins = torch.zeros(len(state), state.game.moves).index_put((row, move), (value == 1).float())
        logits, _ = self.player(state.packed(), state.game.stride)
        prior = (mcts.normalised(logits, state.legal()).exp() * wins).sum(1).mean()
        shares = []
        for simulations in (4, 16, 64):
            found, _ = self.search(state, simulations)
            torch.testing.assert_close(found.policy.sum(1), torch.ones(len(state)))
            self.assertFalse((found.policy[~state.legal()] > 0).any())
            self.assertTrue(state.legal().gather(1, found.move[:, None]).all())
            shares.append(float((found.policy * wins).sum(1).mean()))
        self.assertGreater(shares[0], prior)
        self.assertGreater(shares[2], shares[0])
        self.assertGreater(shares[2], 0.9)

    def test_games(self) -> None:
        for options in (Options(simulations=8), Options(simulations=8, cheap_share=0.5), Options(cheap_share=0.5)):
            torch.manual_seed(1)
            lesson, figures = self_play(self.player, Havannah(3, "cpu"), 30, options, lambda: False)
            self.assertTrue(((lesson.value >= 0) & (lesson.value <= 1)).all())
            torch.testing.assert_close(lesson.policy.float().sum(1), torch.ones(len(lesson)), atol=0.01, rtol=0)
            if options.cheap_share:
                self.assertLess(len(lesson), 0.75 * 30 * figures["length"])


if __name__ == "__main__":
    unittest.main()
