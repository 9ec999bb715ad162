"""The net file against the net in floating point, and checkpoints."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from train import files
from train.games import legal_from_packed, unpack
from train.havannah import Havannah
from train.nets import Folded, Net, Shape

from . import golden
from .reference import Reference
from .common import random_net, random_positions


class NetFile(unittest.TestCase):
    def agree(self, **shape) -> None:
        net = random_net(Havannah, **shape)
        reference = Reference(files.net_bytes(net, "havannah", {}))
        alike, count = 0, 0
        for size in (4, 6):
            state = random_positions(Havannah(size, "cpu"), 40, seed=size)
            game, packed = state.game, state.packed()
            planes = unpack(packed, len(game.planes), game.stride, torch.float32)
            with torch.no_grad():
                logits, outputs, _ = net(planes)
            played, values = Folded(net, torch.float32)(packed, game.stride)
            torch.testing.assert_close(played, logits, atol=1e-3, rtol=1e-3)
            torch.testing.assert_close(values, outputs, atol=1e-3, rtol=1e-3)
            legal = legal_from_packed(packed)
            for k in range(len(state)):
                policy, value = reference.evaluate(planes[k].permute(1, 2, 0).numpy())
                exact, expected = torch.from_numpy(np.pad(policy, 1)).flatten()[legal[k]], logits[k][legal[k]]
                # Nets that have learned nothing find many moves nearly equal: a tenth of the spread is none.
                spread = expected.std()
                alike += int(expected[exact.argmax()] > expected.max() - spread / 10)
                count += 1
                self.assertLess((exact - expected).abs().max(), spread / 5)
                self.assertLess(abs(value[0] - float(outputs[k, 0])), 0.01)
        self.assertGreaterEqual(alike / count, 0.98)

    def test_plain_and_pool_blocks(self) -> None:
        self.agree(blocks=("plain", "pool", "plain"))

    def test_policy_channels(self) -> None:
        self.agree(blocks=("pool",), policy_channels=16)

    def test_sections_are_those_of_the_format(self) -> None:
        net = random_net(Havannah, blocks=("pool",), policy_channels=16)
        names = [name for name, _ in Reference(files.net_bytes(net, "havannah", {})).header["sections"]]
        expected = ["shape", "first", "block0.one", "block0.two", "block0.pool", "policy.hidden", "policy", "value", "globals"]
        self.assertEqual(names, expected)

    def test_weights_that_would_overflow_are_refused(self) -> None:
        net = random_net(Havannah, blocks=("plain",))
        with torch.no_grad():
            net.policy.weight.fill_(1e6)
        with self.assertRaisesRegex(files.FileError, "policy: its weights are too large"):
            files.net_bytes(net, "havannah", {})


class Golden(unittest.TestCase):
    def test_committed_files_are_what_the_reference_evaluates(self) -> None:
        folder = Path(__file__).parents[3] / "crates/net/tests/golden"
        for name in golden.SETS:
            reference = Reference((folder / f"trainer-{name}.weights").read_bytes())
            for entry in json.loads((folder / f"trainer-{name}.json").read_text())["positions"]:
                shape = entry["board"]
                rows, columns = (2 * shape["size"] - 1,) * 2 if name == "havannah" else (shape["rows"], shape["columns"])
                planes = np.zeros((rows + 2, columns + 2, len(reference.shape["planes"])))
                for k, y, x in entry["planes"]:
                    planes[y, x, k] = 1
                policy, outputs = reference.evaluate(planes)
                self.assertTrue(all(x is None or x == y for x, y in zip(entry["policy"], policy.flatten())))
                self.assertAlmostEqual(entry["value_logit"], outputs[0], places=12)


class Checkpoint(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "checkpoint"
        self.addCleanup(self.folder.cleanup)

    def load(self) -> tuple[Net, dict]:
        return files.load(self.path, "havannah", Havannah.planes, Havannah.taps)

    def test_comes_back(self) -> None:
        net = random_net(Havannah, blocks=("plain", "pool"))
        files.save(net, "havannah", {"games": 7}, self.path)
        back, done = self.load()
        self.assertEqual((back.shape, done), (net.shape, {"games": 7}))
        for name, x in net.state_dict().items():
            self.assertTrue(torch.equal(x.float(), back.state_dict()[name].float()), name)

    def test_errors_name_the_file(self) -> None:
        with self.assertRaisesRegex(files.FileError, "does not exist"):
            self.load()
        files.save(random_net(Havannah, blocks=("plain",)), "hex", {}, self.path)
        with self.assertRaisesRegex(files.FileError, "checkpoint of hex, not of havannah"):
            self.load()
        content = self.path.read_bytes()
        for damaged in (b"", b"nonsense", content[:5000], content[:-100]):
            self.path.write_bytes(damaged)
            with self.assertRaisesRegex(files.FileError, "damaged"):
                self.load()

    def test_default_net_is_small(self) -> None:
        files.save(Net(Shape(Havannah.taps, Havannah.planes)), "havannah", {}, self.path)
        self.assertLess(self.path.stat().st_size, 4 << 20)


if __name__ == "__main__":
    unittest.main()
