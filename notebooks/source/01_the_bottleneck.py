# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 1. Pass on only the last states
#
# How much of a word survives if a network reads it once and keeps a fixed handful of
# numbers? Picture a recorder who listens to reports all day and may pass one sentence to
# the night shift. After a quiet day that works. After a long one, something is missing in
# the morning, and it is worth knowing what.
#
# Run the cells from top to bottom: `Shift`+`Enter` runs one, *Run All Cells* in the *Run*
# menu runs all.
#
# On Binder, your session ends after about ten minutes without use, and what you changed
# is deleted with it. Download your notebooks before (*File*, *Download*). To go on, open
# a new session and drag them into its list of files, or install the lessons on your
# machine: the README says how.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import gradients, gru_cell, lab, softmax, training
from mha_core.evaluation import align, phoneme_error, transcribe
from mha_core.models import LastState
from mha_core.models.initial import initial
from mha_core.pretrained import load, load_errors, pronounce
from mha_core.tasks import as_arrays, name_phonemes, pronunciation, spell, to_ipa

# %% slideshow={"slide_type": "slide"}
sheet, model = lab.Sheet(1), load("last_state")
lab.encoder_decoder(lab.write_word(model, "attention"))

# %% [markdown] lang="en"
# A trained network says *attention*. Below, it reads the letters from both sides. Each
# coloured strip holds real numbers: dark ones are negative, light ones positive. Only the
# two framed strips at the ends are passed on, and everything that is said above comes from
# them; the dictionary's sounds stand over it. By the end of this lesson you can run each
# arrow of the drawing yourself.
#
# - **You will do:** read a word letter by letter, let a network pronounce words that you
#   type, and train two small networks.
# - **You will learn:** how one sequence is turned into another, how errors grow with the
#   length of a word, and which part of a word is lost.
# - **You need:** NumPy arrays, the matrix product, and an idea of what a gradient is.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Turn words into numbers
#
# Why words and how they sound? Because anyone can check them by ear, and because the two
# lines rarely have the same length: turning one into the other is a small case of
# **sequence-to-sequence** learning, as translation is a large one. The data is the CMU
# Pronouncing Dictionary, without its marks for stress.

# %%
words = dict(pronunciation("train"))
len(words), words["knight"], to_ipa(words["knight"])

# %% [markdown] lang="en"
# Six letters, three sounds: *k*, *g* and *h* are silent. The names of the sounds are
# ARPAbet; from here on you read the signs of the phonetic alphabet instead, which
# dictionaries use. A network reads numbers, so each letter becomes its place in the
# alphabet, and 0 is kept for filling up.

# %%
source = spell(["knight"])
source  # (1, 6)

# %% [markdown] lang="en"
# A place in the alphabet says nothing about sounds: *k* is not *ten less* than *u*. So the
# network looks each number up in a table and gets a row of 32 numbers for it, which
# training has set. Such a row, $x_j$ for the letter at place $j$, is an **embedding**.

# %%
letters = model.params["E_source"][source]  # (1, 6, 32)
letters.shape, letters[0, 0, :4].round(2)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Read one letter at a time
#
# How does one read something of any length with a fixed number of parameters? By doing
# the same at each letter, and carrying along what was read so far. Here is the whole of
# it in plain NumPy, with random matrices: the new state mixes the letter with the state
# before.

# %%
rng = np.random.default_rng(0)
W, U, state = rng.normal(0, 0.2, (32, 42)), rng.normal(0, 0.2, (42, 42)), np.zeros(42)
for x in letters[0]:
    state = np.tanh(x @ W + state @ U)  # (42,)
state[:4].round(2)

# %% [markdown] lang="en"
# That is a **recurrent neural network**, and what it carries is its **hidden state**. The
# trained one differs in one respect, two biases aside. It decides, number by number, which share $z$ of its
# state to keep (the **update gate**) and how much $r$ of it the new part hears (the
# **reset gate**), so that it can hold on to something for many letters. Together they make
# a **gated recurrent unit (GRU)**.
#
# <details><summary>The code that was trained</summary>
#
# `lab.show_source(gru_cell)` in a cell of your own prints it. Its last line is
# $s = (1 - z)\, \tilde s + z\, s$, in the order of the code. Cho's cell of 2014 resets the
# state before the product with $U$, this one (`reset_after=True`) what comes of it.
#
# </details>

# %%
W, U, b, b_U = (model.params[f"{name}_encoder"] for name in ("W", "U", "b", "b_U"))
state = np.zeros((1, 42), np.float32)
for x in letters[0]:
    state = gru_cell(x[None], state, W[0], U[0], b[0], b_U[0], reset_after=True)
