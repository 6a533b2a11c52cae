# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 6. Build a Transformer
#
# Attention mixes places. What else does it take until a network of it reads a word and
# speaks? Below, one reads *knight* and writes its last sound. Follow the letters up on the
# left, then the thick lines to the right; each strip of cells is a vector of the network.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import lab, multi_head_attention
from mha_core.blocks import (
    attend_and_add,
    decoder_block,
    encoder_block,
    feed_forward,
    layer_norm,
    positions,
)
from mha_core.pretrained import load, load_controls, pronounce
from mha_core.tasks import spell

# %% slideshow={"slide_type": "slide"}
sheet, model = lab.Sheet(6), load("transformer")
lab.transformer_drawn(model, "knight", step=2)

# %% [markdown] lang="en"
# There are three attentions: letters look at letters, sounds look at the sounds before
# them, and the sounds look at the letters. No state is carried from place to place
# anywhere. By the end of this lesson you have put every part together, and seen where the
# whole does worse than what came before.
#
# - **You will do:** take a trained block apart and rebuild it, follow a sound from the
#   letters to the choice, look into all heads, and find out where the network fails.
# - **You will learn:** what residual, normalization and feed-forward part do; the three
#   attentions; how this network compares on the same words; what came of it.
# - **You need:** [lesson 5](05_self_attention.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take one block
#
# A **Transformer** (Vaswani and others, 2017) is a stack of equal parts, which is why one
# of them is enough to understand it. Such a part is a **block**. Here are the trained
# matrices of the first block that reads letters.

# %%
start = "encoder 0 "
p = {k.removeprefix(start): v for k, v in model.params.items() if k.startswith(start)}
{name: array.shape for name, array in p.items()}

# %% [markdown] lang="en"
# You know four of the names. The rest belongs to three plain parts, which we add one by
# one. What goes in is a row of 48 numbers for each letter: its vector and the vector of
# its place, added up.

# %%
source = spell(["knight"])  # (B, T)
x = model.params["E_source"][source] + positions(6, 48)  # (B, T, d_model)
x.shape

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Keep the numbers in one size
#
# Why normalise? Sharp and stuck maps came from large numbers in lessons 3 and 5, and in a
# stack each part gets the sums of all parts before. So each place is first brought to mean
# 0 and variance 1: with its mean $\mu$ and variance $\sigma^2$, over its 48 numbers,
# $\hat x = (x - \mu) / \sqrt{\sigma^2 + \epsilon}$.

# %%
plain = layer_norm(x, np.ones(48), np.zeros(48))
plain.mean(axis=-1).round(2) + 0.0, plain.var(axis=-1).round(2)

# %% [markdown] lang="en"
# That is **layer normalization** (Ba and others, 2016), and it looks at one place at a
# time. Then each column is multiplied by a gain and moved by a shift, both trained, so
# that a column which matters may be large again.

# %%
lab.show_source(layer_norm)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Add, do not replace
#
# The letters now ask one another, as in lesson 5. What they find does not take the place
# of what they were: it is added. This is a **residual connection** (He and others, 2015),
# and thanks to it a letter is not lost where a head has nothing to say.

# %%
normal = layer_norm(x, p["self gain"], p["self shift"])
matrices = [p[f"self {name}"] for name in ("W_Q", "W_K", "W_V", "W_O")]
found, weights = multi_head_attention(normal, *matrices, 4)
x_1 = x + found  # (B, T, d_model)
weights.shape

# %% [markdown] lang="en"
# The sum is handed on, and the next part normalises a copy of it. The library has the same
# three steps in one function: normalise, attend, add. With `memory` it asks another
# sequence, which is for later.

# %%
lab.show_source(attend_and_add)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Let each place think
#
# Attention only blends values: apart from the softmax, all of it is matrix products. So
# each place gets a small network of its own, two matrices with a kink between
# them: $\mathrm{FFN}(x) = \max(0, xW_1 + b_1)W_2 + b_2$. This is the
# **feed-forward network**.

# %%
lab.show_source(feed_forward)

# %%
normal = layer_norm(x_1, p["think gain"], p["think shift"])
thought = feed_forward(normal, *(p[f"think {k}"] for k in ("W_1", "b_1", "W_2", "b_2")))
x_2 = x_1 + thought  # (B, T, d_model)

# %% [markdown] lang="en"
# **Predict, then run.** How much does it matter? The whole network gets
# {{ lab.held_out_error(model, lab.some_held_out(500)):.2f }} of the sounds of 500 held-out
# words wrong. What will the error be without the feed-forward parts of the two blocks that
# read, if all the rest stays as it was trained?

