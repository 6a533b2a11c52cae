"""What one student costs: servers and kernels side by side on one machine.

``python -m bench.classroom 8`` starts eight JupyterLab servers, as a hub does, and
has a kernel of each run every lesson, all at the same time.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("0*.ipynb"))
SERVER = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]


def main(students=8):
    """Print memory and processor time of one student and of many, by lesson."""
    with tempfile.TemporaryDirectory() as folder:
        servers = [_serve(Path(folder), k) for k in range(students)]
        time.sleep(20)
        shared = sum(_megabytes(server.pid) for server in servers) / students
        for server in servers:
            server.terminate()
    print(f"{students} students, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"server: {shared:.0f} MB")
    for path in LESSONS:
        alone, together = (asyncio.run(_class(path, n)) for n in (1, students))
        print(
            f"{path.stem:24s} kernel {together[0]:4.0f} MB, {together[1]:5.1f} s of a "
            f"core, done after {alone[2]:4.0f} s alone, {together[2]:4.0f} s together",
            flush=True,
        )


def _serve(folder, k):
    settings = {"JUPYTER_RUNTIME_DIR": str(folder / str(k)), "HOME": str(folder)}
    command = [*SERVER, f"--ServerApp.port={18900 + k}", "--ServerApp.port_retries=50"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=folder, env=os.environ | settings, **quiet)


async def _class(path, students):
    """Return MB and CPU seconds of a kernel, and the seconds that all took."""
    start = time.monotonic()
    costs = await asyncio.gather(*(_student(path) for _ in range(students)))
    seconds = time.monotonic() - start
    memory, work = (sum(cost) / students for cost in zip(*costs, strict=True))
    return memory, work, seconds


async def _student(path):
    client = NotebookClient(nbformat.read(path, as_version=4), timeout=600)
    async with client.async_setup_kernel():
        for k, cell in enumerate(client.nb.cells):
            await client.async_execute_cell(cell, k)
        process = psutil.Process(client.km.provisioner.pid)
        times = process.cpu_times()
        return _megabytes(process.pid), times.user + times.system


def _megabytes(pid):
    """Return the memory of a process, where a part that n share counts for 1 / n."""
    return psutil.Process(pid).memory_full_info().pss / 2**20


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
