# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 2. Look back with Bahdanau's attention
#
# What if the decoder need not rely on one message? Every station of the factory keeps a
# log book. Whoever works at night may walk back to the books, at every moment, and read
# the ones that matter just then. What must be stored for that, and who decides which book
# matters?
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import additive_attention, lab
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.models import Bahdanau, Recurrent
from mha_core.pretrained import load, load_dates, pronounce
from mha_core.tasks import pronunciation, spell, written_dates

# %% slideshow={"slide_type": "slide"}
sheet = lab.Sheet(2)
lab.explore_steps("phone", 0)

# %% [markdown] lang="en"
# The letters are read as in lesson 1, but every state is kept. The state before the step
# asks, in blue. The thicker a line, the more of that letter's state goes into the context,
# in orange, from which the next sound is written. Press play and follow the lines: while
# *f* is written, *p* and *h* have the weight together.
#
# - **You will do:** compute one look by hand, take a step of a trained decoder apart, and
#   watch where it looks in words that you type.
# - **You will learn:** what is compared with what, which state asks, what looking back
#   repairs and what it does not.
# - **You need:** [lesson 1](01_the_bottleneck.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compute a look by hand
#
# What does it mean to look? Three letters have been read, and each has left a state
# $\bar s_j$, here of two numbers. The decoder is in state $s_{i-1}$ and is about to write
# sound $i$. Which of the three does it need now? We count from 0, as the code does; papers
# count from 1.

# %%
state = np.array([1.0, 0.0])  # (2,)
states = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])  # (3, 2)
v_a = np.array([-1.0, -1.0])  # (2,)

# %% [markdown] lang="en"
# First each state gets a number that says how well it suits: a score. A small network
# makes it from both, $e_{ij} = \tanh(s_{i-1} W_a + \bar s_j U_a)\, v_a$. Here $W_a$ and
# $U_a$ are left out, so that you can check the sums: for the first state it is
# $-\tanh 2$.

# %%
scores = np.tanh(state + states) @ v_a  # (3,)
scores.round(4)

# %% [markdown] lang="en"
# These **scores** may be of any size and sign. A softmax makes shares of them, the
# **attention weights** $\alpha_{ij} = e^{e_{ij}} / \sum_k e^{e_{ik}}$: all positive,
# together 1. A higher score gets a larger share, and every share changes smoothly with the
# scores, so that the whole has a gradient and can be trained.

# %%
weights = np.exp(scores) / np.exp(scores).sum()  # (3,)
weights.round(4), round(float(weights.sum()), 4)

# %% [markdown] lang="en"
# Last, the states are added up, each times its weight: $c_i = \sum_j \alpha_{ij}\, \bar
# s_j$. This is the **context vector** of step $i$. It is as wide as one state, however
# many letters there are, but it is mixed anew for every sound. The three steps together
# are **attention**.

# %%
context = weights @ states  # (2,)
context.round(4)

# %% [markdown] lang="en"
# Does a higher score mean that two states are alike? Not by itself. Turn the sign of all
# inputs round, query and states, and every score changes its sign, because tanh and sums
# do. Two vectors that are alike stay alike, so they cannot get a high score both times.
# What the small network compares is decided by training alone.

# %%
np.allclose(np.tanh(-state - states) @ v_a, -scores)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# The library does it for many queries at once. Rows are what asks, columns what is looked
# at, and the score, the softmax and the weighted sum stand in three lines. Because the
# score adds up two projections, this is **additive attention**.

# %%
lab.show_source(additive_attention)

# %%
eye = np.eye(2)
c, alpha = additive_attention(
    state[None], states, states, eye, eye, v_a
)  # (1, 2), (1, 3)
np.allclose(c[0], context), np.allclose(alpha[0], weights)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take a step apart
#
# Now the trained network. Its encoder is that of lesson 1 with 40 numbers in each
# direction, so that both networks have about as many parameters: the attention has to pay
# for itself. The decoder remembers *all* states, and their projection by $U_a$, which
# serves every step.

# %%
model = load("bahdanau")
memory, s_0 = model.start(spell(["knight"]))
remembered, keys, visible = memory
remembered.shape, keys.shape, s_0.shape  # (1, 6, 80), (1, 6, 48), (1, 80)

# %%
lab.show_source(Bahdanau.look)

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# **Predict, then run.** One word, one step, six letters, states of 80 numbers. What is
# the shape of the weights of one look? Give a pair such as `(2, 5)`, without the first
# axis, which counts words.