state[0, :4].round(2)

# %% [markdown] lang="en"
# The part of a network that reads is the **encoder**. Ours runs such a loop twice, from
# the left and from the right, so that each letter gets a state $\bar s_j$ of twice 42
# numbers: what was read up to there from either side. Does your loop agree with it? You
# ran the first half, and the last letter is where it ends.

# %%
states = model.encode(source, source > 0)  # (1, 6, 84)
states.shape, np.allclose(states[0, -1, :42], state[0], atol=1e-5)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Pass on the ends
#
# **Predict, then run.** Another part, the **decoder**, writes the sounds. It is given
# only the state that each direction *ends* with: the right end of one, the left end of
# the other, side by side. How many numbers does it get for *internationalization*, with
# its 20 letters?

# %%
long_source = spell(["internationalization"])
message = model.last_states(model.encode(long_source, long_source > 0))  # (1, m)
sheet.predict("message", ...)
sheet.predict("message", true=message.shape[1])

# %%
message.shape, model.last_states(states).shape

# %% [markdown] lang="en"
# The same {{ message.shape[1]:d }} for 20 letters as for 6, which is why this message $m$
# is called the **bottleneck**. The decoder gets it at every step, and that is generous:
# in Sutskever's network of 2014 it came once. Whatever the decoder's state asks for,
# `look` gives back the same.

# %%
lab.show_source(LastState.look)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Write a sound
#
# How does a row of numbers become a sound? The decoder makes a first state from the
# message and takes a step, with *nothing yet* as the sound before. Then one matrix turns
# state and message into a score for each of 40 sounds, the end of the word among them.
# These scores are **logits**, and the **softmax** makes them shares that add up to 1:
# $e^{\mathrm{score}}$, divided by the sum over all of them.

# %%
memory, state = model.start(source)
state, context, _ = model.step(state, model.params["E_target"][[0]], memory)
chances = softmax(model.read_out(state, context)[0, :40])  # (40,)
likely = np.argsort(-chances)[:3]
list(
    zip(
        to_ipa(name_phonemes(likely)),
        chances[likely].astype(float).round(3).tolist(),
        strict=True,
    )
)

# %% [markdown] lang="en"
# It is nearly sure of *n*, and so it has not fallen for the *k*. Writing a word repeats
# that step: take the likeliest sound, hand it to the next step, stop when the end is the
# likeliest. Each sound depends on those written before it, which is what
# **autoregressive** means, and always taking the likeliest is **greedy decoding**.

# %%
writing = lab.write_word(model, "knight")
[
    (sound, round(chance, 3))
    for ((sound, chance), *_) in (s.likely for s in writing.steps)
]

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Learn it
#
# Where do the numbers come from? From {{ len(words):,d }} words and one idea: make the
# right answer likelier. Training shows the network a word with its true sounds so far and
# asks for the next one, whatever it would have said itself. That is **teacher forcing**.
# The **loss** is minus the logarithm of the share that the right sound got, on average
# over all sounds; it is called **cross-entropy**.

# %%
pupil = initial("last_state", np.random.default_rng(0))
some = as_arrays(pronunciation("train")[:64])
round(float(training.loss(pupil, *some)), 2), round(float(np.log(41)), 2)

# %% [markdown] lang="en"
# Untrained, the loss is near $\log 41$, which is what guessing among all outputs gives:
# the 40 and one that fills up short words and is never right.
# One **training step** takes the gradient of the loss by every parameter and moves each
# a little against it. How far, a rule decides from the gradients so far: the **optimizer
# (Adam)**. Here are twenty steps on the same few words.

# %%
moments = {}
for step in range(1, 21):
    found = gradients.gradients(
        lambda p: training.loss(pupil.with_params(p), *some), pupil.params
    )
    pupil.params = training.adam(pupil.params, found[1], moments, step, 4e-3)
bool(training.loss(pupil, *some) < 3)

# %% [markdown] lang="en"
# The shipped network took {{ 8000:,d }} such steps, each on another 128 words. Which
# numbers it starts from and which words come when is drawn at random, and the **seed** is
# the number that fixes the draw. So that nobody is impressed by memory, one part of the
# dictionary was never trained on: the **held-out words**. A word and its relatives share
# a stem (*attend*, *attended*), so stems were drawn and not words: one in ten, and, since
# long words are rare, of words with 14 letters or more four in ten. The stems are cut off
# by a crude rule, which now and then misses a relative.

