# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 5. Let a sequence attend to itself
#
# Until now a recurrent network has read the word, letter after letter, and attention has
# looked at what it read. Can attention do the reading as well? Below, a trained network
# reads *knight*. Every letter on top asks, every letter below answers, and a line is as
# thick as its weight.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import (
    causal_mask,
    lab,
    multi_head_attention,
    scaled_dot_product_attention,
)
from mha_core.blocks import positions
from mha_core.lab.pictures.costs import crossings, load_timings
from mha_core.pretrained import load
from mha_core.tasks import spell

# %% slideshow={"slide_type": "slide"}
model, source = load("transformer"), spell(["knight"])
lab.self_attention_drawn(model, "knight", layer=1, head=3)

# %% [markdown] lang="en"
# Some of the thick lines lean one place to the left, because these letters look at the
# one before: *i* at *n*, *g* at *i*. Nothing was carried from letter to letter, and all six
# were computed at once. The letters sit around a table, as it were, and each may ask each.
# What has become of their order, then, and how does this head find a neighbour?
#
# - **You will do:** run attention within one sequence as matrix products, shuffle its
#   input, give it places, hide the future, and weigh what all this costs.
# - **You will learn:** where order gets lost and how it comes back; what a causal mask
#   does and what it gives on its own; path length and cost, counted and measured.
# - **You need:** [lesson 4](04_multi_head_splitting.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask within one sequence
#
# Why would a word ask its neighbours? Because what it means depends on them: the *k* of
# *knight* is silent on account of its *n*. In lesson 3 the sounds asked and the letters
# answered. Now one sequence does both. Here are four words of eight random numbers, and
# three small random matrices; nothing is trained yet.

# %%
sheet, rng = lab.Sheet(5), np.random.default_rng(0)
X = rng.standard_normal((4, 8))  # (T, d_model)
W_Q, W_K, W_V, W_O = rng.standard_normal((4, 8, 8)) / np.sqrt(8)  # (d_model, d_model)

# %% [markdown] lang="en"
# Queries, keys and values are three projections of the *same* rows, which is all that
# **self-attention** adds to lesson 3. The scores are then a square: $T$ queries by $T$
# keys, $QK^\top / \sqrt{d_k}$ with $Q = XW_Q$, $K = XW_K$ and $V = XW_V$.

# %%
Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (T, d_k)
mixed, weights = scaled_dot_product_attention(Q, K, V)
weights.round(2)  # (T, T)

# %% [markdown] lang="en"
# Each row adds up to 1, and row $i$ says what word $i$ takes from whom, itself included.
# With the output projection of lesson 4 this is the library's layer with one head.

# %%
output, _ = multi_head_attention(X, W_Q, W_K, W_V, W_O, h=1)
np.allclose(output, mixed @ W_O)

# %% [markdown] lang="en"
# Do these weights mean anything? Nobody has trained them, so they cannot. How sharp such
# a map looks depends on how large the random matrices happened to be. Here is one layer
# of eight tokens, its $W_Q$ and $W_K$ drawn in three sizes.

# %% slideshow={"slide_type": "slide"}
lab.starting_maps()

# %% [markdown] lang="en"
# Small matrices give even rows, large ones give rows in which one key takes nearly all.
# The right map looks as if it knew something, although it is as random as the left one.
# It is also stuck, because a saturated softmax hardly passes a gradient
# ([lesson 3](03_scaled_dot_product.ipynb)); that is one reason why weights start small.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Notice that order is lost
#
# *Dog bites man* and *man bites dog* have the same three words. **Predict, then run.**
# Give the four words in another order to the same layer, and put its outputs back into
# the old order. How far is the largest number off from before? Write it in place of the `...`.

# %%
sheet.predict("largest difference", ...)

# %%
order = [2, 0, 3, 1]
shuffled, _ = multi_head_attention(X[order], W_Q, W_K, W_V, W_O, h=1)
difference = float(abs(shuffled - output[order]).max().round(12))
sheet.predict("largest difference", true=difference)
difference

