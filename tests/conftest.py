import os

import pytest

from browser import NOT_RUN, find_chromium, start_lab


# Not wider than a module: an open Playwright leaves an event loop running in this
# thread, which validation of the notebooks cannot live with.
@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab on a copy of the notebooks, with a browser open on it."""
    if not find_chromium():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(NOT_RUN)
    with start_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def opened():
    """Open views that are closed after the test."""
    views = []

    def opened(make, **first):
        views.append(make(**first))
        return views[-1]

    yield opened
    for view in views:
        view.close()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Say last of all that the browser tests were not run, where they were not."""
    told = config.pluginmanager.get_plugin("terminalreporter")
    skipped = told.stats.get("skipped", []) if told else []
    if any(NOT_RUN in str(report.longrepr) for report in skipped):
        told.write_line(NOT_RUN)
