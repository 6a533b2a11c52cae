# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 3. Score with a dot product
#
# Can the small network that scores be replaced by one multiplication? In the factory the
# inspector no longer interviews every station. She holds up a card with what she needs,
# every station holds up a card with what it has, and she compares the cards.
#
# - **You will do:** score by hand, compare ways to score, measure what happens as vectors
#   grow longer, and hide keys that must not be seen.
# - **You will learn:** query, key and value; dot, general and concat; why scores are
#   divided by $\sqrt{d_k}$; what a mask does, and what a row without any key gives.
# - **You need:** [lesson 2](02_bahdanau_attention.ipynb), or at least its summary.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import (
    additive_attention,
    lab,
    luong_attention,
    masked_softmax,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Name the three roles
#
# What asks is the **query**. What it is compared with are the **keys**. What is summed up
# are the **values**. In lesson 2 the query was the decoder's state, and the encoder's
# states were both keys and values. Here are small ones.

# %%
query = np.array([[1.0, 0.0], [0.0, 2.0]])  # (T_q, d_k)
key = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # (T_k, d_k)
value = np.array([[10.0], [20.0], [30.0]])  # (T_k, d_v)

# %% [markdown] lang="en"
# A dot product multiplies number by number and adds up. It is large where two vectors
# point the same way. One matrix product compares every query with every key: row $i$,
# column $j$ is $q_i \cdot k_j$.

# %%
scores = query @ key.T  # (T_q, T_k)
scores

# %% [markdown] lang="en"
# From here on all is as before: softmax along each row, then the weighted sum of values.
# Check the first row: 1, 0, 1 gives $e, 1, e$, divided by $2e + 1$.

# %%
weights = softmax(scores)  # (T_q, T_k)
weights.round(4)

# %%
context = weights @ value  # (T_q, d_v)
context.round(2)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare ways to score
#
# Luong, Pham and Manning tried three scores that compare query and key, in 2015. `dot` is
# what you have just done; query and key must have the same width. `general` puts a matrix between them, so widths
# may differ.

# %%
lab.show_source(luong_attention)

# %% [markdown] lang="en"
# The three differ in what has to be trained: nothing for `dot`, one matrix for `general`,
# a matrix and a vector for `concat`. With the identity as its matrix, `general` is `dot`.

# %%
W, v = np.eye(2), np.ones(2)
dot, _ = luong_attention(query, key, value)
general, _ = luong_attention(query, key, value, score="general", W_a=W)
np.allclose(dot, context), np.allclose(general, context)

# %% [markdown] lang="en"
# `concat` puts query and key side by side and multiplies by one matrix. That is Bahdanau's
# score again: cut the matrix in two, and the halves are $W_a$ and $U_a$.

# %%
W_a, U_a = np.random.RandomState(0).randn(2, 2, 2)  # (2, d_a), (2, d_a)
both = np.concatenate([W_a, U_a])  # (2 + 2, d_a)
concat, _ = luong_attention(query, key, value, score="concat", W_a=both, v_a=v)
additive, _ = additive_attention(query, key, value, W_a, U_a, v)
np.allclose(concat, additive)

# %% [markdown] lang="en"
# One difference is not in the formula. Bahdanau asks with the **previous** decoder state
# and feeds the context into the next one. Luong asks with the **current** state and uses
# the context for the output; with his *input feeding* the result enters the next step too.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Measure long vectors
#
# **Predict, then run.** Queries and keys of $d_k$ random numbers, each with mean 0 and
# variance 1. Their dot product is a sum of $d_k$ products. How far does it spread (what is
# its standard deviation) for $d_k = 64$: 1, 8 or 64?

# %% slideshow={"slide_type": "slide"}
widths = [1, 4, 16, 64, 256, 1024]
found = lab.measure_scaling(widths)
found["std, raw"].round(1)

# %% [markdown] lang="en"
# By {{ found["std, raw"][3]:.0f }}. Each product has variance 1, and $d_k$ independent ones together have variance
# $d_k$: the spread is $\sqrt{d_k}$. Divide by that, and it is 1 for any width. The check
# allows 5 per cent.

