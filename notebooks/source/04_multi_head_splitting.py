# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 4. Split attention into heads
#
# Why look four times, when you could look once? One inspector walks through the factory
# and writes one report, in which all that she saw is blended. Four inspectors with a
# quarter of the paper each may each look at something else. Whether that is worth it
# depends on who has to read the reports, and that is what this lesson finds out.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import count_parameters, lab, padding_mask, scaled_dot_product_attention
from mha_core.models import four_relations
from mha_core.multihead import merge_heads, multi_head_attention, split_heads
from mha_core.pretrained import load_relations
from mha_core.tasks import tagged_sentences

# %% slideshow={"slide_type": "slide"}
sheet = lab.Sheet(4)
lab.heads_drawn(load_relations(64, 4))

# %% [markdown] lang="en"
# Twelve words go in on the left, each a row of 64 numbers, and four heads look at them,
# each in its own 16 columns and in a colour that it keeps. One nearly always looks at the
# word before, one at the word with the same tag, one at the word after, one at the first. Their
# findings are put side by side again and mixed.
#
# - **You will do:** compare one head with four, split and merge heads yourself, catch
#   faults that have the right shapes, and take heads out of a network that speaks.
# - **You will learn:** what a head is, what one head cannot do and what heads cost.
# - **You need:** [lesson 3](03_scaled_dot_product.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask for four things at once
#
# Twelve words, each a letter with a tag, such as *N1*. Every place has to report four
# words: the one before it, the one after, the first of all, and its partner, the other
# word with the same tag. Here all words ask and all words answer. Each single look, with
# its own queries, keys and values, is a **head**. How much weight does each put on each of
# the four?

# %%
lab.owners(64, 4)

# %% [markdown] lang="en"
# Each pair is the head that looks there most, and how much. With four heads every relation
# has one of its own, although nobody assigned them. Slide `h` to 1: one map has to serve
# all four.

# %% slideshow={"slide_type": "slide"}
one, four = lab.explore_heads(64, 1), lab.explore_heads(64, 4, head=1)
lab.beside(one, four, link=("d_model",))

# %%
view = lab.explore_heads()
view.set(preset="one head cannot")

# %% [markdown] lang="en"
# **Predict, then run.** With one head, a third of the weight goes to the word before, a
# third to the word after, a quarter to the first. In how many of 100 cases does the layer
# still report the word before correctly? Give a share from 0 to 1.

# %%
sample = tagged_sentences.sentences(np.random.default_rng(1), 512)
shares = four_relations.accuracy(load_relations(64, 1), *sample)
one_head = dict(zip(tagged_sentences.ROLES, shares.tolist(), strict=True))
sheet.predict("before", ...)
sheet.predict("before", true=one_head["previous"])

# %% slideshow={"slide_type": "slide"}
lab.reader_bars()

# %% [markdown] lang="en"
# {{ one_head["previous"]:.2f }}, although the words are blended, and the partner
# {{ one_head["partner"]:.2f }}. Four heads get everything. But look at the bars between.
# The layer is read by a single matrix, a **linear read-out**. If a small network with a
# kink reads it, with as many weights, and both are trained together, more comes out. The
# head then looks elsewhere, too: more at the word before and the first. So what one head
# cannot do depends on who reads it.
#
# The partner is lost to a reader of the same size. One that is eight times as large finds
# it in less than half of the cases after the same training, and in four of five after five
# times as much. So four heads do not do what one could not: they make the parts *easy* to
# read and quick to learn, where one head needs a strong reader and a long training.

# %% [markdown] lang="en"
# *Is it one lucky training?* Here is each role over three seeds for two heads, which must
# share. Who takes what differs from seed to seed, and so does what is left over.

# %%
lab.seed_bars(64, 2)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Loop over heads first
#
# How is it computed? Take five positions of eight numbers, and two heads. Each head uses
# its own four columns of $W_Q$, $W_K$ and $W_V$, so that $d_k = d_{model} / h$. Those
# columns are its **subspace**. The loop below is the whole of **multi-head attention**;
# only speed is missing.

# %%
rng = np.random.RandomState(0)
X, (W_Q, W_K, W_V, W_O) = rng.randn(5, 8), rng.randn(4, 8, 8)
found = []
for part in (slice(0, 4), slice(4, 8)):
    projections = (X @ W[:, part] for W in (W_Q, W_K, W_V))  # (T, d_k)
    found.append(scaled_dot_product_attention(*projections)[0])
looped = np.concatenate(found, axis=-1) @ W_O  # (T, d_model)
looped.shape

