"""Running cells over sequences: padding, direction, and where a sequence ends."""

import numpy as np
import pytest

from mha_core import gru_cell, lstm_cell, rnn_cell
from mha_core.recurrent import run

GATES = {rnn_cell: 1, gru_cell: 3, lstm_cell: 4}
each_cell = pytest.mark.parametrize("cell", GATES, ids=lambda cell: cell.__name__)
each_direction = pytest.mark.parametrize(
    "reverse", [False, True], ids=["left", "right"]
)


def start(cell, *shape):
    """Return a state that is not 0, and a cell beside it for the LSTM."""
    state = np.full(shape, 0.3)
    return (state, np.full(shape, -0.7)) if cell is lstm_cell else state


def weights(cell, d_in=2, n=3):
    draw, width = np.random.default_rng(1).standard_normal, GATES[cell] * n
    return draw((d_in, width)), draw((n, width)), draw(width)


def ones(cell):
    """Return W, U and b of one number each: 1, 1 and 0 for all gates."""
    width = GATES[cell]
    return np.ones((1, width)), np.ones((1, width)), np.zeros(width)


def test_padding_changes_neither_the_state_nor_the_cell_of_an_lstm():
    zeros, mask = (np.zeros(1), np.zeros(1)), np.array([True, False, True])
    inputs = np.array([[1.0], [5], [1]])
    states = run(lstm_cell, inputs, zeros, *ones(lstm_cell), mask=mask)
    np.testing.assert_allclose(states[:, 0], [0.3696, 0.3696, 0.6505], atol=5e-5)


@each_direction
@each_cell
def test_padding_is_as_if_it_were_not_there(cell, reverse):
    inputs = np.random.default_rng(0).standard_normal((6, 2))
    mask = np.array([False, True, False, False, True, True])
    given = start(cell, 3), *weights(cell)
    states = run(cell, inputs, *given, mask=mask, reverse=reverse)
    alone = run(cell, inputs[mask], *given, reverse=reverse)
    np.testing.assert_allclose(states[mask], alone, rtol=1e-12)


@each_direction
@each_cell
def test_at_padding_stands_the_state_before_it(cell, reverse):
    inputs = np.random.default_rng(0).standard_normal((5, 2))
    mask = np.array([False, True, False, True, False])
    states = run(
        cell, inputs, start(cell, 3), *weights(cell), mask=mask, reverse=reverse
    )
    first = start(cell, 3)[0] if cell is lstm_cell else start(cell, 3)
    expected = [first, states[1], states[1], states[3], states[3]]
    if reverse:
        expected = [states[1], states[1], states[3], states[3], first]
    assert np.array_equal(states, expected)


@each_cell
def test_each_row_has_padding_of_its_own(cell):
    inputs = np.random.default_rng(0).standard_normal((2, 4, 2))
    mask = np.array([[True, True, False, False], [True, True, True, True]])
    states = run(cell, inputs, start(cell, 2, 3), *weights(cell), mask=mask)
    for row, length in ((0, 2), (1, 4)):
        alone = run(cell, inputs[row, :length], start(cell, 3), *weights(cell))
        np.testing.assert_allclose(states[row, :length], alone, rtol=1e-12)
    assert np.array_equal(states[0, 2:], states[0, [1, 1]])


@each_direction
@each_cell
def test_the_first_and_the_last_input_are_read(cell, reverse):
    inputs = np.random.default_rng(0).standard_normal((4, 2))
    given = start(cell, 3), *weights(cell)
    before = run(cell, inputs, *given, reverse=reverse)
    for t in range(4):
        other = inputs.copy()
        other[t] += 1
        moved = (run(cell, other, *given, reverse=reverse) != before).any(axis=-1)
        seen = np.arange(4) <= t if reverse else np.arange(4) >= t
        assert np.array_equal(moved, seen)


@each_cell
def test_reading_from_the_right_is_reading_the_reverse_from_the_left(cell):
    inputs = np.random.default_rng(0).standard_normal((4, 2))
    given = start(cell, 3), *weights(cell)
    right = run(cell, inputs, *given, reverse=True)
    assert np.array_equal(right, run(cell, inputs[::-1], *given)[::-1])
