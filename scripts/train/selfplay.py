"""Games of the net against itself, and against another net."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable

import torch
from torch import Tensor

from .games import Game, State
from .lessons import Lesson
from .mcts import tree_search
from .nets import Folded
from .search import Options, Search, look_ahead


def search(player: Folded, state: State, noise: Tensor, options: Options) -> Search:
    """What self-play learns from."""
    if options.simulations > 1:
        return tree_search(player, state, noise, options)
    return look_ahead(player, state, noise, options)


def anywhere(state: State) -> Tensor:
    """A legal move drawn at random for each game; a pass only where nothing else is left."""
    chances = torch.rand(len(state), state.game.moves, device=state.game.device)
    if state.game.passes:
        chances[:, -1] = 0
    return chances.masked_fill(~state.legal(), -1).argmax(1)


@torch.no_grad()
def self_play(
    player: Folded, game: Game, count: int, options: Options, stop: Callable[[], bool]
) -> tuple[Lesson, dict] | None:
    """Plays games to their ends and tells what is to be learned from them; None when stopped.

    When only one game in fifty is left, the rest are not waited for: they count as their value then.
    """
    device = game.device
    cheap = replace(options, simulations=1, width=options.cheap_width)
    state = game.start(count)
    games = torch.arange(count, device=device)
    # Results and values are those for the player who moves first.
    result = torch.full((count,), 0.5, device=device)
    openings = torch.tensor(game.openings, device=device)[torch.randint(0, len(game.openings), (count,), device=device)]
    kept: list[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]] = []
    ply = moved = 0
    while len(state):
        if stop():
            return None
        first = ply % 2 == 0
        last = ply > 8 and len(state) * 50 <= count
        noise = torch.full((len(state),), 1.0 if ply < game.rows else 0.4, device=device)
        chosen = openings[games] <= ply
        full = chosen if last else chosen & (torch.rand(len(state), device=device) >= options.cheap_share)
        moves = anywhere(state) if ply < max(game.openings) else torch.zeros(len(state), dtype=torch.long, device=device)
        for rows in in_order(full):
            part = state.rows(rows)
            found = search(player, part, noise[rows], options)
            kept.append((games[rows], torch.full_like(found.value, float(first)), part.packed(), found.policy.half(), found.value))
            moves[rows] = found.move
            if last:
                result[games] = found.value if first else 1 - found.value
        if last:
            break
        for rows in in_order(chosen & ~full):
            # A cheap move is for a good game, not for learning: hardly any noise.
            moves[rows] = look_ahead(player, state.rows(rows), 0.3 * noise[rows], cheap).move
        moved += len(state)
        state, over, value = state.play(moves)
        result[games] = torch.where(over, value if first else 1 - value, result[games])
        ply += 1
        rows = (~over).nonzero()[:, 0]
        if len(rows) < len(games):
            state, games = state.rows(rows), games[rows]
    where, first, packed, policy, value = (torch.cat(parts) for parts in zip(*kept))
    ended = torch.where(first > 0, result[where], 1 - result[where])
    target = options.result_weight * ended + (1 - options.result_weight) * value
    figures = {"plies": ply, "length": round(moved / count, 1), "first_score": result.mean(), "value_gap": (value - ended).abs().mean()}
    return Lesson(game, packed, policy, target), figures


def in_order(chosen: Tensor) -> list[Tensor]:
    """The numbers of the chosen positions, in one part, or in none if there are none."""
    rows = chosen.nonzero()[:, 0]
    return [rows] if len(rows) else []


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