# %% [markdown] lang="en"
# Nothing has changed but the order of the rows. A sum does not care in which order its
# terms come, and every word asks the same set of words wherever they sit. Shuffle the
# inputs, and the outputs are shuffled in the same way: that is
# **permutation equivariance**. To such a layer a sentence is a bag of words.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Say where each word stands
#
# If the layer cannot see the order, the words have to carry it. So we add to each a
# vector that belongs to its place, a **positional encoding**, and the sum goes into the
# layer. Here are the vectors for 32 places; each row is one of them.

# %% slideshow={"slide_type": "slide"}
P = positions(32, 12)  # (T, d_model)
names = [str(t) for t in range(32)]
lab.heatmap(
    P,
    names,
    [str(c) for c in range(12)],
    title="Sines and cosines: one row for each place",
    limits=(-1, 1),
    value_name="value",
    query_name="place",
    key_name="column",
)

# %% [markdown] lang="en"
# The columns come in pairs, a sine and a cosine. The left pair goes round once in about
# six places, the right ones hardly move: like the hands of a clock, fast and slow
# together tell the time. As a formula, with $u$ counting the pairs,
# $\mathrm{PE}_{j,2u} = \sin(j / 10000^{2u/d_{model}})$, and column $2u+1$ has the cosine.

# %%
lab.show_source(positions)

# %% [markdown] lang="en"
# Any twelve random numbers would name a place as well. Why waves? Because a step of three
# places is the same turn wherever one starts: each pair is rotated by a fixed angle. One
# matrix $R$ does it for all places, so a head could learn "three back" once; that is what
# the paper hoped for. Does the rotation hold?

# %%
R = lab.rotation(3, 12)  # (d_model, d_model)
np.allclose(P[:-3] @ R, P[3:])

# %% [markdown] lang="en"
# A rotation keeps lengths and angles, so the dot product of two places depends only on how
# far apart they are. Compare all
# places with all: what should the picture look like, if that is true?

# %% slideshow={"slide_type": "slide"}
near = P @ P.T  # (T, T)
lab.heatmap(
    near,
    names,
    names,
    title="Places compared with places",
    limits=(0, 6),
    value_name="dot product",
    query_name="place",
    key_name="place",
)

# %% [markdown] lang="en"
# Every diagonal has one colour. It is darkest where a place meets itself, and farther off
# it goes up and down, as waves do. Random vectors are the control: how much does the dot
# product vary along one diagonal, at most?

# %%
D = rng.standard_normal((32, 12))  # (T, d_model)
tables = {"waves": near, "random": D @ D.T}
uneven = {
    k: max(np.ptp(np.diagonal(table, j)) for j in range(32))
    for k, table in tables.items()
}
{k: round(float(spread), 2) for k, spread in uneven.items()}

# %% [markdown] lang="en"
# Random vectors name places but know no distance. There are two other ways. With
# **learned positions** a vector for each place is trained like any other weight; the
# relations of lesson 4 did so, and in the paper it did as well as waves (table 3, row E:
# BLEU 25.7 and 25.8). With **rotary positions** nothing is added: queries and
# keys are themselves turned by such a rotation (Su and others, 2021). Now the shuffled
# words once more, with their places.

# %%
matrices = W_Q, W_K, W_V, W_O
placed, _ = multi_head_attention(X + P[:4, :8], *matrices, h=1)
moved, _ = multi_head_attention(X[order] + P[:4, :8], *matrices, h=1)
np.allclose(moved, placed[order])

# %% [markdown] lang="en"
# The outputs differ, so the layer can now tell one order from another. Without places, and
# without a mask, it could not find the letter before, as head 3 of the first picture does.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Hide the future
#
# A network that writes has a second problem. While it is trained, the whole right answer
# lies before it, and self-attention would let each place look at the very sound that it
# should predict. So query $i$ may see key $j$ only if $j \le i$: the **causal mask**.

# %%
causal_mask(4).astype(int)  # (T, T)

# %% [markdown] lang="en"
# It is a mask like those of lesson 3, put on the scores before the softmax. But a picture
# of a mask proves nothing about a network. Therefore we measure: change one token, and
# note which outputs move. That is **influence**, here of three causal layers.

# %%
X = rng.standard_normal((7, 16))  # (T, d_model)
causal = lab.untrained_layers(3, causal=True)
lab.influence_map(lab.influence(causal, X), title="three causal layers")

