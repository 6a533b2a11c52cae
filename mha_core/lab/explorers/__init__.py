"""Views that join a model, a picture and the controls that move them."""

from mha_core.lab.explorers.bug_switch import explore_influence
from mha_core.lab.explorers.calculator import explore_sizes
from mha_core.lab.explorers.drawn_steps import explore_steps
from mha_core.lab.explorers.heads import explore_heads
from mha_core.lab.explorers.knocked_out import explore_knockout
from mha_core.lab.explorers.letter_heads import explore_letters
from mha_core.lab.explorers.letter_writer import explore_writing
from mha_core.lab.explorers.plugged_in import plug, plugged_bars
from mha_core.lab.explorers.scaling import explore_scaling
from mha_core.lab.explorers.sentences_read import explore_sentence
from mha_core.lab.explorers.steps import explore_alignment
from mha_core.lab.explorers.timing import explore_timing
from mha_core.lab.explorers.trained_bugs import explore_bugs
from mha_core.lab.explorers.transformer_heads import explore_blocks
from mha_core.lab.explorers.typed_words import (
    explore_bottleneck,
    explore_dates,
)
