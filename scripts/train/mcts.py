"""Gumbel MuZero's search (Danihelka and others 2022) in many positions at once, with trees as tensors.

The root's moves with the largest priors (with Gumbel noise) are candidates, and Sequential Halving shares the
simulations among them: in each round every candidate left gets one. Subtrees of different candidates have
nothing in common, so that all simulations of a round are made at the same time, with one evaluation: 32
simulations of 16 candidates are rounds of 16, 8, 4 and 4. A position with fewer moves gets fewer simulations.

Below the root the move is argmax pi'(a) - N(a) / (1 + sum N), where pi' = softmax(logits + sigma(completed
Q)), sigma(q) = (c_visit + max N) c_scale q, and moves without a visit have the Q of equation 33, `mixed`.
That depends on a node's own numbers alone; it is computed when they change and stored as `slot`.

A node is *sure* if its value is known: the game is over, the game's rules tell (search.py), a move leads to
a sure loss of the opponent, or all moves lead to sure nodes.

Values of a node are in 0..1 for its player to move. A tree's nodes stand one after another; a node has
`width` slots, its moves with the largest priors; the others are only counted in `rest`.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .games import State
from .nets import Folded
from .search import Options, Search, allowed_moves, certain, gumbel

NEVER = -1e9


def rounds(width: int, simulations: int) -> list[int]:
    """How many candidates get a simulation in each round."""
    found, left, count = [], simulations, width
    phases = max(1, math.ceil(math.log2(width)))
    while left:
        for _ in range(max(1, simulations // (phases * count))):
            found.append(min(count, left))
            left -= found[-1]
            if not left:
                break
        count = min(width, max(2, count // 2))
    return found


class Tree:
    """The trees of many positions; a node has a number among the nodes of all trees."""

    def __init__(self, state: State, nodes: int, width: int, options: Options):
        device, total = state.game.device, len(state) * nodes
        self.options = options
        self.states = state.room(total)
        # Any cell of the board where there is no move yet.
        middle = state.game.cell(state.game.rows // 2, state.game.columns // 2)
        self.moves = torch.full((total, width), middle, dtype=torch.long, device=device)
        self.child = torch.full((total, width), -1, dtype=torch.long, device=device)
        # Logarithms of probabilities: of each slot's move, of all moves without a slot.
        self.prior = torch.full((total, width), NEVER, device=device)
        self.rest = torch.full((total,), NEVER, device=device)
        # What the net says or, in a sure node, what is known; what the search has found so far.
        self.raw, self.value, self.visits, self.sums = (torch.zeros(total, device=device) for _ in range(4))
        self.sure = torch.zeros(total, dtype=torch.bool, device=device)
        # Whether each allowed move has a slot.
        self.complete = torch.zeros(total, dtype=torch.bool, device=device)
        # Where a simulation goes on from here: the slot, and the node behind it or -1.
        self.slot = torch.zeros(total, dtype=torch.long, device=device)
        self.follow = torch.full((total,), -1, dtype=torch.long, device=device)

    def add(self, at: Tensor, state: State, value: Tensor, sure: Tensor) -> None:
        """New nodes; those that are not sure also need `expand`."""
        self.states.put(at, state)
        self.raw[at] = self.value[at] = self.sums[at] = value
        self.visits[at] = 1.0
        self.sure[at] = sure

    def expand(self, at: Tensor, priors: Tensor, moves: Tensor, allowed: Tensor) -> None:
        """Gives nodes these moves, with the logarithms of their probabilities."""
        slots = priors.gather(1, moves)
        self.moves[at], self.prior[at] = moves, torch.where(allowed.gather(1, moves), slots, NEVER)
        self.rest[at] = torch.log((1 - self.prior[at].exp().sum(1)).clamp(1e-9))
        complete = allowed.sum(1) <= moves.shape[1]
        self.complete[at] = complete
        self.rest[at] = torch.where(complete, NEVER, self.rest[at])

    def statistics(self, at: Tensor) -> "Statistics":
        return Statistics(self, at)

    def simulate(self, player: Folded, root: Tensor, slot: Tensor, fresh: Tensor, visits: int) -> None:
        """One simulation through each of these slots of roots; all of them have had so many before.

        The new nodes get the numbers `fresh`. As a subtree has no more nodes than visits, no path has.
        """
        node, path = root, []
        following = self.child[root, slot]
        for _ in range(visits):
            node = torch.where(following >= 0, following, node)
            following = self.follow[node]
            path.append(node)
        if path:
            slot = self.slot[node]
        # Nothing is behind a sure node. What is computed for it below is not used.
        ended = self.sure[node]
        after, over, result = self.states.rows(node).play(self.moves[node, slot])
        known, logit = certain(after, over, result)
        # For the player to move after the move.
        value = 1 - torch.where(over, result, (logit > 0).float())
        ask = (~known & ~ended).nonzero()[:, 0]
        if len(ask):
            logits, outputs = player(after.packed()[ask], after.game.stride)
            value = value.index_put((ask,), torch.sigmoid(outputs[:, 0].float()))
            allowed = allowed_moves(after.rows(ask))
            priors = normalised(logits, allowed)
            self.expand(fresh[ask], priors, priors.topk(self.moves.shape[1], 1)[1], allowed)
        self.add(fresh, after, value, known)
        self.child[node, slot] = torch.where(ended, self.child[node, slot], fresh)
        if path:
            self.back_up(torch.stack(path, 1), torch.where(ended, self.raw[node], value), ended)

    def back_up(self, path: Tensor, value: Tensor, ended: Tensor) -> None:
        """Counts what was found behind paths, whose last node repeats up to the longest path's length.

        The value is that of the last node where the path has ended there, else of the new one behind it.
        """
        first = torch.ones_like(path, dtype=torch.bool)
        first[:, 1:] = path[:, 1:] != path[:, :-1]
        distance = (first.sum(1) - ended.long())[:, None] - torch.arange(path.shape[1], device=path.device)
        found = torch.where(distance % 2 == 0, value[:, None], 1 - value[:, None])
        at, first = path.flatten(), first.flatten().float()
        self.visits.index_add_(0, at, first)
        self.sums.index_add_(0, at, found.flatten() * first)
        self.value[at] = torch.where(self.sure[at], self.raw[at], self.sums[at] / self.visits[at])
        now = self.statistics(at)
        slot = now.next_slot()
        sure, value = now.proof()
        self.raw[at] = torch.where(sure, value, self.raw[at])
        self.value[at] = torch.where(sure, value, self.value[at])
        self.sure[at] = sure
        self.slot[at] = slot
        self.follow[at] = torch.where(sure, -1, now.child.gather(1, slot[:, None])[:, 0])


class Statistics:
    """What is known of the slots of some nodes: visits, values for who moves there, gains of the policy."""

    def __init__(self, tree: Tree, at: Tensor):
        self.tree, self.at = tree, at
        self.child = tree.child[at]
        self.visited = self.child >= 0
        behind = self.child.clamp(0)
        self.visits = tree.visits[behind] * self.visited
        self.values = 1 - tree.value[behind]
        self.sure = tree.sure[behind] & self.visited
        self.prior = tree.prior[at]
        self.legal = self.prior > NEVER / 2
        self.total = self.visits.sum(1)
        weights = self.prior.exp().clamp(1e-8) * self.visited
        mean = (weights * self.values).sum(1) / weights.sum(1).clamp(1e-8)
        self.mixed = (tree.raw[at] + self.total * mean) / (1 + self.total)
        sigma = (tree.options.c_visit + self.visits.amax(1, keepdim=True)) * tree.options.c_scale
        # What is added to the logits; 0 for moves without a visit, as all may have the same added.
        self.gains = sigma * (self.values - self.mixed[:, None]) * self.visited

    def next_slot(self) -> Tensor:
        logits = torch.cat([self.prior + self.gains, self.tree.rest[self.at, None]], 1)
        improved = logits.softmax(1)[:, :-1]
        return (improved - self.visits / (1 + self.total)[:, None]).masked_fill(~self.legal, NEVER).argmax(1)

    def proof(self) -> tuple[Tensor, Tensor]:
        """Which nodes are sure, and their values then."""
        best = self.values.masked_fill(~self.sure, -1.0).amax(1)
        all_known = self.tree.complete[self.at] & (self.sure | ~self.legal).all(1)
        before = self.tree.sure[self.at]
        return before | all_known | (best == 1), torch.where(before, self.tree.raw[self.at], best)


def normalised(logits: Tensor, allowed: Tensor) -> Tensor:
    return logits.float().masked_fill(~allowed, -1e4).log_softmax(1)


@torch.no_grad()
def tree_search(player: Folded, state: State, noise: Tensor, options: Options) -> Search:
    """Searches each position with options.simulations simulations. `noise` scales the Gumbel noise."""
    game, count = state.game, len(state)
    width = min(options.width, max(2, options.simulations // 2), game.cells())
    plan = rounds(width, options.simulations)
    tree = Tree(state, 1 + sum(plan), width, options)
    roots = torch.arange(count, device=game.device) * (1 + sum(plan))
    logits, outputs = player(state.packed(), game.stride)
    allowed = allowed_moves(state)
    priors = normalised(logits, allowed)
    drawn = priors + noise[:, None] * gumbel(priors)
    candidates = drawn.masked_fill(~allowed, NEVER).topk(width, 1)[1]
    tree.add(roots, state, torch.sigmoid(outputs[:, 0].float()), torch.zeros_like(roots, dtype=torch.bool))
    tree.expand(roots, priors, candidates, allowed)
    drawn = drawn.gather(1, candidates)
    fresh = 1
    for visits, lanes in enumerate(plan):
        now = tree.statistics(roots)
        score = (drawn + now.gains).masked_fill(~now.legal | (now.visits != visits), NEVER)
        best, slots = score.topk(lanes, 1)
        row, lane = (best > NEVER / 2).nonzero(as_tuple=True)
        tree.simulate(player, roots[row], slots[row, lane], roots[row] + fresh + lane, visits)
        fresh += lanes
    return conclusion(tree.statistics(roots), priors, drawn, candidates, allowed)


def conclusion(root: Statistics, priors: Tensor, drawn: Tensor, candidates: Tensor, allowed: Tensor) -> Search:
    """The improved policy, the value and the move; sure wins alone count, sure losses only without others."""
    wins = root.sure & (root.values == 1)
    losses = root.sure & (root.values == 0)
    bad = torch.where(wins.any(1, keepdim=True), ~wins, losses)
    chances = allowed.scatter(1, candidates, root.legal & ~bad)
    # Moves that are no candidates count no more either where there is a sure win.
    chances &= ~wins.any(1, keepdim=True) | torch.zeros_like(allowed).scatter(1, candidates, True)
    chances = torch.where(chances.any(1, keepdim=True), chances, allowed)
    policy = priors.scatter_add(1, candidates, root.gains).masked_fill(~chances, -1e4).softmax(1)
    eligible = chances.gather(1, candidates) & root.visited
    eligible &= (root.visits == (root.visits * eligible).amax(1, keepdim=True)) | wins
    slot = (drawn + root.gains).masked_fill(~eligible, NEVER).argmax(1, keepdim=True)
    # All candidates may be sure losses while other moves are not.
    move = torch.where(eligible.any(1), candidates.gather(1, slot)[:, 0], policy.argmax(1))
    shares = policy.gather(1, candidates) * root.visited
    value = (shares * root.values).sum(1) / shares.sum(1).clamp(1e-9)
    value = torch.where(shares.sum(1) > 1e-6, value, root.mixed)
    return Search(policy, value, move)
