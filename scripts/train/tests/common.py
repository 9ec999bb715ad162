"""What several tests need."""

import torch

from train.games import Game, State
from train.nets import Net, Shape
from train.selfplay import anywhere


def random_net(kind: type[Game], seed: int = 1, **shape) -> Net:
    """A net with normalisations that do something."""
    torch.manual_seed(seed)
    net = Net(Shape(kind.taps, kind.planes, kind.scalars, **{"channels": 16, "value_channels": 16} | shape))
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.3, 2.0)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.normal_(module.bias, 0, 0.3)
    return net.eval()


def random_positions(game: Game, count: int, seed: int) -> State:
    """Positions after a third of the cells have been played at random, of games that are not over."""
    torch.manual_seed(seed)
    state = game.start(count)
    for _ in range(game.cells() // 3):
        state, over, _ = state.play(anywhere(state))
        state = state.rows((~over).nonzero()[:, 0])
    return state
