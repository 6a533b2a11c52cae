"""What every test run needs: one thread for the sums, and a word on the browser."""

import os

import pytest
from threadpoolctl import threadpool_limits

from browser import NOT_RUN, find_chromium
from build import ONE_THREAD

os.environ.update(ONE_THREAD)  # for the processes that tests start
threadpool_limits(1)  # for this one, which has NumPy already
browser_tests_missed = pytest.StashKey[bool]()


def pytest_collection_finish(session):
    """Note whether this run has browser tests and no browser for them."""
    wanted = any("lab" in getattr(item, "fixturenames", ()) for item in session.items)
    session.config.stash[browser_tests_missed] = wanted and not find_chromium()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Say last of all that the browser tests were not run, where they were not."""
    if config.stash.get(browser_tests_missed, False):
        config.get_terminal_writer().line(NOT_RUN)
