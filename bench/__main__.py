"""Measure all: make bench."""

import os
import platform
import sys

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from bench import attention, slider, training

if __name__ == "__main__":
    torch.set_num_threads(1)
    versions = f"NumPy {np.__version__}, torch {torch.__version__}"
    print(f"{versions}, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    print("Least CPU time of one thread: ours, theirs and the ratio")
    with threadpool_limits(1):
        held = [attention.run(), training.run()]
    held.append(slider.run())
    sys.exit(not all(held))
