# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 4. Split attention into heads
#
# Why look once, when you could look four times with the same number of parameters? In the
# factory a single inspector writes one report, a blend of all she saw. Four inspectors with one speciality
# each write four.
#
# - **You will do:** look at four trained heads, split and merge heads yourself, catch
#   faults that have the right shapes, and slide `h` and `d_model`.
# - **You will learn:** what a head is, what heads cost and what they do not, and when one
#   head is not enough.
# - **You need:** [lesson 3](03_scaled_dot_product.ipynb), or at least its summary.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import (
    count_parameters,
    lab,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)
from mha_core.models import MultiHead
from mha_core.pretrained import load, load_relations, pronounce

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look with four heads
#
# The network of this lesson pronounces words too. It has the size of the others, but its
# decoder asks four questions at each step, with a scaled dot product each. Heads count
# from 0. Rows are sounds, columns letters, as before.

# %%
said = pronounce(load("multihead"), "knight")
said, said.weights.shape  # (h, T_q, T_k)

# %% slideshow={"slide_type": "slide"}
lab.head_alignments(said)

# %% [markdown] lang="en"
# Here is the strongest letter of each head for *n*, *aɪ* and *t*. Head 3 stays on the
# letter that sounds: n, i, t. Head 1 takes the silent k and g, head 2 also g, head 0 twice
# n. The heads differ; why they look there, one word does not tell.

# %%
strongest = said.weights.argmax(axis=-1)  # (h, T_q)
["".join(said.letters[j] for j in head) for head in strongest]

# %% [markdown] lang="en"
# The code of one step: the query is cut into heads, each attends on its own, the results
# are put side by side and mixed by $W_O$.

# %%
lab.show_source(MultiHead.look)

# %% [markdown] lang="en"
# Does it pronounce better? Over all test words four heads make 0.105 to 0.111 edits for
# each sound in three trainings, additive attention 0.105 to 0.109. Here heads divide the
# work, and the error stays what it was.

# %% slideshow={"slide_type": "slide"}
lab.error_curves("last_state", "bahdanau", "multihead")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Loop over heads first
#
# Take five positions of eight numbers and two heads. Each head uses its own four columns
# of $W_Q$, $W_K$ and $W_V$: `d_k` is `d_model / h`. The loop below is multi-head
# attention, nothing is missing but speed.

# %%
rng = np.random.RandomState(0)
X, (W_Q, W_K, W_V, W_O) = rng.randn(5, 8), rng.randn(4, 8, 8)
parts = [slice(0, 4), slice(4, 8)]


def one_head(part):
    projections = (X @ W[:, part] for W in (W_Q, W_K, W_V))  # (T, d_k)
    return scaled_dot_product_attention(*projections)[0]


looped = np.concatenate([one_head(part) for part in parts], axis=-1) @ W_O
looped.shape

# %% [markdown] lang="en"
# The library projects once, at full width, and cuts afterwards. `X @ W[:, part]` equals
# `(X @ W)[:, part]`, so the result is the same to twelve decimals.

# %%
output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, h=2)
np.allclose(output, looped, rtol=0, atol=1e-12), weights.shape

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Cut the features, not the sequence
#
# **Predict, then run.** The cut turns `(T, d_model)` into `(h, T, d_k)`. What shape is it
# for 3 positions of 4 numbers and two heads? And which numbers does head 0 get of 0 to 11?

# %%
small = np.arange(12).reshape(3, 4)  # (T, d_model)
split_heads(small, 2)

# %%
lab.show_source(split_heads)

# %% [markdown] lang="en"
# A reshape alone gives the same shape and other numbers: head 0 holds the first position
# and half of the second. It has cut the sequence.

# %%
wrong = lab.split_by_reshape(small, 2)
wrong.shape, wrong[0].tolist()

# %% [markdown] lang="en"
# No shape complains. So how would you find such a fault in a network? Change one token and
# mark which outputs move: who can see whom. Random weights will do: it depends on
# the program, not on training.

# %%
lab.show_source(lab.influence)


# %%
def attend(x):
    return multi_head_attention(x, W_Q, W_K, W_V, W_O, h=2, causal=True)[0]


lab.influence_map(lab.influence(attend, X), title="causal, as it should be")

