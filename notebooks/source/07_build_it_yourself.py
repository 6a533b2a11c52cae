# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 7. Build it yourself
#
# You have looked, slid and predicted. Can you write it? Below, one line of a trained
# network's code is replaced, and nothing else: not a number of what it learned. The first
# bar is the right code. In the others, heads are split or merged by a wrong `reshape`,
# which gives the right shapes, raises no error, and ruins it.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import attention, lab, training
from mha_core.evaluation import bits_per_letter
from mha_core.lab import merge_by_reshape, split_by_reshape
from mha_core.models import counting, letter_cache, letter_model
from mha_core.pretrained import load_language, load_language_table
from mha_core.tasks import batches_of_letters, pronunciation, spell

# %% slideshow={"slide_type": "slide"}
sheet = lab.Sheet(7)
bugs = {
    "split": {"split_heads": split_by_reshape},
    "merge": {"merge_heads": merge_by_reshape},
}
lab.plugged_bars(as_trained={}, **bugs)

# %% [markdown] lang="en"
# An error above 1 means more edits than there are sounds: the network babbles. So in this
# lesson nothing counts as right because it runs. Each function that you write goes into
# the trained Transformer of lesson 6, which must still say *knight*.
#
# - **You will do:** write attention, multi-head attention, a block and a training loop,
#   plug each in, and train a letter model of your own.
# - **You will learn:** what each line is there for, by what happens without it, and what a
#   network without an encoder can do.
# - **You need:** [lesson 3](03_scaled_dot_product.ipynb) to
#   [lesson 6](06_the_transformer.ipynb). Where you are stuck, `sheet.hint("masked_softmax")` in a
#   cell of your own gives one more hint each time.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Make weights of scores
#
# Everything rests on one function. `scores` has a row for each query and a column for each
# key, and may have axes before these, one for each head. `visible` is true where a query
# may look. Give back weights: each row sums to 1, and what is hidden weighs exactly 0.
#
# <details><summary>Solution</summary>
#
# ```python
# def masked_softmax(scores, visible):
#     scores = np.where(visible, scores, -np.inf)
#     shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
#     return shares / shares.sum(axis=-1, keepdims=True)
# ```
#
# </details>


# %%
def masked_softmax(scores, visible):
    return ...  # (..., T_q, T_k)


sheet.check("masked_softmax", masked_softmax)

# %% [markdown] lang="en"
# Now the proof. `lab.plug` runs the trained Transformer with your function in place of the
# library's, in all its six attentions. The message says what it reads aloud, and how often
# it errs. While a function still gives back `...`, the library's stays inside.

# %% slideshow={"slide_type": "slide"}
view = lab.plug("knight", masked_softmax=masked_softmax)
view

# %%
view.set(word="phone")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare, divide, mix
#
# Scaled dot-product attention in three lines: scores of each query with each key,
# divided by the root of the width of a key; your `masked_softmax`; the values, mixed. Give
# back both, `output, weights`. Let it work with axes in front, too: `np.swapaxes(key, -1,
# -2)` turns the last two.
#
# <details><summary>Solution</summary>
#
# ```python
# def scaled_dot_product_attention(query, key, value, mask):
#     scores = query @ np.swapaxes(key, -1, -2) / key.shape[-1] ** 0.5
#     weights = masked_softmax(scores, mask)
#     return weights @ value, weights
# ```
#
# </details>


# %%
def scaled_dot_product_attention(query, key, value, mask):
    return ...  # (..., T_q, d_v), (..., T_q, T_k)


sheet.check("attention", scaled_dot_product_attention)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Cut and join
#
# `split_heads` turns `(T, d_model)` into `(h, T, d_k)`, so that head 0 gets the first d_k
# features of every position. The first bars of this lesson show what becomes of a network
# when it is written as one `reshape`.
#
# <details><summary>Solution</summary>
#
# ```python
# def split_heads(x, h):
#     T, d_model = x.shape
#     return x.reshape(T, h, d_model // h).swapaxes(0, 1)
# ```
#
# </details>


# %%
def split_heads(x, h):
    return ...  # (h, T, d_k)


sheet.check("split", split_heads)

# %% [markdown] lang="en"
# And back: `merge_heads` puts the heads side by side again, `(h, T, d_k)` to
# `(T, h * d_k)`, so that merging what was split gives the same array.
#
# <details><summary>Solution</summary>
#
# ```python
# def merge_heads(x):
#     h, T, d_k = x.shape
#     return x.swapaxes(0, 1).reshape(T, h * d_k)
# ```
#
# </details>


# %%
def merge_heads(x):
    return ...  # (T, h * d_k)


