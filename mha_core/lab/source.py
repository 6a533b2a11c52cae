"""The source of a function as a cell shows it."""

import ast
import inspect
import textwrap


class Source:
    """Python code that a notebook shows highlighted.

    Parameters
    ----------
    code : str
    """

    def __init__(self, code):
        self.code = code

    def __repr__(self):
        """Return the code."""
        return self.code

    def _repr_mimebundle_(self, include=None, exclude=None):
        fence = "```" if "```" not in self.code else "~~~~"
        markdown = f"{fence}python\n{self.code}\n{fence}"
        return {"text/plain": self.code, "text/markdown": markdown}


def show_source(f, docstring=False):
    """Return the source of a function or class, as it stands in its file.

    Parameters
    ----------
    f : function, method or class
    docstring : bool
        Whether to keep the docstrings.

    Returns
    -------
    Source
        Shown by a notebook as highlighted Python.

    Raises
    ------
    ValueError
        If `f` was not written in Python, or its file is not there.
    """
    try:
        code = inspect.getsource(inspect.unwrap(f))
    except (OSError, TypeError):
        raise ValueError(f"there is no Python source of {_name(f)} to show") from None
    code = textwrap.dedent(code).rstrip()
    return Source(code if docstring else _without_docstrings(code))


def _without_docstrings(code):
    lines = code.split("\n")
    for first, last in reversed(_docstrings(code)):
        after = last + (lines[last : last + 1] == [""])
        del lines[first - 1 : after]
    return "\n".join(lines)


def _docstrings(code):
    """Return first and last line of each docstring that has more code below it."""
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    nodes = [node for node in ast.walk(_parsed(code)) if isinstance(node, kinds)]
    found = [
        (node.body[0].lineno, node.body[0].end_lineno)
        for node in nodes
        if ast.get_docstring(node) is not None
        and len(node.body) > 1
        and node.lineno < node.body[0].lineno
        and node.body[0].end_lineno < node.body[1].lineno
    ]
    return sorted(found)


def _parsed(code):
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def _name(f):
    return getattr(f, "__name__", f"an object of type {type(f).__name__}")
