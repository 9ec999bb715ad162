"""What follows a convolution, in one pass over memory: bias, sum, clip, mask.

On a GPU this is a small Triton kernel, tried once against PyTorch's own operations on random numbers;
where it does not compile or does not agree, and on a CPU, PyTorch's operations do the work.
"""

from __future__ import annotations

import sys

import torch
from torch import Tensor

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

_works: bool | None = None

if triton is not None:

    @triton.jit
    def _finish(
        x, bias, board, add, pool, total, cells, ceiling,
        channels: tl.constexpr, has_add: tl.constexpr, has_pool: tl.constexpr, block: tl.constexpr,
    ):
        at = tl.program_id(0) * block + tl.arange(0, block)
        inside = at < total
        channel = at % channels
        cell = at // channels
        sums = tl.load(x + at, mask=inside, other=0.0).to(tl.float32) + tl.load(bias + channel)
        if has_add:
            sums += tl.load(add + at, mask=inside, other=0.0).to(tl.float32)
        if has_pool:
            sums += tl.load(pool + cell // cells * channels + channel, mask=inside, other=0.0)
        sums = tl.minimum(tl.maximum(sums, 0.0), ceiling)
        sums *= tl.load(board + cell % cells, mask=inside, other=0.0)
        tl.store(x + at, sums.to(x.dtype.element_ty), mask=inside)


def finish(x: Tensor, bias: Tensor, board: Tensor, add: Tensor | None, pool: Tensor | None, ceiling: float) -> Tensor:
    """clip(x + bias + add + pool) on the board, 0 off it; x may be overwritten.

    x and add are [positions, channels, rows, columns], bias [channels], board [1, 1, rows, columns],
    pool [positions, channels].
    """
    suits = x.is_cuda and x.is_contiguous(memory_format=torch.channels_last) and x.numel() < 1 << 31
    suits = suits and (add is None or add.is_contiguous(memory_format=torch.channels_last))
    if suits and usable():
        return _with_triton(x, bias, board, add, pool, ceiling)
    return plain(x, bias, board, add, pool, ceiling)


def plain(x: Tensor, bias: Tensor, board: Tensor, add: Tensor | None, pool: Tensor | None, ceiling: float) -> Tensor:
    """The same with PyTorch's operations."""
    x = x + bias.to(x.dtype)[:, None, None]
    if add is not None:
        x += add
    if pool is not None:
        x += pool.to(x.dtype)[:, :, None, None]
    return x.clamp_(0, ceiling).mul_(board.to(x.dtype))


def _with_triton(x, bias, board, add, pool, ceiling):
    total, block = x.numel(), 2048
    _finish[(triton.cdiv(total, block),)](
        x, bias, board, x if add is None else add, bias if pool is None else pool.contiguous(), total,
        x.shape[2] * x.shape[3], ceiling,
        channels=x.shape[1], has_add=add is not None, has_pool=pool is not None, block=block, num_warps=8,
    )
    return x


def usable() -> bool:
    """Whether the kernel compiles and agrees here; found out at the first call."""
    global _works
    if _works is None:
        _works = triton is not None and _agrees()
        if not _works:
            print("fused kernel: not usable here, PyTorch's operations are used", file=sys.stderr, flush=True)
    return _works


def _agrees() -> bool:
    try:
        make = lambda *shape: torch.randn(*shape, device="cuda", dtype=torch.bfloat16)
        layout = {"memory_format": torch.channels_last}
        x, add = make(37, 48, 7, 9).contiguous(**layout), make(37, 48, 7, 9).contiguous(**layout)
        bias, pool = torch.randn(48, device="cuda"), torch.randn(37, 48, device="cuda")
        board = (torch.rand(1, 1, 7, 9, device="cuda") < 0.7).float()
        for a, p in ((None, None), (add, None), (None, pool), (add, pool)):
            expected = plain(x.float(), bias, board, None if a is None else a.float(), p, 2.0)
            found = _with_triton(x.clone(**layout), bias, board, a, p, 2.0)
            if not torch.allclose(found.float(), expected, atol=0.02):
                return False
        return True
    except Exception as error:  # Compilers fail in many ways; each means that the kernel is not usable.
        print(f"fused kernel: {error}", file=sys.stderr, flush=True)
        return False
