"""Tests of the trainer: `python3 -m unittest discover -s scripts/train/tests -t scripts`."""

import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("PyTorch is missing") from None

torch.set_num_threads(1)