# %%
sheet.predict("error without", ...)
out = ("think W_2", "think b_2")
cut = {
    k: 0 * v if k.startswith("encoder") and k.endswith(out) else v
    for k, v in model.params.items()
}
without = lab.held_out_error(model.with_params(cut), lab.some_held_out(500))
sheet.predict("error without", true=without)
round(float(without), 2)

# %% [markdown] lang="en"
# Most of the sounds are wrong now, so the network does rely on these parts. (It was
# trained with them; one trained without might find another way.) Attention carries
# things between places, and the feed-forward network works on what has arrived. Together
# they are the block, `encoder_block`. Does it give what your steps gave?

# %%
whole, _ = encoder_block(x, p, 4)
np.allclose(whole, x_2)

# %% [markdown] lang="en"
# How much does each part add? Here is the whole block at one letter, the *n*. Below runs
# what stays; above stands what each part makes of a normalised copy, and the red numbers
# say how long the vector is that it adds.

# %% slideshow={"slide_type": "slide"}
drawn = lab.block_drawn(model, "knight", place=1)
drawn

# %% [markdown] lang="en"
# Attention adds less than was there, the feed-forward network more, at this letter. The
# sum grows from {{ np.linalg.norm(drawn.array[0]):.1f }} to
# {{ np.linalg.norm(drawn.array[-1]):.1f }}, so it is the *reading* that is normalised, not the
# sum. This order is
# called **pre-norm** (Xiong and others, 2020). The paper of 2017 normalises after each sum,
# which is **post-norm** and harder to train in deep stacks; that is why most later
# networks, and this one, do it first.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Write with three attentions
#
# The encoder is two such blocks and one more normalization. The decoder's blocks have an
# attention more: they look at what has been written, under the causal mask of lesson 5,
# and then at the letters.

# %%
lab.show_source(decoder_block)

# %% [markdown] lang="en"
# The second one is **cross-attention**: the queries come from the sounds, keys and values
# from the letters. It is what lesson 2 was about, and the only way from the word to the
# sounds. Here is the first decoder block at work, on the start and the sounds *n* and *aɪ*.

# %%
memory = model.encode(source, source > 0)  # (B, T_k, d_model)
start = "decoder 0 "
q = {k.removeprefix(start): v for k, v in model.params.items() if k.startswith(start)}
target_in = np.array([[0, 23, 6]])  # (B, T_q)
y = model.params["E_target"][target_in] + positions(3, 48)  # (B, T_q, d_model)

# %% [markdown] lang="en"
# **Predict, then run.** Six letters, three sounds, four heads: which shape do the weights
# of the cross-attention have? Write a tuple in place of the `...`.

# %%
sheet.predict("shape", ...)
y, own, cross = decoder_block(y, memory, q, 4)
sheet.predict("shape", true=cross.shape[1:])
own.shape, cross.shape

# %% [markdown] lang="en"
# Rows are the sounds that ask, columns the letters that answer; a batch of one stands in
# front. After the second block comes a last normalization, and one matrix turns the row
# of each place into a score for every sound. The largest one is written, and read again
# at the next step.

# %%
logits = model.logits(source, target_in)  # (B, T_q, phonemes)
logits.argmax(axis=-1), pronounce(model, "knight").sentence

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Ask what the heads look at
#
# Nobody told the heads what to look at. Did they settle on something that can be named?
# Over all held-out words, this is the mean weight on the letter before, on the letter
# itself and on the one after, for every head of the encoder; `1.3` is layer 1, head 3.
# The last group is the control: all letters alike.

# %% slideshow={"slide_type": "slide"}
lab.place_bars("encoder")

# %% [markdown] lang="en"
# Layer 0 is blurred. In layer 1 one head looks at the letter before and two at the letter
# after, far above what equal weights would give. A head that looks at a fixed distance is
# a **positional head**; Voita and others found such heads in translation in 2019. In the
# decoder the pasts are short, so that equal weights are high as well; compare with them.

# %% slideshow={"slide_type": "slide"}
lab.place_bars("decoder")

# %% [markdown] lang="en"
# Two heads of layer 1 put about half of their weight on the sound *before* the last. Look
# at these heads on a word of your own; the cell goes to the one with the letter before.

# %%
view = lab.explore_blocks()
view.set(word="attention", place="encoder", layer=1, head=3)

# %% [markdown] lang="en"
# Does the network need them? Below, one head is taken out at a time, or all four of one
# attention, and the error is measured on all held-out words.

