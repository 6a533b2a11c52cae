"""Looking and teaching: pictures, views, probes and exercises for the notebooks."""

from mha_core.lab.beside import beside
from mha_core.lab.exercises import Sheet
from mha_core.lab.explorers import (
    explore_alignment,
    explore_blocks,
    explore_bottleneck,
    explore_bugs,
    explore_dates,
    explore_heads,
    explore_influence,
    explore_knockout,
    explore_letters,
    explore_scaling,
    explore_sentence,
    explore_sizes,
    explore_steps,
    explore_timing,
    explore_writing,
    plug,
    plugged_bars,
)
from mha_core.lab.locale import language
from mha_core.lab.measure.bugs import BUGS, merge_by_reshape, split_by_reshape
from mha_core.lab.measure.bugs_at_work import CLASSIC_BUGS
from mha_core.lab.measure.carried import carried
from mha_core.lab.measure.fifths import cost_by_fifth, missed_sounds
from mha_core.lab.measure.held_out import (
    follow_true_sounds,
    held_out_error,
    some_held_out,
)
from mha_core.lab.measure.induction import induction
from mha_core.lab.measure.inside import inside_head
from mha_core.lab.measure.inside_blocks import inside_blocks
from mha_core.lab.measure.invented import chances, known
from mha_core.lab.measure.knockout import (
    agreement,
    knock_out,
    straight_line,
    strongest_letters,
    without_heads,
)
from mha_core.lab.measure.letter_gradients import gradient_shares, letter_gradients
from mha_core.lab.measure.live import (
    mean_accuracy,
    small_errors,
    train_relations,
    train_small,
)
from mha_core.lab.measure.neighbours import head_places
from mha_core.lab.measure.one_edit import near_training
from mha_core.lab.measure.order import order_effect, rotation, untrained_layers
from mha_core.lab.measure.plugging import plugged
from mha_core.lab.measure.probes import (
    attention_reach,
    cosines,
    encoder_reach,
    gradient_reach,
    influence,
    untrained_reach,
    without_attention,
)
from mha_core.lab.measure.random_scores import measure_scaling
from mha_core.lab.measure.sizes import as_good_heads, attention_costs
from mha_core.lab.measure.stepwise_writing import write_word
from mha_core.lab.pictures import (
    Picture,
    bars,
    head_grid,
    heatmap,
    influence_map,
    lines,
)
from mha_core.lab.pictures.alignments import (
    alignment,
    confidence,
    date_alignment,
    head_alignments,
)
from mha_core.lab.pictures.along_words import bottleneck_cost, place_bars
from mha_core.lab.pictures.block_drawn import block_drawn
from mha_core.lab.pictures.bugs_drawn import bug_errors
from mha_core.lab.pictures.changed_layers import (
    reader_bars,
    scale_bars,
    seed_bars,
)
from mha_core.lab.pictures.changed_networks import (
    control_curves,
    long_word_curves,
    message_curves,
    one_head_bars,
    short_bars,
)
from mha_core.lab.pictures.costs import price_table, timing_curve
from mha_core.lab.pictures.deciding import (
    near_bars,
    weight_and_gradient,
)
from mha_core.lab.pictures.errors import (
    error_curves,
    missed_bars,
    small_curves,
)
from mha_core.lab.pictures.every_word import self_attention_drawn
from mha_core.lab.pictures.head_roles import (
    missing_bars,
    pruning_curves,
    relation_bars,
    relation_map,
)
from mha_core.lab.pictures.heads_drawn import heads_drawn
from mha_core.lab.pictures.letter_bits import bits_bars, changed_bits
from mha_core.lab.pictures.matrices import attention_matrices
from mha_core.lab.pictures.roles import (
    accuracy_curve,
    owners,
    trained_longer,
)
from mha_core.lab.pictures.steps_drawn import decoder_step
from mha_core.lab.pictures.taken_out import (
    agreement_bars,
    knockout_bars,
    part_knockouts,
)
from mha_core.lab.pictures.timed import batch_curves, operation_curves
from mha_core.lab.pictures.transformer_drawn import transformer_drawn
from mha_core.lab.pictures.unrolled import encoder_decoder
from mha_core.lab.pictures.untrained import order_bars, starting_maps
from mha_core.lab.projecting import projector
from mha_core.lab.source import show_source
from mha_core.lab.views import View
