"""Files of the trainer: the net in integers for the program (docs/net-format.md), and checkpoints.

Both are written to a temporary name first and then put in place, so that a kill leaves the former file.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from pathlib import Path

import torch
from torch import Tensor

from .nets import CEILING, TAPS, UNIT, Net, Shape, folded

MAGIC = b"Kosumi weights\n"
MODEL_VERSION = 2
# What a scalar of the position may be at most, in units of 1 / UNIT.
SCALAR_CEILING = 65536
LARGEST = (1 << 31) - 1
SHIFTS = range(15, 0, -1)


class FileError(Exception):
    """A file cannot be used; the message names it and says what to do."""


# ---------------------------------------------------------------- integers


def in_units(weight: Tensor, bias: Tensor, shift: int) -> tuple[Tensor, Tensor] | None:
    """Weights in units of 2^-shift and biases in those of sums; None where they do not fit."""
    w = torch.round(weight.double().cpu() * (1 << shift))
    b = torch.round(bias.double().cpu() * (UNIT << shift))
    fits = w.abs().max() <= 32767 and b.abs().max() <= LARGEST
    return (w, b) if fits else None


def most(w: Tensor, b: Tensor, ceiling: int) -> Tensor:
    """The largest size a sum can have, for each output."""
    return w.abs().flatten(1).sum(1) * ceiling + b.abs()


def layer_bytes(shift: int, weights: Tensor, biases: Tensor) -> bytes:
    """`weights` are in the order of the file already."""
    return struct.pack("<I", shift) + biases.numpy().astype("<i4").tobytes() + weights.contiguous().numpy().astype("<i2").tobytes()


def conv_and_dense(
    name: str, conv: tuple[Tensor, Tensor], taps: list[int], dense: tuple[Tensor, Tensor] | None = None, ceiling: int = CEILING
) -> tuple[bytes, bytes | None]:
    """A convolution with the finest units whose sums cannot overflow, and a dense layer added to them."""
    for shift in SHIFTS:
        found = in_units(*conv, shift)
        if found is None:
            continue
        w, b = found
        bound = most(w, b, CEILING) + (1 << (shift - 1))
        dense_bytes = None
        if dense is not None:
            fitting = ((s, in_units(*dense, s)) for s in SHIFTS)
            dense_shift, dense_found = next(((s, f) for s, f in fitting if f is not None), (0, None))
            if dense_found is None:
                break
            bound = bound + most(*dense_found, ceiling) * 2.0 ** (shift - dense_shift) + 1
            dense_bytes = layer_bytes(dense_shift, dense_found[0].T, dense_found[1])
        if bound.max() <= LARGEST:
            # Taps, then inputs, then outputs.
            flat = w.permute(2, 3, 1, 0).flatten(0, 1)
            return layer_bytes(shift, flat[taps] if len(flat) == 9 else flat, b), dense_bytes
    raise FileError(f"{name}: its weights are too large for integers")


# ---------------------------------------------------------------- the net file


@torch.no_grad()
def export(net: Net, game: str, path: str | Path, provenance: dict) -> None:
    """Writes the net for the program."""
    content = net_bytes(net, game, provenance)
    put(path, content)


@torch.no_grad()
def net_bytes(net: Net, game: str, provenance: dict) -> bytes:
    shape = net.shape
    taps = TAPS[shape.taps]
    sections = [("shape", json.dumps(shape.json(), separators=(",", ":")).encode())]

    def add(name: str, conv, dense_name: str = "", dense=None, ceiling: int = CEILING) -> None:
        conv_bytes, dense_bytes = conv_and_dense(name, conv, taps, dense, ceiling)
        sections.append((name, conv_bytes))
        if dense_bytes is not None:
            sections.append((dense_name, dense_bytes))

    scalars = (net.scalars.weight, net.scalars.bias) if shape.scalars else None
    add("first", folded(net.first, net.first_norm), "scalars", scalars, SCALAR_CEILING)
    for i, kind in enumerate(shape.blocks):
        add(f"block{i}.one", folded(net.convs[2 * i], net.norms[2 * i]))
        pool = (net.pools[str(i)].weight, net.pools[str(i)].bias) if kind == "pool" else None
        add(f"block{i}.two", folded(net.convs[2 * i + 1], net.norms[2 * i + 1]), f"block{i}.pool", pool)
    if shape.policy_channels:
        add("policy.hidden", (net.policy_hidden.weight, net.policy_hidden.bias))
    add("policy", (net.policy.weight, net.policy.bias))
    add("value", (net.value.weight, net.value.bias))
    floats = [net.hidden.weight, net.hidden.bias, net.last.weight, net.last.bias]
    if not all(x.isfinite().all() for x in floats):
        raise FileError("globals: the net has weights that are NaN or infinite")
    sections.append(("globals", b"".join(x.cpu().numpy().astype("<f4").tobytes() for x in floats)))
    for name, head in net.cells.items():
        add(f"cells.{name}", (head.weight, head.bias))
    header = {
        "format": 1, "game": game, "model": "net", "model_version": MODEL_VERSION, "provenance": provenance,
        "sections": [[name, len(content)] for name, content in sections],
    }
    content = MAGIC + json.dumps(header, separators=(",", ":")).encode() + b"\n"
    content += b"".join(content for _, content in sections)
    return content + struct.pack("<I", zlib.crc32(content))


# ---------------------------------------------------------------- checkpoints


def save(net: Net, game: str, done: dict, path: str | Path) -> None:
    """The averaged weights and the counts; no state of the optimizer."""
    weights = {name: x.detach().float().cpu() for name, x in net.state_dict().items()}
    temporary = beside(path)
    torch.save({"version": 2, "game": game, "shape": net.shape.json(), "net": weights, "done": done}, temporary)
    os.replace(temporary, path)


def load(path: str | Path, game: str, planes: tuple[str, ...], taps: str) -> tuple[Net, dict]:
    """The net of a checkpoint and the counts of what it has seen."""
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        if "shape" not in saved:
            saved = from_first_version(saved, planes, taps)
        if saved["game"] != game:
            raise FileError(f"{path} is a checkpoint of {saved['game']}, not of {game}")
        shape = Shape.from_json(saved["shape"])
        if shape.planes != planes or shape.taps != taps:
            raise FileError(f"{path} is of a net with other planes or taps than {game} has now: train without --resume")
        net = Net(shape)
        net.load_state_dict(saved["net"])
        return net, dict(saved["done"])
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"{path} does not exist: leave out --resume to begin anew") from None
    except Exception as error:  # torch.load raises many kinds for a damaged file.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"{path} is no checkpoint or is damaged ({reason}): use another one, or none") from error


def from_first_version(saved: dict, planes: tuple[str, ...], taps: str) -> dict:
    """Checkpoints of the former trainer of Hex."""
    weights = {name.replace("odds.", "last."): x for name, x in saved["net"].items()}
    blocks = ["plain"] * (sum(name.startswith("convs.") for name in weights) // 2)
    shape = Shape(taps, planes, channels=len(weights["first.weight"]), blocks=tuple(blocks))
    return {"game": "hex", "shape": shape.json(), "net": weights, "done": saved["done"]}


# ---------------------------------------------------------------- writing


def beside(path: str | Path) -> str:
    return str(path) + ".new"


def put(path: str | Path, content: bytes) -> None:
    Path(beside(path)).write_bytes(content)
    os.replace(beside(path), path)


def command() -> str:
    """The command line without folders."""
    return " ".join(Path(word).name if "/" in word else word for word in sys.argv)