# %%
[pronounce(model, word) for word in ("knight", "phone", "congratulating")]

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Try your own words
#
# Type a word and press `Enter`. Each bar is the probability of a sound that is written:
# near 1 the network is sure, lower down it guesses.
# Where you read this without a running kernel, you see the stored picture. The second
# slider changes how wide the message is; leave it for now, we come back to it.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_bottleneck("knight")
view

# %%
view.set(word="internationalization")

# %% [markdown] lang="en"
# The beginning is right and the end is right, while the middle has gone, although the word
# was in training. Say it aloud: it sounds like somebody who has heard it once, on the
# telephone. But one word proves little, which is why we count.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count the errors
#
# How wrong is wrong? Count the edits that turn what was said into what is right, and
# divide by the number of sounds that are right. That is the **phoneme error rate**. Below,
# one sound is changed and one is too many: two edits for three sounds, of which the
# second is missed.

# %%
align(reference=["k", "æ", "t"], said=["k", "ɑ", "t", "s"])

# %% [markdown] lang="en"
# **Predict, then run.** Over words of 4 and 5 letters the network makes about 0.1 edits
# per sound. How many at 14 and 15 letters? The cell asks the network itself, on every
# held-out word of that length.

# %%
long = [pair for pair in pronunciation("test") if len(pair[0]) in (14, 15)]
said = transcribe(model, [word for word, _ in long])
sheet.predict("error", ...)
sheet.predict("error", true=phoneme_error(said, long))

# %% slideshow={"slide_type": "slide"}
lab.error_curves("last_state")

# %% [markdown] lang="en"
# {{ phoneme_error(said, long):.2f }}, more than three times as many. The thin band spans
# three networks that differ only in their seed, and below each length stands how many
# words are behind it. Two cautions. Only one pronunciation counts as right, although a
# word may have several. And a short test word often has a neighbour in training that
# differs by one letter, a long one hardly ever, which makes short words easier still.

# %%
near = lab.near_training()
{f"{low} to {high}": round(share, 2) for (low, high), share in near.items()}

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Widen the message
#
# Is it the bottleneck, then? If the trouble is that a long word does not fit, a wider
# message should help and a narrower one should hurt, long words above all. So here is the
# same network, trained at four widths on the same words, and once for twice as long, in
# case it was only not done yet. The last curve, for comparison, is the subject of lesson 2.

# %% slideshow={"slide_type": "slide"}
lab.message_curves()

# %% [markdown] lang="en"
# Width does matter: each doubling takes away a part of the error, while twice the
# training changes little. But the curves keep rising with length, even at 168 numbers, in
# a network three times as large as the one without a bottleneck, whose curve stays flat up
# to 15 letters. So far as we went, more room postpones the problem and does not solve it.
# One caution: the whole network grows with its message here, and each was trained once.
# Try *congratulating* at each width in the view above.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Find what is lost
#
# **Predict, then run.** Take words of 12 letters and more, and cut each into five parts
# of the same number of sounds. What share of the sounds does the network miss in the
# middle part?

# %%
fifths = load_errors()["last_state"]["0"]["by_fifth"]
sheet.predict("middle", ...)
sheet.predict("middle", true=fifths[2])

# %%
lab.missed_bars("last_state")

# %% [markdown] lang="en"
# About {{ fifths[2]:.1f }}, against {{ fifths[0]:.2f }} at the beginning. "The network
# forgets the beginning" would predict something else, but this one reads from both sides,
# so that both ends of a word are close to the message; that may be why. Are the ends of English words also
# easier in themselves? They are, and lesson 2 takes that away, with a network that has no
# bottleneck.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look for the reason
#
# If you nudge a letter a little, how much does the message move? The gradient answers
# that. We take held-out words of 15 letters and measure both halves of the message: where
# the forward direction ends, at letter 15, and where the backward one ends, at letter 1.

# %%
fifteen = [word for word, _ in pronunciation("test") if len(word) == 15]
forward, backward = lab.encoder_reach(model, fifteen[:60])
reach = {"forward": forward, "backward": backward, "both": forward + backward}
lab.lines(range(1, 16), reach, x_name="letter", y_name="gradient of the message")

