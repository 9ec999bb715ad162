"""Positions with what is to be learned about them, and steps of learning."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .games import Game, legal_from_packed, unpack
from .nets import Net


@dataclass
class Lesson:
    """Positions of one game and size: packed planes, improved policy (half), value for the player to move."""

    game: Game
    packed: Tensor
    policy: Tensor
    value: Tensor

    def __len__(self) -> int:
        return len(self.value)

    def rows(self, index: Tensor) -> "Lesson":
        return Lesson(self.game, self.packed[index], self.policy[index], self.value[index])

    def batch(self, count: int) -> tuple[Game, Tensor, Tensor, Tensor]:
        """Positions drawn at random, each under a symmetry drawn at random."""
        index = torch.randint(0, len(self), (count,), device=self.packed.device)
        packed, policy = self.game.turned(self.packed[index], self.policy[index])
        return self.game, packed, policy, self.value[index]

    @classmethod
    def joined(cls, parts: list["Lesson"]) -> "Lesson":
        fields = ((part.packed, part.policy, part.value) for part in parts)
        return cls(parts[0].game, *(torch.cat(x) for x in zip(*fields)))


def losses(net: Net, game: Game, packed: Tensor, policy: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Cross entropy of the policy and of the value, then the logits of both."""
    dtype = next(net.parameters()).dtype
    x = unpack(packed, len(game.planes), game.stride, dtype)
    logits, outputs, _ = net(x)
    legal = legal_from_packed(packed)
    if game.passes:
        legal = F.pad(legal, (0, 1), value=True)
    logits = logits.float().masked_fill(~legal, -1e4)
    policy_loss = -(policy.float() * logits.log_softmax(1)).sum(1).mean()
    values = outputs[:, 0].float()
    return policy_loss, F.binary_cross_entropy_with_logits(values, value), logits, values


class Learner:
    """A net, its optimizer, and the running average of its weights, which is what plays and is kept."""

    def __init__(self, net: Net, average: Net, weight_decay: float, decay: float):
        self.net, self.average, self.decay = net, average, decay
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=0.0, weight_decay=weight_decay)
        self.steps = 0
        self._pairs = self._floats(average), self._floats(net)

    @staticmethod
    def _floats(net: Net) -> list[Tensor]:
        return [x for x in net.state_dict().values() if x.is_floating_point()]

    def step(self, batch: tuple[Game, Tensor, Tensor, Tensor], rate: float) -> Tensor:
        """Learns from one batch; returns both losses."""
        self.steps += 1
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, self.steps / 200)
        self.net.train()
        device = batch[1].device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            policy_loss, value_loss, _, _ = losses(self.net, *batch)
        self.optimizer.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        weight = 1 - min(self.decay, self.steps / (self.steps + 10))
        with torch.no_grad():
            torch._foreach_lerp_(self._pairs[0], self._pairs[1], weight)
        return torch.stack([policy_loss.detach(), value_loss.detach()])


@torch.no_grad()
def measure(net: Net, lesson: Lesson, most: int = 16384) -> dict:
    """How well the net predicts moves and results of positions it has not learned from."""
    net.eval()
    sums = torch.zeros(4, device=lesson.packed.device)
    count = min(most, len(lesson))
    order = torch.randperm(len(lesson), generator=torch.Generator().manual_seed(1))[:count].to(lesson.packed.device)
    for index in order.split(2048):
        part = lesson.rows(index)
        policy_loss, value_loss, logits, values = losses(net, part.game, part.packed, part.policy, part.value)
        top = (logits.argmax(1) == part.policy.argmax(1)).float().mean()
        right = ((values > 0) == (part.value > 0.5)).float().mean()
        sums += torch.stack([policy_loss, top, value_loss, right]) * len(part)
    names = ("policy_loss", "top1", "value_loss", "winner")
    return {"size": lesson.game.size, "positions": count} | {
        name: round(x, 4) for name, x in zip(names, (sums / count).tolist())
    }
