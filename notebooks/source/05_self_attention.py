# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 5. Let a sequence attend to itself
#
# What is left of the network if you take the recurrence away? The conveyor belt goes, and
# everybody sits down at a round table. Each can ask each, at once. And nobody knows any
# longer in which order they came in.
#
# - **You will do:** run self-attention as matrix products, shuffle its input, give it
#   positions, hide the future, and compare four trained architectures.
# - **You will learn:** queries, keys and values of one sequence; positions; the causal
#   mask; path length and cost; the Transformer's block.
# - **You need:** [lesson 4](04_multi_head_splitting.ipynb), or at least its summary.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import causal_mask, lab, multi_head_attention
from mha_core.blocks import (
    attend_and_add,
    encoder_block,
    feed_forward,
    layer_norm,
    positions,
)
from mha_core.pretrained import load, load_errors, load_one_head, load_relations
from mha_core.tasks import spell

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask within one sequence
#
# Four words of eight random numbers. Queries, keys and values are three projections of
# the *same* rows; nothing else is new. The matrices are small and random, nothing is
# trained here.

# %%
rng = np.random.RandomState(42)
X = rng.randn(4, 8)  # (T, d_model)
weights = [rng.randn(8, 8) * 0.1 for _ in range(4)]  # (d_model, d_model)

# %%
output, seen = multi_head_attention(X, *weights, h=2)
output.shape, seen.round(3)[0].tolist()

# %% [markdown] lang="en"
# The first head's weights lie between 0.23 and 0.28; even shares would be 0.25. That is
# what untrained attention looks like, and no pattern can be read from it. As matrix
# products its weights are three lines; the fourth compares.

# %%
Q, K, V = (X @ W[:, :4] for W in weights[:3])  # (T, d_k)
scores = Q @ K.T / np.sqrt(4)  # (T, T)
shares = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
np.allclose(shares, seen[0])

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Notice that order is lost
#
# **Predict, then run.** Shuffle the four words, run the same layer, and compare with the
# shuffled output. Are the outputs of each word the same as before?

# %%
order = [2, 0, 3, 1]
shuffled, _ = multi_head_attention(X[order], *weights, h=2)
np.allclose(shuffled, output[order])

# %% [markdown] lang="en"
# They are. Each word asks everybody and does not care who sits where. *Dog bites man* and
# *man bites dog* give each word the same vector. So the place has to be put into the words: add a
# vector to each that depends on its position.

# %%
lab.show_source(positions)

# %% [markdown] lang="en"
# Sines and cosines of ever slower rates, as in Vaswani 2017, section 3.5. Here are four
# columns over 32 positions. Column 0 swings fast, column 6 hardly moves; together they
# name each place.

# %% slideshow={"slide_type": "slide"}
places = positions(32, 12)  # (T, d_model)
waves = {f"column {i}": places[:, i] for i in (0, 2, 4, 6)}
lab.lines(range(32), waves, x_name="position", y_name="value", limits=(-1, 1))

# %% [markdown] lang="en"
# With positions added, the shuffled words no longer give the shuffled outputs: the layer
# can tell the orders apart.

# %%
placed, _ = multi_head_attention(X + positions(4, 8), *weights, h=2)
moved, _ = multi_head_attention(X[order] + positions(4, 8), *weights, h=2)
np.allclose(moved, placed[order])

# %% [markdown] lang="en"
# Positions may be learned instead. The layers of lesson 4 did so. Compare position 0 with
# 0 to 3 by the cosine of their vectors: sinusoids of neighbours are close, the learned
# ones of that task nearly at right angles.

# %%
learned = load_relations(64, 4).params["E_place"]  # (T, d_model)
cosines = [lab.cosines(rows) for rows in (positions(12, 64), learned)]  # (T, T)
[[round(float(near), 2) for near in table[0, :4]] for table in cosines]

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Hide the future
#
# A decoder writes one sound after the other. While it learns, all sounds are known; it
# must not look at those that it has to predict. The causal mask is true where query $i$ may
# look at key $j$: up to itself.

# %%
causal_mask(4).astype(int)

# %% [markdown] lang="en"
# The proof is not the picture of the mask but who can see whom. Change a token, and no
# output before it moves.