# %%
np.abs(found["std, scaled"] - 1).max() < 0.05

# %% [markdown] lang="en"
# Does it matter? Softmax turns differences into ratios. With 16 keys and $d_k = 256$ the
# largest raw score takes {{ found["largest weight, raw"][4]:.2f }} of the weight on
# average. Scaled, it takes {{ found["largest weight, scaled"][1:].min():.2f }} to
# {{ found["largest weight, scaled"][1:].max():.2f }} from width 4 on.

# %% slideshow={"slide_type": "slide"}
names = ("raw", "scaled")
largest = {name: found[f"largest weight, {name}"] for name in names}
axes = {"x_name": "d_k", "y_name": "mean largest weight", "limits": (0, 1)}
lab.lines([str(w) for w in widths], largest, **axes)

# %% [markdown] lang="en"
# Where one key has all the weight, the weights hardly move when the scores do. The size of
# that gradient, raw, is {{ found["gradient, raw"][2]:.2f }} at 16,
# {{ found["gradient, raw"][4]:.3f }} at 256 and nearly nothing at 1024. Medians, since a
# few draws are near ties.

# %%
gradients = {name: found[f"gradient, {name}"] for name in names}
axes = {"x_name": "d_k", "y_name": "median gradient", "limits": (0, 0.4)}
lab.lines([str(w) for w in widths], gradients, **axes)

# %% [markdown] lang="en"
# Slide $d_k$ and switch the division off. Queries and keys are random, nothing is trained:
# what you see is what training would have to start from. The entropy in the message is 1
# if all keys weigh alike, and 0 if one has everything.

# %% slideshow={"slide_type": "slide"}
lab.explore_scaling(d_k=256)

# %%
view = lab.explore_scaling()
view.set(d_k=256, scaled=False)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Put it together
#
# Scaled dot-product attention is softmax$(QK^T / \sqrt{d_k})\,V$, equation 1 of Vaswani
# and others, 2017. The query is scaled before the product, which is the same: $(q / c)
# \cdot k = (q \cdot k) / c$.

# %%
lab.show_source(scaled_dot_product_attention)

# %% [markdown] lang="en"
# Score, softmax and weighted sum are its last lines. The softmax in it is yours from
# above, and two things more: a hidden key scores minus infinity, so that its weight is 0,
# and large scores are lowered first, so that the exponential stays finite.

# %%
lab.show_source(masked_softmax)

# %% [markdown] lang="en"
# Here $d_k = 2$, so the scores are divided by {{ key.shape[-1] ** 0.5:.2f }} and the
# weights are a little flatter than yours above. Multiply the scores by $\sqrt 2$ again,
# and they are yours.

# %%
output, flatter = scaled_dot_product_attention(query, key, value)
_, same = scaled_dot_product_attention(query, key, value, scale=1.0)
flatter.round(4), np.allclose(same, weights)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Hide the padding
#
# Sequences of different lengths are padded to one length. Padding is not text, and no
# query may look at it. A mask is true where a query **may** attend. Lengths 3 and 2 out
# of 3 keys:

# %%
mask = padding_mask([3, 2], 3)
mask  # (B, 1, T_k)

# %% [markdown] lang="en"
# The axis in the middle is for the queries: one row serves all of them. A table of zeros
# and ones without it, one row for each sequence, is no such mask. Where it has as many
# rows as there are queries, it would be read as one row for each query, and no error
# would say so.

# %% [markdown] lang="en"
# **Predict, then run.** Three real keys score 1, 2 and 0. Two padded ones happen to score
# 7 and 9. Without a mask, how much weight does the last one get? With the mask, what do
# the first three get?

# %%
one, keys = np.array([[1.0]]), np.array([[1.0], [2.0], [0.0], [7.0], [9.0]])
_, naive = scaled_dot_product_attention(one, keys, keys, scale=1.0)
_, right = scaled_dot_product_attention(
    one, keys, keys, scale=1.0, mask=padding_mask([3], 5)[0]
)
naive.round(4).tolist(), right.round(4).tolist()