# %%
first_context, first = model.look(s_0, memory)
sheet.predict("weights", ...)
sheet.predict("weights", true=first.shape[1:])

# %%
first.shape, first_context.shape, round(float(first.sum()), 4)

# %% [markdown] lang="en"
# Which state asks? The one *before* the step. The decoder cannot ask with the state that
# it is about to make, because that state is made from the answer. So $s_{i-1}$ asks, the
# context answers, and only then both, with the sound before, give $s_i$. (Bahdanau's own
# first state is made from the backward direction alone, and his read-out has one layer
# more; the order is the same.)

# %%
lab.show_source(Recurrent.step)

# %% [markdown] lang="en"
# Take two steps. The first question goes mostly to *n*, letter 1, and the second to *i*,
# letter 2. The weights of the step are those that `look` gave for $s_0$, so it is the
# state before that asked.

# %%
nothing_yet = model.params["E_target"][[0]]  # (1, 32)
s_1, _, again = model.step(s_0, nothing_yet, memory)
_, second = model.look(s_1, memory)
np.array_equal(first, again), int(first.argmax()), int(second.argmax())

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Watch where it looks
#
# Put the rows of all steps under one another, and you see which letters belong to which
# sounds: an **alignment**. Drawn as colours it is a **heat map**, with one row for each
# sound that is written. Read a row: *aɪ* looks mostly at the *i* and partly at the *n*,
# and *n* at *k* and *n* together. Nobody told it so; the data pairs whole words with whole
# pronunciations.

# %%
said = pronounce(model, "knight")
lab.alignment(said)

# %% [markdown] lang="en"
# Before, programs that translated mostly decided for one word or another. Here the shares
# make it a **soft alignment**: some of *p*, more of *h*. Type words of your own: a silent
# letter (*write*), one letter for two sounds (*box*), or *island*, which it gets wrong.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_alignment("phone")
view

# %%
view.set(word="attention", step=4)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Compare the twins
#
# **Predict, then run.** Without attention the error at 14 and 15 letters was 0.34. Same
# data, same size, same steps: what is it with attention? And what happens to the slope?

# %%
long = [pair for pair in pronunciation("test") if len(pair[0]) in (14, 15)]
said = transcribe(model, [word for word, _ in long])
sheet.predict("error", ...)
sheet.predict("error", true=phoneme_error(said, long))

# %% slideshow={"slide_type": "slide"}
lab.error_curves("last_state", "bahdanau")

# %% [markdown] lang="en"
# {{ phoneme_error(said, long):.2f }}, a third of it, and the curve is nearly flat.
# Bahdanau, Cho and Bengio saw the same with the length of sentences (their figure 2); in
# their table 1, translations of all sentences score 26.75 with attention and 17.82 without
# (BLEU, higher is better, training on up to 50 words).
#
# *Could the twin be better for another reason than looking back?* Both have about the same
# size, and the same data and training. Does it use its looks, though? Take them away.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Switch it off
#
# Does the decoder use what it looks at? Replace its weights by equal ones, so that every
# letter counts alike, and leave everything else as it was trained. Taking a part out like
# this, to see what it was good for, is an **ablation**.

# %%
view = lab.explore_alignment()
view.set(word="attention", step=4, attention=False)

# %% [markdown] lang="en"
# The word falls apart. Over every fortieth held-out word the error rises several times.
# That shows how much *this* network relies on its weights. Whether one that was trained
# with equal weights would do as well is another question; we did not train it.

# %%
some = pronunciation("test")[::40]
both = {"learned": model, "equal": lab.without_attention(model)}
found = {name: transcribe(m, [word for word, _ in some]) for name, m in both.items()}
{name: round(phoneme_error(text, some), 2) for name, text in found.items()}

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Find what the bottleneck cost
#
# In lesson 1 the middle of a word was lost most. But perhaps middles are hard for
# everybody? The twin tells, because it errs where a word is hard and has no bottleneck. So
# subtract its errors, part by part. The first bars are measured while each network hears
# its own sounds, **free running** as in daily use; the others while it is told the true
# sounds so far.

# %% slideshow={"slide_type": "slide"}
lab.bottleneck_cost()

# %% [markdown] lang="en"
# Told the truth, the bottleneck costs most in the middle. Left to itself, the network is
# at its worst further on: an early slip is carried along, since each sound depends on those
# before it. So the bottleneck costs the middle, and a good part of the loss behind it goes
# when earlier slips are corrected.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Reverse the order
#
# Sounds follow letters, so the staircase always descends, and a doubter may say that a
# ruler would do. Dates do not: people write day, month and year in many orders, and the
# network below, of the same kind, always writes the year first. It was trained on English,
# French, German and Chinese dates.