# %% [markdown] lang="en"
# With a mask that hides the future (a causal mask), output $i$ sees tokens up to $i$: a
# triangle. Switch the faults on. One fault alone shows only under the mask: the future
# leaks in. Both together show without it as well: the halves never meet.

# %% slideshow={"slide_type": "slide"}
lab.explore_influence()

# %%
view = lab.explore_influence()
view.set(bug="merge", causal=True)

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# ## Merge, or add up
#
# Putting heads side by side and multiplying by $W_O$ is a sum: each head is multiplied by
# its own rows of $W_O$. Without $W_O$ the heads would stay in separate places of the
# output.

# %%
heads, _ = scaled_dot_product_attention(
    *(split_heads(X @ W, 2) for W in (W_Q, W_K, W_V))
)
added = heads[0] @ W_O[:4] + heads[1] @ W_O[4:]  # (T, d_model)
np.allclose(merge_heads(heads) @ W_O, added)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count the cost
#
# **Predict, then run.** A layer of width 512: how many numbers do $W_Q$, $W_K$, $W_V$ and
# $W_O$ hold with one head? With eight? With 32?

# %%
counts = {h: count_parameters(512, h) for h in (1, 2, 4, 8, 16, 32)}
counts, count_parameters(512, 8, projection_bias=True)

# %% [markdown] lang="en"
# The same for every h; biases add 4 times 512, again for any h. But heads are not free:
# each keeps a score for every pair of positions, and its softmax. At 1,000 positions that
# is a million numbers for each head.

# %%
positions = 1000
{h: h * positions**2 for h in (1, 8, 32)}

# %% [markdown] lang="en"
# Usual sizes: width, heads, and the width of one head. Twelve heads of 64 are 768 again
# after the merge, so nothing shrinks. And 12 does not divide 512: the library says what
# would work.

# %%
pairs = [(256, 8), (512, 8), (768, 12), (1024, 16)]
[(d, h, split_heads(np.ones((1, d)), h).shape[-1]) for d, h in pairs]

# %%
try:
    count_parameters(512, 12)
except ValueError as error:
    refusal = str(error)
refusal

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Give heads a task that needs them
#
# So far one sequence asked another. Now let a sequence attend to itself: every word asks,
# every word answers. Twelve words, each a letter with a tag. Each position must report
# four: the previous, the next, the first, and its **partner**, with the same tag. Which
# head puts how much weight on each?

# %%
{h: lab.owners(64, h) for h in (1, 2, 4)}

# %% [markdown] lang="en"
# Each pair is the head that looks there most, and its mean weight. Four heads own one role
# each. Two take two roles each, half and half; a single head puts a third of its weight on
# any, at most. Below, *N1* is the letter N with tag 1. Slide `h` and `d_model`.

# %% slideshow={"slide_type": "slide"}
lab.explore_heads(d_model=64, h=4)

# %% [markdown] lang="en"
# One row of weights makes one blend of the words. Each report must pick its own word from
# it, and there the heavier word drowns the lighter. Two heads have two rows, and so two
# blends. Set `h` to 1 and look.

# %%
view = lab.explore_heads()
view.set(d_model=64, h=1)

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# One head beside four, at one width and on one sentence. Left a single blend, right a map
# for each relation.

# %%
one, four = lab.explore_heads(64, 1), lab.explore_heads(64, 4, head=1)
lab.beside(one, four, link=("d_model",))

# %% [markdown] lang="en"
# Part of it works all the same. Report by report, one head gets the previous and the first
# word right in more than four of five cases, the next one in two of five, the partner in
# one of six. Four heads get all of them.

# %%
layers = {f"h = {h}": load_relations(64, h) for h in (1, 4)}
lab.role_bars(layers)

# %% [markdown] lang="en"
# More heads are narrower heads. At width 24 the accuracy rises up to four heads and falls
# again towards 24 heads of width 1. Each setting was trained for the same 800 steps, with
# three seeds.

# %% slideshow={"slide_type": "slide"}
lab.accuracy_curve(24)

# %% [markdown] lang="en"
# Is it time that they lack? Here is the mean accuracy after 800 and after 3,000 steps. Heads
# of width 2 (12 of them) were only slower. One head stays near 0.5. Heads of width 1 (24)
# hit a limit: each key is one number, so only the largest or the smallest can win.

