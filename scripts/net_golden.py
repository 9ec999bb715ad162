#!/usr/bin/env python3
"""Writes the golden files of nets: small nets at random, and what they tell of some positions.

    scripts/net_golden.py crates/net/tests/golden

A second, slow implementation of docs/net-format.md in plain Python with integers of any size, which shares
nothing with crates/net. `Net(bytes).evaluate(...)` reads and evaluates any net file, also a trained one.
"""

import json
import random
import struct
import sys
import zlib
from pathlib import Path

TAPS = {
    "hexagon": [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)],
    "hexagon-down": [(-1, -1), (-1, 0), (0, -1), (0, 0), (0, 1), (1, 0), (1, 1)],
    "square": [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)],
}
MAGIC = b"Kosumi weights\n"


def clip(number):
    return min(max(number, 0), 8191)


class Layer:
    """Of shift, biases by output, and weights by tap, input and output."""

    def __init__(self, content, inputs, outputs, taps):
        (self.shift,) = struct.unpack_from("<I", content)
        self.bias = struct.unpack_from(f"<{outputs}i", content, 4)
        flat = struct.unpack(f"<{len(taps) * inputs * outputs}h", content[4 + 4 * outputs :])
        self.outputs, self.taps = outputs, taps
        rows = [flat[at : at + outputs] for at in range(0, len(flat), outputs)]
        self.weights = [rows[tap * inputs : (tap + 1) * inputs] for tap in range(len(taps))]

    def sums(self, field, cell):
        """At a cell of a field, a dictionary from (row, column) to channels; elsewhere all are 0."""
        sums = list(self.bias)
        for (down, right), weights in zip(self.taps, self.weights):
            for value, row in zip(field.get((cell[0] + down, cell[1] + right), ()), weights):
                for output in range(self.outputs) if value else ():
                    sums[output] += value * row[output]
        return sums

    def rounded(self, number):
        return (number + (1 << (self.shift - 1))) >> self.shift

    def number(self, total):
        return total / (1 << (8 + self.shift))

    def added(self, inputs, layer):
        """The sums of a dense layer in the unit of a convolution."""
        sums = self.sums({(0, 0): inputs}, (0, 0))
        step = layer.shift - self.shift
        return [total << step if step >= 0 else total >> -step for total in sums]


class Net:
    def __init__(self, content):
        assert content.startswith(MAGIC) and zlib.crc32(content[:-4]) == struct.unpack("<I", content[-4:])[0]
        header, rest = content[len(MAGIC) : -4].split(b"\n", 1)
        sections = {}
        for name, length in json.loads(header)["sections"]:
            sections[name], rest = rest[:length], rest[length:]
        self.shape = shape = json.loads(sections["shape"])
        channels, hidden, values = shape["channels"], shape["policy_channels"], shape["value_channels"]
        taps, alone = TAPS[shape["taps"]], [(0, 0)]

        def layer(name, inputs, outputs, taps=alone):
            return Layer(sections[name], inputs, outputs, taps)

        self.first = layer("first", len(shape["planes"]), channels, taps)
        self.scalars = layer("scalars", len(shape["scalars"]), channels) if shape["scalars"] else None
        self.blocks = [
            (
                layer(f"block{number}.one", channels, channels, taps),
                layer(f"block{number}.two", channels, channels, taps),
                layer(f"block{number}.pool", 2 * channels, channels) if kind == "pool" else None,
            )
            for number, kind in enumerate(shape["blocks"])
        ]
        self.hidden = layer("policy.hidden", channels, hidden) if hidden else None
        self.policy = layer("policy", hidden or channels, 1)
        self.value = layer("value", channels, values)
        self.cells = {name: layer(f"cells.{name}", channels, 1) for name in shape["cells"]}
        floats = iter(struct.unpack(f"<{len(sections['globals']) // 4}f", sections["globals"]))

        def matrix(rows, columns):
            return [[next(floats) for _ in range(columns)] for _ in range(rows)]

        outputs = len(shape["globals"])
        self.globals = [(matrix(rows, columns), matrix(1, rows)[0]) for rows, columns in ((values, 2 * values), (outputs, values))]

    def evaluate(self, rows, columns, is_cell, planes, scalars):
        """Policy, globals by name and cells by name, of a grid with `is_cell(row, column)`, with `planes` the set
        (plane, field row, field column)."""
        grid = [(y, x) for y in range(rows) for x in range(columns)]
        cells = [(y + 1, x + 1) for y, x in grid if is_cell(y, x)]
        field = {(y, x): [0] * len(self.shape["planes"]) for y in range(rows + 2) for x in range(columns + 2)}
        for plane, y, x in planes:
            field[y, x][plane] = 256

        def run(layer, field, more=None, before=None):
            result = {}
            for cell in cells:
                sums = layer.sums(field, cell)
                sums = [a + b for a, b in zip(sums, more)] if more else sums
                old = before[cell] if before else [0] * len(sums)
                result[cell] = [clip(layer.rounded(a) + b) for a, b in zip(sums, old)]
            return result

        def pooled(field, divide):
            by_channel = list(zip(*(field[cell] for cell in cells)))
            return [divide(sum(c), len(cells)) for c in by_channel] + [max(c) for c in by_channel]

        def by_grid(layer, field):
            numbers = {cell: layer.number(layer.sums(field, cell)[0]) for cell in cells}
            return [numbers.get((y + 1, x + 1)) for y, x in grid]

        scalars = [min(max(number, -65536), 65536) for number in scalars]
        x = run(self.first, field, self.scalars.added(scalars, self.first) if scalars else None)
        for one, two, pool in self.blocks:
            y = run(one, x)
            x = run(two, y, pool.added(pooled(y, int.__floordiv__), two) if pool else None, x)
        most = 8191 << self.value.shift
        sums = {cell: self.value.sums(x, cell) for cell in cells}
        values = {cell: [self.value.number(min(max(total, 0), most)) for total in sums[cell]] for cell in cells}
        numbers = pooled(values, lambda total, count: total / count)
        for place, (weights, bias) in enumerate(self.globals):
            numbers = [b + sum(w * n for w, n in zip(row, numbers)) for row, b in zip(weights, bias)]
            numbers = numbers if place else [max(number, 0.0) for number in numbers]
        return (
            by_grid(self.policy, run(self.hidden, x) if self.hidden else x),
            dict(zip(self.shape["globals"], numbers)),
            {name: by_grid(layer, x) for name, layer in self.cells.items()},
        )