sheet.check("merge", merge_heads)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Put the heads together
#
# Four lines make multi-head attention of your parts: project `X` to queries, and `key`
# to keys and values; split each; attend; merge; multiply with `W_O`. Without a key, X
# looks at itself. Give back output and weights.
#
# <details><summary>Solution</summary>
#
# ```python
# def multi_head_attention(X, W_Q, W_K, W_V, W_O, h, mask=None, key=None):
#     key = X if key is None else key
#     Q, K, V = (split_heads(x, h) for x in (X @ W_Q, key @ W_K, key @ W_V))
#     heads, weights = scaled_dot_product_attention(Q, K, V, mask)
#     return merge_heads(heads) @ W_O, weights
# ```
#
# </details>


# %%
def multi_head_attention(X, W_Q, W_K, W_V, W_O, h, mask=None, key=None):
    return ...  # (T_q, d_model), (h, T_q, T_k)


sheet.check("multi_head", multi_head_attention)

# %% [markdown] lang="en"
# With this one plugged in, every look of the network is code of yours: six attentions, of
# four heads each. The maps are drawn from your weights. Type words of your own; if one
# comes out otherwise than with the library, look for the line that does it.

# %% slideshow={"slide_type": "slide"}
lab.plug("knight", multi_head_attention=multi_head_attention)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Break it on purpose
#
# What does each line protect? Here are three classical faults, written out. The first
# forgets to divide; the next takes the mask for its opposite; the last lets the queries
# compete for a key, where the keys should compete for a query.


# %%
def unscaled(query, key, value, mask):
    return attention.scaled_dot_product_attention(query, key, value, mask=mask, scale=1)


def inverted(scores, visible):
    return attention.masked_softmax(scores, ~visible)


def over_queries(scores, visible):
    shares = np.exp(np.where(visible, scores, -np.inf))
    return shares / np.maximum(shares.sum(axis=-2, keepdims=True), 1e-9)


# %% [markdown] lang="en"
# **Predict, then run.** As trained, the network gets 0.12 of the sounds of 200 held-out
# words wrong. How many with the first fault, without the division? Its scores are then
# larger, by the root of d_k = 12, and the largest weight takes more.

# %%
faults = {
    "no_scale": {"scaled_dot_product_attention": unscaled},
    "mask_inverted": {"masked_softmax": inverted},
    "turned": {"masked_softmax": over_queries},
}
picture = lab.plugged_bars(as_trained={}, **faults)
sheet.predict("no_scale", ...)
sheet.predict("no_scale", true=picture.array[0, 1])

# %% slideshow={"slide_type": "slide"}
picture

# %% [markdown] lang="en"
# Without the division the network still speaks, with an accent:
# {{ picture.array[0, 1]:.2f }}. Had it been trained so, it could have made its projections
# smaller; now it is too sure of its first choice. That is why this fault goes unnoticed.
# The other two leave nothing, because they change *who* is looked at.

# %%
lab.plug("knight", **faults["no_scale"])

# %% [markdown] lang="en"
# *Knight* with a *k*: the largest weight takes all. Plug in the last of the three in the
# same way, and the message says it outright: rows that do not sum to 1. So check the sum
# of a row before you check anything else.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Keep it in bounds
#
# Layer normalization brings each position to mean 0 and variance 1, by itself, with
# 0.00001 added to the variance under the root; then a gain multiplies and a shift is
# added. `x` has the shape `(T, d_model)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def layer_norm(x, gain, shift):
#     mean, variance = (f(x, axis=-1, keepdims=True) for f in (np.mean, np.var))
#     return (x - mean) / np.sqrt(variance + 1e-5) * gain + shift
# ```
#
# </details>


# %%
def layer_norm(x, gain, shift):
    return ...  # (T, d_model)


sheet.check("layer_norm", layer_norm)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Stack a block
#
# A block normalises, attends and adds; then it normalises, thinks and adds. `p` holds its
# weights: `"self gain"`, `"self shift"`, `"self W_Q"` and so on, and `"think gain"` to
# `"think b_2"`. To think is `np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2`. Hand the mask on,
# and give back x and the weights of attention.
#
# <details><summary>Solution</summary>
#
# ```python
# def block(x, p, h, mask):
#     normal = layer_norm(x, p["self gain"], p["self shift"])
#     matrices = [p[f"self {name}"] for name in ("W_Q", "W_K", "W_V", "W_O")]
#     seen, weights = multi_head_attention(normal, *matrices, h, mask)
#     x = x + seen
#     normal = layer_norm(x, p["think gain"], p["think shift"])
#     inside = np.maximum(normal @ p["think W_1"] + p["think b_1"], 0)
#     return x + inside @ p["think W_2"] + p["think b_2"], weights
# ```
#
# </details>


# %%
def block(x, p, h, mask):
    return ...  # (T, d_model), (h, T, T)


