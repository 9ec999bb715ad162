"""The net of docs/net-format.md: a residual net over all cells of a board, for training and for playing.

`Net` is what is trained. `Folded` is the same net with its normalisations folded into the weights, in bf16
and with channels last in memory on a GPU: what plays. files.py writes it in integers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from . import fused
from .games import unpack

# Activations are integers in units of 1 / UNIT and end at CEILING.
CEILING = 8191
UNIT = 256
# Which cells of the 3x3 square a layer looks at, row by row.
TAPS = {
    "square": [0, 1, 2, 3, 4, 5, 6, 7, 8],
    "hexagon": [1, 2, 3, 4, 5, 6, 7],
    "hexagon-down": [0, 1, 3, 4, 5, 7, 8],
}
BOARD = 2  # The plane of the cells of the board, in every game.


@dataclass(frozen=True)
class Shape:
    """Everything that tells two nets apart but for their weights; section `shape` of the file."""

    taps: str
    planes: tuple[str, ...]
    scalars: tuple[str, ...] = ()
    channels: int = 64
    blocks: tuple[str, ...] = ("plain", "pool", "plain", "pool", "plain", "plain")
    policy_channels: int = 0
    value_channels: int = 32
    globals: tuple[str, ...] = ("value",)
    cells: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("channels", "policy_channels", "value_channels"):
            if getattr(self, name) % 16 or getattr(self, name) > 512:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be a multiple of 16, at most 512")
        unknown = set(self.blocks) - {"plain", "pool"}
        if unknown:
            raise ValueError(f"unknown block {unknown.pop()!r}; blocks are 'plain' and 'pool'")

    def json(self) -> dict:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_json(cls, content: dict) -> "Shape":
        return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in content.items()})


class Conv(nn.Conv2d):
    """A convolution over a cell and its neighbours."""

    def __init__(self, inputs: int, outputs: int, taps: str, padding: int):
        super().__init__(inputs, outputs, 3, padding=padding, bias=False)
        mask = torch.zeros(9)
        mask[TAPS[taps]] = 1
        self.register_buffer("mask", mask.view(1, 1, 3, 3), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.weight * self.mask, None, padding=self.padding)


class Net(nn.Module):
    """Logits of all cells (then of the pass), the outputs named in shape.globals, and further heads."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        channels, count = shape.channels, len(shape.blocks)
        self.first = Conv(len(shape.planes), channels, shape.taps, 0)
        self.first_norm = nn.BatchNorm2d(channels)
        self.convs = nn.ModuleList(Conv(channels, channels, shape.taps, 1) for _ in range(2 * count))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2 * count))
        self.pools = nn.ModuleDict(
            {str(i): nn.Linear(2 * channels, channels) for i, kind in enumerate(shape.blocks) if kind == "pool"}
        )
        if shape.scalars:
            self.scalars = nn.Linear(len(shape.scalars), channels)
        if shape.policy_channels:
            self.policy_hidden = nn.Conv2d(channels, shape.policy_channels, 1)
        self.policy = nn.Conv2d(shape.policy_channels or channels, 1, 1)
        self.value = nn.Conv2d(channels, shape.value_channels, 1)
        self.hidden = nn.Linear(2 * shape.value_channels, shape.value_channels)
        self.last = nn.Linear(shape.value_channels, len(shape.globals))
        self.cells = nn.ModuleDict({name: nn.Conv2d(channels, 1, 1) for name in shape.cells})

    def forward(self, x: Tensor, scalars: Tensor | None = None) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        board = x[:, BOARD : BOARD + 1, 1:-1, 1:-1]
        count = board.sum((2, 3), dtype=torch.float32)
        sums = self.first_norm(self.first(x))
        board = board.to(sums.dtype)
        if scalars is not None:
            sums = sums + self.scalars(scalars)[:, :, None, None]
        x = clip(sums) * board
        for i, kind in enumerate(self.shape.blocks):
            y = clip(self.norms[2 * i](self.convs[2 * i](x))) * board
            sums = x + self.norms[2 * i + 1](self.convs[2 * i + 1](y))
            if kind == "pool":
                sums = sums + self.pools[str(i)](pooled(y, count))[:, :, None, None]
            x = clip(sums) * board
        p = clip(self.policy_hidden(x)) * board if self.shape.policy_channels else x
        outputs = self.outputs(pooled(clip(self.value(x)) * board, count))
        logits = on_field(self.policy(p))
        if "pass" in self.shape.globals:
            logits = torch.cat([logits, outputs[:, self.shape.globals.index("pass"), None]], 1)
        return logits, outputs, {name: on_field(head(x)) for name, head in self.cells.items()}

    def outputs(self, pools: Tensor) -> Tensor:
        return self.last(F.relu(self.hidden(pools)))


def clip(x: Tensor) -> Tensor:
    return x.clamp(0, CEILING / UNIT)