# %% [markdown] lang="en"
# No output moves before the token that was changed. The mask also breaks the symmetry of
# the table, since place 0 sees one word and place 6 sees seven. Does it give order on its
# own, then? **Predict, then run.** Without positions, shuffle all tokens but the last one.
# By what share of its length does the last output of *one* causal layer move?

# %%
sheet.predict("one causal layer", ...)

# %%
one = lab.order_effect(lab.untrained_layers(1, causal=True), X)
sheet.predict("one causal layer", true=round(one, 6))
lab.order_bars()

# %% [markdown] lang="en"
# One layer: not at all, because the last token sees all the others, as a set. From two
# layers on it moves a great deal. The outputs in between have each seen a different set,
# and the second layer reads them. So stacked causal layers know something of the order
# without any positions; without the mask they never do, however many there are.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Do not trust the diagonal
#
# Here is a sceptic's question. If a map is dark on its diagonal, does each place keep to
# itself? Take a layer that looks only at its own place. What it finds there, though, has
# been mixed before: from each token the mean of all was taken away.


# %%
def keep_to_oneself(X):
    places = 50 * np.eye(7)  # (T, d_k)
    return scaled_dot_product_attention(places, places, X - X.mean(axis=0))


own, seen = keep_to_oneself(X)[1], lab.influence(lambda X: keep_to_oneself(X)[0], X)
np.allclose(own, np.eye(7)), bool(seen.all())

# %% [markdown] lang="en"
# The map is a perfect diagonal, and yet every token moves every output. A heat map says
# from which *place* a head takes its values; it does not say what has gone into them
# before. That is why the causal mask above was checked by influence.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Train all places at once
#
# What is the mask good for? It makes training parallel. Given the start and the true
# sounds *n* and *aɪ*, one pass gives the scores of all three next sounds, and none of
# them has seen its own answer. Step by step, with nothing but the past, should give the same.

# %%
target_in = np.array([[0, 23, 6]])  # (1, T_q)
at_once = model.logits(source, target_in)[0]  # (T_q, phonemes)
steps = [model.logits(source, target_in[:, : t + 1])[0, -1] for t in range(3)]
np.allclose(at_once, steps, atol=1e-4)

# %% [markdown] lang="en"
# A recurrent decoder has to take these steps one after the other, even in training, since
# its state at step 2 needs the state at step 1. Writing is another matter: a new word has
# to come out sound by sound in either network, because each sound depends on the last.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count steps, paths and work
#
# What does it cost to let each ask each? Table 1 of Vaswani and others compares layers
# for $T$ places of width $d$, by orders of magnitude:
#
# | layer | operations | steps in a row | longest path |
# |---|---|---|---|
# | self-attention | $T^2 d$ | 1 | 1 |
# | recurrent | $T d^2$ | $T$ | $T$ |
#
# The scores are a square of $T$ by $T$, hence a **quadratic cost**: twice the length takes
# four times the work, and the memory where they are stored. The projections, $4Td^2$, are not in the table.
# Counted with them, at $d = 64$:

# %% slideshow={"slide_type": "slide"}
lab.operation_curves()

# %% [markdown] lang="en"
# Self-attention never needs less than a simple recurrent layer, and less than a GRU only
# below $T = d$. On paper, then, it saves little. Is it slower, too? Here are times of one
# machine with one thread, for one sequence alone and for 32 at once.

# %% slideshow={"slide_type": "slide"}
found = [load_timings()[name] for name in ("layers", "batch")]
cross = [crossings(layers)["measured"] for layers in found]
lab.batch_curves()

# %% [markdown] lang="en"
# Alone, self-attention is faster up to about {{ round(cross[0], -2):,.0f }} places, which is far beyond
# what the count said. The reason is mostly the loop, not the products: each step of it pays for
# Python and NumPy. Thirty-two sequences share that price, and then the curves cross near
# {{ round(cross[1], -1):,.0f }}, about twice $d$. The explorer shows either; its button measures yours.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_timing()
view.set(batch=32)

# %% [markdown] lang="en"
# Work is one thing, distance another. The **path length** counts the steps between the
# two places that are farthest apart, because a gradient has to travel them. In a GRU it
# may fade on the way. Below, both untrained, is the gradient at the last of 50 places, each
# curve divided by its own value one step back.