def is_cell(board):
    """Rows, columns, and whether there is a cell, by the description of a board."""
    if board["kind"] == "rectangle":
        return board["rows"], board["columns"], lambda y, x: True
    if board["kind"] == "havannah":
        size = board["size"]
        return 2 * size - 1, 2 * size - 1, lambda y, x: abs(y - x) < size
    cells = board["cells"]
    return len(cells), len(cells[0]), lambda y, x: cells[y][x] == "#"


def position(net, board, planes, scalars):
    """A position as crates/net/tests/golden.rs reads it."""
    policy, numbers, cells = net.evaluate(*is_cell(board), planes, scalars)
    return {
        "board": board, "planes": planes, "scalars": scalars, "policy": policy, "value_logit": numbers.pop("value"),
        "pass_logit": numbers.pop("pass", None), "globals": numbers, "cells": cells,
    }


def toy(taps, draw):
    """A net file with one of everything, with weights at random."""
    shape = {
        "taps": taps, "planes": ["own", "opp", "last"], "scalars": ["komi"], "channels": 16, "blocks": ["plain", "pool"],
        "policy_channels": 16, "value_channels": 16, "globals": ["value", "pass", "score"], "cells": ["ownership"],
    }
    sections = [("shape", json.dumps(shape).encode())]

    def layer(name, inputs, outputs, taps=1, shift=11, size=1.8):
        most = min(32767, int(size * (1 << shift) / (inputs * taps) ** 0.5))
        bias = [draw.randint(-128 << shift, 128 << shift) for _ in range(outputs)]
        # One channel is always as large as can be.
        bias[0] = 40 * 256 << shift if outputs > 1 else bias[0]
        weights = [draw.randint(-most, most) for _ in range(taps * inputs * outputs)]
        sections.append((name, struct.pack(f"<I{outputs}i{len(weights)}h", shift, *bias, *weights)))

    count = len(TAPS[taps])
    layer("first", 3, 16, count)
    layer("scalars", 1, 16, shift=9, size=0.5)
    for block in range(2):
        layer(f"block{block}.one", 16, 16, count)
        layer(f"block{block}.two", 16, 16, count, shift=10)
    layer("block1.pool", 32, 16, shift=12, size=0.5)
    layer("policy.hidden", 16, 16)
    layer("policy", 16, 1)
    layer("value", 16, 16)
    layer("cells.ownership", 16, 1, shift=13)
    floats = [draw.uniform(-0.2, 0.2) for _ in range(16 * 33 + 3 * 17)]
    sections.append(("globals", struct.pack(f"<{len(floats)}f", *floats)))
    provenance = {"version": "net_golden", "command": "", "date": "", "records": [], "games": 0, "positions": 0, "notes": "random weights"}
    header = {
        "format": 1, "game": "toy", "model": "net", "model_version": 2, "provenance": provenance,
        "sections": [[name, len(content)] for name, content in sections],
    }
    content = MAGIC + json.dumps(header).encode() + b"\n" + b"".join(content for _, content in sections)
    return content + struct.pack("<I", zlib.crc32(content))


def main():
    out = Path(sys.argv[1])
    boards = [
        {"kind": "rectangle", "rows": 5, "columns": 4},
        {"kind": "havannah", "size": 3},
        {"kind": "mask", "cells": [".##..#", "###..#", "##.#.."]},
        {"kind": "rectangle", "rows": 1, "columns": 1},
    ]
    for seed, taps in enumerate(TAPS):
        draw = random.Random(seed)
        content = toy(taps, draw)
        net, positions = Net(content), []
        for board in boards:
            rows, columns, _ = is_cell(board)
            places = [[plane, y, x] for plane in range(3) for y in range(rows + 2) for x in range(columns + 2)]
            planes = [place for place in places if draw.random() < 0.3]
            positions.append(position(net, board, planes, [draw.choice([-100000, -1920, 128, 1920])]))
        golden = {"game": "toy", "passes": True, "positions": positions}
        (out / f"toy-{taps}.weights").write_bytes(content)
        (out / f"toy-{taps}.json").write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
