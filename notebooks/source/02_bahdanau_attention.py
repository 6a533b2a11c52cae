# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 2. Look back with Bahdanau's attention
#
# What if the decoder need not rely on one message? In this factory every station keeps
# its log. When the night shift needs to know something, it looks up the logs, and reads
# those that matter at that moment.
#
# - **You will do:** compute attention by hand on three letters, take one step of a
#   trained decoder apart, and watch where it looks in words that you type.
# - **You will learn:** scores, weights and context; which state asks; what attention
#   repairs, and what it does not.
# - **You need:** [lesson 1](01_the_bottleneck.ipynb), or at least its summary.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import additive_attention, lab, softmax
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.models import Bahdanau, Recurrent
from mha_core.pretrained import load, load_dates, pronounce
from mha_core.tasks import pronunciation, spell, written_dates

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compute it by hand
#
# Three letters have been read, and each left a state $h_1, h_2, h_3$, here of two
# numbers. The decoder is in state $s$ and asks: which of the three do I need now?

# %%
s = np.array([1.0, 0.0])  # (2,)
h = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])  # (3, 2)
v_a = np.array([1.0, 1.0])  # (2,)

# %% [markdown] lang="en"
# First the **scores**. A small network compares $s$ with each state:
# $e_j = v_a \cdot \tanh(W_a s + U_a h_j)$. Here $W_a$ and $U_a$ are left out, so you can
# check the sums: for $h_2$ it is $2 \tanh(1)$.

# %%
scores = np.tanh(s + h) @ v_a  # (3,)
scores.round(4)

# %% [markdown] lang="en"
# Then the **weights**. The softmax makes the scores positive and divides by their sum, so
# that together they are 1. A higher score gets a higher weight, and none is cut off.

# %%
weights = np.exp(scores) / np.exp(scores).sum()  # (3,)
weights.round(4), round(float(weights.sum()), 4)

# %% [markdown] lang="en"
# Last the **context**, the weighted sum of the states. It is as wide as one state, however
# many letters there are. This is all that the decoder gets of the word at this step.

# %%
context = weights @ h  # (2,)
context.round(4)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# The library does the same for many queries at once: rows are queries, columns are keys.
# The keys are what is compared with the query, the values are what is summed up. Here
# both are the states.

# %%
lab.show_source(additive_attention)

# %% [markdown] lang="en"
# With the identity for $W_a$ and $U_a$ it gives your numbers. The query gets an axis of
# its own: one row for one decoder step.

# %%
eye = np.eye(2)
c, a = additive_attention(s[None], h, h, eye, eye, v_a)  # (1, 2), (1, 3)
np.allclose(c[0], context), np.allclose(a[0], weights)

# %% [markdown] lang="en"
# One difference: the library subtracts the largest score before it takes the exponential.
# The weights stay the same, and large scores do no harm. The plain formula would divide
# infinity by infinity here.

# %%
large = [1000.0, 1001.0, 1002.0]
softmax(large).round(4)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take one step of a trained decoder
#
# Now the real network. Its encoder is built like that of lesson 1, with 40 numbers in
# each direction, so that both networks have about 87,000 parameters. `start` reads the
# word and makes the decoder's first state $s_0$ from the last states.

# %%
model = load("bahdanau")
memory, s_0 = model.start(spell(["knight"]))
states, keys, visible = memory
states.shape, keys.shape, s_0.shape

# %% [markdown] lang="en"
# The decoder remembers *all* states, and their projection $U_a h_j$, which serves every
# step. Looking takes a state and gives back a context and the weights.

# %%
lab.show_source(Bahdanau.look)

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# **Predict, then run.** One word, one step, six letters, states of 80 numbers. What are
# the shapes of context and weights? What does the row of weights add up to?

# %%
context_1, weights_1 = model.look(s_0, memory)
context_1.shape, weights_1.shape, round(float(weights_1.sum()), 4)

# %% [markdown] lang="en"
# Which state asks? The **previous** one. $s_0$ asks, the context answers, and only then
# is $s_1$ made from both. So $s_1$ cannot change the first row of weights: it does not
# exist yet.

# %%
lab.show_source(Recurrent.step)

# %% [markdown] lang="en"
# Take the step with the start symbol as the previous sound, and let $s_1$ ask for the
# next one. The first question goes to *n*, letter 1 counted from 0, the second to *i*.

