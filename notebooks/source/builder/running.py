"""Running a notebook, as strict validation will run it."""

import ast
import re

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from builder import passages
from builder.editions import metadata_of
from builder.sources import NOTEBOOKS, SourceError

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_TIMEOUT = 300  # seconds: twelve of work beside ten others, and more


class Reader(NotebookClient):
    """Runs the cells in order, and asks for the computed numbers of passages there."""

    async def async_execute_cell(self, cell, cell_index, **options):
        """Run a code cell; of a passage, note the computed numbers."""
        if cell.cell_type == "code":
            return await super().async_execute_cell(cell, cell_index, **options)
        wanted = passages.fields(cell.source)
        self.found[cell_index] = await self._values(wanted) if wanted else {}
        return cell

    async def _values(self, fields):
        asked = {field: passages.expression(field) for field in fields}
        reply = await self.kc.execute_interactive(
            "", silent=True, user_expressions=asked, timeout=CELL_TIMEOUT
        )
        return reply["content"]["user_expressions"]


def execute(notebook, name, numbers=None):
    """Run a notebook in place, and return the computed numbers of each cell.

    Parameters
    ----------
    notebook : NotebookNode
    name : str
        Of the lesson.
    numbers : sequence of int, optional
        Of the cells in the source.

    Returns
    -------
    list of dict
        Field to text, for each cell.
    """
    client = Reader(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    client.found = {}
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise SourceError(_failure(notebook, name, error)) from None
    numbers = numbers or range(1, 1 + len(notebook.cells))
    return [
        {field: _text(f"{name}.py, cell {n}", field, result) for field, result in some}
        for index, n in enumerate(numbers)
        for some in [client.found.get(index, {}).items()]
    ]


def _text(where, field, result):
    if result["status"] != "ok":
        error = f"{result['ename']}: {result['evalue']}"
        raise SourceError(f"{where}: {field} failed: {error}")
    return ast.literal_eval(result["data"]["text/plain"])


def _failure(notebook, name, error):
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    failed = [c for c in codes if any(o.output_type == "error" for o in c.outputs)]
    started = [c for c in codes if c.execution_count or c.outputs] or codes
    cell = (failed or started)[-1]
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    return (
        f"{name}.py, code cell {codes.index(cell) + 1} failed:\n\n{cell.source}\n\n"
        f"{text.splitlines()[-1]}"
    )


def fill(notebook, values):
    """Put the computed numbers into the passages, in place."""
    for cell, found in zip(notebook.cells, values, strict=True):
        if cell.cell_type == "markdown":
            cell.source = passages.filled(cell.source, found)


def with_outputs(notebook, executed):
    """Give a notebook the outputs of another edition of the same lesson."""
    for cell, source in zip(notebook.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs = source.outputs
            cell.execution_count = source.execution_count
    return notebook


def clean(notebook, lang="en"):
    """Remove what changes from run to run, in place."""
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(codes, 1):
        cell.execution_count = count
        cell.outputs = [out for out in map(_clean_output, cell.outputs) if out]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    notebook.metadata = metadata_of(lang)


def _clean_output(output):
    if "data" not in output:
        return output
    output.data.pop(WIDGET_VIEW, None)
    alt = output.metadata.get("image/png", {}).get("alt")
    output.metadata = nbformat.from_dict({"image/png": {"alt": alt}} if alt else {})
    return output if output.data else None
