import numpy as np
import pytest

from mha_core.lab import alignment, head_alignments
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce


@pytest.mark.parametrize("head", [4, -1, 0.0, "0", None, True])
def test_a_head_that_is_not_there_is_refused(head):
    said = pronounce(load("multihead"), "knight")
    with pytest.raises(ValueError, match="head must be an integer from 0 to 3, not"):
        alignment(said, head=head)
    assert np.array_equal(alignment(said, head=np.int64(3)).array, said.weights[3])


def test_a_model_without_attention_has_no_weights_to_show():
    said = pronounce(load("last_state"), "knight")
    for picture in (alignment, head_alignments):
        with pytest.raises(ValueError, match="no attention, so there are no weights"):
            picture(said)
