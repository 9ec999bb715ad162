"""Looks for moves, in many positions at once, one move ahead (Gumbel AlphaZero, Danihelka and others 2022).

Of the moves with the largest priors (with Gumbel noise) the positions after each are evaluated; priors times
the values found there are the improved policy. Where the game can tell, wins at once are seen without the
net: a win is played, an opponent's win is answered. mcts.py looks deeper.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .games import State
from .nets import Folded

# The logit of a value that is certain.
CERTAIN = 8.0


@dataclass
class Options:
    """How self-play looks for moves, and what it learns of a position's value.

    With one simulation it looks one move ahead, and `sharpness` is how much the values count; with more it
    searches as mcts.py does, where `c_visit` and `c_scale` are that. A share of all moves is `cheap`: chosen
    by a look at few moves and not learned from.
    """

    width: int = 16
    sharpness: float = 1.5
    result_weight: float = 0.75
    simulations: int = 1
    c_visit: float = 50.0
    c_scale: float = 0.5
    cheap_share: float = 0.0
    cheap_width: int = 4


@dataclass
class Search:
    """Improved policy, value of the position in 0..1, and the move chosen, for each position."""

    policy: Tensor
    value: Tensor
    move: Tensor


def allowed_moves(state: State) -> Tensor:
    """Legal moves; only wins where there are any, else only answers to the opponent's wins."""
    legal, own, opp = state.legal(), state.own_wins(), state.opp_wins()
    if own is None or opp is None:
        return legal
    answers = torch.where(opp.any(1, keepdim=True), opp, legal)
    return torch.where(own.any(1, keepdim=True), own, answers)


def certain(state: State, over: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Which positions after a move are decided, and the value logit there for who has moved.

    `over` and `value` come from `play`. The player to move wins at once if there is such a move; else who has
    moved wins if there are two cells to win at, as only one can be taken.
    """
    known = over
    logit = (value * 2 - 1) * CERTAIN
    loses, threats = state.own_wins(), state.opp_wins()
    if loses is not None and threats is not None:
        lost = ~over & loses.any(1)
        won = ~over & ~lost & (threats.sum(1) > 1)
        known = over | lost | won
        logit = torch.where(lost, -CERTAIN, torch.where(won, CERTAIN, logit))
    return known, logit


def values_after(player: Folded, state: State, over: Tensor, value: Tensor) -> Tensor:
    """Value logits for who has moved; the net is asked only where nothing is certain."""
    known, logit = certain(state, over, value)
    rows = (~known).nonzero()[:, 0]
    if len(rows):
        _, outputs = player(state.packed()[rows], state.game.stride, policy=False)
        logit = logit.index_put((rows,), -outputs[:, 0].float().clamp(-CERTAIN, CERTAIN))
    return logit


def gumbel(like: Tensor) -> Tensor:
    return -torch.log(-torch.log(torch.rand_like(like).clamp(1e-9, 1 - 1e-7)))


def look_ahead(player: Folded, state: State, noise: Tensor, options: Options) -> Search:
    """Evaluates the position after each of the most promising moves. `noise` scales the Gumbel noise."""
    count = len(state)
    logits, outputs = player(state.packed(), state.game.stride)
    allowed = allowed_moves(state)
    logits = logits.float().masked_fill(~allowed, -1e4)
    logits = logits - logits.logsumexp(1, keepdim=True)
    drawn = logits + noise[:, None] * gumbel(logits)
    width = min(options.width, state.game.cells())
    _, candidates = drawn.masked_fill(~allowed, -1e9).topk(width, 1)
    legal = allowed.gather(1, candidates)
    # One wait for the GPU: the pairs of position and candidate that are to be looked at.
    pairs = legal.flatten().nonzero()[:, 0]
    children, over, result = state.rows(pairs // width).play(candidates.flatten()[pairs])
    after = torch.zeros(count * width, device=logits.device)
    after[pairs] = values_after(player, children, over, result)
    after = after.view(count, width)
    weights = logits.gather(1, candidates).exp() * legal
    mean = (weights * torch.sigmoid(after)).sum(1) / weights.sum(1).clamp(1e-9)
    mean = (0.5 * (mean + torch.sigmoid(outputs[:, 0].float()))).clamp(0.001, 0.999)
    base = torch.log(mean / (1 - mean))
    # Moves that were not looked at pass for as good as the position.
    gains = torch.zeros_like(logits).scatter_(1, candidates, options.sharpness * (after - base[:, None]) * legal)
    policy = (logits + gains).masked_fill(~allowed, -1e4).softmax(1)
    score = (drawn + gains).gather(1, candidates).masked_fill(~legal, -1e9)
    move = candidates.gather(1, score.argmax(1, keepdim=True))[:, 0]
    chosen = policy.gather(1, candidates)
    value = (chosen * torch.sigmoid(after)).sum(1) / chosen.sum(1).clamp(1e-9)
    return Search(policy, value, move)