# %%
nothing_yet = model.params["E_target"][[0]]  # (1, 32)
s_1, _, first = model.step(s_0, nothing_yet, memory)
_, second = model.look(s_1, memory)
np.array_equal(first, weights_1), int(first.argmax()), int(second.argmax())

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Watch where it looks
#
# Stack the rows of all steps and you have the alignment. Rows are the sounds that the
# decoder writes, columns the letters that it looks at. Read a row: *aɪ* looks mostly at
# the *i* and partly at the *n*; only *t* looks a little at the silent *g* and *h*.

# %%
said = pronounce(model, "knight")
lab.alignment(said)

# %% [markdown] lang="en"
# Type a word of your own and press `Enter`. Step through the rows with the slider. Try
# silent letters (*write*), one letter for two sounds (*box*), or *island*, which it gets
# wrong.

# %% slideshow={"slide_type": "slide"}
lab.explore_alignment("knight")

# %% [markdown] lang="en"
# Two letters, one sound: for *f* the network looks at *p* and *h*. The training data does
# not say which letters belong to which sound; it pairs whole words with whole
# pronunciations.

# %%
said = pronounce(model, "phone")
lab.alignment(said)

# %% [markdown] lang="en"
# In *attention* the sound *ʃ* puts most weight on the last of three *t*, the one before
# *ion*. Step 4 is outlined. A cell can move a view too, as your hand would.

# %%
view = lab.explore_alignment()
view.set(word="attention", step=4)

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# A word that it has never met, nor any inflected relative of it. The staircase runs from
# the first letter to the last, though no row is strongest at *o*, and the rows of *-ion*
# blur.

# %%
said = pronounce(model, "administration")
lab.alignment(said)

# %% [markdown] lang="en"
# Six words together. Three were in training, three were not. One pronunciation counts as
# right, so *administration* with another weak vowel counts as wrong. *thought* is wrong
# too; the network of lesson 1 had it right.

# %%
names = ("knight", "phone", "queue", "thought", "attention", "administration")
[pronounce(model, name) for name in names]

# %% [markdown] lang="en"
# *queue* is wrong. Look for the reason in the data, not in the network: how many training
# words have *ueu* in them? And of those that begin with *qu*, how many begin with the
# sounds *k w*?

# %%
train = pronunciation("train")
qu = [phonemes for word, phonemes in train if word.startswith("qu")]
sum("ueu" in word for word, _ in train), len(qu), sum(p[:2] == ("K", "W") for p in qu)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare the twins
#
# Only 4 words have *ueu*, and of 352 that begin with *qu*, 336 begin with *k w*: what it
# has hardly seen, it cannot have learned.
#
# **Predict, then run.** Without attention the error at 14 and 15 letters was 0.34. Same
# data, same size: what is it with attention? And what happens to the slope?

# %% slideshow={"slide_type": "slide"}
lab.error_curves("last_state", "bahdanau")

# %% [markdown] lang="en"
# At 4 and 5 letters there is little between them. From there one curve climbs to 0.42, the
# other rises by about 0.05. Bahdanau, Cho and Bengio saw the same thing with the length of
# sentences. In their figure 2 the score without attention falls steeply; with attention,
# and training on up to 50 words, it holds up.
#
# Their table 1, translation from English to French, BLEU on all sentences (higher is
# better); 30 and 50 are the longest sentences in training:
#
# | | without attention | with attention |
# |---|---|---|
# | 30 words | 13.93 | 21.50 |
# | 50 words | 17.82 | 26.75 |
#
# And the middle of the word no longer stands out: most sounds are missed in the second
# fifth, 0.16, and fewest in the last, 0.03.

# %%
lab.missed_bars("last_state", "bahdanau")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Switch it off
#
# Does the decoder use what it looks at? Replace its weights by uniform ones: every letter
# counts alike, the rest of the network stays as it was trained.

# %%
view = lab.explore_alignment()
view.set(word="attention", step=4, attention=False)

# %% [markdown] lang="en"
# The output breaks. On every fortieth test word the error rises from 0.12 to 0.71 edits
# for each sound. This network was trained to rely on its weights; that says nothing about
# one trained without them.

# %%
some = pronunciation("test")[::40]
both = {"learned": model, "uniform": lab.without_attention(model)}
said = {name: transcribe(m, [word for word, _ in some]) for name, m in both.items()}
{name: round(phoneme_error(text, some), 2) for name, text in said.items()}

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Reverse the order
#
# Sounds follow letters in order, so the staircase always descends. Dates do not: people
# write day, month and year in many orders, and the network below writes the year first.
# It is of the same kind, trained on English, French, German and Chinese dates.

