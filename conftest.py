"""What every test run needs: one thread for the sums, and an order for the workers."""

import os

import pytest
from threadpoolctl import threadpool_limits

from builder.threads import ONE_THREAD

pytest_plugins = ["nbval_pictures"]
os.environ.update(ONE_THREAD)  # for the processes that tests start
threadpool_limits(1)  # for this one, which has NumPy already
# The files that take longest, so that no worker begins one when others are done.
LONGEST = ("test_binder.py", "test_browser.py", "test_live_views.py", ".ipynb")
LONGEST += ("test_heads_view.py", "test_fuzz.py", "test_views.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Put the longest files first where several workers share them."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _rank(item.path.name))


def _rank(name):
    ranks = [n for n, end in enumerate(LONGEST) if name.endswith(end)]
    return ranks[0] if ranks else len(LONGEST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each file whole to one worker: a cell needs the cells above it."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
