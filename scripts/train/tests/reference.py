"""Reads a net file and evaluates it in exact integers, slowly, by the words of docs/net-format.md."""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np

STEPS = {
    "hexagon": [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)],
    "hexagon-down": [(-1, -1), (-1, 0), (0, -1), (0, 0), (0, 1), (1, 0), (1, 1)],
    "square": [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)],
}
CEILING = 8191


class Reference:
    """A net as it stands in the file."""

    def __init__(self, content: bytes):
        magic, line, rest = content.split(b"\n", 2)
        assert magic == b"Kosumi weights"
        assert struct.unpack("<I", content[-4:])[0] == zlib.crc32(content[:-4])
        self.header = json.loads(line)
        assert self.header["model"] == "net" and self.header["model_version"] == 2
        self.sections, at = {}, 0
        for name, length in self.header["sections"]:
            self.sections[name] = rest[at : at + length]
            at += length
        assert at == len(rest) - 4
        self.shape = json.loads(self.sections["shape"])
        self.steps = STEPS[self.shape["taps"]]

    def layer(self, name: str, taps: int, inputs: int, outputs: int):
        data = self.sections[name]
        assert len(data) == 4 + 4 * outputs + 2 * taps * inputs * outputs, name
        shift = struct.unpack("<I", data[:4])[0]
        assert 1 <= shift <= 15
        bias = np.frombuffer(data, "<i4", outputs, 4).astype(np.int64)
        weights = np.frombuffer(data, "<i2", -1, 4 + 4 * outputs).astype(np.int64).reshape(taps, inputs, outputs)
        return shift, bias, weights

    def conv(self, name: str, field: np.ndarray, outputs: int, extra=None):
        """Sums over a field with a margin: [rows, columns, outputs], and their shift."""
        rows, columns = field.shape[0] - 2, field.shape[1] - 2
        shift, bias, weights = self.layer(name, len(self.steps), field.shape[2], outputs)
        sums = np.broadcast_to(bias, (rows, columns, outputs)).copy()
        for (dy, dx), w in zip(self.steps, weights):
            sums += field[1 + dy : 1 + dy + rows, 1 + dx : 1 + dx + columns] @ w
        if extra is not None:
            dense_shift, added = extra
            sums += added << (shift - dense_shift) if shift >= dense_shift else added >> (dense_shift - shift)
        assert np.abs(sums).max() + (1 << (shift - 1)) < 1 << 31, name
        return sums, shift

    def dense(self, name: str, inputs: np.ndarray, outputs: int):
        shift, bias, weights = self.layer(name, 1, len(inputs), outputs)
        return shift, bias + inputs @ weights[0]

    def pointwise(self, name: str, x: np.ndarray, outputs: int):
        shift, bias, weights = self.layer(name, 1, x.shape[2], outputs)
        return bias + x @ weights[0], shift

    def evaluate(self, planes: np.ndarray):
        """Policy numbers of the grid and global outputs, from planes [rows + 2, columns + 2, planes] of 0 and 1."""
        shape, channels = self.shape, self.shape["channels"]
        board = planes[1:-1, 1:-1, shape["planes"].index("board"), None].astype(np.int64)

        def clip(sums, shift):
            return np.clip((sums + (1 << (shift - 1))) >> shift, 0, CEILING) * board

        def margin(x):
            return np.pad(x, ((1, 1), (1, 1), (0, 0)))

        x = clip(*self.conv("first", planes.astype(np.int64) * 256, channels))
        for i, kind in enumerate(shape["blocks"]):
            y = clip(*self.conv(f"block{i}.one", margin(x), channels))
            extra = None
            if kind == "pool":
                pools = np.concatenate([y.sum((0, 1)) // board.sum(), y.max((0, 1))])
                extra = self.dense(f"block{i}.pool", pools, channels)
            sums, shift = self.conv(f"block{i}.two", margin(y), channels, extra)
            x = np.clip(x + ((sums + (1 << (shift - 1))) >> shift), 0, CEILING) * board
        # The activations of the value are clipped and not rounded.
        sums, shift = self.pointwise("value", x, shape["value_channels"])
        v = np.clip(sums, 0, CEILING << shift) * board / (256 << shift)
        pools = np.concatenate([v.sum((0, 1)) / board.sum(), v.max((0, 1))])
        width, count = shape["value_channels"], len(shape["globals"])
        floats = np.frombuffer(self.sections["globals"], "<f4").astype(np.float64)
        assert len(floats) == 2 * width * width + width + count * width + count
        hidden, bias, last, last_bias = np.split(floats, np.cumsum([2 * width * width, width, count * width]))
        h = np.maximum(hidden.reshape(width, 2 * width) @ pools + bias, 0)
        outputs = last.reshape(count, width) @ h + last_bias
        if shape["policy_channels"]:
            x = clip(*self.pointwise("policy.hidden", x, shape["policy_channels"]))
        sums, shift = self.pointwise("policy", x, 1)
        return sums[:, :, 0] / (256 << shift), outputs
