"""Small nets as the trainer writes them, with positions evaluated in exact integers, for the tests of crates/net.

    cd scripts && python3 -m train.tests.golden ../crates/net/tests/golden

writes trainer-GAME.weights and trainer-GAME.json; crates/net/tests/golden.rs reads them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch

from train import files
from train.games import Game, State, unpack
from train.havannah import Havannah
from train.hex import Hex

from .common import random_net, random_positions
from .reference import Reference

SETS = {
    "havannah": (Havannah, (3, 4), {"blocks": ("plain", "pool"), "policy_channels": 16}),
    "hex": (Hex, (3, 5), {"blocks": ("plain", "plain")}),
}


PROVENANCE = {
    "version": "scripts/train", "command": "", "date": "", "records": [], "games": 0, "positions": 0,
    "notes": "random weights, for tests",
}


def board(game: Game) -> dict:
    if game.name == "havannah":
        return {"kind": "havannah", "size": game.size}
    return {"kind": "rectangle", "rows": game.rows, "columns": game.columns}


def position(reference: Reference, state: State) -> dict:
    """The entry of one position."""
    game = state.game
    planes = unpack(state.packed(), len(game.planes), game.stride, torch.float32)[0].permute(1, 2, 0).numpy()
    policy, outputs = reference.evaluate(planes)
    cells = game.board.view(game.rows + 2, game.stride)[1:-1, 1:-1].numpy()
    return {
        "board": board(game),
        "planes": [[int(k), int(y), int(x)] for y, x, k in np.argwhere(planes > 0)],
        "policy": [float(x) if c else None for x, c in zip(policy.flatten(), cells.flatten())],
        "value_logit": float(outputs[0]),
    }


def write(name: str, folder: Path) -> None:
    kind, sizes, shape = SETS[name]
    content = files.net_bytes(random_net(kind, seed=7, **shape), name, PROVENANCE)
    reference = Reference(content)
    positions = []
    for size in sizes:
        for seed in (1, 2):
            state = random_positions(kind(size, "cpu"), 1 + 20 * seed, seed)
            positions.append(position(reference, state.rows(torch.tensor([seed]))))
    (folder / f"trainer-{name}.weights").write_bytes(content)
    lines = ",\n".join(json.dumps(entry) for entry in positions)
    text = f'{{"game": "{name}", "positions": [\n{lines}\n]}}\n'
    (folder / f"trainer-{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in SETS:
        write(name, Path(sys.argv[1]))