# %% slideshow={"slide_type": "slide"}
lab.part_knockouts()

# %% [markdown] lang="en"
# The heads of encoder layer 0 are nearly spare, one at a time; most others cost more. Of
# the whole attentions, that layer's is missed least by far. What a map shows is not all that decides, though, as lesson
# 5 said. So here is a share of the gradient instead: how much of what moves a sound comes
# through the three letters around its place?

# %% slideshow={"slide_type": "slide"}
lab.near_bars()

# %% [markdown] lang="en"
# With attention of any kind about half of the gradient stays near, with the last states a
# third; a quarter would be chance. Networks that look back stay closer to their letters.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare all four
#
# Four networks, the same words, about as many parameters each, and 8,000 training steps
# of 128 words with the same rate. The bands span three trainings.

# %% slideshow={"slide_type": "slide"}
kinds = ("last_state", "bahdanau", "multihead", "transformer")
lab.error_curves(*kinds)

# %% [markdown] lang="en"
# Attention takes away most of the error of long words. The Transformer does the same
# without recurrence, but it is a little worse than the two in the middle, and clearly
# worse from 14 letters on. What did it buy, then? Steps in a row and paths, for 8 letters
# and 7 sounds, in training:

# %%
shown = ("kind", "ms per training step", "steps", "letter to letter")
[{name: row[name] for name in shown} for row in lab.price_table()]

# %% [markdown] lang="en"
# A recurrent network takes a step for each of 8 letters, for each of 7 sounds, and for
# the end of the word: sixteen that wait for one another, against four blocks. What the
# first letter tells the last goes through all 8 cells, where here it is one look. (A block
# is more than a cell, though.) On one core, where nothing is done at once, that buys
# nothing: its training step is the slowest here. Vaswani and others built it for machines
# that do many things at once.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Find out where it fails
#
# Is it just worse at everything? Listen to a long word, said by the Transformer and by the
# network with additive attention.

# %%
word = "internationalization"
[pronounce(load(kind), word).sentence for kind in ("transformer", "bahdanau")]

# %% [markdown] lang="en"
# The Transformer stops before the word is over. Such a fault can be counted. Among words of
# 16 letters and more, how many come out two sounds too short, or more? Beside them stand
# the same networks, trained on draws in which long words come more often.

# %% slideshow={"slide_type": "slide"}
table = load_controls()
lab.short_bars()

# %% [markdown] lang="en"
# The Transformer stops early far more often, and more long words mend most of that: from
# {{ table["transformer"]["short"]:.2f }} to {{ table["transformer-long-0"]["short"]:.2f }},
# and two more trainings give {{ table["transformer-long-1"]["short"]:.2f }} and
# {{ table["transformer-long-2"]["short"]:.2f }}, of 90 words. Is that fair? The other network
# gets the same draw. Each band spans three trainings.

# %% slideshow={"slide_type": "slide"}
lab.long_word_curves()

# %% [markdown] lang="en"
# On the longest words the draw helps both, in every training, and halves the distance
# between them; on average both pay with slightly more errors on words of 4 to 11 letters. A place
# beyond the fifteenth is rare in training, and the Transformer meets it as a vector of its
# own, whereas a recurrent network takes the same step everywhere. That explanation fits
# the curves, and they do not prove it.
#
# Or was the Transformer just trained too little, or at a wrong rate? The recipe, so that
# you can doubt it: Adam, with a rate that rises to 0.004 and falls to 0, chosen once for
# all four networks. Here it is trained for twice the steps, at half the rate, and at twice
# the rate.

# %% slideshow={"slide_type": "slide"}
changed = (f"transformer-{name}" for name in ("16000", "rate-2e-3", "rate-8e-3"))
lab.control_curves("transformer", *changed, "bahdanau")

