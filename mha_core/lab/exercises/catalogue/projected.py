"""Queries, keys and values, projected, and what readers do otherwise."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import slip


def by(matrix):
    """Return a step that projects the sequence with a matrix of this name."""
    return lambda a: a.X @ getattr(a, matrix)


def by_turned(matrix):
    """Return a step that projects with a matrix turned round, as torch keeps it."""
    return lambda a: a.X @ getattr(a, matrix).T


def as_it_is(a):
    """Return the sequence itself."""
    return a.X


PROJECT = {"Q": by("W_Q"), "K": by("W_K"), "V": by("W_V")}

PROJECTING = (
    slip(
        sentence("the queries are compared with queries: the keys are X @ W_K"),
        K=by("W_Q"),
    ),
    slip(
        sentence("the keys are compared with keys: the queries are X @ W_Q"),
        Q=by("W_K"),
    ),
    slip(
        sentence("the keys stand where the values belong: the values are X @ W_V"),
        V=by("W_K"),
    ),
    slip(
        sentence("the queries stand where the values belong: the values are X @ W_V"),
        V=by("W_Q"),
    ),
    slip(
        sentence("the queries are compared with the values: the keys are X @ W_K"),
        K=by("W_V"),
    ),
    slip(
        sentence("the values ask in place of the queries: the queries are X @ W_Q"),
        Q=by("W_V"),
    ),
    slip(
        sentence(
            "queries and keys are exchanged: rows are queries, X @ W_Q, and the scores "
            "are query @ key.T"
        ),
        Q=by("W_K"),
        K=by("W_Q"),
    ),
    slip(
        sentence("keys and values are exchanged: W_K makes the keys, W_V the values"),
        K=by("W_V"),
        V=by("W_K"),
    ),
    slip(
        sentence("queries and values are exchanged: W_Q makes the queries"),
        Q=by("W_V"),
        V=by("W_Q"),
    ),
    slip(
        sentence("all three matrices are in wrong places: Q, K, V in this order"),
        {"Q": by("W_K"), "K": by("W_V"), "V": by("W_Q")},
        {"Q": by("W_V"), "K": by("W_Q"), "V": by("W_K")},
    ),
    slip(
        sentence("one matrix makes queries, keys and values; each has its own"),
        {"K": by("W_Q"), "V": by("W_Q")},
        {"Q": by("W_K"), "V": by("W_K")},
        {"Q": by("W_V"), "K": by("W_V")},
    ),
    slip(
        sentence("the matrices are turned; arrays multiply as X @ W here, without .T"),
        {"Q": by_turned("W_Q"), "K": by_turned("W_K"), "V": by_turned("W_V")},
        {"Q": by_turned("W_Q")},
        {"K": by_turned("W_K")},
        {"V": by_turned("W_V")},
    ),
    slip(
        sentence("the queries are not projected: X @ W_Q"),
        Q=as_it_is,
    ),
    slip(
        sentence("the keys are not projected: X @ W_K"),
        K=as_it_is,
    ),
    slip(
        sentence("the values are not projected: X @ W_V"),
        V=as_it_is,
    ),
    slip(
        sentence("queries and keys are not projected: X @ W_Q and X @ W_K"),
        Q=as_it_is,
        K=as_it_is,
    ),
    slip(
        sentence("nothing is projected: X @ W_Q, X @ W_K and X @ W_V come first"),
        Q=as_it_is,
        K=as_it_is,
        V=as_it_is,
    ),
)