# %%
lab.trained_longer()

# %% [markdown] lang="en"
# Look at that limit. Here are the last eight of 24 heads. In each, the strongest key of all
# twelve rows is one of two: the word with the largest number or the one with the smallest.

# %%
view = lab.explore_heads()
view.set(d_model=24, h=24, head=20)

# %% [markdown] lang="en"
# Vaswani and others saw the same thing in translation, at a fixed cost (table 3, row A: BLEU,
# higher is better):
#
# | heads | width of one | BLEU |
# |---|---|---|
# | 1 | 512 | 24.9 |
# | 4 | 128 | 25.5 |
# | 8 | 64 | 25.8 |
# | 16 | 32 | 25.8 |
# | 32 | 16 | 25.4 |
#
# Theirs is another task and thousands of times the size; compare the shapes only. Now train
# a layer of width 24 yourself for 500 steps, with one head and with four. Expect an
# accuracy below 0.6 with one head, above 0.9 with four.

# %%
one, four = (lab.mean_accuracy(lab.train_relations(24, h)) for h in (1, 4))
one < 0.6, four > 0.9

# %% [markdown] lang="en"
# Nobody assigns the roles. Which head takes which differs from seed to seed, and now and
# then a head does not specialise. Here are the two least clear of twelve trainings at
# width 32: in seed 10 no head puts more than 0.6 on the first word or the partner.

# %%
lab.worst_seeds()

# %% [markdown] lang="en"
# ## Exercises
#
# Replace the `...` and run the cell; `sheet.hint("fault")` gives one more hint each
# time. First: an array `heads` has the shape `(h, T, d_k)`,
# and a class ends with `T, _, d_k = heads.shape` and `heads.transpose(1, 0,
# 2).reshape(T, h * d_k)`. For which `T` does it run at all, if `h` is 4?
#
# <details><summary>Solution</summary><code>4</code>: the name T holds the number of heads. For any
# other T the reshape fails.</details>

# %%
sheet = lab.Sheet(4)
sheet.check("fault", ...)

# %% [markdown] lang="en"
# Write the merge that this class needs: `(h, T, d_k)` to `(T, h * d_k)`.
#
# <details><summary>Hint</summary>Move the head axis back before you reshape.</details>
#
# <details><summary>Solution</summary>
#
# ```python
# def merge(heads):
#     h, T, d_k = heads.shape
#     return heads.swapaxes(0, 1).reshape(T, h * d_k)
# ```
#
# </details>


# %%
def merge(heads):
    return ...


sheet.check("merge", merge)

# %% [markdown] lang="en"
# How many parameters has a layer of width 768 with 12 heads, if each of the four
# projections has a bias as well?
#
# <details><summary>Hint</summary>Four matrices of 768 by 768, four vectors of 768.
# </details>
#
# <details><summary>Solution</summary><code>4 * 768 * 769</code>,
# or <code>2_362_368</code></details>

# %%
sheet.check("parameters", ...)

# %% [markdown] lang="en"
# A causal layer of six tokens and two heads. Output 0 sees tokens 0 and 1, output 1 sees
# 0 to 3, output 2 all; outputs 3 to 5 do the same again. Is it `"split"`, `"merge"` or
# `"mask"` that is wrong?
#
# <details><summary>Hint</summary>The explorer above shows each of them.</details>
#
# <details><summary>Solution</summary><code>"merge"</code></details>

# %%
sheet.check("who", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - A head is attention on its own slice of the projections. Cut the features, never the
#   sequence; under a causal mask, who can see whom shows the fault.
# - Parameters do not depend on `h`, the memory of the scores does, and each head gets
#   narrower.
# - Heads help where one query needs several mixtures: four relations need more than one
#   head, pronouncing words here does not.
#
# ## Further reading
#
# - A. Vaswani and others: *Attention Is All You Need*, 2017. Section 3.2.2 and table 3.
# - P. Michel, O. Levy, G. Neubig: *Are Sixteen Heads Really Better than One?*, 2019. How
#   many heads can go after training.
# - E. Voita and others: *Analyzing Multi-Head Self-Attention*, 2019. What heads do in a
#   translator.
#
# ## Next
#
# In [lesson 5](05_self_attention.ipynb) a whole network is built from sequences that attend to themselves.