# %% [markdown] lang="en"
# Padding took all but {{ naive[0, :3].sum():.3f }} of the weight. Masked, its scores count as minus infinity
# *before* the softmax, its weight is exactly 0, and the first three weigh what they would
# weigh alone.

# %%
alone = softmax(keys[:3].T)  # (1, 3)
np.allclose(right[:, :3], alone), right[0, 3:].tolist()

# %% [markdown] lang="en"
# Setting weights to 0 *after* the softmax is another thing: the row no longer adds up to
# 1. Dividing by the new sum repairs it here, where {{ naive[0, :3].sum():.3f }} of the
# weight is left. If padding scores 900, nothing is left to divide by.

# %%
cut = naive * padding_mask([3], 5)[0]  # (1, T_k)
float(cut.sum().round(4)), np.allclose(cut / cut.sum(), right)

# %% [markdown] lang="en"
# A mask hides keys, which are columns. The rows of padded *queries* stay: they are
# weights like any others, and later steps ignore them. So in the heat map of a padded
# sentence, look for empty columns, not for empty rows. Slide the number of real keys.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_scaling(d_k=16)
view.set(length=5)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask when there is nothing to see
#
# What if every key of a row is hidden, say of an empty sentence? Zero divided by zero is
# the plain formula's answer. We say: it weighs nothing, and its output is 0. No number of
# the row is NaN.

# %%
nothing = np.zeros((2, 3), bool)
nothing[0] = True
output, weights = scaled_dot_product_attention(query, key, value, mask=nothing)
weights.round(2), output.round(2)

# %% [markdown] lang="en"
# Others decide differently. Measured on the same row, all keys hidden by a boolean mask:
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
# The mean is what large negative numbers in place of minus infinity give: all scores are
# equally low, so all weights are equal. Nothing warns you.

# %%
low = np.full((1, 3), -1e9)  # (1, T_k)
softmax(low).round(4)

# %% [markdown] lang="en"
# ## Exercises
#
# Replace the `...` and run the cell; `sheet.hint("spread")` gives one more hint each
# time. First: queries and keys of 100 numbers, each of mean
# 0 and variance 1. What is the standard deviation of their dot product?
#
# <details><summary>Solution</summary>The root of 100: <code>10</code>.</details>

# %%
sheet = lab.Sheet(3)
sheet.check("spread", ...)

# %% [markdown] lang="en"
# Write the scaled scores. `query` has the shape `(T_q, d_k)` and `key` `(T_k, d_k)`. Scale
# the query or the product, as you like: both are right.
#
# <details><summary>Hint</summary>Divide by the root of the width of one key.</details>
#
# <details><summary>Solution</summary>
#
# ```python
# def scaled_scores(query, key):
#     return query @ key.T / key.shape[-1] ** 0.5
# ```
#
# </details>


# %%
def scaled_scores(query, key):
    return ...


sheet.check("scaled", scaled_scores)

# %% [markdown] lang="en"
# All three scores are 0. The values are 1, 2 and 4. The mask is true, true, false, and
# true means "may attend". What is the output?
#
# <details><summary>Hint</summary>Two keys are left, with equal weights.</details>
#
# <details><summary>Solution</summary><code>(1 + 2) / 2</code> = <code>1.5</code></details>

# %%
sheet.check("masked", ...)

# %% [markdown] lang="en"
# Which of the three roles is not needed for the weights, only for the output: `"query"`,
# `"key"` or `"value"`?
#
# <details><summary>Solution</summary><code>"value"</code>: weights come from queries and keys.
# </details>

# %%
sheet.check("role", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - Queries are compared with keys by a dot product; the softmax of the scores weighs the
#   values.
# - The dot product of long random vectors spreads by $\sqrt{d_k}$; divided by it, the
#   softmax starts out soft at any width.
# - A mask sets scores to minus infinity before the softmax: hidden keys weigh exactly 0,
#   and a row without any key gives 0 here.
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
# In [lesson 4](04_multi_head_splitting.ipynb) one query becomes several: heads.