# %% [markdown] lang="en"
# Each half listens best to its own end: the forward one to the last letters, the backward
# one to the first. Together they listen most to the first letters and least near letter
# 13, where the network does not err most. So this does not explain why the middle is lost.
# A gradient shows what the message *could* react to, which is not what it kept.
#
# <details><summary>Does every recurrent network fade?</summary>
#
# No. A factor per step is multiplied again and again, so that a gradient shrinks, holds or
# grows with the distance. If it shrinks, one speaks of a **vanishing gradient**, and early
# letters then teach the network little. `lab.untrained_reach("rnn", gain=1.5)` measures it
# for an untrained network, from one step back to fifty.
#
# </details>

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Train two yourself
#
# Is it the size, the data, or the message? Train two small networks on the same words for
# 400 steps each; the bars show how far it is. One passes on its last states. Its twin may
# look at every state.

# %%
twins = {kind: lab.train_small(kind) for kind in ("last_state", "bahdanau")}
errors = lab.small_errors(twins)
lab.small_curves(errors)

# %% [markdown] lang="en"
# Both make more errors than the shipped ones, which were trained twenty times as long.
# But the shapes are the same: one climbs steeply with length, the other a little. A live
# training differs from machine to machine, so a comparison stands in for its numbers: at
# 13 to 15 letters, does the first make more than 1.6 times as many errors?

# %%
last, looking = (errors[kind][-3:].mean() for kind in ("last_state", "bahdanau"))
bool(last > 1.6 * looking)

# %% [markdown] lang="en"
# Here are the large ones side by side, at the same word and the same sound. Left, all that
# is known comes from the two ends. Right, there are lines to the letters, and they move
# as you play. What they are is the next lesson.

# %% slideshow={"slide_type": "slide"}
without, attending = (lab.explore_steps("attention", 0, a) for a in (False, True))
lab.beside(without, attending, link=("word", "step"))

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell. Where you are stuck,
# `sheet.hint("encoder")` in a cell of your own gives one more hint each time. First the
# encoder: read `inputs`, `(T, d)`, letter by letter from a state of zeros, with
# `tanh(x @ W + state @ U + b)`, and give back all states, `(T, n)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def encoder(inputs, W, U, b):
#     state, states = np.zeros(len(b)), []
#     for x in inputs:
#         state = np.tanh(x @ W + state @ U + b)
#         states.append(state)
#     return np.array(states)
# ```
#
# </details>


# %%
def encoder(inputs, W, U, b):
    return ...


sheet.check("encoder", encoder)

# %% [markdown] lang="en"
# The loss: `logits` has a row for each example, `(B, V)`, and `target` says which number
# of each row is the right one. Give back the mean of minus the log of the right shares.
#
# <details><summary>Solution</summary>
#
# ```python
# def loss(logits, target):
#     shares = softmax(logits)
#     return -np.log(shares[np.arange(len(target)), target]).mean()
# ```
#
# </details>


# %%
def loss(logits, target):
    return ...


sheet.check("loss", loss)

# %% [markdown] lang="en"
# With the view above, find a held-out word of 12 letters or more whose first two and last
# two sounds the network says right, and something between them wrong. Hand it in as text;
# the network is run on it.
#
# <details><summary>Solution</summary><code>"distinctions"</code> is one.</details>

# %%
sheet.check("middle", ...)

# %% [markdown] lang="en"
# Look at the error curve of this network once more. From which length on is the error
# more than twice that at 4 and 5 letters? Give the first number of the group.
#
# <details><summary>Solution</summary><code>10</code></details>

# %%
sheet.check("twice", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - An encoder reads a sequence, a decoder writes another one, and all that connects them
#   is a message of fixed width: the state that each direction ends with.
# - Errors climb with the length of the word. A wider message lowers the curve and does
#   not flatten it.
# - Of a long word the third and fourth fifth are missed most. The gradient at the letters
#   does not explain it: that of the message is lowest elsewhere.
#
# ## Further reading
#
# - Carnegie Mellon University: *The CMU Pronouncing Dictionary*. The words.
# - I. Sutskever, O. Vinyals, Q. Le: *Sequence to Sequence Learning with Neural Networks*,
#   2014. The encoder-decoder whose message is one state.
# - K. Cho and others: *Learning Phrase Representations using RNN Encoder-Decoder*, 2014.
#   The gated unit of this lesson.
# - K. Cho and others: *On the Properties of Neural Machine Translation*, 2014. Quality
#   falls with the length of the sentence.
# - R. Pascanu, T. Mikolov, Y. Bengio: *On the Difficulty of Training Recurrent Neural
#   Networks*, 2013. When gradients vanish and when they explode.
#
# ## Next
#
# In [lesson 2](02_bahdanau_attention.ipynb) the decoder may look back at every state, and
# you watch where it looks.