# %% [markdown] lang="en"
# More steps or a higher rate bring it about halfway to the other network, up to 15
# letters. So a part of its distance, in the comparison of all four, was a recipe that
# suits it badly; what another one would do for the other three was not measured. Of the
# longest words fewer stop too early, {{ table["transformer-16000"]["short"]:.2f }} and
# {{ table["transformer-rate-8e-3"]["short"]:.2f }}, but they have as many errors as before.
#
# What the paper has and this network has not: post-norm, embeddings times
# $\sqrt{d_{model}}$, **dropout**, which sets numbers to 0 at random while training, and
# **label smoothing**, which asks for a little less than certainty.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## From here to BERT and GPT
#
# | year | what |
# |---|---|
# | 2014 | Sutskever, Cho: encoder and decoder, one message (lesson 1) |
# | 2015 | Bahdanau: look back at every state (lesson 2) |
# | 2016 | Cheng, Parikh: attention within one sequence |
# | 2017 | Vaswani: both, heads, no recurrence (this lesson) |
# | 2018 | Radford, GPT: only the decoder's blocks; Devlin, BERT: only the encoder's |
# | 2020 | Brown, GPT-3: the same kind of blocks, 175 billion parameters |
#
# Leave out the encoder and the cross-attention, and what remains reads and writes one
# sequence under a causal mask: a **decoder-only** network such as GPT. Leave out the
# decoder and the mask, and it reads in both directions without writing: **encoder-only**,
# such as BERT, which guesses hidden words. A **large language model** of today is mostly
# decoder-only and trained to go on with text; its blocks have the parts that you took apart.
#
# ## Exercises
#
# Write your answer in place of the `...` and run the cell; `sheet.hint("layer_norm")` in a
# cell of your own gives one more hint each time. First layer normalization: each place by
# itself, with $\epsilon$ = 0.00001 under the root, then gain and shift.
#
# <details><summary>Solution</summary>
#
# ```python
# def my_norm(x, gain, shift):
#     mean = x.mean(axis=-1, keepdims=True)
#     variance = x.var(axis=-1, keepdims=True)
#     return (x - mean) / np.sqrt(variance + 1e-5) * gain + shift
# ```
#
# </details>


# %%
def my_norm(x, gain, shift):
    return ...


sheet.check("layer_norm", my_norm)

# %% [markdown] lang="en"
# Now the whole block, pre-norm, for one sequence `x` of shape $(T, d_{model})$. The weights
# are in `p`, under the names of the cell at the top. You may use the parts of the library,
# but not `encoder_block`.
#
# <details><summary>Solution</summary>
#
# ```python
# def block(x, p, h):
#     normal = layer_norm(x, p["self gain"], p["self shift"])
#     matrices = [p[f"self {k}"] for k in ("W_Q", "W_K", "W_V", "W_O")]
#     x = x + multi_head_attention(normal, *matrices, h)[0]
#     normal = layer_norm(x, p["think gain"], p["think shift"])
#     think = [p[f"think {k}"] for k in ("W_1", "b_1", "W_2", "b_2")]
#     return x + feed_forward(normal, *think)
# ```
#
# </details>


# %%
def block(x, p, h):
    return ...


sheet.check("block", block)

# %% [markdown] lang="en"
# In the explorer, go to the encoder. Find a layer and a head that put half of their weight
# or more on the letter *before*; give both numbers, as in `(0, 1)`. The check runs that
# head on 60 held-out words.
#
# <details><summary>Solution</summary><code>(1, 3)</code></details>

# %%
sheet.check("neighbour", ...)

# %% [markdown] lang="en"
# Find a held-out word of 16 letters or more that the Transformer says at least two sounds
# too short and the network with additive attention does not. `pronounce` says what a word
# becomes and whether it was held out.
#
# <details><summary>Solution</summary>About four of ten such words will do, for example
# <code>"institutionalize"</code>.</details>

# %%
sheet.check("cut_short", ...)

# %% [markdown] lang="en"
# Read the picture: in which fifth of the word does the Transformer miss more than twice as
# many sounds as additive attention? `"first"`, `"second"`, `"third"`, `"fourth"` or `"last"`.
#
# <details><summary>Solution</summary><code>"last"</code>: it stops too early.</details>

# %%
sheet.show("fifth")

# %%
sheet.check("fifth", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - A block normalises, attends and adds; then it normalises, thinks and adds. Attention
#   carries things between places, the feed-forward network works on each place.
# - The encoder reads with self-attention; the decoder looks at its own past, then at the
#   letters through cross-attention, which is lesson 2 again.
# - On these words the Transformer has no steps in a row to wait for in training, and a
#   higher error on long words, where it stops too early; more long words mend half of it.
#
# ## Further reading
#
# - A. Vaswani and others: *Attention Is All You Need*, 2017. Section 3 is this lesson.
# - R. Xiong and others: *On Layer Normalization in the Transformer Architecture*, 2020.
# - E. Voita and others: *Analyzing Multi-Head Self-Attention*, 2019. Positional heads, and
#   which heads can go.
#
# ## Next
#
# You have read the code of every part. In [lesson 7](07_build_it_yourself.ipynb) you write
# it, put it into this network, and train one of your own that invents words.
