"""Games of the net against itself, with a look one move ahead (Gumbel AlphaZero, Danihelka and others 2022).

Of the moves with the largest priors (with Gumbel noise) the positions after each are evaluated; priors times
the values found there are what is played and what is learned. Where the game can tell, wins at once are
seen without the net: a win is played, an opponent's win is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from .games import Game, State
from .lessons import Lesson
from .nets import Folded

# The logit of a value that is certain.
CERTAIN = 8.0


@dataclass
class Options:
    """How self-play looks for moves."""

    width: int = 16
    sharpness: float = 1.5
    result_weight: float = 0.75
    simulations: int = 0


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


def search(player: Folded, state: State, noise: Tensor, options: Options) -> Search:
    """What self-play learns from: a look one move ahead."""
    return look_ahead(player, state, noise, options)


def anywhere(state: State) -> Tensor:
    """A legal move drawn at random for each game; a pass only where nothing else is left."""
    chances = torch.rand(len(state), state.game.moves, device=state.game.device)
    if state.game.passes:
        chances[:, -1] = 0
    return chances.masked_fill(~state.legal(), -1).argmax(1)


def opening_lengths(count: int, device: torch.device | str) -> Tensor:
    """How many first stones are random: none in a quarter of the games, one in a half, up to four."""
    drawn = torch.randint(0, 16, (count,), device=device)
    return torch.tensor([0] * 4 + [1] * 8 + [2] * 2 + [3] + [4], device=device)[drawn]


@torch.no_grad()
def self_play(
    player: Folded, game: Game, count: int, options: Options, stop: Callable[[], bool]
) -> tuple[Lesson, dict] | None:
    """Plays games to their ends and tells what is to be learned from them; None when stopped.

    When only one game in fifty is left, the rest are not waited for: they count as their value then.
    """
    device = game.device
    state = game.start(count)
    games = torch.arange(count, device=device)
    # Results and values are those for the player who moves first.
    result = torch.full((count,), 0.5, device=device)
    openings = opening_lengths(count, device)
    kept: list[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]] = []
    ply = 0
    while len(state):
        if stop():
            return None
        first = ply % 2 == 0
        random_rows = openings[games] > ply
        noise = torch.full((len(state),), 1.0 if ply < game.rows else 0.4, device=device)
        if ply < 4:
            moves = anywhere(state)
            rows = (~random_rows).nonzero()[:, 0]
        else:
            moves, rows = None, None
        if rows is None or len(rows):
            part = state if rows is None else state.rows(rows)
            found = search(player, part, noise if rows is None else noise[rows], options)
            where = games if rows is None else games[rows]
            kept.append((where, torch.full_like(found.value, float(first)), part.packed(), found.policy.half(), found.value))
            moves = found.move if moves is None else moves.index_put((rows,), found.move)
            if ply > 8 and len(state) * 50 <= count:
                result[games] = found.value if first else 1 - found.value
                break
        state, over, value = state.play(moves)
        result[games] = torch.where(over, value if first else 1 - value, result[games])
        ply += 1
        rows = (~over).nonzero()[:, 0]
        if len(rows) < len(games):
            state, games = state.rows(rows), games[rows]
    where, first, packed, policy, value = (torch.cat(parts) for parts in zip(*kept))
    ended = torch.where(first > 0, result[where], 1 - result[where])
    target = options.result_weight * ended + (1 - options.result_weight) * value
    figures = {"plies": ply, "length": round(len(where) / count, 1), "first_score": result.mean()}
    return Lesson(game, packed, policy, target), figures


@torch.no_grad()
def contest(one: Folded, other: Folded, game: Game, pairs: int, options: Options) -> float:
    """The share of points that one makes; every opening, one stone at random, with both colours."""
    device = game.device
    points = torch.zeros((), device=device)
    start = game.start(pairs)
    opening, _, _ = start.play(anywhere(start))
    for one_begins in (True, False):
        state, ply = opening, 1
        while len(state):
            player = one if (ply % 2 == 0) == one_begins else other
            noise = torch.full((len(state),), 0.1, device=device)
            state, over, value = state.play(look_ahead(player, state, noise, options).move)
            points += torch.where(over, value if player is one else 1 - value, 0.0).sum()
            rows = (~over).nonzero()[:, 0]
            if len(rows) < len(over):
                state = state.rows(rows)
            ply += 1
    return points.item() / (2 * pairs)
