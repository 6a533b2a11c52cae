"""A real JupyterLab in a real browser, for tests.

``start_lab(folder)`` serves a copy of the notebooks, ``Lab.open(path)`` shows one,
and the ``Page`` that comes back runs its cells, works its controls and reads its
pictures. ``start_lab(folder, home, command)`` serves ``home`` by another command.
"""

import base64
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import numpy as np
import psutil
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
NOT_RUN = "browser tests were not run: no Chromium found (make chromium installs it)"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LAB = (sys.executable, "-m", "jupyterlab")
NOTEBOOK = (sys.executable, "-m", "notebook")
CONFIG = {
    "ServerApp": {"allow_root": True, "open_browser": False, "port_retries": 50},
    "ExtensionApp": {"open_browser": False},
    "LabApp": {"expose_app_in_browser": True},
    "JupyterNotebookApp": {"expose_app_in_browser": True},
}
# Otherwise cells outside the window are not in the page.
SETTINGS = {"@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"}}
PRINTED = re.compile(r"^\s*http://127\.0\.0\.1:\d+/(\S*)\?token=\w+$", re.MULTILINE)
IN_FRONT = """path =>
  window.jupyterapp?.shell?.currentWidget?.context?.path === path"""
# Without this wait "run all" is lost while the kernel's socket is not yet up.
CONNECT = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  const kernel = panel.sessionContext.session.kernel;
  await kernel.info;
  while (kernel.connectionStatus !== 'connected')
    await new Promise(done => setTimeout(done, 50));
  await kernel.requestKernelInfo();
}"""
# Cleared first, so that what is there afterwards was made by this run.
RUN_ALL = """async () => {
  const commands = window.jupyterapp.commands;
  await commands.execute('notebook:clear-all-cell-outputs');
  await commands.execute('notebook:run-all-cells');
}"""
WITHIN = """seconds => Promise.race([
  (%s)(),
  new Promise((_, fail) => setTimeout(
    () => fail(new Error(`not done in ${seconds} s`)), seconds * 1000)),
])"""
# Returns what it prints.
EXECUTE = """async code => {
  const session = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const future = session.kernel.requestExecute({ code });
  const printed = [];
  future.onIOPub = ({ content }) => {
    if (content.name === 'stdout') printed.push(content.text);
  };
  const { content } = await future.done;
  if (content.status !== 'ok') throw new Error(`${content.ename}: ${content.evalue}`);
  return printed.join('');
}"""
CELLS = """() => window.jupyterapp.shell.currentWidget.context.model
  .sharedModel.toJSON().cells"""
FITS = """css => {
  const image = document.querySelector(css);
  const room = Math.min(image?.closest('.mha-shown')?.clientWidth, 1600);
  const least = parseFloat(image?.style.minWidth) ? 760 : 0;
  const wide = room < 600 ? Math.max(Math.round(1.45 * room), least) : room;
  const length = name => Number(image.getAttribute(name));
  if (!image?.complete || !image.naturalWidth || length('width') !== wide) return null;
  return [wide, length('height'), image.naturalWidth / wide];
}"""
PIXELS = """async (image) => {
  await image.decode();
  const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}"""


def find_chromium():
    """Return the path of a Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def start_lab(folder, home=None, command=LAB):
    """Serve a copy of the notebooks from a folder, and open a browser on it.

    The folder keeps settings and the log; given a home, that is served as it is.
    """
    home = home or _copy_notebooks(folder)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS
        )
        with serve(browser, folder, home, command) as lab:
            yield lab
        browser.close()


@contextmanager
def serve(browser, folder, home, command):
    """Serve a home by a command, for a browser that runs already."""
    server, url = _start_server(folder, home, command)
    process = psutil.Process(server.pid)
    try:
        yield Lab(browser, url, process, home)
    finally:
        end(process)


def end(process):
    """End a process and all that it has started, such as what make runs."""
    family = [*process.children(recursive=True), process]
    for member in family:
        with suppress(psutil.NoSuchProcess):
            member.terminate()
    _, alive = psutil.wait_procs(family, timeout=30)
    for member in alive:
        member.kill()


