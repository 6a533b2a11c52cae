from functools import partial, wraps

import pytest

from mha_core.lab import show_source


def doubled(f):
    @wraps(f)
    def twice(*args):
        return f(*args) * 2

    return twice


@doubled
def plain(x):
    """Return x.

    The blank line below the docstring goes too.
    """

    return x  # (T,)


class Kind:
    """A kind."""

    def only_words(self):
        """Do nothing."""

    def one_line(self): return "```"  # fmt: skip

    def nested(self):
        """Return a function."""

        def inner():
            """Return 1."""
            return 1

        return inner


def test_the_function_below_its_decorator_is_shown():
    assert plain(1) == 2
    assert repr(show_source(plain)) == "@doubled\ndef plain(x):\n    return x  # (T,)"


def test_the_docstring_is_kept_if_asked():
    assert "Return x." in repr(show_source(plain, docstring=True))


def test_the_bundle_is_highlighted_and_compared():
    bundle = show_source(plain)._repr_mimebundle_()
    assert bundle["text/markdown"] == f"```python\n{bundle['text/plain']}\n```"


def test_classes_lose_the_docstrings_that_they_can_lose():
    code = repr(show_source(Kind))
    assert "A kind" not in code
    assert "Return 1" not in code
    assert '"""Do nothing."""' in code
    compile(code, "kind", "exec")


def test_a_fence_in_the_code_is_fenced():
    markdown = show_source(Kind)._repr_mimebundle_()["text/markdown"]
    assert markdown.startswith("~~~~python\n")
    assert markdown.endswith("\n~~~~")


def test_methods_are_shown_from_the_margin():
    assert repr(show_source(Kind.nested)).startswith("def nested(self):")


def test_a_lambda_is_shown_as_it_stands():
    assert "lambda" in repr(show_source(lambda: 1))


@pytest.mark.parametrize("thing", [len, 5, partial(plain, 1)])
def test_what_has_no_source_is_refused(thing):
    with pytest.raises(ValueError, match="there is no Python source of"):
        show_source(thing)
