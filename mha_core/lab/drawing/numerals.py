"""Numbers as pictures and the text under them print them."""

import math

MINUS = "\u2212"


def rounded(value, exact):
    """Return a number with so many decimals, without a minus before 0."""
    text = f"{value:.{exact}f}"
    return text if float(text) else text.lstrip("-")


def number(value, exact):
    """Return a number as cells and bars print it, with a minus that is seen."""
    return rounded(value, exact).replace("-", MINUS)


def telling(value, exact):
    """Return a number as a cell prints it: nothing where it rounds to 0."""
    text = number(value, exact)
    return text if text.strip("0.") else ""


def decimals(limits):
    """Return how many decimals tell numbers on a scale apart: two from 0 to 1."""
    digits = math.floor(math.log10(max(abs(limit) for limit in limits)))
    return 1 - digits if digits < 0 else max(0, 2 - digits)


def figures(values):
    """Return numbers with six digits each, more only where two would look alike."""
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) >= len(set(values)):
            break
    return texts


def ticks(values):
    """Return numbers as an axis prints them, with a minus that is seen."""
    return [text.replace("-", MINUS) for text in figures(values)]