def _copy_notebooks(folder):
    hidden = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=hidden)
    return folder


def _start_server(folder, home, command):
    """Start a command in a home; return its process, and a template of addresses.

    The folder gets its settings, what it remembers, and ``server.log``.
    """
    environment = _environment(folder)
    with (folder / "server.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            command, cwd=home, env=environment, stdout=log, stderr=log
        )
    return server, _address(server, folder)


def _environment(folder):
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    _write_json(folder / "config" / "jupyter_config.json", CONFIG)
    for name, settings in SETTINGS.items():
        _write_json(folder / "settings" / f"{name}.jupyterlab-settings", settings)
    return os.environ | {key: str(folder / sub) for key, sub in names.items()}


def _write_json(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values), encoding="utf-8")


def _address(server, folder, seconds=60):
    """Wait until the server has written down its address."""
    for _ in range(seconds * 10):
        for path in (folder / "runtime").glob("jpserver-*.json"):
            text = path.read_text(encoding="utf-8")
            if text.rstrip().endswith("}"):
                info = json.loads(text)
                return f"{info['url']}{{}}?reset&token={info['token']}"
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    raise RuntimeError(f"the server did not start:\n{_log(folder)}")


def printed(folder, seconds=20):
    """Wait for the address that the server prints; return what follows the host."""
    for _ in range(seconds * 10):
        if found := PRINTED.search(_log(folder)):
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"the server printed no address:\n{_log(folder)}")


def _log(folder):
    return (folder / "server.log").read_text(encoding="utf-8")


class Lab:
    """A running JupyterLab and the browser that looks at it."""

    def __init__(self, browser, url, server, home):
        self.browser, self.home = browser, home
        self._url = url
        self._server = server

    @contextmanager
    def open(self, notebook, address=None):
        """Show a notebook, such as ``notebooks/01_the_bottleneck.ipynb``.

        The address is the one that JupyterLab gives it, if it is not told.
        """
        address = f"lab/tree/{quote(notebook)}" if address is None else address
        with self.browser.new_context(
            viewport={"width": 1280, "height": 900}
        ) as context:
            page = Page(context.new_page(), self._url.partition("/{}")[0])
            page.go(self._url.format(address), notebook)
            yield page

    def memory(self):
        """Return the most MB that the server, and that any one kernel, ever took."""
        kernels = [peak_memory(child.pid) for child in self._server.children()]
        return peak_memory(self._server.pid), max(kernels)


