"""Measure all: make bench."""

import os
import platform
import sys

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from bench import attention, training

if __name__ == "__main__":
    torch.set_num_threads(1)
    load = os.getloadavg()[0]
    print(f"NumPy {np.__version__}, torch {torch.__version__}, {platform.machine()}, ")
    print(f"load {load:.1f}; least CPU time of one thread, ours and theirs, and the ratio")
    with threadpool_limits(1):
        held = [attention.run(), training.run()]
    sys.exit(not all(held))