# %%
clerk = load_dates()
lab.date_alignment(clerk, "9 May 2018")

# %% [markdown] lang="en"
# The year stands last and is read first: the blocks run from the upper right to the lower
# left. In Chinese the year comes first, and the same network goes down the diagonal.
# Nothing but the input has changed.

# %%
text = "2018年5月9日"
lab.date_alignment(clerk, text)

# %% [markdown] lang="en"
# Type a date of your own: *May 9, 2018*, *9 mai 2018*, *9. Mai 2018*. Anything else is
# answered with a sentence. On days that it never saw in any language, the network is right in at
# least 98 of 100.

# %% slideshow={"slide_type": "slide"}
lab.explore_dates("9 mai 2018")

# %%
unseen = written_dates.draw(np.random.default_rng(0), 200, held_out=True)
written_dates.exact(clerk, unseen) >= 0.98

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# ## Know its limits
#
# Attention does not make the network read words longer than any it was trained on. The
# longest in training have 20 letters; this one has 28, and whole syllables are skipped.

# %%
said = pronounce(model, "antidisestablishmentarianism")
lab.alignment(said)

# %% [markdown] lang="en"
# A heat map has limits of its own. Each state has read the rest of the word too, in one
# direction or the other. Change the *k* of *knight* to an *s*, and the states at all other
# letters move. So a weight on *i* is not a weight on that letter alone.

# %%
changed, _ = model.start(spell(["snight"]))
moved = np.abs(changed[0] - states).max(axis=-1) > 0.01  # (1, 6)
moved

# %% [markdown] lang="en"
# ## Exercises
#
# Replace the `...` and run the cell; `sheet.hint("weights")` gives one more hint each
# time. First: three scores are 0, log 2 and 0. What are the
# weights? Give a list of three numbers.
#
# <details><summary>Solution</summary>exp gives 1, 2, 1, and their sum is 4:
# <code>[0.25, 0.5, 0.25]</code></details>

# %%
sheet = lab.Sheet(2)
sheet.check("weights", ...)

# %% [markdown] lang="en"
# With those weights, what is the context of the states (4, 0), (0, 2) and (4, 4)? Give a
# list of two numbers.
#
# <details><summary>Hint</summary>A quarter of the first, half of the second, a quarter
# of the third.</details>
#
# <details><summary>Solution</summary><code>[2.0, 2.0]</code></details>

# %%
sheet.check("context", ...)

# %% [markdown] lang="en"
# Write the scores yourself. `query` has the shape `(d,)` and `keys` `(T, d)`; both are
# projected already. Return `T` scores.
#
# <details><summary>Hint</summary>Add, take tanh, then weigh with v_a.</details>
#
# <details><summary>Solution</summary>
#
# ```python
# def additive_scores(query, keys, v_a):
#     return np.tanh(query + keys) @ v_a
# ```
#
# </details>


# %%
def additive_scores(query, keys, v_a):
    return ...


sheet.check("scores", additive_scores)

# %% [markdown] lang="en"
# Which state of the decoder asks at step $i$? Answer with one of `"previous"`,
# `"current"`, `"first"` and `"last encoder"`.
#
# <details><summary>Solution</summary><code>"previous"</code>: s_{i-1} asks, then s_i is made from the
# answer.</details>

# %%
sheet.check("asks", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - Attention scores every encoder state with the decoder's previous state, turns the
#   scores into weights, and adds the weighted states up to a context, anew at each step.
# - With the same data and size the error at 14 and 15 letters falls from 0.34 to 0.11,
#   and rises little with length.
# - It does not read words much longer than those in training, and a weight on a letter is
#   not a weight on that letter alone.
#
# ## Further reading
#
# - D. Bahdanau, K. Cho, Y. Bengio: *Neural Machine Translation by Jointly Learning to
#   Align and Translate*, 2015. Section 3.1 and appendix A.1.2 are this lesson; figure 2
#   and table 1 are the comparison.
# - S. Jain, B. Wallace: *Attention is not Explanation*, 2019, and S. Wiegreffe, Y. Pinter:
#   *Attention is not not Explanation*, 2019. What weights do and do not tell.
#
# ## Next
#
# [Lesson 3](03_scaled_dot_product.ipynb) replaces the small network by a dot product, and names query, key and value.
