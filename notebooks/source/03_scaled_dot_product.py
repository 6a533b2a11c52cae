# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 3. Compare with a dot product
#
# In lesson 2 a small network scored every pair of sound and letter: two matrices, a tanh
# and a vector. Can one multiplication do that work? Below, a trained network writes the
# three sounds of *phone*. Follow one row from the left to the right.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import lab, luong_attention, masked_softmax, padding_mask
from mha_core.attention import (
    additive_attention,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.models import four_relations
from mha_core.pretrained import load, load_errors, load_one_head, load_relations
from mha_core.tasks import tagged_sentences

# %% slideshow={"slide_type": "slide"}
sheet = lab.Sheet(3)
inside = lab.inside_head(load("multihead"), "phone", head=0, beside="thought")
lab.attention_matrices(inside)

# %% [markdown] lang="en"
# Each sound has a row of numbers that asks, each letter a row that is compared with it
# and a row that is handed back. The word was read together with the longer *thought*, so
# that its last two places are empty; they are hatched, and nothing looks at them. By the
# end of this lesson every arrow of the drawing is a line of code that you have written.
#
# - **You will do:** look a thing up by hand, find out what trained keys and values hold,
#   lengthen the vectors until the softmax breaks, and hide what must not be seen.
# - **You will learn:** what queries, keys and values are and where they come from; why
#   scores are divided by $\sqrt{d_k}$; what a mask does, and what a row without any key
#   gives.
# - **You need:** [lesson 2](02_bahdanau_attention.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look something up
#
# Why would one want a dot product here? Because it is the cheapest way to ask how alike
# two vectors are: multiply number by number, and add up. Think of a shelf. You hold a
# card with what you need, each box has a card on its front, and you take from the boxes
# in proportion to how well the cards agree. Here are two cards of yours, and three boxes.

# %%
query = np.array([[1.0, 0.0], [0.0, 2.0]])  # (T_q, d_k)
key = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # (T_k, d_k)
value = np.array([[10.0], [20.0], [30.0]])  # (T_k, d_v)
scores = query @ key.T  # (T_q, T_k)
scores

# %% [markdown] lang="en"
# Your card is a **query**, the card on a box is a **key**, and what is in the box is a
# **value**. One matrix product compares every query with every key, so that row $i$ and
# column $j$ hold the score $e_{ij} = q_i \cdot k_j$. That is **dot-product attention**
# already, but for the softmax.
#
# The first query agrees with boxes 0 and 2 and has nothing in common with box 1. The
# second is twice as long, which is why its scores are twice as large: a dot product
# measures how alike two vectors are *and* how long they are. From here on everything is
# as in lesson 2, a softmax along each row and a weighted sum of the values.

# %%
weights = softmax(scores)  # (T_q, T_k)
context = weights @ value  # (T_q, d_v)
weights.round(4), context.round(2)

# %% [markdown] lang="en"
# Check the first row: scores of 1, 0 and 1 give $e$, $1$ and $e$, each divided by
# $2e + 1$. Every row of weights adds up to 1, because each query shares out its attention
# among the keys; the columns add up to nothing in particular.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Make the cards
#
# Where do the cards come from? In lesson 2 the decoder's state asked, and the states of
# the encoder were both what is compared and what is handed back. That is a waste, because
# what one finds a thing by is seldom what one wants from it: you look for a book by its
# shelf mark and take home the text. Here is a task made for that. Each place of a
# sentence holds a word, from A to P, and a tag, from 0 to 5; every tag stands on two places.

# %%
words, tags = tagged_sentences.sentences(np.random.default_rng(0), 200)
[
    f"{'ABCDEFGHIJKLMNOP'[word]}{tag}"
    for word, tag in zip(words[0], tags[0], strict=True)
]

# %% [markdown] lang="en"
# Each place has to report the word of its partner, the other place with the same tag. So
# a place should be found by its tag, and hand back its word. A trained layer does this
# with three matrices for one vector $x_j$: $q_j = x_j W_Q$, $k_j = x_j W_K$ and
# $v_j = x_j W_V$. Each such matrix is a **projection**. We take the head that learned the
# partner; it has 16 columns of each matrix ([lesson 4](04_multi_head_splitting.ipynb) says why).

# %%
layer = load_relations(64, 4)
p, part = layer.params, slice(16, 32)
X = p["E_word"][words] + p["E_tag"][tags] + p["E_place"]  # (B, T, d_model)
queries, keys, values = (X @ p[W][..., part] for W in ("W_Q", "W_K", "W_V"))
keys.shape  # (B, T, d_k)

# %% [markdown] lang="en"
# **Predict, then run.** All three are made from the same vectors, which hold word, tag
# and place. How much of what tells two *values* apart is due to the word, as a share from
# 0 to 1? Write your guess in place of the `...`, and run both cells.

# %%
places = np.broadcast_to(np.arange(12), tags.shape)  # (B, T)
labels = {"tag": tags, "word": words, "place": places}
rows = {"query": queries, "key": keys, "value": values}
held = {
    k: [lab.carried(row, label) for label in labels.values()] for k, row in rows.items()
}
sheet.predict("values", ...)
sheet.predict("values", true=held["value"][1])

# %% slideshow={"slide_type": "slide"}
lab.bars([*labels], held, y_name="share of the differences", limits=(0, 1))

# %% [markdown] lang="en"
# The values hold {{ held["value"][1]:.2f }} word and next to nothing of the tag; queries
# and keys hold mostly the tag. Nobody told the matrices to share the work like this:
# training found that a place is looked up by one thing and hands back another. Is it due
# to training, though, and not to the way we measure? The same layer before its training
# is the control.

# %%
blank = four_relations.untrained(64, 4, np.random.default_rng(0)).params
X_0 = (
    blank["E_word"][words] + blank["E_tag"][tags] + blank["E_place"]
)  # (B, T, d_model)
[round(lab.carried(X_0 @ blank["W_V"][:, part], label), 2) for label in labels.values()]

# %% [markdown] lang="en"
# A third each: a random matrix keeps some of everything. The other control is to take the
# difference away. Give the head its keys as values, and leave all else as it is. What
# becomes of the four things that this layer reports, of which the partner is the last?

# %%
same = p["W_V"].copy()
same[:, part] = p["W_K"][:, part]
one_card = layer.with_params(p | {"W_V": same})
[four_relations.accuracy(each, words, tags).round(2) for each in (layer, one_card)]

# %% [markdown] lang="en"
# The partner is gone, since the head still finds the right place and then hands back its
# tag; with 16 words, guessing would be right in one of 16. The other three heads, whose matrices
# we left alone, do not notice. Any other change of its values would have broken this head
# as well, since what reads it was trained with them; so this shows what the values hold,
# and not that a network needs them apart from the keys. Three projections leave training
# the freedom to ask, to be found and to answer by different things, and here it took it.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare three ways to score
#
# What is lost if the small network of lesson 2 goes? Count what has to be trained. The
# dot product needs nothing, but query and key must have the same width. A matrix $W_a$
# between them, $q_i W_a \cdot k_j$, lifts that; Luong calls it *general*. The additive
# score has two matrices and a vector, and it is not a product: it adds, and bends.

# %%
identity = np.eye(2)
dot, _ = luong_attention(query, key, value)
general, _ = luong_attention(query, key, value, score="general", W_a=identity)
additive, _ = additive_attention(query, key, value, identity, identity, np.ones(2))
[result.round(2).ravel().tolist() for result in (dot, general, additive)]

# %% [markdown] lang="en"
# With the identity between them, *general* is the dot product again. The additive score
# gives something else, and untrained it is no likeness at all, as you saw in lesson 2. Is
# one of them better at our words, once trained? Here are the edits per sound on all
# held-out words, for one head that multiplies and for one that adds.

# %%
one_dot, adding = (
    load_one_head()["multihead"]["error"],
    load_errors()["bahdanau"]["0"]["error"],
)
one_dot, adding

# %% [markdown] lang="en"
# They come out alike, one training each. What the dot product buys is that all scores of
# all steps are one matrix product, which computers are built for; what that means for the
# time of a whole network, lesson 6 measures.
#
# <details><summary>Luong's third score, and where his state stands</summary>
#
# *Concat* puts query and key side by side and multiplies by one matrix. Cut that matrix in
# two, and the halves are Bahdanau's $W_a$ and $U_a$, so it is the additive score again.
# There is one difference that no formula of the score shows: Bahdanau asks with the
# previous state of the decoder, Luong with the current one, and he uses the context for
# the output.
#
# </details>

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Lengthen the vectors
#
# Longer cards can say more, so why not make them long? Because something happens to the
# scores. **Predict, then run.** Queries and keys of $d_k = 64$ random numbers, each with
# mean 0 and variance 1: their dot product is a sum of 64 products. How far does it
# spread, measured by its standard deviation?

# %%
widths = [1, 4, 16, 64, 256, 1024]
found = lab.measure_scaling(widths)
sheet.predict("spread", ...)
sheet.predict("spread", true=found["std, raw"][3])

# %% slideshow={"slide_type": "slide"}
pairs = zip(
    found["std, raw"].round(1).tolist(),
    found["std, scaled"].round(1).tolist(),
    strict=True,
)
dict(zip(widths, pairs, strict=True))

# %% [markdown] lang="en"
# By about {{ found["std, raw"][3]:.0f }}. Each product has variance 1, and $d_k$
# independent ones together have variance $d_k$, because variances add up; so the spread
# is $\sqrt{d_k}$. Divide the scores by that, and they spread by 1 at any width, as the
# second numbers show.
#
# Why should a large spread be bad? Because the softmax turns differences into ratios. With
# 16 keys, look at how much of the weight the strongest of them takes on average, as the
# vectors grow.

# %% slideshow={"slide_type": "slide"}
names = ("raw", "scaled")
largest = {name: found[f"largest weight, {name}"] for name in names}
axes = {"x_name": "d_k", "y_name": "mean largest weight", "limits": (0, 1)}
lab.lines([str(w) for w in widths], largest, **axes)

# %% [markdown] lang="en"
# At $d_k = 256$ the largest raw score has {{ largest["raw"][4]:.2f }} of the weight,
# whatever the vectors say. Scaled, it has {{ largest["scaled"][1:].min():.2f }} to
# {{ largest["scaled"][1:].max():.2f }} at every width from 4 on. A softmax that has put
# nearly everything on one key is in **saturation**: move its scores a little, and the
# weights stay where they are. For training that is bad news, since a weight that does not
# move passes on no gradient.

# %%
gradients = {f"{kind}gradient, {name}" for name in names for kind in ("", "mean ")}
gradients = {name: found[name] for name in sorted(gradients)}
axes = {"x_name": "d_k", "y_name": "gradient of the weights", "limits": (0, 0.4)}
lab.lines([str(w) for w in widths], gradients, **axes)

# %% [markdown] lang="en"
# Half of the raw draws at 256 have a gradient below {{ found["gradient, raw"][4]:.3f }}. Do
# not make too much of that median, though. In some draws two keys happen to tie, and there
# the gradient is large, so that the mean falls far less: at 64 it is still
# {{ found["mean gradient, raw"][3] / found["mean gradient, scaled"][3]:.2f }} of the
# scaled one. Slide `d_k` yourself and switch the division off. The vectors are random:
# what you see is what training has to start from.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_scaling(d_k=256)
view

# %%
view.set(scaled=False)

# %% [markdown] lang="en"
# A sceptic asks whether a trained network cares. The paper of 2017 says only that its
# authors *suspect* it does. So we trained the layer from above with and without the
# division, at two widths and several numbers of heads, with three seeds each.

# %% slideshow={"slide_type": "slide"}
lab.scale_bars()

# %% [markdown] lang="en"
# With one head or two, the layer without the division falls far behind, in every seed.
# With four heads two of three trainings lose nothing, at either width, and one loses a
# relation. The width of a head is not what tells them apart: at $d_k = 16$ two heads lose
# much and four little. So the division is a good habit and no law.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Put it together
#
# Compare, divide, softmax, mix: that is **scaled dot-product attention**,
# $\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V$, equation 1 of the paper of 2017. The rows
# of $Q$, $K$ and $V$ are the $q_i$, $k_j$ and $v_j$ from above. Here it is as the networks
# of this series were trained with it.

# %%
lab.show_source(scaled_dot_product_attention)

# %% [markdown] lang="en"
# Its last lines are yours. The query is divided before the product, which comes to the
# same and costs less. Try it on the head from the top of this page: do the drawing and
# the code agree on how *phone* is read?

# %%
output, shares = scaled_dot_product_attention(*inside[:3], mask=inside.mask)
shares.round(2), output.shape  # (T_q, T_k), (T_q, d_v)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Hide the padding
#
# What are the two empty columns? Networks read many words at once, and a rectangle of
# numbers needs words of one length, so the short ones are filled up. Nothing may look at
# the filling. A **mask** is a table of true and false, true where a query may look; the
# **padding mask** has one row for a word, because all its queries are under the same ban.

# %%
mask = padding_mask([5, 7], 7)
mask.astype(int)  # (B, 1, T_k)

# %% [markdown] lang="en"
# **Predict, then run.** Three real keys score 1, 2 and 0. Two padded ones happen to score
# 7 and 9. Without a mask, how much weight do the three real keys get together?

# %%
one, few = np.array([[1.0]]), np.array([[1.0], [2.0], [0.0], [7.0], [9.0]])
kept = padding_mask([3], 5)[0]  # (1, T_k)
_, naive = scaled_dot_product_attention(one, few, few, scale=1.0)
_, right = scaled_dot_product_attention(one, few, few, scale=1.0, mask=kept)
sheet.predict("real", ...)
sheet.predict("real", true=naive[0, :3].sum())

# %%
naive.round(4).tolist(), right.round(4).tolist()

# %% [markdown] lang="en"
# Padding took all but {{ naive[0, :3].sum():.3f }} of the weight. With the mask its scores
# count as minus infinity *before* the softmax, so that its weight is exactly 0 and the
# three real keys weigh what they would weigh alone. This is the softmax that every
# attention here calls.

# %%
lab.show_source(masked_softmax)

# %% [markdown] lang="en"
# Why not set the weights to 0 *after* the softmax? Because then the row no longer adds up
# to 1. Dividing by the new sum repairs it here, where {{ naive[0, :3].sum():.3f }} of the
# weight was left. Had the padding scored 900, nothing would be left to divide by.

# %%
cut = naive * kept  # (1, T_k)
float(cut.sum().round(4)), np.allclose(cut / cut.sum(), right)

# %% [markdown] lang="en"
# A mask hides keys, which are columns. The rows of padded *queries* stay, and later steps
# ignore them; so in the heat map of a padded word look for hatched columns, not for empty
# rows. One thing is easily mixed up with a mask: an **additive bias**, numbers that are
# added to the scores. It can make a key more or less likely, a mask can only hide it. Zeros
# and ones as a bias hide nothing.

# %%
_, biased = scaled_dot_product_attention(
    one, few, few, scale=1.0, bias=mask[:1, 0, :5] * 1.0
)
np.allclose(biased, naive)

# %% [markdown] lang="en"
# What if *every* key of a row is hidden? The plain formula divides zero by zero. We say
# that such a row weighs nothing and gives 0; no number of it is NaN.

# %%
nothing = np.array([[True, True, True], [False, False, False]])  # (T_q, T_k)
output, weights = scaled_dot_product_attention(query, key, value, mask=nothing)
weights.round(2), output.round(2)

# %% [markdown] lang="en"
# Others decide differently, and none of them warns you. Measured on one such row,
# for ONNX with its reference evaluator:
#
# | library | the row's output |
# |---|---|
# | PyTorch 2.13.0, `scaled_dot_product_attention` | 0 |
# | PyTorch 2.13.0, `nn.MultiheadAttention`, weights asked for | NaN |
# | Keras 3.15.1, `MultiHeadAttention`, scores asked for | 0 |
# | Keras 3.15.1, `MultiHeadAttention`, scores not asked for | the plain mean of all values |
# | ONNX 1.23.2, `Attention` | 0 |
# | JAX 0.10.2, `nn.dot_product_attention` | the plain mean of all values |
#
# The mean is what a large negative number in place of minus infinity gives: all scores
# are equally low, so that all weights are equal.

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell. Where you are stuck,
# `sheet.hint("softmax")` in a cell of your own gives one more hint each time. First the
# softmax of each row, safe for large scores as well: what can you take away from a row
# without changing its weights?
#
# <details><summary>Solution</summary>
#
# ```python
# def softmax_of_rows(scores):
#     shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
#     return shares / shares.sum(axis=-1, keepdims=True)
# ```
#
# </details>


# %%
def softmax_of_rows(scores):
    return ...


sheet.check("softmax", softmax_of_rows)

# %% [markdown] lang="en"
# Now the whole of it: attention with a mask that is true where a query may look. Give
# back the output, or the output and the weights. The check tries two sizes, and it knows
# the usual slips by name. To see which keys your function looks at beside the right one,
# type `sheet.compare("attention", attention)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def attention(query, key, value, mask):
#     scores = query @ key.T / key.shape[-1] ** 0.5
#     scores = np.where(mask, scores, -np.inf)
#     weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
#     return weights / weights.sum(axis=-1, keepdims=True) @ value
# ```
#
# </details>


# %%
def attention(query, key, value, mask):
    return ...


sheet.check("attention", attention)

# %% [markdown] lang="en"
# Three keys are $(1, 0)$, $(0, 1)$ and $(1, 1)$, counted from 0. Find a query of two
# numbers that gives key 1 at least 0.9 of the weight, with scaled scores. Try it out in a
# cell of your own: there is no formula, but there is a direction.
#
# <details><summary>Solution</summary>Key 2 has all that key 1 has and a 1 more, so that
# 1 must count against it: <code>[-5, 5]</code>.</details>

# %%
sheet.check("query", ...)

# %% [markdown] lang="en"
# Go back to the slider of `d_k`, switch the division off and leave all 12 keys. At which
# width of the slider does the largest weight of a row first come to more than 0.9 on
# average? The line above the picture says it.
#
# <details><summary>Solution</summary><code>1024</code></details>

# %%
sheet.check("sharp", ...)

# %% [markdown] lang="en"
# Here are four maps of the same scores; key 3 is padding. One of them was masked *after*
# the softmax. Which: `"a"`, `"b"`, `"c"` or `"d"`? Add up a row.
#
# <details><summary>Solution</summary><code>"c"</code>: key 3 has no weight there, and the
# rows no longer add up to 1.</details>

# %%
sheet.show("afterwards")

# %%
sheet.check("afterwards", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - A query is compared with every key by a dot product; the softmax of the scores says in
#   which shares the values are mixed. Queries, keys and values are three projections of
#   the same vectors, so that a place can be found by one thing and hand back another.
# - The dot product of long random vectors spreads by $\sqrt{d_k}$. Divided by it, the
#   softmax starts out soft at any width; with few heads training needs that here.
# - A mask makes scores minus infinity before the softmax, so that hidden keys weigh
#   exactly 0; a row without any key gives 0 here, and something else elsewhere.
#
# ## Further reading
#
# - M.-T. Luong, H. Pham, C. Manning: *Effective Approaches to Attention-based Neural
#   Machine Translation*, 2015. Section 3.1 has dot, general and concat.
# - A. Vaswani and others: *Attention Is All You Need*, 2017. Equation 1, and the footnote
#   in section 3.2.1 on the variance of dot products.
#
# ## Next
#
# In [lesson 4](04_multi_head_splitting.ipynb) one query becomes several, and you find out
# what a single one cannot do.
