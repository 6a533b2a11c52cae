"""What every test run needs: one thread for the sums, and an order for the workers."""

import os

import pytest
from threadpoolctl import threadpool_limits

from build import ONE_THREAD

pytest_plugins = ["nbval_pictures"]
os.environ.update(ONE_THREAD)  # for the processes that tests start
threadpool_limits(1)  # for this one, which has NumPy already


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each file whole to one worker: a cell needs the cells above it."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