# %% [markdown] lang="en"
# In signs: $\mathrm{head}_p = \mathrm{softmax}(Q_p K_p^\top / \sqrt{d_k})\, V_p$, where
# $Q_p$ is the part of $X W_Q$ that belongs to head $p$, and the output is
# $\mathrm{Concat}(\mathrm{head}_0, \ldots, \mathrm{head}_{h-1})\, W_O$. The last matrix,
# which mixes the heads, is the **output projection**. The library projects once at full
# width and cuts afterwards, which gives the same.

# %%
output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, h=2)
np.allclose(output, looped, rtol=0, atol=1e-12), weights.shape

# %% [markdown] lang="en"
# Putting heads side by side and multiplying by $W_O$ is a sum: each head times its own
# rows of $W_O$. That is how one head can be taken out later on, without touching the
# others.

# %%
heads, _ = scaled_dot_product_attention(
    *(split_heads(X @ W, 2) for W in (W_Q, W_K, W_V))
)
added = heads[0] @ W_O[:4] + heads[1] @ W_O[4:]  # (T, d_model)
np.allclose(merge_heads(heads) @ W_O, added)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Cut the features, not the sequence
#
# **Predict, then run.** The cut turns `(T, d_model)` into `(h, T, d_k)`. Below are 3
# positions of 4 numbers, 0 to 11, and two heads. What do the numbers of head 0 add up to?

# %%
small = np.arange(12).reshape(3, 4)  # (T, d_model)
sheet.predict("head 0", ...)
sheet.predict("head 0", true=split_heads(small, 2)[0].sum())

# %%
split_heads(small, 2)

# %% [markdown] lang="en"
# Head 0 gets the first two numbers of *every* position, which is what a head is: a part of
# the width, for all places. In code it is a reshape and then an exchange of two axes.

# %%
lab.show_source(split_heads)

# %% [markdown] lang="en"
# The exchange matters. A reshape alone has the same
# shape and other numbers: its head 0 holds the first position and half of the second, so
# that it has cut the sequence, and no shape complains.

# %%
wrong = lab.split_by_reshape(small, 2)
wrong.shape, wrong[0].tolist()

# %% [markdown] lang="en"
# How would you find such a fault in a network? Change one token and mark which outputs
# move: who can see whom. Random weights will do, because it depends on the program and
# not on training. Under a mask that hides what comes later, output $i$ may see tokens up
# to $i$, a triangle. Switch the faults on, one by one.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_influence(causal=True)
view

# %%
view.set(bug="split")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count the cost
#
# Are heads free? In one respect: a layer of width 512 has the same number of parameters
# with 1 head as with 32, as long as each head is $d_{model} / h$ wide. In another respect
# they are not. Each head keeps a score for every pair of positions, and this **score
# memory** grows with `h`.

# %%
counts = {h: count_parameters(512, h) for h in (1, 8, 32)}
counts, {h: h * 1000**2 for h in (1, 8, 32)}

# %% [markdown] lang="en"
# Usual sizes are below: width, heads, and the width of one head. Twelve heads of 64 are 768 again
# after the merge, so that nothing shrinks.

# %%
pairs = [(256, 8), (512, 8), (768, 12), (1024, 16)]
[(d, h, split_heads(np.ones((1, d)), h).shape[-1]) for d, h in pairs]

# %% [markdown] lang="en"
# The width must be divisible by the number of heads, however, and 12 does not divide 512.
# Ask for it all the same, and the library says what would work.

# %%
try:
    count_parameters(512, 12)
except ValueError as error:
    refusal = str(error)
refusal

# %% [markdown] lang="en"
# Can heads be too narrow? With 24 heads of width 1, each key is a single number, so that
# only the place with the largest or the smallest can win. They are held back rather than
# stuck, for their accuracy still rises when they are trained longer.

# %%
lab.accuracy_curve(24)

# %%
lab.trained_longer()

# %% [markdown] lang="en"
# Vaswani and others found a maximum in between as well, at a fixed cost (table 3, row A):
# BLEU 24.9 with one head, 25.8 with 8 and 16, and 25.4 with 32. Theirs is another task and
# thousands of times the size, and the differences are far smaller.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look at two sentences at once
#
# Networks read many sequences together, a **batch**, and the short ones are filled up. The
# same layer then works on one axis more, $B$, and a padding mask keeps the filling out.
# Does a sentence get the same output, whether it stands alone or with padding?

