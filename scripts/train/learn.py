"""A run of the trainer: from records first, then from self-play, with a log and files every minute."""

from __future__ import annotations

import argparse
import datetime
import json
import math
import random
import signal
import sys
import time
from pathlib import Path

import torch

from . import files, fused, records
from .files import FileError
from .games import Game
from .havannah import Havannah
from .hex import Hex
from .lessons import Learner, Lesson, measure
from .nets import Folded, Net, Shape
from .search import Options
from .selfplay import contest, self_play

GAMES: dict[str, type[Game]] = {"havannah": Havannah, "hex": Hex}


class Run:
    """One run: what it has been told, the nets, the time left, and where it tells what happens."""

    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.begun = time.time()
        self.reserve = min(20.0, 6 * args.minutes)
        self.end = self.begun + 60 * args.minutes
        self.stopped = False
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        random.seed(args.seed)
        torch.manual_seed(args.seed)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        kind = GAMES[args.game]
        self.shares = shares(args.sizes)
        self.games = {size: kind(size, self.device) for size in self.shares}
        self.log_file = open(args.log, "a", encoding="utf-8") if args.log else None
        self.done = {"runs": 0, "record_games": 0, "games": 0, "positions": 0, "steps": 0}
        if args.resume:
            net, done = files.load(args.resume, args.game, kind.planes, kind.taps)
            self.done |= done
        else:
            net = Net(Shape(
                kind.taps, kind.planes, kind.scalars, args.channels, tuple(args.blocks.split(",")),
                args.policy_channels, args.value_channels, ("value", "pass") if kind.passes else ("value",),
            ))
        self.done["runs"] += 1
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.average, self.at_start = self._copy(), None
        self.learner = Learner(self.net, self.average, args.weight_decay, args.decay)
        self.options = Options(
            args.width, args.sharpness, args.result_weight, args.simulations, args.c_visit, args.c_scale,
            args.cheap_share, args.cheap_width,
        )
        self.saved_at = self.contested_at = time.time()

    # ------------------------------------------------------------ parts of a run

    def supervise(self, lessons: list[Lesson], until: float) -> None:
        """Learns from records until that time, at a rate that falls to half."""
        begun, seen = time.time(), []
        weights = [math.sqrt(len(lesson)) for lesson in lessons]
        while time.time() < until and not self.stopped:
            rate = self.args.rate * (1 - 0.5 * (time.time() - begun) / max(1e-9, until - begun))
            seen.append(self.learner.step(random.choices(lessons, weights)[0].batch(self.args.batch), rate))
            if len(seen) == 200:
                self.say_losses("records", seen, rate)
                seen = []
            self.save_each_minute()
        if seen:
            self.say_losses("records", seen, rate)

    def play_and_learn(self) -> None:
        """Rounds of self-play, each followed by learning from the last rounds, until the time is over."""
        lessons: list[Lesson] = []
        begun, deadline = time.time(), self.end - self.reserve
        while time.time() < deadline and not self.stopped:
            at = time.time()
            size = random.choices(list(self.shares), list(self.shares.values()))[0]
            game = self.games[size]
            # As much work for each round, whatever the size.
            count = max(16, int(self.args.games * 169 / game.cells()))
            played = self_play(
                self.player(), game, count, self.options, lambda: self.stopped or time.time() > deadline
            )
            if played is None:
                break
            lesson, figures = played
            play_seconds = time.time() - at
            self.done["games"] += count
            self.done["positions"] += len(lesson)
            lessons = (lessons + [lesson])[-self.args.lessons :]
            at = time.time()
            share = min(1.0, (at - begun) / max(1e-9, deadline - begun))
            rate = self.args.play_rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
            steps = max(1, round(self.args.passes * len(lesson) / self.args.batch))
            weights = [len(x) for x in lessons]
            seen = []
            for _ in range(steps):
                seen.append(self.learner.step(random.choices(lessons, weights)[0].batch(self.args.batch), rate))
                if self.stopped or time.time() > deadline + 5:
                    break
            policy_loss, value_loss = torch.stack(seen).mean(0).tolist()
            self.say(
                "round", size=size, games=count, positions=len(lesson), length=figures["length"], plies=figures["plies"],
                first_score=round(float(figures["first_score"]), 3), value_gap=round(float(figures["value_gap"]), 3), play_seconds=round(play_seconds, 2),
                learn_seconds=round(time.time() - at, 2), steps=steps, rate=rate,
                policy_loss=round(policy_loss, 4), value_loss=round(value_loss, 4), all_games=self.done["games"],
            )
            self.save_each_minute(contests=True)

    def contests(self, pairs: int) -> None:
        """How the averaged net scores against the net with which self-play began."""
        for size in [int(text) for text in self.args.contest_sizes.split(",") if text]:
            if size in self.games and pairs and not self.stopped:
                at = time.time()
                score = contest(self.player(), self.at_start, self.games[size], pairs, Options(8))
                self.say("contest", size=size, games=2 * pairs, score=round(score, 4), took=round(time.time() - at, 1))

    def held_out(self, lessons: list[Lesson]) -> None:
        for lesson in lessons:
            self.say("apart", **measure(self.average, lesson))

    def everything(self) -> None:
        args = self.args
        self.say("begin", device=self.device, fused=self.device == "cuda" and fused.usable(), version=torch.__version__, done=self.done, shape=self.net.shape.json())
        learned_from, apart = [], []
        grouped = records.by_size(records.read(args.records, args.game), list(self.games))
        for size, found in grouped.items():
            apart.append(records.lessons(found[:: records.APART], self.games[size]))
            if not args.resume:
                rest = [record for k, record in enumerate(found) if k % records.APART]
                learned_from.append(records.lessons(rest, self.games[size]))
                self.done["record_games"] += len(rest)
        self.say("read", **{str(lesson.game.size): len(lesson) for lesson in learned_from})
        if learned_from:
            self.supervise(learned_from, self.begun + 60 * args.record_minutes)
            learned_from.clear()
        self.held_out(apart)
        self.save()
        self.at_start = Folded(self._copy(self.average).eval(), self.dtype)
        self.play_and_learn()
        self.save()
        self.held_out(apart)
        self.contests(args.contest_pairs)
        memory = torch.cuda.max_memory_allocated() >> 20 if self.device == "cuda" else 0
        self.say("end", done=self.done, gpu_mib=memory)

    # ------------------------------------------------------------ files and log

    def save(self) -> None:
        self.saved_at = time.time()
        self.done["steps"] = self.done.get("steps", 0) + self.learner.steps - getattr(self, "_counted", 0)
        self._counted = self.learner.steps
        files.save(self.average, self.args.game, self.done, self.args.out + ".checkpoint")
        try:
            files.export(self.average, self.args.game, self.args.out, self.provenance())
        except FileError as error:
            # The checkpoint is good all the same, and later weights may fit.
            self.say("warning", text=str(error))

    def save_each_minute(self, contests: bool = False) -> None:
        if time.time() - self.saved_at > self.args.save_seconds:
            self.save()
            if contests and time.time() - self.contested_at > self.args.contest_seconds:
                self.contests(self.args.contest_pairs // 2)
                self.contested_at = time.time()

    def provenance(self) -> dict:
        done = self.done
        return {
            "version": "scripts/train 2", "command": files.command(), "date": datetime.date.today().isoformat(),
            "records": [Path(path).name for path in self.args.records],
            "games": done["record_games"] + done["games"], "positions": done["positions"],
            "notes": f"{done['record_games']} games of records, then {done['games']} of self-play in {done['runs']} runs",
        }

    def say(self, kind: str, **content) -> None:
        """One line of the log and one on the standard output."""
        line = {"kind": kind, "seconds": round(time.time() - self.begun, 1)} | content
        if self.log_file:
            print(json.dumps(line), file=self.log_file, flush=True)
        words = " ".join(f"{key}={value:.3g}" if isinstance(value, float) else f"{key}={value}" for key, value in content.items())
        print(f"{line['seconds']:7.1f} s {kind}: {words}", flush=True)

    def say_losses(self, kind: str, seen: list[torch.Tensor], rate: float) -> None:
        policy_loss, value_loss = torch.stack(seen).mean(0).tolist()
        self.say(kind, steps=self.learner.steps, rate=rate, policy_loss=round(policy_loss, 4), value_loss=round(value_loss, 4))

    def player(self) -> Folded:
        return Folded(self.average.eval(), self.dtype)

    def _copy(self, net: Net | None = None) -> Net:
        net = net or self.net
        copy = Net(net.shape).to(self.device, memory_format=torch.channels_last)
        copy.load_state_dict(net.state_dict())
        return copy

    def _stop(self, *_) -> None:
        self.stopped = True


def shares(text: str) -> dict[int, float]:
    """Sizes and how often each is played, as in "4:4,5:24"."""
    try:
        found = {int(size): float(share) for size, share in (part.split(":") for part in text.split(","))}
    except ValueError:
        raise FileError(f"--sizes {text}: write sizes and shares like 5:24,8:26") from None
    return dict(sorted(found.items()))


def parser(description: str) -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", required=True, choices=sorted(GAMES))
    p.add_argument("--out", required=True, help="the weight file to write; OUT.checkpoint is written beside it")
    p.add_argument("--resume", help="a checkpoint to go on from; records are then only used to measure")
    p.add_argument("--records", nargs="*", default=[], help="SGF files, plain or .xz, a game a line")
    p.add_argument("--minutes", type=float, default=9, help="how long the run may take in all (default 9)")
    p.add_argument("--record-minutes", type=float, default=1.5, help="of these, learning from records (default 1.5)")
    p.add_argument("--log", help="a file that a JSON object a line is added to")
    p.add_argument("--save-seconds", type=float, default=60, help="time between checkpoints (default 60)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, help="threads on the CPU (default: PyTorch's)")
    net = p.add_argument_group("the net (a resumed one keeps its shape)")
    net.add_argument("--channels", type=int, default=64)
    net.add_argument("--blocks", default="plain,pool,plain,pool,plain,plain", help="residual blocks, plain or pool")
    net.add_argument("--policy-channels", type=int, default=0)
    net.add_argument("--value-channels", type=int, default=32)
    play = p.add_argument_group("self-play")
    play.add_argument("--sizes", help="board sizes and how often, like 5:24,8:26")
    play.add_argument("--games", type=int, default=2048, help="games side by side at Havannah 8; more on smaller boards")
    play.add_argument("--width", type=int, default=16, help="moves looked at (default 16)")
    play.add_argument("--simulations", type=int, default=1, help="of a search for each move; 1 (default): look one move ahead")
    play.add_argument("--sharpness", type=float, default=1.5, help="how much values count one move ahead (default 1.5)")
    play.add_argument("--c-visit", type=float, default=50, help="of the search: how much values count (default 50)")
    play.add_argument("--c-scale", type=float, default=0.5, help="of the search: how much values count (default 0.5)")
    play.add_argument("--cheap-share", type=float, default=0.0, help="of moves, chosen by a short look and not learned from")
    play.add_argument("--cheap-width", type=int, default=4, help="moves looked at then (default 4)")
    play.add_argument("--result-weight", type=float, default=0.75, help="of the result, beside the value found")
    play.add_argument("--contest-sizes", help="sizes of games against the net of the start")
    play.add_argument("--contest-pairs", type=int, default=256, help="pairs of games at the end; half of them before")
    play.add_argument("--contest-seconds", type=float, default=180, help="time between such games (default 180)")
    learn = p.add_argument_group("learning")
    learn.add_argument("--batch", type=int, default=2048)
    learn.add_argument("--rate", type=float, default=2e-3, help="for records")
    learn.add_argument("--play-rate", type=float, default=1e-3, help="for self-play; falls to a hundredth within the run")
    learn.add_argument("--weight-decay", type=float, default=1e-4)
    learn.add_argument("--decay", type=float, default=0.998, help="of the average of weights, per step")
    learn.add_argument("--lessons", type=int, default=40, help="so many last rounds of self-play are learned from")
    learn.add_argument("--passes", type=float, default=2.0, help="how often each position is learned from, about")
    return p


def main(description: str) -> None:
    args = parser(description).parse_args()
    args.sizes = args.sizes or GAMES[args.game].default_sizes
    args.contest_sizes = args.contest_sizes if args.contest_sizes is not None else GAMES[args.game].contest_sizes
    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        Run(args).everything()
    except (FileError, ValueError) as error:
        sys.exit(f"error: {error}")
