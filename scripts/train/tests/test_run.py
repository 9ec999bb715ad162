"""Whole runs on toy sizes: end, SIGTERM, continue, and the plot of their logs."""

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from .reference import Reference

SCRIPTS = Path(__file__).parents[1]
TOY = (
    "--channels 16 --value-channels 16 --blocks pool --games 4 --batch 32 --contest-pairs 2 --threads 1 --minutes 20 "
    "--save-seconds 1 --contest-seconds 2 --simulations 4 --cheap-share 0.3"
).split()


class WholeRun(unittest.TestCase):
    def start(self, game: str, sizes: str, out: Path, *more: str) -> subprocess.Popen:
        command = [sys.executable, SCRIPTS / "run", "--game", game, "--sizes", sizes, "--contest-sizes", sizes[0], "--out", str(out)]
        command += ["--log", str(out) + ".jsonl", *TOY, *more]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.kill)
        return process

    def until(self, process: subprocess.Popen, log: Path, kind: str, seconds: float = 180) -> None:
        """Waits for a line of this kind and ends the run by SIGTERM."""
        end = time.time() + seconds
        while time.time() < end and process.poll() is None:
            if log.exists() and f'"kind": "{kind}"' in log.read_text():
                break
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, text)
        self.assertIn(" end: ", text)

    def test_sigterm_and_resume(self) -> None:
        for game, sizes in (("havannah", "3:1"), ("hex", "3:1,4:1")):
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                one, two = Path(folder) / "one", Path(folder) / "two"
                self.until(self.start(game, sizes, one), Path(f"{one}.jsonl"), "contest")
                self.assertEqual(Reference(one.read_bytes()).header["game"], game)
                self.until(self.start(game, sizes, two, "--resume", f"{one}.checkpoint"), Path(f"{two}.jsonl"), "round")
                done = [json.loads(Path(f"{path}.jsonl").read_text().splitlines()[-1])["done"] for path in (one, two)]
                self.assertEqual([x["runs"] for x in done], [1, 2])
                self.assertGreater(done[1]["games"], done[0]["games"])
                svg = Path(folder) / "curve.svg"
                subprocess.run([sys.executable, SCRIPTS / "plot", f"{one}.jsonl", f"{two}.jsonl", "--out", svg], check=True)
                self.assertIn("policy loss", svg.read_text())
                other = "hex" if game == "havannah" else "havannah"
                failed = self.start(other, sizes, two, "--resume", f"{one}.checkpoint")
                text, _ = failed.communicate(timeout=120)
                self.assertNotEqual(failed.returncode, 0)
                self.assertIn("error:", text)
                self.assertNotIn("Traceback", text)


if __name__ == "__main__":
    unittest.main()