# %%
both = np.zeros((2, 5, 8))  # (B, T, d_model)
both[0], both[1, :3] = X, X[:3]
mask = padding_mask([5, 3], 5)  # (B, 1, T)
together, weights = multi_head_attention(both, W_Q, W_K, W_V, W_O, 2, mask)
alone, _ = multi_head_attention(X[:3], W_Q, W_K, W_V, W_O, 2)
np.allclose(together[1, :3], alone), weights.shape

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take heads out
#
# Now the network that pronounces words, with four heads in place of one additive look. Do
# they pay? Here is the fair pair, the same network with one head of dot products and with
# four, trained three times each.

# %% slideshow={"slide_type": "slide"}
lab.one_head_bars()

# %% [markdown] lang="en"
# They do not: on average the two differ far less than the seeds do. Then what do four
# heads do here? Untick one and listen. What that head hands on is replaced by zeros, which
# is called **knocking out**, and the error on 500 held-out words is measured at once.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_knockout("knight")
view

# %%
view.set(head_0=False)

# %% [markdown] lang="en"
# One word proves little, so here is every subset of heads, each measured on all held-out
# words: none out, one, two, three, all.

# %%
lab.knockout_bars()

# %% [markdown] lang="en"
# Without one head the error is half as large again or doubles, and without two it is worse.
# So none can be taken out of the finished network. (Left out before the training, three are
# not missed at all: one head alone does as well.) Do they look at the same letters? Each
# agrees with the additive look in about seven of ten sounds, and with the other heads in
# nearly six of ten. But see the last bars: so does a straight line through the word, which
# nobody trained.

# %%
lab.agreement_bars()

# %% [markdown] lang="en"
# So heads agree with one another about as often as with a straight line: that they look
# alike is not shown. Does each carry something of its own? Not shown either: whatever goes
# is missed by a $W_O$ that was trained with it. Where heads can go without loss, one speaks
# of **redundancy**. In large networks many can: Michel and others removed about 20 of 100
# heads of a translator and 40 of BERT's without a loss that matters, and Voita and others,
# training on meanwhile, 38 of 48 for 0.15 BLEU.

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell; `sheet.hint("multi_head")` in a
# cell of your own gives one more hint each time. First all of it in ten lines: `X` is
# `(T, d_model)`, `mask` is `(T, T)`, and there are no biases.
#
# <details><summary>Solution</summary>
#
# ```python
# def multi_head(X, W_Q, W_K, W_V, W_O, h, mask):
#     found = []
#     for W in zip(*(np.split(W, h, axis=1) for W in (W_Q, W_K, W_V))):
#         query, key, value = (X @ part for part in W)
#         scores = np.where(mask, query @ key.T / key.shape[-1] ** 0.5, -np.inf)
#         shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
#         found.append(shares / shares.sum(axis=-1, keepdims=True) @ value)
#     return np.concatenate(found, axis=-1) @ W_O
# ```
#
# </details>


# %%
def multi_head(X, W_Q, W_K, W_V, W_O, h, mask):
    return ...


sheet.check("multi_head", multi_head)

# %% [markdown] lang="en"
# Write the split, from `(T, d_model)` to `(h, T, d_k)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def split(x, h):
#     return x.reshape(len(x), h, -1).swapaxes(0, 1)
# ```
#
# </details>


# %%
def split(x, h):
    return ...


sheet.check("split", split)

# %% [markdown] lang="en"
# An array `heads` has the shape `(h, T, d_k)`, and a class that is often printed ends with
# `T, _, d_k = heads.shape` and `heads.transpose(1, 0, 2).reshape(T, h * d_k)`. For which
# `T` does it run at all, if `h` is 4?
#
# <details><summary>Solution</summary><code>4</code>: the name T holds the number of heads.
# </details>

# %%
sheet.check("fault", ...)

# %% [markdown] lang="en"
# With the boxes above, find the head whose removal costs most on the 500 held-out words.
#
# <details><summary>Solution</summary><code>0</code></details>

# %%
sheet.check("costly", ...)

# %% [markdown] lang="en"
# Here are four heads of a trained layer on one sentence. Which of them looks one word
# back?
#
# <details><summary>Solution</summary><code>0</code>: its line lies just below the
# diagonal.</details>

# %%
sheet.show("back")

# %%
sheet.check("back", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - A head is attention in its own columns of the projections; the heads are put side by
#   side and mixed. Cut the features, never the sequence.
# - One head blends. A linear read-out cannot sort the blend, a stronger one, trained with
#   it, can in part; four heads hand on four things that any reader can tell apart.
# - Parameters do not depend on `h`, the memory of scores that are stored does. In our
#   speaking network four heads do no better than one, yet none can go once it is trained.
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
# In [lesson 5](05_self_attention.ipynb) a sequence looks at itself, and you find out how it
# then knows what comes before what.