def pooled(x: Tensor, count: Tensor) -> Tensor:
    """Means over the board's cells, then maxima; off the board x is 0."""
    return torch.cat([x.sum((2, 3), dtype=torch.float32) / count, x.amax((2, 3)).float()], 1)


def on_field(x: Tensor) -> Tensor:
    """One number for each cell of the field, from one for each cell of the grid."""
    return F.pad(x[:, 0], (1, 1, 1, 1)).flatten(1)


def folded(conv: Conv, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    """Weights and biases that do what the layer and its normalisation do."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    weight = conv.weight * conv.mask * scale[:, None, None, None]
    return weight.detach(), (norm.bias - norm.running_mean * scale).detach()


class Folded:
    """The net for playing. Its input are packed cells of the field, see games.py."""

    def __init__(self, net: Net, dtype: torch.dtype):
        self.net, self.shape, self.dtype = net, net.shape, dtype
        # The matrix units want inputs in eights; bits above the last plane are 0.
        self.planes = -(-len(self.shape.planes) // 8) * 8
        pairs = zip([net.first, *net.convs], [net.first_norm, *net.norms])
        self.layers = [self._cast(*folded(conv, norm)) for conv, norm in pairs]
        weight, bias = self.layers[0]
        spare = self.planes - weight.shape[1]
        self.layers[0] = self._cast(F.pad(weight, (0, 0, 0, 0, 0, spare)), bias)
        self.heads = {
            name: self._cast(getattr(net, name).weight.detach(), getattr(net, name).bias.detach())
            for name in ("policy_hidden", "policy", "value")
            if hasattr(net, name)
        }

    def _cast(self, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        return weight.to(self.dtype).contiguous(memory_format=torch.channels_last), bias.float()

    def _layer(self, k: int, x: Tensor, board: Tensor, add: Tensor | None = None, pool: Tensor | None = None) -> Tensor:
        weight, bias = self.layers[k]
        sums = F.conv2d(x, weight, None, padding=0 if k == 0 else 1)
        return fused.finish(sums, bias, board, add, pool, CEILING / UNIT)

    @torch.no_grad()
    def _part(self, packed: Tensor, stride: int, policy: bool, scalars: Tensor | None) -> tuple[Tensor | None, Tensor]:
        x = unpack(packed, self.planes, stride, self.dtype)
        # All positions are on the same board.
        board = x[:1, BOARD : BOARD + 1, 1:-1, 1:-1].float().contiguous()
        count = board.sum((2, 3))
        extra = None if scalars is None else self.net.scalars(scalars)
        x = self._layer(0, x, board, pool=extra)
        for i, kind in enumerate(self.shape.blocks):
            y = self._layer(2 * i + 1, x, board)
            pool = self.net.pools[str(i)](pooled(y, count)) if kind == "pool" else None
            x = self._layer(2 * i + 2, y, board, x, pool)
        weight, bias = self.heads["value"]
        v = fused.finish(F.conv2d(x, weight), bias, board, None, None, CEILING / UNIT)
        outputs = self.net.outputs(pooled(v, count))
        if not policy:
            return None, outputs
        if self.shape.policy_channels:
            weight, bias = self.heads["policy_hidden"]
            x = fused.finish(F.conv2d(x, weight), bias, board, None, None, CEILING / UNIT)
        weight, bias = self.heads["policy"]
        logits = on_field(F.conv2d(x, weight).float() + bias)
        if "pass" in self.shape.globals:
            logits = torch.cat([logits, outputs[:, self.shape.globals.index("pass"), None]], 1)
        return logits, outputs

    def __call__(
        self, packed: Tensor, stride: int, policy: bool = True, scalars: Tensor | None = None
    ) -> tuple[Tensor | None, Tensor]:
        """Logits of all moves (unless not wanted) and the global outputs, for any number of positions.

        They are evaluated in parts of limited size, of which there are few different ones, so that
        kernels are found again.
        """
        most = max(256, 32768 * 289 // packed.shape[1] // 1024 * 1024)
        logits, outputs = [], []
        for begin in range(0, len(packed), most):
            part = packed[begin : begin + most]
            count = len(part)
            room = min(most, rounded(count)) if packed.is_cuda else count
            given = None if scalars is None else scalars[begin : begin + most]
            if room > count:
                part = torch.cat([part, part[:1].expand(room - count, -1)])
                if given is not None:
                    given = torch.cat([given, given[:1].expand(room - count, -1)])
            p, o = self._part(part, stride, policy, given)
            outputs.append(o[:count])
            if p is not None:
                logits.append(p[:count])
        return (torch.cat(logits) if logits else None), torch.cat(outputs)


def rounded(count: int) -> int:
    """The next number of the form 4, 5, 6 or 7 times a power of two, at least 256."""
    unit = max(64, 1 << max(0, (count - 1).bit_length() - 3))
    return max(256, -(-count // unit) * unit)