sheet.check("block", block)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Say how wrong it is
#
# The loss: `logits` has a row for each place, `target` says which number of it is right,
# and `counted` is false where a short word was filled up. Give back the mean, over what
# counts, of minus the log of the right shares. `attention.softmax` is there.
#
# <details><summary>Solution</summary>
#
# ```python
# def loss(logits, target, counted):
#     shares = attention.softmax(logits)[np.arange(len(target)), target]
#     return -(np.log(shares) * counted).sum() / counted.sum()
# ```
#
# </details>


# %%
def loss(logits, target, counted):
    return ...


sheet.check("padded_loss", loss)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take the steps
#
# And the loop that makes a network of random numbers into one that speaks.
# `gradients(f, params)` gives the value of `f` and its gradients by name;
# `adam(params, grads, moments, step, 0.1)` gives the next parameters, and keeps its notes
# in the dict `moments`. Give back the loss of each step, as numbers.
#
# <details><summary>Solution</summary>
#
# ```python
# from mha_core.gradients import gradients
# from mha_core.training import adam
#
# def train(params, f, steps):
#     moments, losses = {}, []
#     for step in range(1, steps + 1):
#         value, grads = gradients(f, params)
#         params = adam(params, grads, moments, step, 0.1)
#         losses.append(float(value))
#     return losses
# ```
#
# </details>


# %%
def train(params, f, steps):
    return ...


sheet.check("train", train)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Guess the next letter
#
# Now a network of your own. Leave out the encoder and the cross-attention, and what is
# left reads its own past and guesses what comes next: a **language model**, here over
# letters. What could beat it? Counting. After the last few letters, which one came how
# often? This is all of it, for runs of up to `n` letters.

# %%
lab.show_source(counting.count_letters)

# %%
lab.show_source(counting.chance)

# %% [markdown] lang="en"
# How good is a guess? If the right letter had the chance $p$, it costs $-\log_2 p$
# bits: none if one was sure, one bit for a coin, and $\log_2 27$ for guessing among 26
# letters and the end. **Predict, then run.** How many **bits per letter** does counting
# need that looks at three letters together, on words that it never saw?

# %%
words, held_out = ([w for w, _ in pronunciation(s)] for s in ("train", "test"))
counts = counting.count_letters(words, 3)
sheet.predict("bits", ...)
sheet.predict("bits", true=counting.bits_by_counting(counts, held_out))

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# The model has two blocks, 48 wide, and 60,000 numbers. It trains on every place of a word
# at once, because the causal mask hides what comes; at each place, the next letter is the
# right answer. Here are 700 steps, of 64 words each; the loss is noted every 50.


# %%
def draw(rng):
    return batches_of_letters(pronunciation("train"), rng, most=50)


model = letter_model.untrained(np.random.default_rng(0))
how = {"objective": letter_model.objective, "warm_up": 100}
steps, losses, _ = zip(*training.train(model, draw, 700, **how), strict=True)
lab.lines(steps, {"loss": losses}, x_name="step", y_name="loss", tell=False)

# %% [markdown] lang="en"
# The curve falls steeply, while the model finds out which letters are frequent, and then
# slowly, while it learns which one follows which. How good is it on words that it never
# saw, beside counting, and beside the same model trained for longer?

# %% slideshow={"slide_type": "slide"}
mine, table = bits_per_letter(model, held_out), load_language_table()
lab.bits_bars(mine=round(mine, 1))

# %% [markdown] lang="en"
# After some seconds of training it needs fewer bits than counts of three letters, and more
# than counts of five. Only the long training, 16,000 steps, gets below the best count. But
# look at what they keep: the counts of five letters are
# {{ table["counts"]["5"]["numbers"]:,d }} numbers, of six
# {{ table["counts"]["6"]["numbers"]:,d }}, and the model has
# {{ table["models"]["seed 0"]["numbers"]:,d }}.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Let it write
#
# A model that expects letters can draw them, one after the other: each is chosen by
# chance, in the shares that it expects, and is read before the next. That is **sampling**.
# The **temperature** divides the scores before the softmax. Low, the likeliest wins; high, everything may
# come. Begin a word yourself.

# %% slideshow={"slide_type": "slide"}
lab.explore_writing("q")

# %% [markdown] lang="en"
# Does it only repeat what it has read? Draw two hundred words and look them up. Most are
# new, and yet they could be English; some of the words that were held out of training
# turn up, which it cannot have read.

# %%
shipped = load_language()
lab.known(shipped.write(np.random.default_rng(0), 200))

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask what it needs
#
# What do its parts buy? Here are short trainings, as long as yours, with one thing
# changed: one layer in place of two, one head in place of four, no positions. The causal
# mask alone tells something of the order (lesson 5); is it enough?

# %% slideshow={"slide_type": "slide"}
bits = {name: np.mean(row["bits"]) for name, row in table["changes"].items()}
costs = {name: needed - bits["nothing"] for name, needed in bits.items()}
lab.changed_bits()