# %%
def attend(x):
    return multi_head_attention(x, *weights, h=2, causal=True)[0]


lab.influence_map(lab.influence(attend, X), title="causal self-attention")

# %% [markdown] lang="en"
# That is why training is parallel. Given the start (0) and the true sounds *n* and *aɪ*
# (23 and 6), one pass computes the scores of all positions at once. Step by step, with only
# the past to read, the trained Transformer computes the same.

# %%
model, source = load("transformer"), spell(["knight"])
target_in = np.array([[0, 23, 6]])  # (1, T_q)
at_once = model.logits(source, target_in)  # (1, T_q, phonemes)
steps = [model.logits(source, target_in[:, : t + 1])[:, -1] for t in range(3)]
np.allclose(at_once[0], np.concatenate(steps), atol=1e-4)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count steps and paths
#
# Vaswani's table 1, for a sequence of $n$ positions of width $d$:
#
# | layer | operations | steps in a row | longest path |
# |---|---|---|---|
# | self-attention | $n^2 d$ | 1 | 1 |
# | recurrent | $n d^2$ | $n$ | $n$ |
#
# **Predict, then run.** For $d = 64$: from which $n$ on does self-attention need more
# operations than the recurrent layer?

# %%
d = 64
{n: (n * n * d, n * d * d) for n in (16, 64, 256)}

# %% [markdown] lang="en"
# Above $n = d$, by these orders. The clock says something else: the curves cross near 1,200
# positions, nineteen times as far. These times were measured on one machine with one
# thread; the switch measures yours. A loop over positions pays for every step.

# %% slideshow={"slide_type": "slide"}
lab.explore_timing()

# %% [markdown] lang="en"
# The path matters for learning. Measure how strongly the last position is moved by earlier
# ones, untrained, over 50 positions. Each curve is relative to one step back. The GRU's
# gradient decays with distance, that of attention does not: every position is one step
# away.

# %% slideshow={"slide_type": "slide"}
back = np.arange(1, 50, 6)
reach = {"GRU": lab.untrained_reach("gru"), "attention": lab.attention_reach()}
shown = {name: values[back] / values[1] for name, values in reach.items()}
lab.lines(back, shown, x_name="steps back", y_name="gradient", log=True)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Build the block
#
# Attention mixes positions. A block adds three plain parts. First, **layer norm**: each
# position gets mean 0 and variance 1, so that no layer has to cope with numbers that grow.

# %%
normal = layer_norm(5 * X + 3, np.ones(8), np.zeros(8))
normal.mean(axis=-1).round(4) + 0.0, normal.var(axis=-1).round(2)

# %% [markdown] lang="en"
# Second, the **feed-forward** network: two matrices with a kink (ReLU) between them, the same for
# each position and for each alone. Shuffle the positions, and the outputs are shuffled.

# %%
first, second = rng.randn(8, 16), rng.randn(16, 8)
b_1, b_2 = np.zeros(16), np.zeros(8)
thought = feed_forward(X, first, b_1, second, b_2)
np.allclose(feed_forward(X[order], first, b_1, second, b_2), thought[order])

# %% [markdown] lang="en"
# Third, the **residual** path: what a part computes is added to what was there. Whatever
# attention does, the word itself goes on, and gradients have a way around each part. Here
# each part normalises its input first; the paper normalises the sum, and it multiplies
# the embeddings by $\sqrt{d_{model}}$, which is left out here.

# %%
lab.show_source(encoder_block)

# %%
lab.show_source(attend_and_add)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look into the trained Transformer
#
# Two such blocks read the letters. Two more write the sounds: they look at what they have
# written, then at the letters. Type a word and visit all three places, both layers, all
# four heads.

# %% slideshow={"slide_type": "slide"}
lab.explore_blocks("knight")

# %% [markdown] lang="en"
# In the last layer of the decoder that looks at the word, head 0 writes *n* looking at *k*,
# head 2 at *n*. A cell can go to any place as well: here is a head of the first layer, as
# it reads.

# %%
view = lab.explore_blocks()
view.set(word="attention", place="encoder", layer=0, head=2)

