"""The tasks as data: words, their sounds, dates and sentences of tagged words."""

from mha_core.tasks.sounds import (
    name_phonemes,
    number_phonemes,
    phoneme_names,
    to_ipa,
    up_to_end,
)
from mha_core.tasks.words import (
    LETTERS,
    LONGEST,
    SPLITS,
    as_arrays,
    batches,
    batches_of_letters,
    batches_of_one_length,
    pronunciation,
    spell,
)