# %% slideshow={"slide_type": "slide"}
lab.explore_dates("9 May 2018")

# %% [markdown] lang="en"
# The year stands last and is read first, so that the blocks run from the upper right to
# the lower left. Type dates of your own, *9 mai 2018* or *2018年5月9日*: in Chinese the year
# comes first, and the same network goes down the diagonal. (If your machine has no Chinese
# font, those signs are shown as numbers.) On days that it never saw, it is right in at
# least 98 of 100.

# %%
clerk = load_dates()
unseen = written_dates.draw(np.random.default_rng(0), 200, held_out=True)
written_dates.exact(clerk, unseen) >= 0.98

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Know its limits
#
# Does a dark cell say that this letter made that sound? Each state has read the rest of
# the word too, in one direction or the other. Change the *k* of *knight* into an *s*, and
# the states at all other letters move. So a weight on *i* is not a weight on that letter
# alone.

# %%
changed, _ = model.start(spell(["snight"]))
np.abs(changed[0] - remembered).max(axis=-1) > 0.01  # (1, 6)

# %% [markdown] lang="en"
# How far apart are the two? For each sound, take the letter that is weighed most, and ask
# how much of the sound's gradient comes from it.

# %%
lab.weight_and_gradient()

# %% [markdown] lang="en"
# Its gradient is three times what a letter of twelve would get by chance, and yet most of
# what would change a sound comes from *other* letters, by whatever way. A heat
# map shows where a network looks, which is worth knowing, and it does not show why it
# answers as it does. Nor does this network read without end: the longest words in training
# have 20 letters, and of this one with 28, whole syllables are skipped.

# %%
said = pronounce(model, "antidisestablishmentarianism")
said

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell; `sheet.hint("look")` in a cell
# of your own gives one more hint each time. First one look: `query` has the shape
# `(d_q,)`, `states` `(T, d)`; give back the context, `(d,)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def look(query, states, W_a, U_a, v_a):
#     scores = np.tanh(query @ W_a + states @ U_a) @ v_a
#     weights = np.exp(scores - scores.max())
#     return weights / weights.sum() @ states
# ```
#
# </details>


# %%
def look(query, states, W_a, U_a, v_a):
    return ...


sheet.check("look", look)

# %% [markdown] lang="en"
# Now a whole step of a decoder that scores with plain dot products, `states @ state`. The
# new state is `tanh([sound, context] @ W + state @ U + b)`. Which state asks?
#
# <details><summary>Solution</summary>
#
# ```python
# def step(state, sound, states, W, U, b):
#     scores = states @ state
#     weights = np.exp(scores - scores.max())
#     context = weights / weights.sum() @ states
#     return np.tanh(np.concatenate([sound, context]) @ W + state @ U + b)
# ```
#
# </details>


# %%
def step(state, sound, states, W, U, b):
    return ...


sheet.check("step", step)

# %% [markdown] lang="en"
# Find a held-out word of ten letters or more that the network of lesson 1 gets wrong and
# this one right. The view tells whether a word was held out; both networks are run on your
# answer.
#
# <details><summary>Solution</summary>One in three of such words will do, for example
# <code>"congratulating"</code>.</details>

# %%
sheet.check("better", ...)

# %% [markdown] lang="en"
# Find a word in which no *e* gets more than 0.05 of the weight, at any sound. Where are
# they silent?
#
# <details><summary>Solution</summary>At the end, for example: <code>"phone"</code>.
# </details>

# %%
sheet.check("faint_e", ...)

# %% [markdown] lang="en"
# Read the map of *wrestle*. Which of its letters are the darkest of no row? Give them as
# one text, in any order, each as often as it stands there.
#
# <details><summary>Solution</summary><code>"wte"</code>: the silent ones.</details>

# %%
sheet.show("silent")

# %%
sheet.check("silent", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - At each step the decoder's state *before* the step is compared with every state of the
#   encoder; a softmax makes weights of the scores, and the weighted sum of the states is
#   the context.
# - With the same data and about the same size, the error at 14 and 15 letters falls to a
#   third. Told the true sounds, the bottleneck costs most in the middle of a word.
# - A weight on a letter is not a weight on that letter alone, since every state knows of
#   its neighbours.
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
# [Lesson 3](03_scaled_dot_product.ipynb) replaces the small network by a dot product, and
# asks where queries, keys and values come from.