# %% slideshow={"slide_type": "slide"}
back = np.arange(1, 50, 6)
reach = {"GRU": lab.untrained_reach("gru"), "attention": lab.attention_reach()}
curves = {name: values[back] / values[1] for name, values in reach.items()}
lab.lines(back, curves, x_name="steps back", y_name="gradient", log=True)

# %% [markdown] lang="en"
# This untrained GRU's gradient shrinks with each step (the trained one of lesson 1 kept
# 0.3 of it over 14 letters), while that of attention stays level: every place is one step
# away. But the picture hides a price, since it is relative. All places
# share one softmax, so the more there are, the less each one gets. Here is the gradient
# one step back, undivided, at 10, 50 and 200 places.

# %%
shares = {T: lab.attention_reach(T=T, relative=False)[1] for T in (10, 50, 200)}
{T: round(float(size), 2) for T, size in shares.items()}

# %% [markdown] lang="en"
# From 10 places to 200 it falls from {{ shares[10]:.2f }} to {{ shares[200]:.2f }}. Untrained
# attention is even-handed and therefore faint everywhere. What training adds is the choice.

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell; `sheet.hint("positions")` in a
# cell of your own gives one more hint each time. First the places: sines in the even
# columns, cosines in the odd ones, for `T` places and an even width.
#
# <details><summary>Solution</summary>
#
# ```python
# def places_of(T, d_model):
#     rates = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
#     angles = np.arange(T)[:, None] * rates
#     P = np.zeros((T, d_model))
#     P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
#     return P
# ```
#
# </details>


# %%
def places_of(T, d_model):
    return ...


sheet.check("positions", places_of)

# %% [markdown] lang="en"
# Now the whole lesson in one function, with one head: add positions to `X`, project, hide
# the future, attend. You may use `positions` and any function of lesson 3. To see who can
# see whom in yours, type `sheet.compare("causal_attention", causal_attention)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def causal_attention(X, W_Q, W_K, W_V):
#     X = X + positions(*X.shape)
#     mask = causal_mask(len(X))
#     return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask=mask)[0]
# ```
#
# </details>


# %%
def causal_attention(X, W_Q, W_K, W_V):
    return ...


sheet.check("causal_attention", causal_attention)

# %% [markdown] lang="en"
# Read the picture: three layers, `"a"`, `"b"` and `"c"`, each drawn by its influence. All
# three say that they are causal. Which one leaks the future to an earlier place?
#
# <details><summary>Solution</summary><code>"b"</code>: its output 1 sees token 2.</details>

# %%
sheet.show("leak")

# %%
sheet.check("leak", ...)

# %% [markdown] lang="en"
# One causal layer, no positions, and the letters of a text as tokens. Find two different
# texts of three letters or more whose *last* outputs are the same, and give both, such as
# `("tea", "ten")`. The layer is run on your texts.
#
# <details><summary>Solution</summary><code>("abc", "bac")</code>: the last letter sees the
# others as a set.</details>

# %%
sheet.check("same_end", ...)

# %% [markdown] lang="en"
# A recurrent network reads a word of 20 letters from left to right. How many steps lead
# from the state at the first letter to the state at the last?
#
# <details><summary>Solution</summary><code>19</code>. The table of orders says $T$; in
# self-attention it is 1.</details>

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
# - In self-attention queries, keys and values come from one sequence. Alone it is blind
#   to order; positions bring the order back, and waves let a fixed matrix move by any step.
# - A causal mask hides the future, so that all places can be trained in one pass. On its
#   own it gives order from the second layer on.
# - Every place is one step from every other, at a cost that grows with the square of the
#   length. In this code it is faster for one short sequence, because it has no loop.
#
# ## Further reading
#
# - A. Vaswani and others: *Attention Is All You Need*, 2017. Section 3.5 has the waves,
#   section 4 the table.
# - J. Cheng, L. Dong, M. Lapata: *Long Short-Term Memory-Networks for Machine Reading*,
#   2016. Attention within one sequence, inside a recurrent network.
# - J. Su and others: *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021.
#
# ## Next
#
# Attention mixes places, and that is not yet a network. In
# [lesson 6](06_the_transformer.ipynb) it becomes one, and is set against the other three.