# %% [markdown] lang="en"
# When a sound is chosen, the sounds before it are all there is. So the maps of the decoder
# that looks at itself have a lower triangle only: the mask hides the rest.

# %%
view = lab.explore_blocks()
view.set(place="decoder self", head=1)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Climb the ladder
#
# And the errors? Four architectures, the same words, 86,000 to 88,000 parameters, the same
# number of training steps. Bands span three trainings. Does the last rung go highest?

# %% slideshow={"slide_type": "slide"}
kinds = ("last_state", "bahdanau", "multihead", "transformer")
lab.error_curves(*kinds)

# %% [markdown] lang="en"
# Attention removes most of the error of long words; heads leave it as it is. The
# Transformer removes, in training, steps in a row and long paths. The rows are for 8
# letters, 7 phonemes and the end. Paths count cells and looks between the two farthest, for
# the last states from the middle letter. The gradient is that of the untrained layers above.

# %%
lab.price_table()

# %% [markdown] lang="en"
# Its training step is the slowest here all the same. From 8 letters on its error lies a
# little above both recurrent networks with attention; from 14 on it rises faster. This
# lesson does not test why. With one head in place of four (one training each) it is a
# little worse, the recurrent one is not.

# %%
one = {kind: row["error"] for kind, row in load_one_head().items()}
four = {kind: load_errors()[kind]["0"]["error"] for kind in one}
four, one

# %% [markdown] lang="en"
# ## A short history
#
# | year | what |
# |---|---|
# | 1990 | Elman: recurrent networks |
# | 1997 | Hochreiter, Schmidhuber: LSTM, states that keep |
# | 2014 | Cho; Sutskever: encoder and decoder, one message |
# | 2015 | Bahdanau: look back at every state; Luong: dot, general, concat |
# | 2017 | Vaswani: no recurrence, heads, positions |
#
# ## Exercises
#
# Replace the `...` and run the cell; `sheet.hint("causal")` gives one more hint each
# time. First: write the causal mask for `T` positions, true
# where a query may attend.
#
# <details><summary>Solution</summary>
#
# ```python
# def mask(T):
#     return np.arange(T) <= np.arange(T)[:, None]
# ```
#
# </details>


# %%
def mask(T):
    return ...


sheet = lab.Sheet(5)
sheet.check("causal", mask)

# %% [markdown] lang="en"
# Three causal layers of three tokens; `#` is where an output moves. Which one leaks the
# future: `"a"` (`#..`, `##.`, `###`), `"b"` (`#..`, `###`, `###`) or `"c"` (`#..`, `.#.`,
# `..#`)?
#
# <details><summary>Solution</summary><code>"b"</code>: its output 1 sees token 2.</details>

# %%
sheet.check("leak", ...)

# %% [markdown] lang="en"
# *knight* has 6 letters, and the decoder has written 3 phonemes. What are the shapes of the
# weights, for four heads: in the encoder, of the decoder looking at itself, and of the
# decoder looking at the word? Give a list of three tuples.
#
# <details><summary>Solution</summary><code>[(4, 6, 6), (4, 3, 3), (4, 3, 6)]</code></details>

# %%
sheet.check("shapes", ...)

# %% [markdown] lang="en"
# A network reads a word of 20 letters from left to right. How many steps lead from the
# state at the first letter to the state at the last?
#
# <details><summary>Solution</summary><code>19</code>. The table above starts at the letter itself, one
# cell earlier; in self-attention it is 1.</details>

# %%
sheet.check("path", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - In self-attention one sequence gives queries, keys and values; without positions it is
#   blind to order.
# - A causal mask lets training run in parallel; each position is one step from every
#   position that it may see.
# - On these words the Transformer is a little worse from 8 letters on, clearly worse from
#   14; what it removes, in training, is steps in a row and long paths.
#
# ## Further reading
#
# - A. Vaswani and others: *Attention Is All You Need*, 2017. Section 3 is this lesson;
#   section 4 has table 1.
# - J. Ba, J. Kiros, G. Hinton: *Layer Normalization*, 2016.
# - R. Xiong and others: *On Layer Normalization in the Transformer Architecture*, 2020. Why
#   the block here normalises first.
#
# ## Next
#
# This is the last lesson so far. Go back to any view and type words of your own.