# %% [markdown] lang="en"
# Little, in so short a training: {{ costs["one head"]:.2f }} bits for the other three heads,
# {{ costs["no positions"]:.2f }} for positions, and {{ costs["one layer"]:.2f }} for the second layer,
# which is less than the seeds differ. The mask alone does tell most of the order.
#
# And where do its heads look? In large models there is the **induction head**: it looks
# for the last place with the same letter, and from there at what followed. Type a word with
# repeats.

# %%
lab.explore_letters("banana")

# %% [markdown] lang="en"
# One word proves nothing. So take strings of five letters, drawn at random and said twice,
# and measure the weight on what followed the same letter before; as a control, the weight
# on the same place in strings that do not repeat. **Predict, then run.** How much does the
# best of the eight heads put there?

# %%
again, control = lab.induction(shipped)  # (blocks, h)
sheet.predict("induction", ...)
sheet.predict("induction", true=again.max())
round(float(again.max()), 2), round(float(control.max()), 2)

# %% [markdown] lang="en"
# Next to nothing, and as much in the control. There are no induction heads here: words
# hardly ever repeat a piece, so nothing taught the model to look for one.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Write without reading again
#
# Trained, the model does all places at once. When it writes, each letter waits for the one
# before. Must it then read everything again? No: keys and values of what was written do
# not change, since nothing before sees what comes. Kept, they are a **KV cache**, and each
# step works on one row.

# %%
ids, cache, rows = np.pad(spell(["garden"]), [(0, 0), (1, 0)]), (), []
for letter in ids[0]:
    logits, cache = letter_cache.next_letter(shipped, letter, cache)  # (27,)
    rows.append(logits)
T = len(rows)
np.allclose(rows, shipped.logits(ids)[0], atol=1e-4), (T, T * (T + 1) // 2)

# %% [markdown] lang="en"
# The same numbers, from {{ T:d }} rows that go through the blocks in place of
# {{ T * (T + 1) // 2:d }}. That is why writing is cheap enough, and why its memory grows
# with every letter.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take the mask away
#
# What if the causal mask is forgotten? The same model, trained as long, with every place
# free to see all. Its loss falls, faster than that of any model of this lesson, and it is
# as good on held-out words.

# %%
leaking = load_language(causal=False)
round(bits_per_letter(leaking, held_out), 2)

# %% [markdown] lang="en"
# Nearly 0 bits a letter: a miracle, or a **leak**. At each place it copies the letter that is
# to be guessed, since it stands in plain view one place further on. Asked to write, where
# no future is there to copy, it can do nothing.

# %% slideshow={"slide_type": "slide"}
lab.explore_writing("q", model=leaking)

# %% [markdown] lang="en"
# No error was raised, and the curve was beautiful. What finds such a fault? A test that
# changes one letter and looks which places move, as in lesson 4, a map with weight above
# its diagonal, and a loss that is too good to be true.
#
# ## Exercises
#
# Nine of them you have met above; here are two more. First read a picture. It shows one
# head of three letter models on the word *garden*. Which model was trained without the
# causal mask, `"a"`, `"b"` or `"c"`?
#
# <details><summary>Solution</summary><code>"b"</code>: letters look at what comes behind
# them.</details>

# %%
sheet.show("unmasked")

# %%
sheet.check("unmasked", ...)

# %% [markdown] lang="en"
# And the last. Find a beginning, of one to four
# letters, after which the shipped model gives one letter 0.9 or more; the end of the word
# does not count. The model is run on your answer.
#
# <details><summary>Solution</summary><code>"q"</code>: after it comes <em>u</em>.
# </details>

# %%
sheet.check("certain", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - Attention is a few lines, and each protects something: that rows sum to 1, that hidden
#   keys weigh 0, that heads cut features, that nothing sees the future.
# - A wrong line keeps all shapes. Plugged into a network that was trained with the right
#   one, it shows itself at once; trained in, it may not show itself at all.
# - The decoder's blocks alone make a language model. On these words a minute of training
#   beats counts of three letters, and a long one all counts, with fewer numbers.
#
# ## Further reading
#
# - A. Radford and others: *Improving Language Understanding by Generative Pre-Training*,
#   2018. The decoder's blocks alone.
# - I. Witten, T. Bell: *The Zero-Frequency Problem*, 1991. How counts are mixed here.
# - C. Shannon: *Prediction and Entropy of Printed English*, 1951. Guessing the next letter,
#   with people.
# - A. Karpathy: *micrograd* and *makemore*, 2020 and 2022. A gradient tape and letter
#   models in few lines.
#
# ## Next
#
# These heads are yours, and small. [Lesson 8](08_what_heads_learn.ipynb) reads those of a
# network that was trained on a large part of the web.