def peak_memory(pid):
    """Return the most memory that a process ever had, in MB; or now, off Linux."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return psutil.Process(pid).memory_info().rss / 2**20
    return (
        int(re.search(r"VmHWM:\s+(\d+)", status.read_text(encoding="utf-8"))[1]) / 2**10
    )


class Page:
    """One notebook in the browser; ``.page`` is Playwright's own page.

    ``.foreign`` lists requests that left the host, ``.errors`` what the page
    complained about.
    """

    def __init__(self, page, host):
        self.page = page
        self.foreign = []
        self.errors = []
        self._own = (host, host.replace("http", "ws", 1), "data:", "blob:", "about:")
        page.set_default_timeout(60_000)
        page.on("request", lambda request: self._see(request.url))
        page.on("websocket", lambda socket: self._see(socket.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)

    def _see(self, url):
        if not url.startswith(self._own):
            self.foreign.append(url)

    def _hear(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def go(self, url, notebook):
        """Load an address and wait until the notebook's kernel listens."""
        self.page.goto(url)
        self.page.wait_for_function(IN_FRONT, arg=notebook)
        self.page.evaluate(WITHIN % CONNECT, 60)

    def run_all(self, seconds=300):
        """Clear all outputs, run every cell, and wait until the last one is done."""
        self.page.evaluate(WITHIN % RUN_ALL, seconds)

    def run(self, code):
        """Run a line in the notebook's kernel; return what it prints."""
        return self.page.evaluate(EXECUTE, code)

    def asked(self):
        """Return the texts of all boxes that lie over the page."""
        return self.page.locator(".Toastify__toast, .jp-Dialog").all_inner_texts()

    def cells(self):
        """Return the notebook's cells as they are now, as nbformat dictionaries."""
        return self.page.evaluate(CELLS)

    def cell_errors(self):
        """Return name and message of each error below a cell."""
        outputs = [out for cell in self.cells() for out in cell.get("outputs", [])]
        return [
            f"{out['ename']}: {out['evalue']}"
            for out in outputs
            if out["output_type"] == "error"
        ]

    def type_text(self, css, text):
        """Put a text into the box inside ``css`` and press Enter."""
        box = self.page.locator(f"{css} input, {css} textarea").first
        box.fill(text)
        box.press("Enter")

    def click(self, css):
        """Press the button that is, or is inside, ``css``."""
        self.page.locator(f"button{css}, {css} button").first.click()

    def slide(self, css, key, times=1):
        """Move the slider inside ``css`` with a key such as ``ArrowRight``."""
        handle = self.page.locator(f"{css} input[type=range]").first
        handle.focus()
        for _ in range(times):
            handle.press(key)

    def drag(self, css, part):
        """Pull the slider inside ``css`` to a part of its track: 0 is the left end."""
        slider = self.page.locator(f"{css} input[type=range]").first
        slider.scroll_into_view_if_needed()
        track = slider.bounding_box()
        middle = track["y"] + track["height"] / 2
        self.page.mouse.move(track["x"] + track["width"] / 2, middle)
        self.page.mouse.down()
        track = slider.bounding_box()  # pressing may have scrolled the page
        middle = track["y"] + track["height"] / 2
        self.page.mouse.move(track["x"] + 1 + part * (track["width"] - 2), middle)
        self.page.mouse.up()

    def to_the_ends(self, word):
        """Put every control of every view to its end, and a word into each text box.

        Boxes are ticked and emptied; of a list, each choice is taken.
        """
        for handle in self.page.locator(".mha-view input[type=range]").all():
            handle.press("End")
        for choices in self.page.locator(".mha-view select").all():
            for k in range(choices.locator("option").count()):
                choices.select_option(index=k)
        for box in self.page.locator(".mha-view input[type=text]").all():
            box.fill(word)
            box.press("Enter")
        for box in self.page.locator(".mha-view input[type=checkbox]").all():
            box.click()
            box.click()
        self.page.evaluate(WITHIN % CONNECT, 120)

    def text(self, css):
        """Return the text that stands in ``css``."""
        return self.page.locator(css).first.inner_text()

    def wait_for_text(self, css, part):
        """Wait until a text holds a part."""
        self.page.locator(css, has_text=part).first.wait_for()

    def drawn_at(self, css):
        """Wait until the picture of a view fits its page; return what it is drawn for.

        That is width and height in pixels of the page, and the density.
        """
        found = self.page.wait_for_function(FITS, arg=f"{css} .mha-picture")
        return found.json_value()

    def picture(self, css):
        """Return the pixels of the image that is, or is inside, ``css``."""
        image = self.page.locator(css).locator("xpath=descendant-or-self::img").first
        data = base64.b64decode(image.evaluate(PIXELS))
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))

    def wait_for_picture(self, css, pixels, seconds=30):
        """Wait until a picture has exactly these pixels."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.shows(css, pixels):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the picture in {css} is another one after {seconds} s")

    def shows(self, css, pixels):
        """Return whether a picture has exactly these pixels now."""
        now = self.picture(css)[..., :3]
        return now.shape == pixels.shape and bool((now == pixels).all())

    def wait_for_new_picture(self, css, before, seconds=30):
        """Wait until a picture differs from an earlier one, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            now = self.picture(css)
            if now.shape != before.shape or (now != before).any():
                return now
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the picture in {css} did not change in {seconds} s")
